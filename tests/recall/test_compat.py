"""Recall under the names of memoir-ai: parts of an answer, as they are found, and recall in an event loop."""

import asyncio
import threading

import pytest

from memoir import IntelligentSearchEngine, InvalidInput, Memory, MemoryService, NotFound
from memoir.repository.repository import Repository


@pytest.fixture
def service(repository: Repository) -> MemoryService:
    repository.remember(Memory.of("the service that bills customers is Quillon"), "project.billing")
    repository.remember(Memory.of("Quillon belongs to Ines"), "project.owner")
    return MemoryService(repository)


def test_a_deep_answer_comes_in_parts_and_the_last_is_the_answer(service: MemoryService) -> None:
    parts = list(service.stream("who runs the service that bills?", mode="deep", namespace="default", wait=True))

    assert [part.stage for part in parts] == ["retrieval", "hop", "result"]
    assert [part.answer is None for part in parts] == [True, True, False]
    whole = service.recall_sync("who runs the service that bills?", mode="deep")
    assert [each.path for each in parts[-1].memories] == [each.path for each in whole]


def test_an_agent_tells_of_each_search(service: MemoryService) -> None:
    question = "Who bills customers? Who is Ines?"
    parts = list(service.stream(question, mode="agent", planner="rules"))

    assert [part.stage for part in parts] == ["search", "search", "search", "result"]


def test_an_answer_of_one_stage_is_one_part(service: MemoryService) -> None:
    (part,) = service.stream("bills", mode="simple", limit=1)

    assert part.answer and len(part.memories) == 1


def test_a_bad_option_is_refused_before_the_search(service: MemoryService) -> None:
    with pytest.raises(InvalidInput):
        IntelligentSearchEngine(service.engine.store).search_stream(" ")


def test_an_error_is_raised_where_the_parts_are_taken(service: MemoryService) -> None:
    parts = service.stream("bills", namespace="nowhere")

    with pytest.raises(NotFound):
        next(parts)


def test_recall_is_awaited_beside_reads_of_the_same_repository(repository: Repository) -> None:
    for number in range(8):
        repository.remember(Memory.of(f"tests run with pytest, case {number}"), f"a.k{number}")
    counts: list[int] = []

    worker = threading.Thread(target=lambda: asyncio.run(_recall_and_read(repository, counts)), daemon=True)
    worker.start()
    worker.join(90)

    assert not worker.is_alive(), "it hangs"
    assert len(counts) == 6 and all(counts)


async def _recall_and_read(repository: Repository, counts: list[int]) -> None:
    service = MemoryService(repository)
    for _ in range(2):
        tasks = [asyncio.create_task(service.recall("how do tests run?")) for _ in range(3)]
        while not all(task.done() for task in tasks):
            assert repository.get("a.k3")
            assert await asyncio.to_thread(repository.get, "a.k4")
            await asyncio.sleep(0)
        counts += [len(task.result()) for task in tasks]
