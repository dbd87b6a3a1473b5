"""The memories of an answer that contradict each other are marked, whatever finds them."""

import pytest

from memoir import Memory, Repository
from memoir.layers.item_options import NONE, ItemOptions

THURSDAY, FRIDAY = "Releases are cut on Thursdays.", "Releases are cut on Fridays."


def marks(repository: Repository, mode: str = "simple") -> dict[str, tuple[str, ...]]:
    answer = repository.recall("when are releases cut", mode=mode)
    return {memory.content: tuple(each.target.full_key for each in memory.disputes) for memory in answer.memories}


@pytest.mark.parametrize("mode", ["simple", "deep", "agent"])
def test_each_of_two_that_contradict_names_the_other(repository: Repository, mode: str) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.remember(Memory.of(FRIDAY), "team.habits.release")
    repository.remember(Memory.of("Releases are cut by Ada from main."), "team.release.who")

    found = marks(repository, mode=mode)

    assert found[THURSDAY] == ("default:team.habits.release",)
    assert found[FRIDAY] == ("default:workflow.release.day",)
    assert found["Releases are cut by Ada from main."] == ()


def test_the_newest_of_several_is_named_first(repository: Repository) -> None:
    for day, name in enumerate(("Monday", "Tuesday", "Friday"), 1):
        memory = Memory.of(f"Releases are cut on {name}s.", timestamp=f"2026-01-0{day}")
        repository.remember(memory, f"release.{name.lower()}")

    assert marks(repository)["Releases are cut on Mondays."] == ("default:release.friday", "default:release.tuesday")


def test_a_memory_is_not_marked_if_the_other_is_not_in_the_answer(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.remember(Memory.of(FRIDAY), "team.habits.release")

    answer = repository.recall("when are releases cut", limit=1)

    assert [memory.disputes for memory in answer.memories] == [()]


def test_one_of_several_at_a_path_is_named_by_its_id(repository: Repository) -> None:
    for content in (THURSDAY, FRIDAY):
        repository.remember(Memory.of(content), "workflow.release.day", policy="append")

    (key,) = marks(repository)[THURSDAY]

    assert key.startswith("default:workflow.release.day#")
    (item,) = repository.get_many([key])
    assert item.record and [memory.content for memory in item.record] == [FRIDAY]


def test_passages_of_sources_are_never_marked(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.sources.ingest_text(f"# Notes\n\n{FRIDAY} Bob likes that.\n", name="notes", items=ItemOptions(NONE))

    answer = repository.recall("when are releases cut")

    assert {memory.layer for memory in answer.memories} == {None, "raw"}
    assert all(memory.disputes == () for memory in answer.memories)
