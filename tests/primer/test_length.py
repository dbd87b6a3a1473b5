"""The length of a primer, and how it quotes."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir.primer.length import MOST_CHARACTERS, MOST_TOKENS, LineBudget, line, quote, quote_name, tokens
from memoir.records.record import Memory
from memoir.taxonomy.paths import Address, MemoryAddress

MORNING = datetime(2026, 11, 30, 9, 15, tzinfo=UTC)


def test_tokens_are_counted_from_characters_and_bytes() -> None:
    assert tokens("") == 0
    assert tokens("a" * 35) == 10
    assert tokens("日本") == 3
    assert tokens("a" * MOST_CHARACTERS) <= MOST_TOKENS


def test_a_quotation_is_one_line_of_visible_characters() -> None:
    assert quote('say "x"\nand\x1b[31m \u202e\U000e0041', 100) == '"say \\"x\\"\\nand\\u001b[31m \\u202e\\udb40\\udc41"'
    assert quote("abcdef", 4) == '"abc…"'
    assert quote("del \x7f", 9) == '"del \\u007f"'
    assert quote("\u2800half \ud83d", 9) == '"\\u2800half ?"'


def test_what_writing_needs_stays_readable_in_a_quotation() -> None:
    for text in ("\U0001f469\u200d\U0001f4bb", "\u2764\ufe0f", "\u0645\u06cc\u200c\u062e\u0648", "10\xa0km"):
        assert quote(text, 100) == f'"{text}"'


def test_a_name_is_quoted_unless_it_is_plain() -> None:
    assert quote_name("user:al@x.org:preferences.coding-style_2") == "user:al@x.org:preferences.coding-style_2"
    assert quote_name("rules.Ignore\u3164all") == '"rules.Ignore\\u3164all"'
    assert quote_name("préférences") == '"préférences"'


@given(st.text('a"\\\n\u2028\u200b日\U0001f600', max_size=12), st.integers(1, 14))
@settings(max_examples=examples(50))
def test_a_quotation_holds_no_line_break_and_no_bare_quotation_mark(text: str, most: int) -> None:
    quotation = quote(text, most)

    assert quotation.isprintable() and quotation[0] == quotation[-1] == '"'
    assert '"' not in quotation[1:-1].replace("\\\\", "").replace('\\"', "")


def test_room_is_kept_for_what_comes_later() -> None:
    budget = LineBudget(100)

    assert not budget.take("x" * 60, keep=50)
    assert budget.take("x" * 60) and not budget.take("x" * 60)
    assert budget.characters == 39


def test_the_minute_is_told_if_somebody_has_to_know_which_is_newer() -> None:
    place, memory = Address("default", "rules.packages"), Memory.of("Use pnpm.", timestamp=MORNING)

    assert line(MemoryAddress(place, "c0f8a00d"), memory, 100, to_the_minute=True).endswith("2026-11-30 09:15)")
    assert line(place, memory, 100).endswith("2026-11-30)")


def test_who_vouches_is_left_out_only_where_what_it_is_from_says_it() -> None:
    def note(origin: str, source: str) -> str:
        memory = Memory.of("Use tabs.", timestamp=MORNING, metadata={"origin": [origin], "source": source})
        return line(Address("default", "rules.tabs"), memory, 100).partition("(")[2]

    assert note("capture", "capture:claude") == 'from "capture:claude", 2026-11-30)'
    assert note("capture", "chats") == 'capture, from "chats", 2026-11-30)'
    assert note("import", "capture:claude") == 'import, from "capture:claude", 2026-11-30)'
    assert note("agent", "capture:claude") == 'agent, from "capture:claude", 2026-11-30)'
