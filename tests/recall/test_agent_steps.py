"""The prompts of mode `agent`'s steps, how answers are read, and decisions by the form of a question."""

import pytest
from recall.pickers import Answers

from memoir.llm.conversation import ModelConversation
from memoir.recall import agent_steps
from memoir.recall.agent_steps import Judgement, parts_of, read_judgement, read_questions, strategy_of
from memoir.recall.model_view import Brief

QUESTION = 'Who "leads" the team\nthat wrote it?'


def test_a_chain_lists_the_evidence_and_then_the_new_hits_numbered_throughout() -> None:
    model = Answers('{"is_sufficient": true, "evidence_indices": [1, 3], "new_query": "", "confidence_score": 0.9}')

    judgement = agent_steps.judge(
        ModelConversation(model),
        QUESTION,
        "the team",
        [("a", "one"), ("b", "two\nlines")],
        Brief([("c", "x" * 900), ("d", "four")], first=3),
    )

    assert judgement == Judgement(True, (1, 3), "", 0.9)
    (prompt,) = model.prompts
    assert prompt.prelude.startswith("step: agent.chain\n")
    assert prompt.tail.splitlines() == [
        'Question: Who "leads" the team that wrote it?', "",
        "Searched for last:", "the team", "",
        "Evidence so far:", "[1] a: one", "[2] b: two lines", "",
        "Found now:", f"[3] c: {'x' * 500}", "[4] d: four",
    ]  # fmt: skip


def test_malformed_json_is_asked_for_once_more() -> None:
    model = Answers("I think so.", '{"is_sufficient": false, "new_query": "next?"}', "no", "no")
    talk = ModelConversation(model)

    assert agent_steps.judge(talk, QUESTION, "q", [], Brief([("a", "one")])) == Judgement(False, (), "next?", 0.0)
    assert talk.degraded == []
    assert agent_steps.judge(talk, QUESTION, "q", [], Brief([("a", "two")])) is None
    assert len(model.prompts) == 4 and model.prompts[0] != model.prompts[1]
    assert talk.degraded == ["agent.chain: the model's answer cannot be used"]


@pytest.mark.parametrize(
    ("answer", "judgement"),
    [
        ('```json\n{"is_sufficient": "yes", "evidence_indices": ["[2]", 2, "1"], "confidence_score": "0.75"}\n```',
         Judgement(True, (2, 1), "", 0.75)),
        ('{"is_sufficient": 1, "evidence_indices": [0, 4, -1, true, 1e9, {}], "new_query": 7, "confidence_score": 9}',
         Judgement(False, (), "", 1.0)),
        ('First {"is_sufficient": true} but no: {"is_sufficient": false, "new_query": " who\\n is it? "}',
         Judgement(False, (), "who is it?", 0.0)),
        ('{"new_query": "", "evidence_indices": "1", "confidence_score": NaN}', Judgement(False, (), "", 0.0)),
        ('{"evidence_indices": [1]}', None), ("sufficient", None), ("[1]", None),
    ],
)  # fmt: skip
def test_a_judgement_is_read_leniently(answer: str, judgement: Judgement | None) -> None:
    assert read_judgement(answer, 3) == judgement


def test_questions_stand_one_a_line_and_are_bounded() -> None:
    answer = "Here are the questions:\n1. Who is A?\n2. who is a?\n- Where is B?\n\n* C"

    assert read_questions(answer, 2) == ["Who is A?", "Where is B?"]
    assert read_questions(answer, 9) == ["Who is A?", "Where is B?", "C"]
    assert read_questions("Questions:\n", 2) is None
    assert read_questions("x" * 5000, 2) == ["x" * agent_steps.LONGEST]


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
