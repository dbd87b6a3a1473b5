"""What the form and the meaning of a memory say of its category."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoir.filing.evidence import default_evidence
from memoir.filing.form import MINILM, STATIC, features
from memoir.filing.levels import read
from memoir.filing.regression import NO_MEMORY, Regression, file_of, regression_of
from memoir.git.objects import sha1
from memoir.index.embedders import weights
from memoir.index.embedders.static import FILE as TABLE
from memoir.taxonomy import catalogue

SMALL = """# small
1.5 0.5 -1 0.5 0.5
red.dark red.pale blue.sky inbox
0 100 0
20 100 0
0 0 50
0 0 0
^\t10 -10 0
^ the\t0 200 0
the\t-50 50 0
"""
FOLDER = Path(__file__).parent
HELD_OUT_SET = "sixth"
EMBEDDERS = pytest.mark.parametrize("embedder", [STATIC, MINILM])


def lines(name: str) -> list[str]:
    return (FOLDER / name).read_text("utf-8").splitlines()


def fitted(line: str) -> bool:
    return bool(json.loads(line)["set"] != HELD_OUT_SET)


def test_a_score_is_the_sum_of_the_weights_of_features_for_the_first_level_and_the_bias() -> None:
    scores = Regression.loads(SMALL).scores(["the", "^", "unknown", "th"], [0, 0])
    assert scores == pytest.approx({"red.dark": -0.4, "red.pale": -0.2, "blue.sky": 0.4, "inbox": 0.0})


def test_the_components_of_a_meaning_count_times_their_weights() -> None:
    scores = Regression.loads(SMALL).scores(["the"], [0.5, -2])
    assert scores == pytest.approx({"red.dark": 0, "red.pale": 0.2, "blue.sky": -0.5, "inbox": 0.0})


def test_without_a_known_feature_the_biases_score() -> None:
    scores = Regression.loads(SMALL).scores(["unknown"], [0, 0])
    assert scores == pytest.approx({"red.dark": 0, "red.pale": 0.2, "blue.sky": 0, "inbox": 0})


def test_the_confidence_grows_with_the_share_and_with_the_words_up_to_six() -> None:
    confidence = Regression.loads(SMALL).confidence
    assert confidence(0.5, 2) == pytest.approx(0.5)
    assert confidence(0.5, 2) < confidence(0.9, 2) < confidence(0.9, 6) == confidence(0.9, 60)
    assert 0 < confidence(0.0, 0) < confidence(1.0, 6) < 1


@EMBEDDERS
def test_it_knows_the_categories_of_the_default_taxonomy_and_what_is_no_memory(embedder: str) -> None:
    second_levels = (path for path in default_evidence().paths if "." in path)
    assert regression_of(embedder).classes == (*second_levels, NO_MEMORY)


@EMBEDDERS
def test_it_is_fitted_to_the_facts_as_they_are(embedder: str) -> None:
    facts = [*filter(fitted, lines("facts.jsonl")), *(text_of(name) for name in ("worlds.jsonl", "no_memories.jsonl"))]
    digest = sha1("\n".join(facts).encode() + TABLE.read_bytes() + weights.DIGEST.encode()).hex()
    assert file_of(embedder).read_text("utf-8").partition("\n")[0] == f"# fitted to {digest}", (
        "run scripts/fit_filing.py"
    )


def text_of(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@EMBEDDERS
def test_its_features_are_those_of_the_texts_that_it_is_fitted_to(embedder: str) -> None:
    counts = Counter(feature for text in texts_to_fit() for feature in features(text, read(text).stems))
    entries = {line.partition("\t")[0] for line in file_of(embedder).read_text("utf-8").splitlines() if "\t" in line}
    assert entries == {feature for feature, count in counts.items() if count >= 3}, "run scripts/fit_filing.py"


def texts_to_fit() -> Iterator[str]:
    yield from (json.loads(line)["text"] for line in filter(fitted, lines("facts.jsonl")))
    yield from (json.loads(line)["text"] for line in lines("worlds.jsonl"))
    yield from (line["text"] for line in map(json.loads, lines("no_memories.jsonl")) if line["set"] == "fitted")
    for category in catalogue.default().values():
        yield from filter(None, (*category.examples, category.about))


def test_the_labels_of_the_worlds_are_second_levels() -> None:
    for fact in map(json.loads, lines("worlds.jsonl")):
        assert {*fact["categories"]} <= {*catalogue.default()}, fact
        assert fact["categories"] and all("." in path for path in fact["categories"]), fact
