"""A text is cut into pieces without a loss, whatever the text."""

from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.sources.cutting import MOST, cut, sections
from memoir.sources.reading import read_source
from memoir.sources.turns import read_transcript

PARTS = st.sampled_from(
    [
        "# One\n",
        "## Two\n",
        "Title\n=====\n",
        "word ",
        "A sentence. ",
        "\n",
        "\n\n",
        "   ",
        "```\n",
        "x" * 50,
        "\u202e",
        "é",
    ]
)
TEXTS = st.lists(PARTS, max_size=60).map("".join)


@given(TEXTS, st.integers(1, 40))
def test_pieces_join_to_the_text_and_are_small_and_not_blank(text: str, most: int) -> None:
    pieces = cut(text, most)

    assert "".join(pieces) == text
    assert all(len(piece.strip()) <= most for piece in pieces)
    assert all(piece.strip() for piece in pieces) or not text.strip()


@given(TEXTS)
def test_the_sections_of_a_document_join_to_it(text: str) -> None:
    parts = sections(text)

    assert "".join(section.text for section in parts) == text
    assert all(section.text.strip() for section in parts) or not text.strip()


@given(
    st.lists(st.sampled_from(["Ada: Hi.\n", "Ben: So?\n", "2026-01-31\n", "more\n", "\n", "Ada: x\n\n"]), max_size=40)
)
def test_the_turns_of_a_transcript_join_to_it(lines: list[str]) -> None:
    text = "".join(lines)
    turns = read_transcript(text)

    assert turns is None or "".join(turn.text for turn in turns) == text


def test_a_document_is_cut_at_its_headings() -> None:
    text = "# Guide\n\n## Set-up\nRun it.\n\n```\n# no heading\n```\n\nUse\n---\nCall it.\n"

    parts = sections(text)

    assert [section.headings for section in parts] == [("Guide", "Set-up"), ("Guide", "Use")]
    assert parts[1].text == "Use\n---\nCall it.\n"


def test_frontmatter_belongs_to_the_first_section() -> None:
    front = "---\ntitle: People\n---\n"

    (people,) = sections(f"{front}\n# People\nMira bakes.\n")

    assert (people.headings, people.text) == (("People",), f"{front}\n# People\nMira bakes.\n")
    assert len(sections("---\nA rule, and words below it.\n\n# People\nMira bakes.\n")) == 2


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a b " * 250_000, "Ada: " + "y" * 1_000_000, "#" * 1_000_000])
def test_a_line_of_a_million_characters_is_cut_like_any_other(text: str) -> None:
    parts = read_source("long.txt", text, allow_secrets=True).parts

    assert "".join(part.text for part in parts) == text
    assert all(len(part.text.strip()) <= MOST for part in parts)


def test_a_long_text_is_read_about_once_however_many_pieces_it_has() -> None:
    read = 0

    class Text(str):
        def __getitem__(self, key: SupportsIndex | slice) -> str:
            nonlocal read
            piece = super().__getitem__(key)
            read += len(piece)
            return piece

    text = Text("some words of a long message. " * 10_000)

    assert "".join(cut(text)) == text and read < 10 * len(text)
