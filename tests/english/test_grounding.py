"""A text is grounded in its sources if they have its names and numbers, and enough of its words."""

import pytest

from memoir.english.excerpts import is_grounded, share_of_words

SOURCES = ["We move Apollo to a new cluster.", "The move of Apollo to the cluster is done."]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Apollo moved to the new cluster.", True),
        ("The cluster is new, and Apollo moved.", True),
        ("The new cluster is that of Zeus, as Apollo moved.", False),
        ("Apollo moved to 2 new clusters.", False),
        ("", False),
    ],
)
def test_names_numbers_and_enough_of_the_words_are_in_the_sources(text: str, holds: bool) -> None:
    assert is_grounded(text, SOURCES) is holds


def test_the_share_counts_words_that_tell_something_in_any_inflection() -> None:
    assert share_of_words("Apollo has moved its clusters", SOURCES[0]) == 1
    assert share_of_words("Zeus moved", SOURCES[0]) == 0.5
    assert share_of_words("it is", SOURCES[0]) == 0
