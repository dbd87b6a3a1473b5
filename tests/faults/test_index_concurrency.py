"""One index, many processes: no reader sees another's snapshot, half of one, or an error."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import apsw
import pytest
from fault_tools import at_once
from index.indexing import Contents, MemoryStore, Stub, memory, memory_store, traces
from support import Memoir

from memoir.embedders.embedder import Embedder
from memoir.embedders.hashing import HashEmbedder
from memoir.errors import StoreBusy
from memoir.index import database as files
from memoir.index.index import Index
from memoir.index.request import Request
from memoir.index.view import View


def _zebras(memoir: Memoir, *args: str) -> dict[str, Any]:
    answer = memoir.json("recall", "zebra", "--mode", "simple", "--limit", "999", *args)
    assert answer["degraded"] is None
    return answer


def _paths(answer: dict[str, Any]) -> list[str]:
    return [each["path"] for each in answer["memories"]]


@pytest.mark.parametrize(("readers", "writes"), [(3, 8), pytest.param(8, 100, marks=pytest.mark.soak)])
def test_readers_during_writes_see_whole_snapshots(memoir: Memoir, readers: int, writes: int) -> None:
    memoir.remember("zoo.n000", "zebra number 0")
    stop = Event()

    def read(_: int) -> list[list[str]]:
        views = [sorted(_paths(_zebras(memoir)))]
        while not stop.is_set():
            views.append(sorted(_paths(_zebras(memoir))))
        return views

    with ThreadPoolExecutor(readers) as pool:
        futures = [pool.submit(read, number) for number in range(readers)]
        try:
            for number in range(1, writes + 1):
                memoir.remember(f"zoo.n{number:03}", f"zebra number {number}")
        finally:
            stop.set()
        for reader in futures:
            views = reader.result()
            counts = [len(paths) for paths in views]
            assert counts == sorted(counts)
            assert all(paths == [f"zoo.n{number:03}" for number in range(len(paths))] for paths in views)
    assert len(_paths(_zebras(memoir))) == writes + 1


def test_processes_on_different_branches_each_get_their_own_answer(memoir: Memoir) -> None:
    memoir.remember("zoo.n1", "a zebra")
    memoir.ok("branch", "side")
    memoir.remember("zoo.n2", "zebra zebra of main")
    memoir.remember("zoo.n3", "zebra of the side with a lion", "--branch", "side")
    alone = {branch: _zebras(memoir, "--at", branch)["memories"] for branch in ("main", "side")}
    assert alone["main"] != alone["side"]

    answers = at_once(12, lambda job: _zebras(memoir, "--at", ("main", "side")[job % 2])["memories"])

    assert answers == [alone["main"], alone["side"]] * 6


def test_the_first_answers_of_all_build_one_index_together(memoir: Memoir) -> None:
    memoir.ok(
        "import", "-", stdin=b"".join(b'{"path": "zoo.n%d", "content": "zebra %d"}\n' % (n, n) for n in range(90))
    )

    answers = at_once(6, lambda job: _zebras(memoir)["memories"])

    assert all(answer == answers[0] for answer in answers)
    assert len(answers[0]) >= 50


def test_an_index_that_another_process_creates_meanwhile_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both find none: the one that comes second must not lose the file under its feet and answer from memory."""
    connect, others = files._open, list[Index]()
    with memory_store() as store:
        here = store.snapshot(HERE)

        def late(file: str, *, vectors: bool) -> apsw.Connection:
            database = connect(file, vectors=vectors)
            if not others:
                others.append(store.index(HashEmbedder()))
                others[0].read(here, lambda view: None)
            return database

        monkeypatch.setattr(files, "_open", late)
        index = store.index(HashEmbedder())
        assert traces(index, here, "zebra number 3") == _lone_answer(HashEmbedder())
        assert index.degraded == others[0].degraded == []
        index.close()
        others[0].close()


HERE: Contents = {f"zoo.t{number}": [memory(f"zebra number {number}")] for number in range(5)}
THERE: Contents = {"zoo.t1": [memory("lion")], "zoo.t2": [memory("zebra elsewhere")], "top": [memory("owl")]}


def _disturb_builds(monkeypatch: pytest.MonkeyPatch, index: Index, disturb: Callable[[], object], times: int) -> None:
    """Let another process do something each time `index` believes itself ready, so many times."""
    prepare, rest = Index._prepare, [times]

    def prepare_and_disturb(self: Index, database: apsw.Connection, request: Request) -> None:
        prepare(self, database, request)
        if self is index and rest[0]:
            rest[0] -= 1
            disturb()

    monkeypatch.setattr(Index, "_prepare", prepare_and_disturb)


def _lone_answer(embedder: Embedder) -> Any:
    with memory_store() as fresh:
        index = fresh.index(embedder)
        answer = traces(index, fresh.snapshot(HERE), "zebra number 3")
        index.close()
        return answer


@pytest.mark.parametrize("times", [1, 2, 3, 4])
@pytest.mark.parametrize("embedder", [HashEmbedder, Stub])
def test_an_index_moved_away_before_it_is_read_is_moved_back(
    monkeypatch: pytest.MonkeyPatch, embedder: Callable[[], Embedder], times: int
) -> None:
    """However often others move it, an answer is complete: by words and by vectors."""
    with memory_store() as store:
        index, other = store.index(embedder()), store.index(embedder())
        there = store.snapshot(THERE)
        _disturb_builds(monkeypatch, index, lambda: other.read(there, lambda view: None), times)

        assert traces(index, store.snapshot(HERE), "zebra number 3") == _lone_answer(embedder())
        index.close()
        other.close()


@pytest.mark.parametrize("times", [1, 3])
def test_two_embedders_at_once_do_not_mix_vectors(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    with memory_store() as store:
        index, other = store.index(HashEmbedder()), store.index(Stub("other", 256))
        here = store.snapshot(HERE)
        _disturb_builds(monkeypatch, index, lambda: other.read(here, lambda view: None), times)

        assert traces(index, here, "zebra number 3") == _lone_answer(HashEmbedder())
        index.close()
        other.close()


def test_an_index_moved_away_and_back_is_read_with_all_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Back at the same snapshot its documents are new, and their vectors may still be missing."""
    with memory_store() as store:
        index, other = store.index(HashEmbedder()), store.index(None)
        here, there = store.snapshot(HERE), store.snapshot(THERE)

        def away_and_back() -> None:
            other.read(there, lambda view: None)
            other.read(here, lambda view: None)

        _disturb_builds(monkeypatch, index, away_and_back, 1)

        assert traces(index, here, "zebra number 3") == _lone_answer(HashEmbedder())
        index.close()
        other.close()


def test_a_reader_keeps_its_snapshot_while_others_move_on() -> None:
    with memory_store() as store:
        index, other = store.index(HashEmbedder()), store.index(HashEmbedder())
        here, there = store.snapshot(HERE), store.snapshot(THERE)

        def read(view: View) -> tuple[Any, Any]:
            sql = "SELECT path, content FROM document ORDER BY path"
            before = view.database.execute(sql).fetchall()
            other.read(there, lambda view: None)
            return before, view.database.execute(sql).fetchall()

        before, after = index.read(here, read)
        assert before == after == [(key, record[0].content) for key, record in sorted(HERE.items())]
        index.close()
        other.close()


def test_an_index_held_for_too_long_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.001)
    with memory_store() as store:
        _ready(store)
        holder = files.connect(store.git_dir)
        holder.execute("BEGIN IMMEDIATE")
        index = store.index(HashEmbedder())

        with pytest.raises(StoreBusy, match="another process is changing it"):
            traces(index, store.snapshot(THERE), "zebra")
        assert traces(index, store.snapshot(HERE), "zebra number 3") == _lone_answer(HashEmbedder())
        holder.close()
        index.close()


def _ready(store: MemoryStore) -> None:
    index = store.index(HashEmbedder())
    traces(index, store.snapshot(HERE), "zebra")
    index.close()
