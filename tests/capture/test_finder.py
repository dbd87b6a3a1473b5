"""Captures found by a model: one call a turn at most, within a budget, and nothing that the turn does not say."""

import json
import os
from collections.abc import Sequence

import pytest
from recall.pickers import Answers

from memoir import InvalidInput, LlmUnavailable, Repository
from memoir.capture.finder import Finder
from memoir.capture.review import Review
from memoir.capture.spool import ANSWERS, SessionTurn, TurnSpool
from memoir.embedders.embedder import Embedder, Vector
from memoir.embedders.minilm import MiniLm
from memoir.embedders.static import StaticEmbedder
from memoir.errors import EmbedderUnavailable
from memoir.hosts.payload import is_own
from memoir.llm import conversation

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
    talk: Repository, monkeypatch: pytest.MonkeyPatch, *answers: str, calls: int | None = None
) -> tuple[Answers, Review]:
    model = Answers(*answers)
    monkeypatch.setattr(conversation, "choose_model", lambda config: model)
    return model, talk.captures.review(by="model", llm_calls=calls)


def test_each_turn_is_asked_about_once_and_accepting_asks_nothing(
    talk: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, result = review(talk, monkeypatch, answer("Deploys go through Jenkins."), answer(SECOND, "directive"))

    assert [(each.content, each.kind) for each in result.proposals] == [
        ("Deploys go through Jenkins.", "fact"), (SECOND, "directive"),
    ]  # fmt: skip
    assert [prompt.prelude.splitlines()[0] for prompt in model.prompts] == ["step: capture.review"] * 2
    assert result.usage and result.usage.calls == 2
    assert is_own(model.prompts[0].text) and os.environ["MEMOIR_HOOKS"] == "off"
    model, again = review(talk, monkeypatch)
    assert (model.prompts, again.proposals) == ([], result.proposals)
    done = talk.captures.accept(every=True)
    assert [each.content for each in done.done] == [each.content for each in result.proposals]
    assert TurnSpool(talk.path).load(ANSWERS) == {}


@pytest.mark.parametrize(
    "text",
    [answer("Deploys go through Porto."), answer("Deploys go through Jenkins.", "poem"), '{"captures": ["x", 3]}'],
)
def test_what_the_turn_does_not_say_is_not_taken(talk: Repository, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert review(talk, monkeypatch, text, answer(SECOND))[1].proposals[0].content == SECOND


def test_beyond_the_budget_rules_find(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    _, done = review(talk, monkeypatch, answer("Deploys go through Jenkins."), calls=1)

    assert [each.content for each in done.proposals] == ["Deploys go through Jenkins.", SECOND]
    assert done.degraded == ("budget: the limit of 1 model call is reached; found by rules",)


def test_beyond_the_budget_what_is_said_in_another_language_is_counted(
    talk: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = "Nein, wir benutzen seit letztem Monat ruff."
    TurnSpool(talk.path).add(SessionTurn("claude", "s", 1_760_000_009, "user", german))
    _, done = review(talk, monkeypatch, answer("Deploys go through Jenkins."), calls=1)

    assert (done.unread, done.proposals[-1].content) == (1, SECOND)


def test_a_model_may_be_asked_after_rules_have_proposed(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    by_rules = talk.captures.review().proposals
    _, result = review(talk, monkeypatch, answer("Deploys go through Jenkins."), answer(SECOND, "directive"))

    assert [(each.number, each.content) for each in by_rules] == [(1, FIRST), (2, SECOND)]
    assert [(each.number, each.content) for each in result.proposals] == [
        (3, "Deploys go through Jenkins."),
        (2, SECOND),
    ]
    assert talk.captures.review().proposals == result.proposals


def test_a_model_is_asked_only_if_the_user_says_so(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    assert talk.captures.review().usage is None
    monkeypatch.setattr(conversation, "choose_model", lambda config: None)
    with pytest.raises(LlmUnavailable):
        talk.captures.review(by="model")
    with pytest.raises(InvalidInput):
        talk.captures.review(by="magic")


PLAIN = "Orders older than a year live in the archive and not in the shop."


@pytest.mark.parametrize("embedder", [MiniLm(), StaticEmbedder()])
def test_what_an_agent_says_in_plain_words_is_found_by_its_meaning(embedder: Embedder) -> None:
    turn = SessionTurn("claude", "s", 1_760_000_000, "assistant", PLAIN)

    assert [each.content for each in Finder(embedder).find(turn)] == [PLAIN] * embedder.is_minilm


def test_without_the_embedder_a_review_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(texts: Sequence[str]) -> list[Vector]:
        raise EmbedderUnavailable("no room")

    finder, embedder = Finder(MiniLm()), "memoir.embedders.minilm.MiniLm.embed"
    monkeypatch.setattr(embedder, lambda self, texts: fail(texts))
    sure = "The staging API rejects any key that is longer than 36 characters, so we hash them in `keys.py`."
    turn = SessionTurn("claude", "s", 1_760_000_000, "assistant", f"{PLAIN} {sure}")

    assert [each.content for each in finder.find(turn)] == [sure]
    assert finder.degraded == ["no room; found without it"]
