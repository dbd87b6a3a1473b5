"""The weights of the phrases that are evidence: fitted to how often they are right among labelled facts."""

import json

import pytest
from filing_facts import TUNED_SETS, WORLD_FILES, fitted_lines, lines_of, short_worlds
from fitted_words import MOST, UNFITTED, Precisions, Words

from memoir.filing.evidence import DEFAULT_FILE
from memoir.filing.levels import read

CODING = "preferences.coding"


def words(text: str, *labels: str) -> Words:
    return Words.of(read(text), labels)


def test_a_phrase_that_is_right_counts_more_and_one_that_is_wrong_counts_less() -> None:
    plain = UNFITTED.weights("tab").get(CODING)
    right = Precisions([words("tabs here", CODING)] * 9).evidence().weights("tab").get(CODING)
    wrong = Precisions([words("tabs here", "system.servers")] * 9).evidence().weights("tab").get(CODING)

    assert plain and right and wrong and right == MOST * plain and 0 < wrong < plain / 5
    assert Precisions([]).evidence().weights("tab").get(CODING) == plain


def test_a_fact_is_not_judged_by_itself() -> None:
    fact = words("tabs here", CODING)
    precisions = Precisions([fact])

    assert precisions.scores(fact, known=True) == Precisions([]).scores(fact, known=False)
    assert (
        precisions.scores(fact, known=False).categories[CODING] > precisions.scores(fact, known=True).categories[CODING]
    )


def test_a_first_level_is_right_for_all_below_it() -> None:
    first, second = (Precisions([words("tabs here", label)] * 9).evidence() for label in ("preferences", CODING))
    assert first.weights("tab")[CODING] == second.weights("tab")[CODING]


@pytest.mark.slow
def test_the_weights_are_those_of_the_facts_as_they_are() -> None:
    facts = [words(line["text"], *line["categories"]) for file in WORLD_FILES for line in lines_of(file)]
    facts += [words(line["content"], *line["categories"]) for file in short_worlds() for line in lines_of(file)]
    facts += [
        words(line["text"], *line["levels"])
        for line in map(json.loads, fitted_lines())
        if line["set"] not in TUNED_SETS
    ]

    assert Precisions(facts).evidence().dumps() == DEFAULT_FILE.read_text("utf-8"), "run scripts/fit_filing.py"
