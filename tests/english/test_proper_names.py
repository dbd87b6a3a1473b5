"""Names of several words, titles, and the forms of a name."""

import pytest

from memoir.english.proper_names import forms_of, key_of, meaning, runs, same_names, titles


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
        ("```python\nclass Column(Base):\n```\nwe moved it to Postgres", "Postgres"),
        ("from here, db.session.add(Float({Column: 1}));", ""),
        (r"the side \(AB\) of Euclid and $AC$ of Heron, and it costs $5 in Rome or $6", "Euclid|Heron|Rome"),
        ("- and **Contact Information**: write to Ann", "Ann"),
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
        ("vega", {"las vega": 9, "vega": 3, "last vega": 1}, ("las vega",)),
        ("york", {"new york": 20, "york": 1, "new york city": 1}, ("new york",)),
        ("york", {"york": 9, "new york": 2}, ("york", "new york")),
        ("friday", {"friday": 3}, ()),
        ("bach", {"bach": 1}, ("bach",)),
        ("bach", {}, ()),
    ],
)
def test_a_word_stands_for_itself_or_for_the_one_name_that_has_it(
    word: str, names: dict[str, int], stands_for: tuple[str, ...]
) -> None:
    assert meaning(word, names) == stands_for


def test_names_of_one_thing_are_told_by_a_list_where_no_rule_can() -> None:
    assert same_names("nyc") == same_names("new york city") == same_names("new york")
    assert same_names("york") == ("york",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('She read "Becoming Nicole" and “Charlotte’s Web.” last week', ["Becoming Nicole", "Charlotte’s Web"]),
        ('Pass "--no-index" and "Name", "not a title"', []),
        ('a quote " that never ends, Or Does It', []),
        ('"' * 1000, []),
    ],
)
def test_a_quoted_title_has_two_words_and_begins_with_a_capital(text: str, expected: list[str]) -> None:
    assert list(titles(text)) == expected


@pytest.mark.parametrize(
    ("key", "forms"),
    [
        ("api", "API APIs api"),
        ("library", "Library libraries"),
        ("box", "Box boxes"),
        ("style guide", "Style Guide, style guides"),
        ("redi", "Redis redis"),
        ("class", "Class classes"),
    ],
)
def test_forms_of_a_name_share_a_key(key: str, forms: str) -> None:
    separator = ", " if "," in forms else " " if " " not in key else None
    assert {key_of(form) for form in forms.split(separator)} == {key}
    assert key in forms_of(key)


def test_no_name_is_the_name_of_nothing() -> None:
    assert key_of("  ") == ""
