"""Items by a model: checked, within a budget, and by rules where there is no answer."""

import json
from typing import Any

import pytest
from recall.pickers import Answers

from memoir.errors import InvalidInput, LlmUnavailable
from memoir.layers.intake import IngestReport
from memoir.layers.item_options import ItemOptions
from memoir.llm import conversation
from memoir.memory.write_options import WriteOptions
from memoir.repository.repository import Repository
from memoir.store.store import Store

TEXT = "# Meeting\n\nI went to Porto on 3 May 2024, and decided to stay.\n\n# Rules\n\nNever push directly to main.\n"
MOVE = {"content": "Ada went to Porto.", "kind": "event", "occurred_at": "2024-05-03", "entities": ["Porto", "Rome"]}


def answer(*items: Any) -> str:
    return "Here you are:\n```json\n" + json.dumps({"items": items}) + "\n```"


@pytest.fixture
def repository(store: Store) -> Repository:
    return Repository(store)


def ingest(
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    model: Answers | None,
    *,
    options: WriteOptions | None = None,
    **budget: int,
) -> IngestReport:
    monkeypatch.setattr(conversation, "choose_model", lambda config: model)
    items = ItemOptions("model", **budget)
    return repository.sources.ingest_text(TEXT, name="talk", items=items, options=options or WriteOptions())


def test_a_model_is_asked_once_a_segment_and_only_about_new_ones(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Answers(answer(MOVE), answer())

    done = ingest(repository, monkeypatch, model)
    again = ingest(repository, monkeypatch, model)

    (item,) = done.sources[0].items
    assert (item.memory.content, item.memory.metadata["item_kind"]) == ("Ada went to Porto.", "event")
    assert (item.memory.metadata["occurred_at"], item.memory.metadata["entities"]) == ("2024-05-03", ["Porto"])
    assert [prompt.prelude.splitlines()[0] for prompt in model.prompts] == ["step: ingest.items"] * 2
    assert json.dumps("# Rules\n\nNever push directly to main.\n") in model.prompts[1].tail
    assert (done.account.usage.calls, again.account.usage.calls, again.sources[0].commit) == (2, 0, None)


@pytest.mark.parametrize(
    "item",
    [
        {**MOVE, "content": "Bob bought seven elephants in Nairobi."},
        {**MOVE, "kind": "rumour"},
        {**MOVE, "content": " "},
        {**MOVE, "content": 7},
        "Ada went to Porto.",
    ],
)
def test_what_the_segment_does_not_say_or_is_malformed_is_no_item(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, item: Any
) -> None:
    assert not ingest(repository, monkeypatch, Answers(answer(item), answer())).sources[0].items


def test_where_there_is_no_answer_rules_read_and_the_model_can_go_on_later(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = ingest(repository, monkeypatch, Answers(answer(MOVE)), llm_calls=1)
    model = Answers(answer())
    later = ingest(repository, monkeypatch, model)

    assert [item.memory.content for item in short.sources[0].items] == [MOVE["content"], "Never push directly to main."]
    assert "budget" in short.account.degraded[0] and "read by rules" in short.account.degraded[0]
    assert len(model.prompts) == 1 and "Never push" in model.prompts[0].tail
    assert later.account.degraded == ()
    assert repository.sources.ingest_text(TEXT, name="talk").sources[0].commit is None


def test_a_malformed_answer_is_said(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    done = ingest(repository, monkeypatch, Answers("I cannot do that.", answer()))

    assert done.account.degraded == ("ingest.items: the model's answer cannot be used; read by rules",)


def test_a_trial_says_what_a_model_would_cost_and_asks_none(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = ingest(repository, monkeypatch, None, options=WriteOptions(dry_run=True))

    assert done.account.cost and done.account.cost.calls == 2 and 500 < done.account.cost.input_tokens < 2000
    assert repository.sources.list() == []


def test_a_model_must_be_there_and_a_budget_needs_one(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LlmUnavailable):
        ingest(repository, monkeypatch, None)
    with pytest.raises(InvalidInput, match="are for a model, and none is asked"):
        repository.sources.ingest_text(TEXT, items=ItemOptions(llm_calls=1))
    with pytest.raises(InvalidInput, match="items must be rules, model or none"):
        repository.sources.ingest_text(TEXT, items=ItemOptions("magic"))
