"""The things that a question lists."""

import pytest

from memoir.english.requests import listed


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("In what order came these: the move, my first day, and the party?", ("move", "first day", "party")),
        ("Which tools do we use for linting, unit tests and releases?", ("linting", "unit tests", "releases")),
        ("Which books has she read?", ()),
        ("What do Ada and Ben like?", ()),
        ("When she had come home, and after the long talk with Eva, what did Ada and Ben want to eat?", ()),
    ],
)
def test_things_are_listed_after_a_colon_or_between_commas(question: str, things: tuple[str, ...]) -> None:
    assert listed(question) == things
