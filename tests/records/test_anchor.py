"""Anchors as they are written and stored."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.records.anchor import Anchor, CitedLines, anchors_of, read_spec, with_anchors, without_targets

BLOB = "1" * 40
WHOLE = Anchor("src/a.py", BLOB, "2" * 40)
PART = Anchor("src/a.py", BLOB, None, CitedLines(3, 9, "abcd", "def f():"))


@pytest.mark.parametrize("anchor", [WHOLE, PART, Anchor("b c.py", "3" * 64)])
def test_an_anchor_reads_back_from_the_metadata(anchor: Anchor) -> None:
    assert anchors_of(with_anchors({"tags": ["x"]}, [anchor])) == [anchor]


@given(st.integers(1, 9999), st.integers(0, 99))
def test_lines_read_back_from_how_they_are_written(first: int, more: int) -> None:
    anchor = PART._replace(lines=CitedLines(first, first + more, "abcd", ""))

    assert read_spec(anchor.spec) == ("src/a.py", (first, first + more))


def test_an_anchor_takes_the_place_of_the_one_at_its_file_and_lines_alone() -> None:
    newer = PART._replace(blob="4" * 40)

    assert anchors_of(with_anchors(with_anchors({}, [WHOLE, PART]), [newer])) == [WHOLE, newer]
    assert anchors_of(without_targets(with_anchors({}, [WHOLE, PART]), [newer])) == [WHOLE]


@pytest.mark.parametrize(
    "value",
    [
        None, 7, "src/a.py", {"file": "a", "blob": BLOB}, ["src/a.py"], [{}], [{"file": "../a", "blob": BLOB}],
        [{"file": "/a", "blob": BLOB}], [{"file": "a\nb", "blob": BLOB}], [{"file": "a", "blob": "xyz"}],
        [{"file": "a", "blob": BLOB, "commit": "--output=x"}], [{"file": "a", "blob": BLOB, "lines": [0, 2]}],
        [{"file": "a", "blob": BLOB, "lines": [2, 1], "digest": "a"}], [{"file": "a", "blob": BLOB, "lines": "1-2"}],
        [{"file": "a/../../b", "blob": BLOB}], [{"file": "", "blob": BLOB}], [{"file": ["a"], "blob": BLOB}],
    ],
)  # fmt: skip
def test_what_an_import_brings_and_is_no_anchor_is_left_alone(value: Any) -> None:
    assert anchors_of({"about": value}) == []
