"""An index is built in pieces: an answer at once, more of it with every question, and nothing lost by a kill."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import apsw
import pytest
from index.indexing import Contents, MemoryStore, find, hash_embedder, holdings, memory, memory_store, name

from memoir.index import database as files
from memoir.index import update
from memoir.index.index import Index
from memoir.index.request import Limits
from memoir.index.view import View
from memoir.records.record import Memory
from memoir.repository.repository import Repository

CONTENTS: Contents = {name(number): [memory(f"zebra {number}")] for number in range(100)}


SMALL = Limits(paths=10, seconds=0.0, few=20)


@pytest.fixture
def memories() -> Iterator[MemoryStore]:
    """A store whose index grows by ten paths a question, unless no more than 20 are missing."""
    with memory_store(SMALL) as store:
        yield store


def _paths(view: View) -> list[str]:
    return [str(path) for (path,) in view.database.execute("SELECT path FROM document ORDER BY path")]


def test_every_question_indexes_more_until_all_is_indexed(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(CONTENTS)
    counts, notes = [], []
    for _ in range(10):
        index.begin()
        counts.append(index.read(snapshot, View.paths))
        notes.append(index.degraded)

    assert counts == [10, 20, 30, 40, 50, 60, 70, 80, 100, 100]
    assert notes[0] == ["10 of 100 memories are indexed; 'memoir index' completes it"]
    assert notes[-1] == [] and index.is_complete


def test_the_reads_of_one_question_share_its_time(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(CONTENTS)

    assert [index.read(snapshot, View.paths) for _ in range(3)] == [10, 10, 10]


def test_a_question_does_with_what_there_is_while_another_process_builds(
    memories: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(CONTENTS)
    index.read(snapshot, View.paths)
    builder = files.connect(memories.index()._store.git_dir)

    waits: list[float] = []
    patient = files.patient

    def wait(database: apsw.Connection, seconds: float) -> AbstractContextManager[None]:
        waits.append(seconds)
        return patient(database, seconds)

    monkeypatch.setattr(files, "patient", wait)
    with files.writing(builder):
        index.begin()
        count = index.read(snapshot, View.paths)

    assert count == 10 and len(waits) == 1 and waits[0] < files.PATIENCE / 10
    assert index.degraded == ["10 of 100 memories are indexed; 'memoir index' completes it"]
    builder.close()


def test_a_question_that_waits_sees_everything(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())
    index.begin(wait=True)

    assert len(find(index, memories.snapshot(CONTENTS), "zebra")) == 100
    assert index.degraded == []


def test_another_process_continues_after_a_killed_one(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, pieces = memories.snapshot(CONTENTS), [0]
    add = update.add_piece

    def kill(*arguments: object) -> bool:
        done = add(*arguments)  # type: ignore[arg-type]
        pieces[0] += 1
        if pieces[0] == 4:
            raise KeyboardInterrupt
        return done

    with monkeypatch.context() as patch:
        patch.setattr(update, "add_piece", kill)
        with pytest.raises(KeyboardInterrupt):
            Index(memories.index()._store, hash_embedder(), wait=True, limits=SMALL).read(snapshot, View.paths)

    assert memories.index(hash_embedder()).read(snapshot, View.paths) == 40  # three pieces were done, and one is added


def test_an_index_built_in_pieces_equals_one_built_at_once(memories: MemoryStore) -> None:
    """With neighbours across the pieces, changes between them, and removals."""
    talk = {f"talk.t{number}": [memory(f"turn {number}", person="Ada")] for number in range(60)}
    later = {**talk, "talk.t7": [memory("said anew")], "a.b": [memory("new")]}
    del later["talk.t50"]
    index = memories.index(hash_embedder())
    for contents in (talk, talk, later):
        index.begin()
        index.read(memories.snapshot(contents), View.paths)
    index.begin(wait=True)
    with memory_store(SMALL) as fresh:
        scratch = fresh.index(hash_embedder())
        scratch.begin(wait=True)

        assert holdings(index, memories.snapshot(later)) == holdings(scratch, fresh.snapshot(later))


def test_the_newest_memories_are_indexed_first(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())
    index.read(memories.snapshot(CONTENTS), View.paths)
    newer = {**CONTENTS, "aaa.first": [memory("lion")]}

    assert find(index, memories.snapshot(newer), "lion") == ["default:aaa.first"]
    assert not index.is_complete


def test_a_removed_memory_is_not_found_in_a_partial_index(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())
    last = index.read(memories.snapshot(CONTENTS), _paths)[-1]
    less = {key: record for key, record in CONTENTS.items() if key != last}

    assert last not in index.read(memories.snapshot(less), _paths)


@pytest.fixture
def full_store(repository: Repository) -> Repository:
    """A bulk of memories, and two written one by one at paths that come first of all."""
    repository.import_lines(b'{"path": "z.n%d", "content": "bulk %d"}' % (n, n) for n in range(1100))
    repository.remember(Memory.of("older lion"), "a.older")
    repository.remember(Memory.of("newer lion"), "a.newer")
    return repository


def test_a_new_index_begins_with_what_the_last_commits_wrote(full_store: Repository) -> None:
    index = Index(full_store.store, hash_embedder(), limits=SMALL)

    paths = index.read(full_store.store.at(None), _paths)

    assert paths[:2] == ["a.newer", "a.older"] and len(paths) < 1100


def test_few_missing_memories_are_all_indexed_at_once(memories: MemoryStore) -> None:
    """So time does not decide what a small store answers, nor after a change of its embedder."""
    few = dict(list(CONTENTS.items())[:20])
    index, snapshot = memories.index(), memories.snapshot(few)

    assert index.read(snapshot, View.paths) == 20
    index.embedder = hash_embedder()
    index.begin()
    index.read(snapshot, View.paths)
    assert index.degraded == []


def test_a_hurried_question_indexes_one_piece_of_few(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())
    index.begin(seconds=0)

    assert index.read(memories.snapshot(dict(list(CONTENTS.items())[:20])), View.paths) == 10


def test_a_question_with_only_seconds_indexes_large_records_a_few_at_a_time(memories: MemoryStore) -> None:
    large = {name(number): [memory(f"zebra {number} " + "x" * 40_000)] for number in range(20)}
    index, snapshot, counts = memories.index(), memories.snapshot(large), []
    for _ in range(8):
        index.begin(seconds=0)
        counts.append(index.read(snapshot, View.paths))

    assert counts == [3, 6, 9, 12, 15, 18, 20, 20]
    later = memories.snapshot({**large, **{f"new.n{n}": [memory("y" * 40_000)] for n in range(10)}})
    index.begin(seconds=0)
    assert index.read(later, View.paths) == 26
    index.begin(wait=True)
    assert index.read(later, View.paths) == 30


def test_a_record_that_is_larger_than_a_piece_waits_for_a_question_with_time(memories: MemoryStore) -> None:
    contents = {"a.a": [memory("small")], "b.b": [memory("zebra " * 40_000)], "c.c": [memory("small")]}
    index, snapshot = memories.index(), memories.snapshot(contents)
    for _ in range(3):
        index.begin(seconds=5)
        assert index.read(snapshot, View.paths) == 1

    index.begin()
    assert index.read(snapshot, View.paths) == 3
