"""Looking up sorted lines finds what reading all of them would."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.sorted_lines import contents, lines_after, value_of

_LINES = st.text("abé ~\t", min_size=1, max_size=4)


@given(st.lists(_LINES, min_size=1, unique=True), _LINES)
def test_a_look_up_finds_what_begins_so(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], beginning: str
) -> None:
    file: Path = tmp_path_factory.mktemp("lines") / "sorted.txt"
    file.write_bytes(b"".join(line + b"\n" for line in sorted(line.encode() for line in lines)))

    found = lines_after(contents(file, "a list"), beginning)

    assert sorted(found) == sorted(line.removeprefix(beginning) for line in lines if line.startswith(beginning))


@given(st.dictionaries(st.text("abé ~", min_size=1, max_size=4), st.text("01 \t", min_size=1)), st.text("abé ~"))
def test_the_value_of_a_name_is_what_is_behind_it_on_its_line(values: dict[str, str], name: str) -> None:
    lines = sorted(f"{each}\t{value}" for each, value in values.items())

    assert value_of(lines, name) == values.get(name, "")
