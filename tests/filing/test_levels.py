"""What speaks for each first level: words, votes, and the regression."""

from math import exp

import pytest

from memoir.filing.classifier import classify
from memoir.filing.evidence import default_evidence, evidence_of
from memoir.filing.levels import VOTE, best_levels, read, weigh_by_regression, weigh_words
from memoir.filing.voters import Neighbour
from memoir.taxonomy import catalogue
from memoir.taxonomy.catalogue import Catalogue, Category

TEXT = "The frobnicator crashes when the gasket is cold"
EVIDENCE = default_evidence()


def test_the_regression_speaks_for_a_kind_whose_words_no_list_has() -> None:
    plain, wish = (weigh_by_regression(read(text), EVIDENCE) for text in ("The zorp is cold", "I prefer a cold zorp"))
    assert wish["preferences.food"] - plain["preferences.food"] > wish["debugging.causes"] - plain["debugging.causes"]


def test_the_shares_of_the_best_levels_are_those_of_a_softmax() -> None:
    memory = read(TEXT)
    first, second = best_levels(memory, EVIDENCE, weigh_words(memory, EVIDENCE))
    assert first.name == "debugging" and first.score > second.score and 0 < second.share < first.share < 1
    assert first.share + second.share <= 1


def test_all_levels_together_stand_against_no_memory() -> None:
    own = evidence_of(Catalogue([Category("a", "", cues=("gasket",)), Category("b", "", cues=("cold", "rain"))]))
    memory = read("the gasket is cold in the rain")

    best, other = best_levels(memory, own, weigh_words(memory, own))

    assert best.share + other.share == pytest.approx(1)
    assert best.no_memory == other.no_memory == pytest.approx(1 / (1 + exp(best.score) + exp(other.score)))


def test_a_taxonomy_without_the_default_levels_has_no_form() -> None:
    own = evidence_of(Catalogue([Category("kitchen", "Food"), Category("kitchen.oven", "Ovens")]))
    assert weigh_by_regression(read(TEXT), own) == {}


def test_the_form_is_nothing_against_a_level_that_a_store_has_added() -> None:
    category = Category("brewing", "Beer", cues=("gasket", "frobnicator"))
    evidence = evidence_of(Catalogue([*catalogue.default().values(), category]))
    memory = read("The frobnicator has a gasket")
    assert best_levels(memory, evidence, weigh_words(memory, evidence))[0].name == "brewing"


@pytest.mark.parametrize("relevance", [0.3, 0.6, 0.9])
def test_a_vote_weighs_by_the_square_of_the_relevance(relevance: float) -> None:
    near = [Neighbour("topics.gardening.beans", relevance)]
    assert weigh_words(read("zxqv"), EVIDENCE, near).first_levels == pytest.approx({"topics": VOTE * relevance**2})


@pytest.mark.parametrize(
    "text",
    [
        "Dad's birthday is 4 May",
        "Hannah's birthday is on 3 March",
        "grandma's birthday is 1 May",
        "My mum's birthday is 3 May",
        "my brother’s wedding is on 3 May",
    ],
)
def test_the_dates_of_people_are_no_dates_of_a_project(text: str) -> None:
    assert classify(text).paths[0].path.startswith("relationships.")
    assert classify("The deadline is 4 May").paths[0].path == "project.timeline.deadline"


@pytest.mark.parametrize("who", ["wife", "older brother", "daughter"])
def test_a_relative_with_a_job_is_no_colleague(who: str) -> None:
    assert classify(f"My {who} works at Siemens").paths[0].path.startswith("relationships.family.")


@pytest.mark.parametrize("text", ["My birthday is on 12 October", "our wedding anniversary is 3 May"])
def test_a_day_of_the_users_own_life_is_no_date_of_a_project_either(text: str) -> None:
    assert classify(text).paths[0].path.startswith(("profile.", "relationships."))
    assert classify("Our deadline is 3 May").paths[0].path == "project.timeline.deadline"


@pytest.mark.parametrize("text", ["Our anniversary release is on 3 May", "our anniversary sale starts on 3 May"])
def test_what_is_named_after_such_a_day_can_be_a_date_of_a_project(text: str) -> None:
    assert classify(text).paths[0].path.startswith("project.timeline.")
