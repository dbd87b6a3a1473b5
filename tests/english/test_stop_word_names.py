"""A stop word is a name where only a name fits, and a stop word elsewhere."""

import pytest

from memoir.english.stop_word_names import stop_word_names, with_names_quoted


@pytest.mark.parametrize(
    "text",
    [
        "We switched from just to nox",
        "Use just for tasks",
        "what do we use just for?",
        "Run the tests with just.",
        "we prefer just over make",
        "We moved to Just, as others did",
        "the recipes of `just`",
    ],
)
def test_after_a_word_that_needs_a_name_and_in_code_quotes_it_is_one(text: str) -> None:
    assert stop_word_names(text) == {"just"}
    assert "`just`" in with_names_quoted(text).lower()
    assert with_names_quoted(with_names_quoted(text)) == with_names_quoted(text)


@pytest.mark.parametrize(
    "text",
    [
        "We just use nox",
        "use just two runners",
        "Deploys are just a push to main",
        "the patch came with just in time delivery",
        "adjust to justice",
        "it is used just for tests",
        "",
    ],
)
def test_elsewhere_it_is_none(text: str) -> None:
    assert stop_word_names(text) == set()
    assert with_names_quoted(text) == text
