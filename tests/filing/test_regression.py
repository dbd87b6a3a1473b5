"""What the form of a memory says of its kind."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoir.filing.evidence import default_evidence
from memoir.filing.levels import FILE, NO_MEMORY, Regression, default_regression, features, read
from memoir.git.digest import sha1
from memoir.index.embedders.static import FILE as TABLE
from memoir.taxonomy import catalogue

SMALL = "# small\nred blue inbox\n100 0\n0 50\n0 0\n^\t10 -10 0\n^ the\t0 200 0\nthe\t-50 50 0\n"
FACTS = Path(__file__).with_name("facts.jsonl").read_text("utf-8").splitlines()
NO_MEMORIES = Path(__file__).with_name("no_memories.jsonl").read_text("utf-8")
HELD_OUT_SET = "sixth"


def test_a_score_is_the_sum_of_the_features_weights() -> None:
    scores = Regression.loads(SMALL).scores(["the", "^", "unknown", "th"], [0, 0])
    assert scores == pytest.approx({"red": -0.4, "blue": 0.4, "inbox": 0.0})


def test_the_components_of_a_meaning_count_times_their_weights() -> None:
    scores = Regression.loads(SMALL).scores(["the"], [0.5, -2])
    assert scores == pytest.approx({"red": -0.5 + 0.5, "blue": 0.5 - 1, "inbox": 0.0})


def test_without_a_known_feature_nothing_scores() -> None:
    assert Regression.loads(SMALL).scores(["unknown"], [0, 0]) == {"red": 0, "blue": 0, "inbox": 0}


def test_it_knows_the_first_levels_of_the_default_taxonomy_and_what_is_no_memory() -> None:
    assert default_regression().classes == (*default_evidence().first_levels, NO_MEMORY)


def test_it_is_fitted_to_the_facts_as_they_are() -> None:
    lines = [line for line in FACTS if json.loads(line)["set"] != HELD_OUT_SET]
    digest = sha1("\n".join([*lines, NO_MEMORIES]).encode() + TABLE.read_bytes()).hex()
    assert FILE.read_text("utf-8").partition("\n")[0] == f"# fitted to {digest}", "run scripts/fit_filing.py"


def test_its_features_are_those_of_the_texts_that_it_is_fitted_to() -> None:
    counts = Counter(feature for text in texts_to_fit() for feature in features(text, read(text).stems))
    entries = {line.partition("\t")[0] for line in FILE.read_text("utf-8").splitlines() if "\t" in line}
    assert entries == {feature for feature, count in counts.items() if count >= 3}, "run scripts/fit_filing.py"


def texts_to_fit() -> Iterator[str]:
    yield from (fact["text"] for fact in map(json.loads, FACTS) if fact["set"] != HELD_OUT_SET)
    yield from (line["text"] for line in map(json.loads, NO_MEMORIES.splitlines()) if line["set"] == "fitted")
    for category in catalogue.default().values():
        yield from filter(None, (*category.examples, category.about))
