"""Whether two texts say the same: alike is not enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.filing.sameness import THRESHOLD, say_the_same
from memoir.index.embedders.hashing import HashEmbedder
from memoir.index.vectors import unit


def cosine(one: str, other: str) -> float:
    a, b = map(unit, HashEmbedder().embed([one, other]))
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(("threshold", "same"), [(0.9, True), (0.93, True), (0.930001, False), (1.0, False)])
def test_texts_are_the_same_from_a_threshold_on(threshold: float, same: bool) -> None:
    assert say_the_same("Use a tab", "use a tab!", 0.93, threshold) is same


def test_the_usual_threshold() -> None:
    assert THRESHOLD == 0.95
    assert say_the_same("Use a tab", "use a tab!", 0.95)
    assert not say_the_same("Use a tab", "use a tab!", 0.9499)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The tests are run with pytest.", "Tests are run with pytest"),
        ("Never push to main!", "never  push to MAIN"),
        ("Don't use tabs.", "don’t use tabs"),
        ("Port 8080 is taken.", "port 8080 is taken"),
        ("The build takes 5 minutes on 2 cores.", "the build takes 5 minutes, on 2 cores"),
    ],
)
def test_spelling_apart_they_say_the_same(one: str, other: str) -> None:
    assert say_the_same(one, other, cosine(one, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs for indentation.", "Never use tabs for indentation."),
        ("Always squash.", "Do not always squash."),
        ("The cache is shared.", "The cache isn't shared."),
        ("Deploy with approval.", "Deploy without approval."),
        ("You should rebase.", "You shouldn’t rebase."),
        ("Nothing is logged.", "It is logged."),
        ("You can deploy on Fridays.", "You can't deploy on Fridays."),
        ("You can deploy on Fridays.", "You can’t deploy on Fridays."),
        ("You need to ask first.", "You needn't ask first."),
    ],
)
def test_a_negation_turns_a_meaning_round(one: str, other: str) -> None:
    assert not say_the_same(one, other, 1.0)
    assert not say_the_same(other, one, 1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Port 8080 is ours.", "Port 8081 is ours."),
        ("Python 3.11 is the oldest.", "Python 3.12 is the oldest."),
        ("Run the tests on py311.", "Run the tests on py312."),
        ("Give CI an hour.", "Give CI 1 hour."),
        ("Retry 3 times.", "Retry 3 times, 3 seconds apart."),
        ("Version 1.5 is pinned.", "Version 5.1 is pinned."),
        ("Staging is on 8080, production on 8081.", "Staging is on 8081, production on 8080."),
        ("The offset is 5 hours.", "The offset is -5 hours."),
    ],
)
def test_a_number_is_a_fact_of_its_own(one: str, other: str) -> None:
    assert not say_the_same(one, other, 1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs, not spaces.", "Use spaces, not tabs."),
        ("Run the linter before the tests.", "Run the linter after the tests."),
        ("Keep the feature flag on.", "Keep the feature flag off."),
        ("Deploy on Fridays.", "Deploy only on Fridays."),
        ("Alice reports to Bob.", "Bob reports to Alice."),
        ("Write the parser in C.", "Write the parser in C++."),
        ("Alarm when latency > 100 ms.", "Alarm when latency < 100 ms."),
    ],
)
def test_what_no_vector_tells_apart_is_told_apart(one: str, other: str) -> None:
    """Order, small words and signs: the embedder that is always there sees none of them."""
    assert cosine(one, other) > THRESHOLD
    assert not say_the_same(one, other, cosine(one, other))


def test_a_text_that_goes_on_where_the_embedder_stops_reading_is_another() -> None:
    start = "A long report about the savanna. " * 700
    one, other = start + "The lion sleeps.", start + "The zebra has escaped through the northern fence."

    assert cosine(one, other) > THRESHOLD
    assert not say_the_same(one, other, cosine(one, other))


WORDS = st.lists(st.sampled_from(["not", "never", "tabs", "8080", "3", "the", "don't", "pytest"]), max_size=6).map(
    lambda words: ["zebra", *words]
)


@given(WORDS, WORDS, st.floats(-1, 1), st.floats(0.5, 1))
def test_it_is_the_same_both_ways_and_every_text_says_what_it_says(
    one: list[str], other: list[str], near: float, threshold: float
) -> None:
    a, b = " ".join(one), " ".join(other)

    assert say_the_same(a, b, near, threshold) == say_the_same(b, a, near, threshold)
    assert say_the_same(a, a.upper(), 1.0, threshold)
