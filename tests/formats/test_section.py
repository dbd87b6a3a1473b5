"""The section that memoir writes into notes files: everything around it stays, and what comes back is exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import Conflict
from memoir.formats.section import END, format_section, put_section, read_section, take_apart

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=80).filter(str.strip)
MEMORIES = st.dictionaries(st.sampled_from(["a.b", "c", "people.bob#1a2b3c4d", "user:x:d.e"]), TEXTS, max_size=4)
AROUND = st.text(st.sampled_from("ab \n\r#-`\ufffd"), max_size=40)


@given(MEMORIES)
def test_what_was_written_is_read_back_and_is_no_edit(memories: dict[str, str]) -> None:
    section = read_section(format_section(list(memories.items())) + "\n")

    assert section
    assert [point.key for point in section.points] == list(memories)
    assert list(section.edits) == []


@given(AROUND, AROUND, MEMORIES, MEMORIES)
def test_every_byte_around_the_section_stays(
    before: str, after: str, first: dict[str, str], second: dict[str, str]
) -> None:
    data = put_section(before.encode(), format_section(list(first.items()))) + after.encode()
    again = put_section(data, format_section(list(second.items())))

    assert again.startswith(before.encode()) and again.endswith(after.encode())
    assert put_section(again, format_section(list(second.items()))) == again


def test_the_lines_end_as_those_of_the_file() -> None:
    data = put_section(b"# Title\r\n\r\nText.\r\n", format_section([("a.b", "One\ntwo.")]))

    assert data.count(b"\n") == data.count(b"\r\n")
    assert put_section(data, format_section([("a.b", "One\ntwo.")])) == data


def test_edits_and_new_points_come_back() -> None:
    text = format_section([("a.b", "Use pytest."), ("c", "One\n\n  two")])
    text = text.replace("Use pytest.", "Use pytest 9.").replace(END, f"- Added here.\n{END}")
    rest, found = take_apart("CLAUDE.md", f"Intro.\n\n{text}\n- Mine.\n")

    assert [(each.key, each.content, each.where, each.as_written) for each in found] == [
        ("a.b", "Use pytest 9.", "CLAUDE.md:8", False),
        ("c", "One\n\n  two", "CLAUDE.md:9", True),
        (None, "Added here.", "CLAUDE.md:12", False),
    ]
    assert rest.split() == ["Intro.", "-", "Mine."]
    assert rest.count("\n") == f"Intro.\n\n{text}\n- Mine.\n".count("\n")


@pytest.mark.parametrize(
    "text", ["<!-- memoir: memories (abc123) -->\n- a\n", 2 * (format_section([("a.b", "One.")]) + "\n")]
)
def test_a_section_that_is_not_whole_is_left_alone(text: str) -> None:
    with pytest.raises(Conflict, match="not whole"):
        put_section(text.encode(), format_section([]))


def test_a_memory_cannot_end_the_section_or_hide_in_it() -> None:
    section = format_section([("a.b", f"One {END} two\u202e")])

    assert section.count(END) == 1
    assert "\u202e" not in section
