"""What the form and the meaning of a memory say of its category, and the features of both."""

import json
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from math import hypot, tanh
from operator import mul
from random import Random
from typing import Any

import pytest
from filing_facts import (
    NO_MEMORIES,
    NOISE,
    RULES,
    TERSE,
    TRADES,
    WORLD_FILES,
    WORLDS,
    digest,
    fitted_lines,
    lines_of,
    short_worlds,
)

from memoir.filing.evidence import default_evidence, stems_with_marks
from memoir.filing.levels import read
from memoir.filing.regression import (
    MINILM,
    NO_MEMORY,
    START,
    STATIC,
    Matrix,
    Regression,
    Row,
    features,
    file_of,
    minilm_meaning,
    regression_of,
    static_meaning,
)
from memoir.taxonomy import catalogue


def of(text: str) -> frozenset[str]:
    return features(text, stems_with_marks(text))


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("the", "the"),
        ("never", "never"),
        ("restarting", "-ing"),
        ("sing", "_"),
        ("Berlin", "NAME"),
        ("Node-Red", "NAME"),
        ("mapper", "_"),
        ("read-only", "COMPOUND"),
        ("HttpClient", "CAMEL"),
        ("CI", "CAPITALS"),
        ("S3", "CAPITALS"),
        ("90", "NUMBER"),
        ("3,000", "NUMBER"),
        ("90s", "AMOUNT"),
        ("LOG_LEVEL", "CONSTANT"),
        ("LOG_LEVEL=debug", "ASSIGNMENT"),
        ("max_connections", "SNAKE"),
        ("src/auth", "PATH"),
        ("users.id", "DOTTED"),
        ("#ops", "CHANNEL"),
        ("C#", "CAPITALS"),
    ],
)
def test_a_word_has_a_shape(word: str, shape: str) -> None:
    assert {shape, f"after {shape}", f"{shape} after"} <= of(f"after ({word}), after")


def test_a_capital_at_the_beginning_is_no_name() -> None:
    assert {"^ _", "_"} <= of("Cache") and "NAME" not in of("Cache")


def test_words_are_features_by_their_stems() -> None:
    assert {"restart", "{number}"} <= of("Restarting 3 workers")


def test_names_of_one_class_share_the_feature_of_their_concept() -> None:
    assert "@package manager" in of("pnpm it is") & of("Never npm here")
    assert "@package manager" not in of("It is here")


@pytest.mark.parametrize("text", ["", "  ", "— !", "\x00", "…"])
def test_a_text_without_words_has_the_features_of_every_text(text: str) -> None:
    assert START in of(text)


def test_a_long_text_has_the_shapes_of_its_beginning() -> None:
    assert "CAPITALS" in of("Tabs " * 79 + "CI") and "CAPITALS" not in of("Tabs " * 81 + "CI")


def test_words_with_no_stem_in_common_may_mean_much_the_same() -> None:
    dog, puppy, invoice = (static_meaning(word).vector for word in ["dog", "puppy", "invoice"])
    assert product(dog, puppy) > 2 * product(dog, invoice)


def test_a_name_means_what_its_class_is_called() -> None:
    pnpm, manager, invoice = (static_meaning(word).vector for word in ["pnpm", "package manager", "invoice"])
    assert sum(map(mul, pnpm, manager)) > 3 * sum(map(mul, pnpm, invoice))


def test_a_meaning_is_longer_the_more_words_there_are_but_not_without_end() -> None:
    word, fact, page = (
        hypot(*static_meaning(text).vector) for text in ("dog", "The dog sleeps under the old table.", "A dog. " * 9999)
    )
    assert word < fact < page < 4


@pytest.mark.parametrize("text", ["", "of the", "— !"])
def test_a_text_of_stop_words_means_nothing(text: str) -> None:
    assert not any(static_meaning(text).vector)


def test_the_meaning_of_a_vector_is_as_long_as_that_of_a_long_text() -> None:
    assert minilm_meaning([3.0, 0.0]).vector == minilm_meaning([0.5, 0.0]).vector == [4.0, 0.0]
    assert minilm_meaning([0.0, 0.0]).vector == [0.0, 0.0]


def product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


HIDDEN = [[0.0, 0.5, -1.0], [1.0, 0.0, 0.0]]
BY_CLASS = [[1.0, 0.0], [0.0, 0.5], [-2.0, 1.0], [0.0, 0.0]]
BY_FEATURE = {"^": [0.1, -0.1, 0.0], "^ the": [0.0, 2.0, 0.0], "the": [-0.5, 0.5, 0.0]}
SMALL = "\n\n".join(
    [
        "# small\n1.5 0.5 0 0.5 -0.4 0 -0.8\nred.dark red.pale blue.sky inbox",
        "\n".join(str(Row.of(weights)) for weights in HIDDEN),
        "\n".join(str(Row.of(weights)) for weights in BY_CLASS),
        "\n".join(f"{name}\t{Row.of(weights)}" for name, weights in BY_FEATURE.items()),
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
    assert file_of(embedder).read_text("utf-8").partition("\n")[0] == f"# fitted to {digest()}", (
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
    counts = Counter(feature for text in texts_to_fit() for feature in features(text, read(text).stems))
    entries = {line.partition("\t")[0] for line in file_of(embedder).read_text("utf-8").splitlines() if "\t" in line}
    assert entries == {feature for feature, count in counts.items() if count >= 5}, "run scripts/fit_filing.py"


def texts_to_fit() -> Iterator[str]:
    yield from (line["text"] for file in WORLD_FILES[1:] for line in lines_of(file))
    yield from (json.loads(line)["text"] for line in fitted_lines())
    yield from (fact["text"] for fact in facts_with_second_levels())
    yield from (line["text"] for line in lines_of(NO_MEMORIES) if line["set"] == NOISE)
    for category in catalogue.default().values():
        yield from filter(None, (*category.examples, category.about))


def test_the_labels_of_the_worlds_are_categories_and_one_is_a_second_level_at_least() -> None:
    for fact in facts_with_second_levels():
        assert {*fact["categories"]} <= {*catalogue.default()}, fact
        assert any("." in path for path in fact["categories"]), fact
    for fact in (*lines_of(TRADES), *lines_of(TERSE), *lines_of(RULES)):
        assert {*fact["categories"]} <= {*catalogue.default()}, fact
