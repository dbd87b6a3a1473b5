"""Recall in an event loop that reads the same repository meanwhile."""

import asyncio
import threading

from memoir.recall.compat import MemoryService
from memoir.records.record import Memory
from memoir.repository.repository import Repository


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
