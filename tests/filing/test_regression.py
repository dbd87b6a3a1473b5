"""What the form and the meaning of a memory say of its category."""

import json
from array import array
from collections import Counter
from collections.abc import Iterator
from math import tanh
from operator import mul
from random import Random
from typing import Any

import pytest
from filing_facts import NO_MEMORIES, NOISE, TERSE, TRADES, WORLDS, digest, fitted_lines, lines_of, short_worlds, worlds

from memoir.filing.evidence import default_evidence
from memoir.filing.levels import read
from memoir.filing.regression import (
    MINILM,
    NO_MEMORY,
    STATIC,
    Matrix,
    Regression,
    Row,
    features,
    file_of,
    regression_of,
)
from memoir.taxonomy import catalogue

HIDDEN = [[0.0, 0.5, -1.0], [1.0, 0.0, 0.0]]
BY_CLASS = [[1.0, 0.0], [0.0, 0.5], [-2.0, 1.0], [0.0, 0.0]]
SMALL = "\n\n".join(
    [
        "# small\n1.5 0.5 0 0.5 -0.4 0 -0.8\nred.dark red.pale blue.sky inbox",
        "\n".join(str(Row.of(weights)) for weights in HIDDEN),
        "\n".join(str(Row.of(weights)) for weights in BY_CLASS),
        "^\t10 -10 0\n^ the\t0 200 0\nthe\t-50 50 0\n",
    ]
)
EMBEDDERS = pytest.mark.parametrize("embedder", [STATIC, MINILM])


def test_a_score_is_the_sum_of_the_weights_of_features_for_the_first_level_and_of_the_hidden_units() -> None:
    regression = Regression.loads(SMALL)
    form = {"red": -0.4, "blue": 0.4, "inbox": 0.0}
    units = [tanh(0.5 * 0.5 - 1.0 * -2.0), tanh(1.0)]

    scores = regression.scores(["the", "^", "unknown", "th"], [0.5, -2.0])

    assert scores == pytest.approx(
        {
            name: form[name.partition(".")[0]] + sum(map(mul, weights, units))
            for name, weights in zip(regression.classes, BY_CLASS, strict=True)
        },
        abs=0.02,
    )


def test_without_a_known_feature_the_meaning_scores_alone() -> None:
    scores = Regression.loads(SMALL).scores(["unknown"], [0.0, 0.0])
    assert scores == pytest.approx(
        {"red.dark": 0, "red.pale": 0.5 * tanh(1), "blue.sky": tanh(1), "inbox": 0}, abs=0.01
    )


def test_a_row_of_weights_is_written_and_read_again_within_a_byte() -> None:
    weights = [0.3, -1.7, 0.0, 1.69]
    row = Row.of(weights)
    assert Row.loads(str(row)) == row
    for place, weight in enumerate(weights):
        (product,) = Matrix([row]).times([float(place == at) for at in range(4)])
        assert product == pytest.approx(weight, abs=1.7 / 254 + 1e-3)
    assert Matrix([Row.of([0.0, 0.0])]).times([1.0, 1.0]) == [0]


def test_a_matrix_gives_for_each_row_the_sum_of_the_numbers_times_its_weights() -> None:
    dice = Random(4)
    rows = [Row(10.0**-at, bytes(dice.randbytes(384))) for at in range(5)]
    numbers = [dice.gauss(0, 0.5) for _ in range(384)]
    sums = [row.scale * sum(map(mul, numbers, array("b", row.weights))) for row in rows]
    assert Matrix(rows).times(numbers) == pytest.approx(sums, rel=1e-9)


def test_the_confidence_grows_with_the_share_and_falls_with_the_words_up_to_twelve_and_the_share_of_no_memory() -> None:
    confidence = Regression.loads(SMALL).confidence
    assert confidence(0.5, 0.5, 1) == pytest.approx(0.5 * 0.5)
    assert confidence(0.5, 0.1, 2) < confidence(0.9, 0.1, 2)
    assert confidence(0.9, 0.5, 2) < confidence(0.9, 0.1, 2)
    assert confidence(0.9, 0.1, 2) > confidence(0.9, 0.1, 12) == confidence(0.9, 0.1, 60)
    assert 0 < confidence(0.0, 1.0, 60) < confidence(1.0, 0.0, 0) < 1


@EMBEDDERS
def test_it_knows_the_categories_of_the_default_taxonomy_and_what_is_no_memory(embedder: str) -> None:
    second_levels = (path for path in default_evidence().paths if "." in path)
    assert regression_of(embedder).classes == (*second_levels, NO_MEMORY)


@EMBEDDERS
def test_it_is_fitted_to_the_facts_as_they_are(embedder: str) -> None:
    assert file_of(embedder).read_text("utf-8").partition("\n")[0] == f"# fitted to {digest(embedder)}", (
        "run scripts/fit_filing.py"
    )


def facts_with_second_levels() -> Iterator[dict[str, Any]]:
    yield from lines_of(WORLDS)
    for file in short_worlds():
        for fact in lines_of(file):
            yield {**fact, "text": fact["content"]}


@pytest.mark.slow
@EMBEDDERS
def test_its_features_are_those_of_the_texts_that_it_is_fitted_to(embedder: str) -> None:
    counts = Counter(feature for text in texts_to_fit(embedder) for feature in features(text, read(text).stems))
    entries = {line.partition("\t")[0] for line in file_of(embedder).read_text("utf-8").splitlines() if "\t" in line}
    assert entries == {feature for feature, count in counts.items() if count >= 5}, "run scripts/fit_filing.py"


def texts_to_fit(embedder: str) -> Iterator[str]:
    yield from (line["text"] for file in worlds(embedder)[1:] for line in lines_of(file))
    yield from (json.loads(line)["text"] for line in fitted_lines())
    yield from (fact["text"] for fact in facts_with_second_levels())
    yield from (line["text"] for line in lines_of(NO_MEMORIES) if line["set"] == NOISE)
    for category in catalogue.default().values():
        yield from filter(None, (*category.examples, category.about))


def test_the_labels_of_the_worlds_are_categories_and_one_is_a_second_level_at_least() -> None:
    for fact in facts_with_second_levels():
        assert {*fact["categories"]} <= {*catalogue.default()}, fact
        assert any("." in path for path in fact["categories"]), fact
    for fact in (*lines_of(TRADES), *lines_of(TERSE)):
        assert {*fact["categories"]} <= {*catalogue.default()}, fact
