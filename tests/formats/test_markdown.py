"""Markdown: its points lose no word, and their lines are right."""

from hypothesis import given
from hypothesis import strategies as st

from memoir.formats.markdown import path_of, points, read_note
from memoir.taxonomy.paths import check_path

LINES = st.lists(
    st.sampled_from(["# A", "## B c", "- a one", "  - inner", "1. first", "words", "", "```", "---", "\tcode", "* x"]),
    max_size=20,
)


def test_bullets_paragraphs_and_code_are_points() -> None:
    text = "# T\n\nA paragraph\nof two lines.\n\n- one\n  - inner\n\n  more\n- two\n\n```sh\n# no heading\n```\n"

    assert [(point.line, point.text) for point in points(text)] == [
        (3, "A paragraph\nof two lines."),
        (6, "one\n  - inner\n\n  more"),
        (10, "two\n\n```sh\n# no heading\n```"),
    ]


@given(LINES)
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join([*lines, "end"])
    kept = " ".join(point.text for point in points(text)).split()

    for word in ("one", "inner", "first", "words", "code", "x", "end"):
        assert kept.count(word) == text.split().count(word)


@given(st.lists(st.text(max_size=30), max_size=12))
def test_the_path_of_any_titles_is_a_path(titles: list[str]) -> None:
    path = path_of("project", *titles)

    assert check_path(path) == path


@given(st.text(alphabet="-:\n[]{}'\"&*a1 #", max_size=60))
def test_any_frontmatter_is_read_or_is_text(text: str) -> None:
    note = read_note(f"---\n{text}\n---\nbody\n")

    assert note.text.endswith("body\n")
