"""The catalogue of categories, the default one and those that people write; and what a first level decides."""

import pytest

from memoir.errors import InvalidInput
from memoir.taxonomy import catalogue
from memoir.taxonomy.catalogue import Category
from memoir.taxonomy.kinds import default_policy
from memoir.taxonomy.paths import check_path

FIRST_LEVELS = """
context workflow preferences knowledge debugging project experience entity settings system routine communication
profile goals topics learning relationships
""".split()  # noqa: SIM905
OWN = """
[garden]
about = "What grows where"
examples = ["The beans are in the north bed"]
cues = '''
plant, {month},
in   bloom'''

[garden.beds]
about = "Beds and their soil"
"""


def test_the_default_taxonomy_has_the_17_first_levels_in_their_order() -> None:
    assert list(catalogue.default().first_levels) == FIRST_LEVELS


def test_each_first_level_has_second_levels_and_there_are_about_70() -> None:
    default = catalogue.default()
    assert all(len(default.children(first)) >= 3 for first in FIRST_LEVELS)
    assert 65 <= len(default) - len(FIRST_LEVELS) <= 75


def test_each_category_is_described_and_has_examples() -> None:
    for category in catalogue.default().values():
        assert check_path(category.path) == category.path
        assert 10 < len(category.about) <= 120, category
        assert category.examples, category


def test_no_example_and_no_cue_is_in_a_category_twice() -> None:
    for category in catalogue.default().values():
        for phrases in (category.examples, category.cues):
            assert len(phrases) == len(set(phrases)), category.path


def test_a_catalogue_is_read_from_toml() -> None:
    own = catalogue.parse(OWN)
    assert own["garden"].examples == ("The beans are in the north bed",)
    assert own["garden"].cues == ("plant", "{month}", "in bloom")
    assert [child.path for child in own.children("garden")] == ["garden.beds"]
    assert own["garden.beds"] == Category("garden.beds", "Beds and their soil", (), ())


def test_another_catalogue_extends_and_where_both_have_a_category_the_others_is_taken() -> None:
    other = catalogue.parse(OWN + '[profile]\nabout = "Mine"\n[goals.sailing]\nabout = "Where to"\n')
    both = catalogue.default().plus(other)
    assert both["profile"].about == "Mine"
    assert both.children("profile") == catalogue.default().children("profile")
    assert both.children("goals")[-1].path == "goals.sailing"
    assert list(both.first_levels) == [*FIRST_LEVELS, "garden"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[x", "is not TOML"),
        (b"\xff", "is not TOML"),
        ("[x]", "no 'about' for x"),
        ('[x]\nabout = " "', "no 'about' for x"),
        ("[x]\nabout = 3", "no 'about' for x"),
        ('x = "text"', "neither a category nor"),
        ('["a b"]\nabout = "x"', "not a path: 'a b'"),
        ('["a.b.c"]\nabout = "x"', "has more than two levels: a.b.c"),
        ('[a.b.c]\nabout = "x"', "has more than two levels: a.b.c"),
        ('[a]\nabout = "x"\nweight = 3', "no field 'weight'"),
        ('[a]\nabout = "x"\n"" = 3', "no field ''"),
        ('[a]\nabout = "x"\nexamples = "y"', "are not a list of strings"),
        ('[a]\nabout = "x"\ncues = ["y"]', "are not a string"),
    ],
)
def test_what_is_wrong_with_a_catalogue_is_said(text: str | bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        catalogue.parse(text)


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("experience.session.turn", "append"),
        ("episodic.x", "append"),
        ("preferences.coding", "confidence_gated"),
        ("anything", "confidence_gated"),
        ("context.now", "replace"),
        ("working", "replace"),
    ],
)
def test_the_first_segment_of_a_path_decides_the_policy(path: str, policy: str) -> None:
    assert default_policy(path) == policy
