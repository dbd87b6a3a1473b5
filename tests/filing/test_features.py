"""The features of a memory's form and meaning."""

from collections.abc import Sequence
from math import hypot

import pytest

from memoir.filing.evidence import stems_with_marks
from memoir.filing.regression import START, features, minilm_meaning, static_meaning


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


@pytest.mark.parametrize("text", ["", "  ", "— !", "\x00", "…"])
def test_a_text_without_words_has_the_features_of_every_text(text: str) -> None:
    assert START in of(text)


def test_a_long_text_has_the_shapes_of_its_beginning() -> None:
    assert "CAPITALS" in of("Tabs " * 79 + "CI") and "CAPITALS" not in of("Tabs " * 81 + "CI")


def test_words_with_no_stem_in_common_may_mean_much_the_same() -> None:
    dog, puppy, invoice = (static_meaning(word).vector for word in ["dog", "puppy", "invoice"])
    assert product(dog, puppy) > 2 * product(dog, invoice)


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
