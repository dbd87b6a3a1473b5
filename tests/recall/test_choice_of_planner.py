"""Whether `deep` asks a model: it must be configured, and the caller must not rule it out."""

import json

import pytest
from recall.pickers import serving

from memoir import IntelligentSearchEngine, InvalidInput, Memory
from memoir.repository.repository import Repository

QUESTION = "who runs the service that bills customers?"
NOT_ENOUGH = json.dumps({"sufficient": False})


@pytest.fixture
def engine(repository: Repository) -> IntelligentSearchEngine:
    repository.remember(Memory.of("the service that bills customers is the green one"), "project.billing")
    repository.remember(Memory.of("Ines Fabri leads everything green"), "project.owner")
    return IntelligentSearchEngine(repository)


def test_a_model_that_is_configured_is_asked(engine: IntelligentSearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, NOT_ENOUGH, "lex: Ines Fabri") as api:
        answer = engine.search(QUESTION, mode="deep").answer
        again = engine.search(QUESTION, mode="deep").answer

    assert [request.prelude.splitlines()[0] for request in api.requests] == [
        "step: deep.sufficiency", "step: deep.expand",
    ]  # fmt: skip
    assert (answer.planner, answer.usage.calls, answer.cached) == ("model", 2, False)
    assert (again.planner, again.usage.calls, again.cached) == ("model", 0, True)
    assert [each.path for each in again.memories] == [each.path for each in answer.memories]


def test_rules_keep_the_model_out(engine: IntelligentSearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch) as api:
        answer = engine.search(QUESTION, mode="deep", planner="rules").answer

    assert (api.requests, answer.planner, answer.degraded) == ([], "rules", ())


def test_without_a_model_rules_decide_and_nothing_is_degraded(engine: IntelligentSearchEngine) -> None:
    answer = engine.search(QUESTION, mode="deep").answer

    assert (answer.planner, answer.degraded, answer.model) == ("rules", (), None)


def test_a_model_that_is_wanted_and_missing_is_no_error_but_said(engine: IntelligentSearchEngine) -> None:
    answer = engine.search(QUESTION, mode="deep", rerank="llm").answer

    assert answer.degraded == ("rerank: no model is asked; kept the order",)


def test_a_refused_call_leaves_the_search_by_rules(
    engine: IntelligentSearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(monkeypatch):  # it has no answers
        answer = engine.search(QUESTION, mode="deep").answer

    assert answer.memories and answer.planner == "rules"
    assert len(answer.degraded) == 2 and answer.degraded[0].startswith("deep.sufficiency: ")


def test_an_unknown_planner_is_refused(engine: IntelligentSearchEngine) -> None:
    with pytest.raises(InvalidInput):
        engine.search(QUESTION, mode="deep", planner="both")
