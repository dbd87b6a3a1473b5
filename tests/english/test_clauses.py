"""A sentence is cut where a new clause begins, and each clause keeps its words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lasting_clauses import split_clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I prefer tea, so can you change the order?", ["I prefer tea", "can you change the order?"]),
        ("Could you check it, please? I'm new here", ["Could you check it", "please? I'm new here"]),
        ("We ship in May and I need a banner but my printer is slow", [
            "We ship in May", "I need a banner", "my printer is slow",
        ]),
        ("A plan: we rent a van - how much is that?", ["A plan", "we rent a van", "how much is that?"]),
        ("I like salty, crunchy snacks and fruit", ["I like salty, crunchy snacks and fruit"]),
        ("I bought a bike, which is red, and a lock", ["I bought a bike, which is red, and a lock"]),
        ("I want to be sure that I pass", ["I want to be sure that I pass"]),
        ("As of June we meet on Mondays, considering my train is late", [
            "As of June we meet on Mondays", "my train is late",
        ]),
        (", and ", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_clause_begins_where_somebody_does_something_or_a_question_begins(sentence: str, clauses: list[str]) -> None:
    assert split_clauses(sentence) == clauses


@given(
    st.lists(st.sampled_from(["I ", "and ", "so ", "my ", "can you ", "tea", ", ", "; ", " - ", "?", "given that "]))
)
def test_each_clause_stands_in_the_sentence_word_for_word(words: list[str]) -> None:
    sentence = "".join(words)
    at = 0
    for clause in split_clauses(sentence):
        assert clause.strip()
        at = sentence.index(clause, at) + len(clause)
