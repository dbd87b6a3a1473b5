"""Two names of one thing, as people write them."""

import pytest

from memoir.english.lexicon.own_words import find_other_names


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The staging cluster, aka the barn, is in Frankfurt.", "barn = staging cluster"),
        ("Mercury is our name for the billing service.", "Mercury = billing service"),
        ("We call the staging cluster the barn.", "barn = staging cluster"),
        ('We call the release checklist "the gauntlet".', "gauntlet = release checklist"),
        ("In meetings SLO is loved, SLO stands for service level objective.", "SLO = service level objective"),
        ("By hub we mean the sync server, which is new.", "hub = sync server"),
        ("“Kestrel” means the mobile app.", "Kestrel = mobile app"),
        ("The billing service (also known as Mercury) needs Java 21.", "Mercury = billing service"),
    ],
)
def test_a_name_and_what_it_stands_for_are_found(text: str, line: str) -> None:
    assert [each.text for each in find_other_names(text)] == [line]


@pytest.mark.parametrize(
    "text",
    [
        "We call the API twice a day.", "Call the plumber on Monday.", "He is called Jo.", "It stands for itself.",
        "That means the build is broken.", "Success means the tests pass.", "We call the support line first.",
        "Exit code 75 of the importer stands for a lock.", "The customer is also known as a good payer.",
    ],
)  # fmt: skip
def test_what_is_no_name_is_left_alone(text: str) -> None:
    assert find_other_names(text) == []
