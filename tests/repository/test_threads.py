"""Threads share a repository: nothing is lost, and no read fails beside writes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from memoir import Repository

THREADS, EACH = 6, 4


def at_once(work: Callable[[int], object]) -> list[object]:
    """Do some work in several threads that begin together; returns what each gave."""
    barrier = Barrier(THREADS, timeout=60)

    def begin(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(begin, range(THREADS)))


@pytest.mark.slow
def test_writes_of_threads_are_all_there_each_in_a_commit(repository: Repository) -> None:
    def write(thread: int) -> None:
        for number in range(EACH):
            repository.remember(f"{thread}/{number}", "diary.today", policy="append")
            repository.remember(f"{thread}/{number}", f"writer{thread}.n{number}")

    at_once(write)

    assert len(repository.get("diary.today") or ()) == THREADS * EACH
    assert repository.count() == THREADS * EACH + 1
    assert len(list(repository.log())) == 2 * THREADS * EACH
    assert not repository.upkeep.fsck().report.problems


def test_reads_of_every_kind_go_on_beside_a_write(repository: Repository) -> None:
    repository.remember_many([(f"Case {number} is tested with pytest.", f"a.k{number}") for number in range(8)])
    reads: list[Callable[[], object]] = [
        lambda: repository.content("a.k3"),
        lambda: [memory.path for memory in repository.recall("how is case 3 tested?", keys="a.*", limit=1).memories],
        lambda: [str(place) for place in repository.keys(["a.*"])],
        lambda: len(repository.blame("a.k3")),
        lambda: repository.branches.list()[0].name,
    ]
    expected = [read() for read in reads]

    def work(thread: int) -> object:
        if thread == len(reads):
            return [repository.remember(f"Note {number}", f"b.k{number}") for number in range(EACH)]
        return [reads[thread]() for _ in range(EACH)]

    *answers, _ = at_once(work)

    assert answers == [[each] * EACH for each in expected]
    assert repository.count() == 8 + EACH


def test_the_parts_of_a_repository_may_be_used_for_the_first_time_by_threads(repository: Repository) -> None:
    repository.remember("Use pytest.", "tools.testing")

    names = at_once(
        lambda thread: (repository.branches.list()[0].name, repository.config.get("memoir.recall.mode").value)
    )

    assert len(set(names)) == 1


def test_a_repository_for_each_thread_sees_what_the_others_wrote(repository: Repository) -> None:
    def work(thread: int) -> object:
        with Repository.open(repository.path.parent) as own:
            own.remember(f"Fact {thread}", f"a.k{thread}")
            return own.content(f"a.k{thread}")

    assert at_once(work) == [f"Fact {thread}" for thread in range(THREADS)]
    assert repository.count() == THREADS
