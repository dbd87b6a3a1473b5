"""Looking up the lines of a sorted file finds what reading all of it finds."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lexicon.table import contents, lines_after

_LINES = st.text("abé ~\t", min_size=1, max_size=4)


@given(st.lists(_LINES, min_size=1, unique=True), _LINES)
def test_a_look_up_finds_what_begins_so(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], beginning: str
) -> None:
    file: Path = tmp_path_factory.mktemp("lines") / "sorted.txt"
    file.write_bytes(b"".join(line + b"\n" for line in sorted(line.encode() for line in lines)))

    found = lines_after(contents(file, "a list"), beginning)

    assert sorted(found) == sorted(line.removeprefix(beginning) for line in lines if line.startswith(beginning))
