"""What speaks for each first level: words, votes, the regression, and labelled facts that mean much the same."""

from math import exp, log

import pytest

from memoir.filing.classifier import classify
from memoir.filing.evidence import default_evidence, evidence_of
from memoir.filing.labelled import WEIGHT, LabelledFact, LabelledFacts, labelled_facts
from memoir.filing.levels import VOTE, best_levels, read, weigh_by_regression, weigh_words
from memoir.filing.regression import MINILM, Meaning, minilm_meaning, regression_of
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


CLASSES = ["red.dark", "red.pale", "blue.sky", "inbox"]
FACTS = LabelledFacts(
    [0, 500, 0, 0],
    [LabelledFact(0b1111, ["red.dark"]), LabelledFact(0b1110, ["red"]), LabelledFact(0b0000, ["blue.sky", "inbox"])],
)


def test_a_sign_is_that_of_a_component_less_its_mean() -> None:
    assert FACTS.signs([0.1, 0.4, -0.1, 0.2]) == 0b1001
    assert FACTS.signs([0.1, 0.6, -0.1, 0.2]) == 0b1101


def test_the_nearest_facts_add_most_and_labels_share_a_vote() -> None:
    scores = FACTS.scores([1.0, 1.0, 1.0, 1.0], CLASSES)
    assert scores["red.dark"] > scores["red.pale"] > scores["blue.sky"] == scores["inbox"]
    assert scores["red.dark"] == pytest.approx(WEIGHT * log(1), abs=0.02), "its only fact is the same"


def test_only_the_nearest_facts_vote() -> None:
    crowd = [LabelledFact(0b1111, ["red.dark"])] * 40
    facts = LabelledFacts(FACTS.means, [*crowd, LabelledFact(0b0111, ["blue.sky"])])
    scores = facts.scores([1.0, 1.0, 1.0, 1.0], CLASSES)
    assert scores["blue.sky"] == scores["inbox"] < scores["red.dark"]


def test_the_written_form_reads_back() -> None:
    again = LabelledFacts.loads("# a comment\n" + FACTS.dumps())
    assert again.dumps() == FACTS.dumps()


def test_the_labels_of_the_shipped_facts_are_levels_that_the_regression_knows() -> None:
    known = {*regression_of(MINILM).classes, *regression_of(MINILM).first_levels}
    assert {label for fact in labelled_facts().facts for label in fact.labels} <= known


def test_both_files_are_fitted_to_the_same_facts() -> None:
    from memoir.filing import labelled, regression

    first = [file.read_text("utf-8").partition("\n")[0] for file in (labelled.FILE, regression.file_of(MINILM))]
    assert first[0] == first[1], "run scripts/fit_filing.py"


def test_they_vote_on_memories_with_a_meaning_by_minilm() -> None:
    text = "The zorp is cold"
    vector = [(-1.0) ** place for place in range(len(labelled_facts().means))]
    votes = labelled_facts().scores(minilm_meaning(vector).vector, regression_of(MINILM).classes)
    scores = weigh_by_regression(read(text, minilm_meaning(vector)), default_evidence())
    nothing = weigh_by_regression(read(text, Meaning(MINILM, [0.0] * len(vector))), default_evidence())
    assert len({round(vote, 6) for vote in votes.values()}) > 1 and scores != nothing


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
