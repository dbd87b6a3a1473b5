"""A store's own words: how a line is read, how it comes before the lexicon, and how texts tell other names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lexicon.own_words import (
    MOST_LINES,
    NONE,
    OwnLine,
    compiled,
    find_other_names,
    parse,
    path_of,
    problem,
)
from memoir.english.lexicon.spotting import Spot, spot, with_classes, with_own_words
from memoir.errors import InvalidInput

OWN = compiled("barn, the barn = staging cluster, preprod\nmercury = billing service\nc++ core = engine")


def spots(text: str) -> dict[str, Spot]:
    """The concepts of a text, by its words."""
    return {" ".join(each.words): each for each in spot(text, OWN)}


def test_a_line_has_names_and_words_with_commas_between_them() -> None:
    line = parse("  barn,the  barn =  staging cluster, preprod, Barn keeper,")

    assert line == OwnLine(("barn", "the barn"), ("staging cluster", "preprod", "Barn keeper"))
    assert line.text == "barn, the barn = staging cluster, preprod, Barn keeper"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("barn", "has no '='"), ("a1 = b = c", "has more than one '='"), ("= preprod", "0 phrases before '='"),
        ("barn =,", "0 phrases after '='"), ("the = preprod", "says nothing alone"), ("barn = …", "no letter or digit"),
        ("barns = Barn", "on both sides"), ("barn = " + "x" * 61, "is too long"), ("barn = a b c d e f", "is too long"),
        ("barn = x\u202ey", "cannot be seen"), ("barn = " + ", ".join(f"w{n}" for n in range(21)), "21 phrases after"),
    ],
)  # fmt: skip
def test_a_line_that_says_nothing_or_too_much_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        parse(text)
    assert problem(text)


@given(st.text(st.sampled_from("ab c,=+#é…'\n"), max_size=40))
def test_what_is_read_is_written_in_one_way(text: str) -> None:
    try:
        line = parse(text)
    except InvalidInput:
        return

    assert parse(line.text) == line and problem(line.text) is None


def test_names_with_signs_have_paths_of_their_own() -> None:
    assert [path_of(name) for name in ("The Barn", "C++", "C#", "C", "größe 2")] == [
        "the-barn", "c_p_p", "c_s", "c", "größe-2",
    ]  # fmt: skip


def test_a_name_means_what_its_words_mean_and_nothing_else() -> None:
    elsewhere = {name for each in spot("Mercury is a planet") for name in each.concepts if each.words == ("mercury",)}
    here = spots("Mercury restarts")["mercury"].concepts

    assert "billing" in here and "=mercury" in here
    assert not elsewhere & here.keys()


def test_words_mean_the_name_as_well() -> None:
    found = spots("the staging cluster and preprod")

    assert "=barn" in found["staging cluster"].concepts and "staging environment" in found["staging cluster"].concepts
    assert found["preprod"].concepts == {"=barn": 1.0}
    assert spots("Barns burn")["barns"].concepts["=barn"] == 1.0


def test_an_embedder_is_told_what_a_name_stands_for() -> None:
    assert with_classes("The barn is down.", OWN) == "The barn is down. (staging cluster, preprod)"
    assert (
        with_own_words("The barn and Grafana are down.", OWN)
        == "The barn and Grafana are down. (staging cluster, preprod)"
    )
    assert with_classes("The barn is down.", NONE) == "The barn is down."


def test_names_are_found_as_they_are_spelt() -> None:
    assert "=c++ core" in spots("Our C++ core is slow")["c++ core"].concepts
    assert not any("=c++ core" in each.concepts for each in spot("our c core is slow", OWN))


def test_only_so_many_lines_are_read() -> None:
    lines = [f"name{number} = word{number}" for number in range(MOST_LINES + 5)]

    assert len(compiled("\n".join(lines)).lines) == MOST_LINES
    assert compiled("no line\nbarn = preprod").lines == (parse("barn = preprod"),)


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
