"""Cutting a text into pieces at its blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.memory.passages import MOST, cut_blocks, first_words

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
