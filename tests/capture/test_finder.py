"""Captures found by a model: one call a turn at most, within a budget, and nothing that the turn does not say."""

import json
import os

import pytest
from recall.pickers import Answers

from memoir import InvalidInput, LlmUnavailable, Repository
from memoir.capture import finder
from memoir.capture.review import Review
from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.hosts.prompts import is_own

FIRST, SECOND = "Deploys go through Jenkins, by the way.", "We never log personal data."


def answer(content: str, kind: str = "fact") -> str:
    return json.dumps({"captures": [{"content": content, "kind": kind}]})


@pytest.fixture
def talk(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("MEMOIR_HOOKS", "on")
    spool = TurnSpool(repository.path)
    spool.switch(True)
    for number, text in enumerate((FIRST, "thanks!", SECOND)):
        spool.add(SessionTurn("claude", "s", 1_760_000_000 + number, "user", text))
    return repository


def review(
    talk: Repository, monkeypatch: pytest.MonkeyPatch, *answers: str, apply: bool = False, calls: int | None = None
) -> tuple[Answers, Review]:
    model = Answers(*answers)
    monkeypatch.setattr(finder, "choose_model", lambda config: model)
    return model, talk.captures.review(by="model", llm_calls=calls, apply=apply)


def test_each_turn_is_asked_about_once_and_filing_asks_nothing_again(
    talk: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, result = review(talk, monkeypatch, answer("Deploys go through Jenkins."), answer(SECOND, "directive"))

    assert [(each.content, each.kind) for each in result.found] == [
        ("Deploys go through Jenkins.", "fact"), (SECOND, "directive"),
    ]  # fmt: skip
    assert [prompt.prelude.splitlines()[0] for prompt in model.prompts] == ["step: capture.review"] * 2
    assert result.usage and result.usage.calls == 2
    assert is_own(model.prompts[0].text) and os.environ["MEMOIR_HOOKS"] == "off"
    model, done = review(talk, monkeypatch, apply=True)
    assert (model.prompts, [each.content for each in done.found]) == ([], [each.content for each in result.found])
    assert TurnSpool(talk.path).answers() == {}


@pytest.mark.parametrize(
    "text",
    [answer("Deploys go through Porto."), answer("Deploys go through Jenkins.", "poem"), '{"captures": ["x", 3]}'],
)
def test_what_the_turn_does_not_say_is_not_taken(talk: Repository, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert review(talk, monkeypatch, text, answer(SECOND))[1].found[0].content == SECOND


def test_beyond_the_budget_rules_find(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    _, done = review(talk, monkeypatch, answer("Deploys go through Jenkins."), calls=1)

    assert [each.content for each in done.found] == ["Deploys go through Jenkins.", SECOND]
    assert done.degraded == ("budget: 1 call to the model, and no more; found by rules",)


def test_a_model_is_asked_only_if_the_user_says_so(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    assert talk.captures.review().usage is None
    monkeypatch.setattr(finder, "choose_model", lambda config: None)
    with pytest.raises(LlmUnavailable):
        talk.captures.review(by="model")
    with pytest.raises(InvalidInput):
        talk.captures.review(by="magic")
