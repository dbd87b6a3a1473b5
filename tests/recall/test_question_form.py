"""Choosing a strategy, and splitting, by the form of a question."""

import pytest

from memoir.recall.agent_steps import parts_of, strategy_of


@pytest.mark.parametrize(
    ("question", "strategy"),
    [
        ("how do we run the tests?", "direct"), ("Who is the owner of the importer?", "direct"), ("pytest", "direct"),
        ("What's the timeout?", "direct"), ("What did Ada say about the lock file in March 2026?", "direct"),
        ("Where does the manager of the person who wrote the importer live?", "chain"),
        ("What is the current company of the spouse of the CEO of Acme?", "chain"),
        ("What year was Ada's company founded?", "chain"),
        ("Which editors do Ada and Ben use?", "split"), ("Who is Ada? What does she like?", "split"),
        ("What is the difference between uv and poetry?", "split"),
    ],
)  # fmt: skip
def test_the_form_of_a_question_decides(question: str, strategy: str) -> None:
    assert strategy_of(question) == strategy


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Which editors do Ada, Ben Ray and Cleo use?",
         ["Which editors do Ada use?", "Which editors do Ben Ray use?", "Which editors do Cleo use?"]),
        ("Where is the release cut and who signs it?", ["Where is the release cut", "who signs it?"]),
        ("Compare pytest with unittest", ["pytest", "unittest"]),
        ("rock and roll", ["rock and roll"]), ("", []), ("?", ["?"]),
    ],
)  # fmt: skip
def test_a_question_is_split_at_its_questions_and_names(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts
