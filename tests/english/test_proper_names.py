"""Names of several words: where they begin and end, and what a word of them stands for."""

import pytest

from memoir.english.proper_names import meaning, runs


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met Ed Sheeran in New York, and saw the Museum of Modern Art.", "Ed Sheeran|New York|Museum of Modern Art"),
        ("Amy Ellis Nutt wrote it.", "Amy Ellis Nutt"),
        ("Hey Mel! Thanks Caroline.", "Mel|Caroline"),
        ("We met Melanie's son at Door Dash on Friday.", "Melanie|Door Dash"),
        ('I read "Becoming Nicole" and said "Wonderful".', "Becoming Nicole"),
        ("Gather it. Wait for it.", ""),
        ("# The Store\n\nIntroduction to the Memory Store\n- Reading Books", ""),
        ("we moved from MongoDB to Postgres 17", "MongoDB|Postgres"),
    ],
)
def test_a_name_is_a_run_of_capitals_inside_a_sentence(text: str, names: str) -> None:
    assert "|".join(" ".join(run) for run in runs(text)) == names


@pytest.mark.parametrize(
    ("word", "names", "stands_for"),
    [
        ("nutt", {"amy ellis nutt": 1, "ellis nutt": 1, "nutt": 2}, ("amy ellis nutt",)),
        ("amy", {"amy": 9, "amy ellis nutt": 1}, ("amy ellis nutt",)),
        ("google", {"google": 9, "google cloud": 1}, ("google", "google cloud")),
        ("new", {"new york": 2, "new orleans": 1}, ("new orleans", "new york")),
        ("friday", {"friday": 3}, ()),
        ("bach", {"bach": 1}, ("bach",)),
        ("bach", {}, ()),
    ],
)
def test_a_word_stands_for_itself_or_for_the_one_name_that_has_it(
    word: str, names: dict[str, int], stands_for: tuple[str, ...]
) -> None:
    assert meaning(word, names) == stands_for
