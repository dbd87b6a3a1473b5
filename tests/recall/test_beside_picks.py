"""`single` and `tiered` with sources: passages follow a model's picks, but are never shown to the model."""

import pytest
from recall.pickers import Answers
from support import built_once

from memoir import IntelligentSearchEngine, Memory, Repository
from memoir.layers.item_options import NONE, RULES, ItemOptions
from memoir.recall.answer import RecallAnswer

MODES = pytest.mark.parametrize("mode", ["single", "tiered"])
TALK = "Ada: The zebra finch is called Pip.\nBen: I like boats.\nAda: Tea is ready.\n"


@built_once
def zoo(repository: Repository) -> None:
    repository.remember(Memory.of("Our zebra is called Zelda."), "animals.zebra")
    repository.remember(Memory.of("The lion sleeps all day."), "animals.lion")
    repository.sources.ingest_text(TALK, name="talk", items=ItemOptions(NONE))


def ask(repository: Repository, mode: str, picks: str, **options: object) -> tuple[RecallAnswer, Answers]:
    answers = Answers(picks) if mode == "single" else Answers("animals\nteam\nworkflow", picks)
    engine = IntelligentSearchEngine(repository, answers)
    return engine.search("what is the zebra called", mode=mode, cache=False, **options).answer, answers  # type: ignore[arg-type]


def found(answer: RecallAnswer) -> list[tuple[str, str | None]]:
    return [(each.path, each.layer) for each in answer.memories]


@MODES
def test_passages_come_behind_the_picks(zoo: Repository, mode: str) -> None:
    answer, _ = ask(zoo, mode, "animals.lion")

    assert found(answer)[:2] == [("animals.lion", None), ("sources.talk.0001", "raw")]
    relevances = [each.relevance_score for each in answer.memories]
    assert relevances == sorted(relevances, reverse=True)


@MODES
def test_a_model_sees_no_passage(zoo: Repository, mode: str) -> None:
    _, model = ask(zoo, mode, "animals.lion")

    assert all("sources" not in prompt.text and "Pip" not in prompt.text for prompt in model.prompts)


@MODES
def test_where_nothing_is_picked_passages_are_the_answer(zoo: Repository, mode: str) -> None:
    answer, _ = ask(zoo, mode, "NONE")

    assert {layer for _, layer in found(answer)} == {"raw"}


@MODES
def test_the_limit_counts_both(zoo: Repository, mode: str) -> None:
    assert found(ask(zoo, mode, "animals.lion\nanimals.zebra", limit=2)[0]) == [
        ("animals.lion", None),
        ("animals.zebra", None),
    ]
    assert len(found(ask(zoo, mode, "animals.lion", limit=2)[0])) == 2


@MODES
def test_without_sources_the_picks_are_all(zoo: Repository, mode: str) -> None:
    assert found(ask(zoo, mode, "animals.lion", sources="no")[0]) == [("animals.lion", None)]


@MODES
def test_sources_alone_need_no_model(zoo: Repository, mode: str) -> None:
    answer, model = ask(zoo, mode, "animals.lion", sources="only")

    assert {layer for _, layer in found(answer)} == {"raw"} and model.prompts == []


@MODES
def test_a_picked_item_and_its_passage_are_one_hit(repository: Repository, mode: str) -> None:
    text = "# Runbook\n\nWe cut releases on Thursdays.\n"
    repository.sources.ingest_text(text, name="notes", items=ItemOptions(RULES))
    (item,) = repository.recall("releases", sources="no").memories

    answer, _ = ask(repository, mode, item.path)

    (hit,) = answer.memories
    assert (hit.layer, hit.items, hit.relevance_score) == ("raw", (item.address.full_key,), 1.0)
