"""Labelled facts that share words with a memory or mean much the same, and vote for its category."""

from math import log

import pytest
from filing_facts import digest

from memoir.filing.evidence import default_evidence
from memoir.filing.labelled import (
    BY_MEANING,
    BY_WORDS,
    FILE,
    MEANINGS,
    VOTERS,
    LabelledFacts,
    Signs,
    labelled_facts,
    labelled_meanings,
)
from memoir.filing.levels import read, weigh_by_regression
from memoir.filing.regression import MINILM, Meaning, minilm_meaning, regression_of

CLASSES = ["red.dark", "red.pale", "blue.sky", "inbox"]
LABELS = (["red.dark"], ["red"], ["blue.sky", "inbox"])
SIGNS = Signs([0, 500, 0, 0], [0b1111, 0b1110, 0b0000])
OTHERS = [(["inbox"], [f"other{number}"]) for number in range(27)]
FACTS = LabelledFacts.of(
    [*zip(LABELS, (["rose", "garden"], ["rose", "tulip"], ["cloud", "garden"]), strict=True), *OTHERS]
)


def places(*stems: str) -> list[int]:
    return [near.place for near in FACTS.nearest(stems)]


def test_facts_are_near_by_the_words_that_they_share_and_by_no_others() -> None:
    assert places("rose", "tulip") == [1, 0]
    assert places("oak") == places() == []
    assert FACTS.nearest(["rose", "tulip", "oak"])[0].cosine == pytest.approx(1, abs=0.01), "no fact knows the oak"


def test_a_rare_word_makes_nearer_than_one_that_many_have() -> None:
    assert places("tulip", "garden")[0] == 1
    assert FACTS.nearest(["cloud"])[0].cosine > FACTS.nearest(["garden"])[0].cosine


def test_a_word_that_more_than_a_tenth_of_the_facts_have_tells_nothing() -> None:
    facts = LabelledFacts.of([*[(["red.dark"], ["the"])] * 2, *[(["red.pale"], ["the", "sea"])] * 18])
    assert facts.nearest(["the"]) == []


def test_a_word_counts_once_however_often_and_wherever_it_stands() -> None:
    assert FACTS.nearest(["rose", "garden", "rose"]) == FACTS.nearest(["garden", "rose"])


def test_a_sign_is_that_of_a_component_less_its_mean() -> None:
    assert SIGNS.signs([0.1, 0.4, -0.1, 0.2]) == 0b1001
    assert SIGNS.signs([0.1, 0.6, -0.1, 0.2]) == 0b1101


def test_the_nearest_facts_add_most_and_labels_share_a_vote() -> None:
    scores = FACTS.votes(SIGNS.nearest([1.0, 1.0, 1.0, 1.0]), BY_MEANING, CLASSES)
    assert scores["red.dark"] > scores["red.pale"] > scores["blue.sky"] == scores["inbox"]
    assert scores["red.dark"] == pytest.approx(BY_MEANING.of_all * log(1), abs=0.02), "its only fact is the same"


def test_only_the_nearest_facts_vote() -> None:
    signs = Signs(SIGNS.means, [*[0b1111] * VOTERS, 0b0111])
    assert [near.place for near in signs.nearest([1.0, 1.0, 1.0, 1.0])] == [*range(VOTERS)]
    crowd = LabelledFacts.of([*[(["red.dark"], ["rose"])] * (VOTERS + 5), *OTHERS * 20])
    assert len(crowd.nearest(["rose"])) == VOTERS


def test_the_written_forms_read_back() -> None:
    again = LabelledFacts(FACTS.data)
    assert again.nearest(["rose"]) == FACTS.nearest(["rose"]) and len(again) == len(LABELS) + len(OTHERS)
    assert [again.labels(place) for place in range(len(again))] == [*LABELS, *(labels for labels, _ in OTHERS)]
    assert Signs.loads("# a comment\n" + SIGNS.dumps()).dumps() == SIGNS.dumps()


def test_the_labels_of_the_shipped_facts_are_levels_that_the_regression_knows() -> None:
    known = {*regression_of(MINILM).classes, *regression_of(MINILM).first_levels}
    assert {*labelled_facts().names} <= known


def test_the_files_are_of_the_facts_as_they_are_now_and_in_one_order() -> None:
    for file in (FILE, MEANINGS):
        assert file.read_text("utf-8").startswith(f"# fitted to {digest()}\n"), "run scripts/fit_filing.py"
    assert len(labelled_facts()) == len(labelled_meanings().rows)


def test_they_vote_on_any_memory_by_its_words() -> None:
    text = "The zorp needs gluten"
    nearest = labelled_facts().nearest(read(text).stems)
    votes = labelled_facts().votes(nearest, BY_WORDS, regression_of(MINILM).classes)
    assert max(votes, key=lambda name: votes[name]) in ("preferences.food", "profile.health")


def test_they_vote_on_memories_with_a_meaning_by_minilm() -> None:
    text = "The zorp is cold"
    vector = [(-1.0) ** place for place in range(len(labelled_meanings().means))]
    nearest = labelled_meanings().nearest(minilm_meaning(vector).vector)
    votes = labelled_facts().votes(nearest, BY_MEANING, regression_of(MINILM).classes)
    scores = weigh_by_regression(read(text, minilm_meaning(vector)), default_evidence())
    nothing = weigh_by_regression(read(text, Meaning(MINILM, [0.0] * len(vector))), default_evidence())
    assert len({round(vote, 6) for vote in votes.values()}) > 1 and scores != nothing
