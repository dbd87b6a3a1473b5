"""Passages of segments: whose words they are, when they were said, and where a segment is cut."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.memory.passages import (
    MOST,
    Passage,
    cut_blocks,
    first_words,
    passage_id,
    passage_memories,
    passages,
    source_of_segment,
    words_of,
)
from memoir.memory.speaker import role_of
from memoir.records.record import Memory
from memoir.taxonomy.paths import Address

SEGMENT = Address("default:raw", "sources.chat.0001")
EMPTY = Memory.of("x", timestamp="2026-01-01T00:00:00Z")
ADA_AND_BEN = {"speakers": ["Ada", "Ben"], "began": "2026-01-31T09:30:00Z"}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
SAYINGS = st.lists(
    st.tuples(
        st.sampled_from(["Ada", "Ben", "user", "assistant"]),
        st.lists(
            st.sampled_from(["yes", "- item", "# heading", "```", "", "a sentence. " * 30]), min_size=1, max_size=5
        ),
    ),
    max_size=12,
)


def cut(content: str, **metadata: Any) -> list[Passage]:
    return passages((EMPTY._replace(content=content, metadata=metadata),))


def said(content: str, **metadata: Any) -> list[tuple[str, str]]:
    return [(each.speaker, each.text) for each in cut(content, **{**ADA_AND_BEN, **metadata})]


@given(SAYINGS)
def test_every_word_that_is_said_is_in_one_passage_in_order(sayings: list[tuple[str, list[str]]]) -> None:
    content = "\n".join(f"{name}: " + "\n".join(lines) for name, lines in sayings)
    names = list(dict.fromkeys(name for name, _ in sayings))

    found = cut(content, speakers=names)

    words = [word for _, lines in sayings for word in " ".join(lines).split()]
    assert [word for each in found for word in each.text.split()] == words
    assert all(len(each.text) < MOST + 90 for each in found)


@given(st.lists(st.sampled_from(["# Title", "Text. " * 30, "- item", "```", "", "Under\n====="]), max_size=20))
def test_every_word_of_a_document_is_in_one_passage_or_in_its_headings(lines: list[str]) -> None:
    content = "\n".join(lines)

    found = cut(content, caption="")

    assert "".join("".join(each.text.split()) for each in found) == "".join(content.split())


@given(
    st.text(max_size=300), st.dictionaries(st.sampled_from(["speakers", "began", "turns", "caption", "kind"]), ANYTHING)
)
def test_odd_metadata_are_no_error(content: str, metadata: dict[str, Any]) -> None:
    record = (EMPTY._replace(content=content, metadata=metadata),)

    assert len(passages(record)) == len(passage_memories(record, SEGMENT))


def test_each_turn_is_a_passage_of_its_speaker() -> None:
    assert said("Ada: Hello.\nBen: Good morning.\nHow are you?\nAda: Fine.\n") == [
        ("Ada", "Hello."), ("Ben", "Good morning.\nHow are you?"), ("Ada", "Fine."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "label", ["Ada:", "**Ada:**", "**Ada**:", "[2026-01-31 09:30] Ada:", "2026-01-31T09:30:00Z Ada:"]
)
def test_a_name_may_be_bold_and_have_a_date_before_it(label: str) -> None:
    assert said(f"{label} Hello.\n{label.replace('Ada', 'Ben')} Good morning.") == [
        ("Ada", "Hello."),
        ("Ben", "Good morning."),
    ]


def test_a_turn_with_a_date_of_its_own_is_of_that_day_and_others_of_the_segments() -> None:
    found = cut("[2026-02-03 10:00] Ada: Hello.\nBen: Good morning.", **ADA_AND_BEN)

    assert [each.when[:10] for each in found] == ["2026-02-03", "2026-01-31"]


@pytest.mark.parametrize("stamp", ["2026-02-30", "2026-01-31 25:00"])
def test_a_day_that_does_not_exist_is_none(stamp: str) -> None:
    assert [each.when for each in cut(f"[{stamp}] Ada: Hello.", speakers=["Ada"])] == [""]
    assert [each.when for each in cut("Ada: Hello.", speakers=["Ada"], began=stamp)] == [""]


def test_what_comes_before_the_first_name_belongs_to_the_turn_that_began_in_the_segment_before() -> None:
    assert said("and that is why.\nBen: I see.") == [("Ada", "and that is why."), ("Ben", "I see.")]
    assert said("only a continuation") == [("Ada", "only a continuation")]


def test_turns_say_where_turns_begin_if_a_line_only_looks_so() -> None:
    content = "Ada: The file says\nBen: root\nBen: I see."

    assert said(content, turns=[0, 29]) == [("Ada", "The file says\nBen: root"), ("Ben", "I see.")]


def test_a_name_within_a_line_or_of_nobody_who_speaks_begins_no_turn() -> None:
    assert said("Ada: I told Ben: no.\nNote: this is Ada's.") == [("Ada", "I told Ben: no.\nNote: this is Ada's.")]


def test_the_longer_of_two_names_is_taken() -> None:
    assert said("Ada Lovelace: Hello.", speakers=["Ada", "Ada Lovelace"]) == [("Ada Lovelace", "Hello.")]


def test_short_turns_of_one_person_are_one_passage() -> None:
    assert said("Ada: One.\nAda: Two.\nBen: Three.\nAda: Four.") == [
        ("Ada", "One.\nTwo."), ("Ben", "Three."), ("Ada", "Four."),
    ]  # fmt: skip


def test_turns_of_one_person_are_joined_up_to_500_characters() -> None:
    text = "x" * 249

    assert [len(each) for _, each in said(f"Ada: {text}\nAda: {text}\nAda: {text}")] == [499, 249]


def test_turns_of_one_person_with_a_long_pause_between_them_are_not_joined() -> None:
    lines = [f"[2026-01-31 {time}] Ada: At {time}." for time in ("09:00", "09:10", "09:21")]

    assert said("\n".join(lines)) == [("Ada", "At 09:00.\nAt 09:10."), ("Ada", "At 09:21.")]


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_turns_of_a_user_or_an_assistant_are_not_joined(role: str) -> None:
    assert [each.turn for each in cut(f"{role}: One.\n{role}: Two.", speakers=[role])] == [0, 1]


def test_passages_of_one_long_turn_have_its_number() -> None:
    found = cut("Ada: Hello.\nBen: " + "Many words. " * 120 + "\nAda: Fine.", **ADA_AND_BEN)

    assert [each.turn for each in found] == [0, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("name", "role"),
    [("user", "user"), ("Human", "user"), ("ASSISTANT", "assistant"), ("Claude", "assistant"), ("Ada", "talk")],
)
def test_roles_go_by_the_names(name: str, role: str) -> None:
    assert role_of(name) == role


def test_a_document_is_cut_at_its_blocks_under_its_headings() -> None:
    one, two = "First words. " * 30, "Second words. " * 30

    found = cut(f"## Setup\n\n{one}\n\n{two}", caption="Guide › Setup: First words.", kind="document")

    assert [(each.role, each.speaker, each.when) for each in found] == [("text", "", "")] * 2
    assert [each.text for each in found] == [one.strip(), two.strip()]


def test_the_heading_is_searched_and_printed_with_each_passage() -> None:
    content = "# Setup\n\nRun it."
    (passage,) = cut(content, caption="Guide › Setup: Setup Run it.")

    assert passage.heading == "Guide › Setup"
    assert passage.searched == "Guide › Setup\nRun it."
    assert passage.printed == "Guide › Setup: Run it."


def test_a_section_of_nothing_but_a_heading_is_a_passage() -> None:
    assert [each.text for each in cut("# Setup\n", caption="Guide: Setup")] == ["# Setup"]


def test_a_document_without_headings_is_printed_as_it_is() -> None:
    (passage,) = cut("Run it.", caption="Run it.")

    assert passage.printed == passage.searched == "Run it."


def test_a_turn_is_printed_with_who_says_it_and_when() -> None:
    assert [each.printed for each in cut("Ada: Hello.", **ADA_AND_BEN)] == ["Ada (2026-01-31): Hello."]
    assert [each.printed for each in cut("Ada: Hello.", speakers=["Ada"])] == ["Ada: Hello."]


def test_as_memories_passages_name_their_source_and_speaker() -> None:
    (memory,) = passage_memories((Memory.of("Ada: Hello.", metadata={**ADA_AND_BEN, "kind": "conversation"}),), SEGMENT)

    assert (memory.content, memory.timestamp) == ("Ada (2026-01-31): Hello.", "2026-01-31T09:30:00Z")
    assert memory.metadata == {"source": "chat", "kind": "conversation", "speaker": "Ada"}


def test_ids_count_from_one() -> None:
    assert (passage_id(0), passage_id(1, 1), passage_id(1, 3)) == ("p1", "p2", "p2-4")


def test_the_source_is_the_second_part_of_the_path() -> None:
    assert source_of_segment(SEGMENT) == "chat" and source_of_segment(SEGMENT._replace(path="odd")) == "odd"


@pytest.mark.parametrize("number", ["2.", "12."])
def test_the_number_of_a_long_entry_stays_with_its_words(number: str) -> None:
    entry = f"{number} Check the oven{', which has to be warm before the bread goes in' * 8}."

    first, *others = cut_blocks(f"1. Sift the flour.\n{entry}", 200)

    assert others and f"{number} Check the oven" in first + others[0]
    assert not any(piece.endswith(number) for piece in (first, *others))


LINES = st.sampled_from(
    [
        "",
        "word",
        "two words",
        "- an item",
        "1. first",
        "# A heading",
        "```",
        "~~~~",
        "Ends. " * 40,
        "x" * 700,
        "日本。" * 90,
    ]
)
TEXTS = st.one_of(st.text(max_size=2000), st.lists(LINES, max_size=30).map("\n".join))
TAIL = 90


@given(TEXTS, st.integers(min_value=100, max_value=700))
def test_every_word_is_in_one_piece_in_order(text: str, most: int) -> None:
    assert "".join("".join(cut_blocks(text, most)).split()) == "".join(text.split())


@given(TEXTS, st.integers(min_value=100, max_value=700))
def test_no_piece_is_longer_than_the_limit_but_by_a_short_tail(text: str, most: int) -> None:
    pieces = cut_blocks(text, most)

    assert all(len(piece) <= most for piece in pieces[:-1])
    assert all(len(piece) < most + TAIL for piece in pieces)


@given(TEXTS)
def test_no_piece_is_blank(text: str) -> None:
    assert all(piece.strip() for piece in cut_blocks(text))


def test_a_short_text_is_one_piece() -> None:
    assert cut_blocks("  # A heading\n\nOne.\n\nTwo.\n") == ["# A heading\n\nOne.\n\nTwo."]


@pytest.mark.parametrize("text", ["", " \n\t\n"])
def test_a_blank_text_has_no_piece(text: str) -> None:
    assert cut_blocks(text) == []


def test_a_text_is_cut_between_paragraphs() -> None:
    one, two = "One word after another. " * 15, "Then something else. " * 15

    assert cut_blocks(f"{one}\n\n{two}") == [one.strip(), two.strip()]


def test_list_items_are_blocks_of_their_own() -> None:
    items = [f"{sign} {'word ' * 50}".strip() for sign in ("-", "*", "3.", "12)", "•")]

    assert cut_blocks("\n".join(items), 300) == items


def test_a_heading_stays_with_what_is_below_it() -> None:
    first, second = "word " * 100, "other " * 80

    assert cut_blocks(f"{first}\n## Next\n{second}", 520) == [first.strip(), f"## Next\n{second.strip()}"]


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_fenced_code_is_one_block_whatever_is_in_it(fence: str) -> None:
    code = f"{fence}python\n# not a heading\n\n- not an item\n{'x = 1; ' * 40}\n{fence}"

    assert cut_blocks(f"{'word ' * 100}\n\n{code}\n\n{'other ' * 90}", 560)[1] == code


def test_a_row_of_tildes_below_a_line_is_a_heading_and_begins_no_code() -> None:
    parts = [f"Part {number}\n~~~~~~\n\n{'word ' * 60}".strip() for number in range(4)]

    assert cut_blocks("\n\n".join(parts), 320) == parts


def test_a_paragraph_that_is_too_long_is_cut_between_its_sentences() -> None:
    sentence = "The quick brown fox is not lazy at all."

    assert all(piece.endswith("all.") for piece in cut_blocks(" ".join([sentence] * 60)))


def test_a_sentence_that_is_too_long_is_cut_between_its_words() -> None:
    assert all(set(piece.split()) == {"word"} for piece in cut_blocks("word " * 400))


def test_the_end_of_such_a_sentence_is_no_piece_of_its_own_if_it_is_short() -> None:
    sentence = "word " * 120 + "and so on."

    assert cut_blocks(f"{sentence} {'Next ' * 130}")[0] == sentence


def test_a_word_that_is_too_long_is_cut_anywhere() -> None:
    assert [len(piece) for piece in cut_blocks("x" * 1500)] == [MOST, MOST, 300]


def test_a_short_tail_goes_with_the_piece_before() -> None:
    assert cut_blocks(f"{'word ' * 110}\n\n{'Short tail. ' * 6}") == [
        f"{'word ' * 110}\n\n{'Short tail. ' * 6}".strip()
    ]


def test_the_first_words_of_a_text_are_on_one_line_and_end_with_a_word() -> None:
    assert first_words("## A title\n\nand more") == "A title and more"
    assert first_words("word " * 40) == "word " * 16 + "…"


def test_the_words_of_a_passage_are_without_the_name_and_the_day_before_them() -> None:
    record = (EMPTY._replace(content="[2026-02-03 10:00] Ada: Ada: Hello.\nBen: (2026) Hi.", metadata=ADA_AND_BEN),)

    assert [words_of(each) for each in passage_memories(record, SEGMENT)] == ["Ada: Hello.", "(2026) Hi."]
