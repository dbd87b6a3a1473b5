"""Insights worded by a model: checked against what they cite, within a budget, and missing where that fails."""

import json

import pytest
from recall.pickers import Answers
from support import built_once

from memoir import LlmUnavailable, Memory, Repository, WriteOptions
from memoir.layers import insights
from memoir.layers.insights import Build
from memoir.memory.staleness import Staleness

FACTS = (
    ("project.apollo.move", "We move Apollo to a new cluster."),
    ("project.apollo.done", "The move of Apollo to the cluster is done."),
    ("project.apollo.slow", "Apollo is slow since the move to the cluster."),
)
LEAF = "Apollo is on the new cluster, and slow since the move."


def answer(text: str, *numbers: int) -> str:
    return "Here you are:\n```json\n" + json.dumps({"insight": text, "memories": list(numbers)}) + "\n```"


@built_once
def facts(repository: Repository) -> None:
    for day, (path, content) in enumerate(FACTS, 1):
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z"), path)


def build(
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    *texts: str,
    dry_run: bool = False,
    calls: int | None = None,
) -> tuple[Answers, Build]:
    model = Answers(*texts)
    monkeypatch.setattr(insights, "choose_model", lambda config: model)
    options = WriteOptions(dry_run=dry_run)
    return model, repository.layers.build_insights(by="model", llm_calls=calls, options=options)


def test_a_model_words_each_insight_and_names_what_it_rests_on(
    facts: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, done = build(facts, monkeypatch, answer(LEAF, 1, 3), answer(LEAF, 1), answer(LEAF, 1))

    assert [prompt.prelude.splitlines()[0] for prompt in model.prompts] == [
        "step: insights.leaf", "step: insights.branch", "step: insights.root",
    ]  # fmt: skip
    assert "[2] project.apollo.done: The move of Apollo to the cluster is done." in model.prompts[0].tail
    leaf = done.changes[0][1]
    assert (leaf.memory.content, leaf.by) == (LEAF, model.name)
    assert [source.path for source in leaf.sources] == ["project.apollo.move", "project.apollo.slow"]
    assert (done.usage.calls, done.degraded) == (3, ())
    assert not any(Staleness(facts.store.head()).among(each.address for _, each in done.changes).values())


@pytest.mark.parametrize(
    "text",
    [
        answer("Apollo moved to Porto, and is slow since the move.", 1, 3),
        answer("Apollo is on the new cluster since 2019.", 1),
        answer(LEAF, 7),
        answer("Bananas are yellow when ripe.", 1),
        answer("", 1),
        '{"insight": "Apollo is slow."}',
        "I cannot say.",
    ],
)
def test_what_the_memories_do_not_say_is_not_taken(
    facts: Repository, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    _, done = build(facts, monkeypatch, text, calls=1)

    assert (done.changes, done.missing, done.commit) == ([], 3, None)
    assert any(note.startswith("insights.leaf: ") for note in done.degraded)
    assert done.degraded[-1] == "3 insights are still missing; build again"


def test_a_model_whose_answers_cannot_be_used_is_named_as_too_small(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Apollo cluster", "Borealis printer", "Cygnus invoice", "Draco balcony", "Eridanus bicycle"):
        for number in (1, 2):
            repository.remember(Memory.of(f"{name} {name} note"), f"project.{name.split()[0].lower()}.n{number}")

    model, done = build(repository, monkeypatch, *["I cannot say."] * 9)

    assert (done.changes, done.commit) == ([], None)
    count = len(model.prompts)
    assert count >= 5
    assert done.degraded[-1] == (
        f"{done.missing} insights are still missing; of {count} answers of {model.name} 0 could be used: "
        "'memoir config --global memoir.llm.model NAME' names a larger model"
    )


def test_beyond_the_budget_insights_are_missing_and_the_next_build_writes_them(
    facts: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, first = build(facts, monkeypatch, answer(LEAF, 1, 3), calls=1)
    missing = facts.layers.insights().missing
    _, second = build(facts, monkeypatch, answer(LEAF, 1), answer(LEAF, 1))

    assert ([each.level for _, each in first.changes], first.missing, missing) == (["leaf"], 2, 2)
    assert first.degraded == (
        "budget: 1 call to the model, and no more", "2 insights are still missing; build again",
    )  # fmt: skip
    assert [each.level for _, each in second.changes] == ["branch", "root"]
    assert (second.missing, second.unchanged, build(facts, monkeypatch)[1].commit) == (0, 1, None)


def test_what_is_not_written_anew_stays_and_is_stale(facts: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    build(facts, monkeypatch, answer(LEAF, 1, 3), answer(LEAF, 1), answer(LEAF, 1))
    facts.remember(
        Memory.of("Apollo moved to the cluster in May.", timestamp="2026-02-01T00:00:00Z"), "project.apollo.may"
    )

    _, done = build(facts, monkeypatch, calls=0)

    assert (done.changes, done.missing) == ([], 3)
    assert [each.is_stale for each in facts.layers.insights().insights] == [True] * 3


def test_a_dry_run_asks_nobody(facts: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    model, done = build(facts, monkeypatch, dry_run=True)

    assert (model.prompts, len(done.changes), done.commit) == ([], 3, None)
    assert done.cost and done.cost.calls == 3 and 100 < done.cost.input_tokens < 3_000


def test_without_a_model_nothing_is_built(facts: Repository) -> None:
    with pytest.raises(LlmUnavailable):
        facts.layers.build_insights(by="model")
