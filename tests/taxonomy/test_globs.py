"""Globs over paths."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.taxonomy.paths import common_prefix, is_prefix_glob, literal_prefix, matcher

GLOBS = st.text("ab.*?[]!", max_size=6)
PATHS = st.text("ab.", min_size=1, max_size=6)


@given(st.lists(GLOBS, min_size=1, max_size=3), PATHS)
def test_matching_is_fnmatchs_and_globs_are_united(globs: list[str], path: str) -> None:
    assert matcher(globs)(path) == any(fnmatch.fnmatchcase(path, glob) for glob in globs)


@given(st.lists(GLOBS, min_size=1, max_size=3), PATHS)
def test_every_match_begins_with_the_common_prefix(globs: list[str], path: str) -> None:
    if matcher(globs)(path):
        assert path.startswith(common_prefix(globs))


def test_no_globs_match_everything() -> None:
    assert matcher([])("anything")


@pytest.mark.parametrize(
    ("glob", "prefix", "whole"),
    [
        ("preferences.*", "preferences.", True),
        ("*", "", True),
        ("a?b*", "a", False),
        ("a.b", "a.b", False),
        ("a[bc]*", "a", False),
    ],
)
def test_prefix_globs_are_recognised(glob: str, prefix: str, whole: bool) -> None:
    assert literal_prefix(glob) == prefix
    assert is_prefix_glob(glob) is whole
