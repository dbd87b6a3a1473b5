"""The index's file and its write-ahead log."""

import os
import time
from pathlib import Path

import apsw
import pytest
from index.indexing import MemoryStore, find, hash_embedder, memory

from memoir.index import database as files
from memoir.index import state
from memoir.index.location import index_file
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def _log(folder: Path) -> int:
    log = Path(f"{index_file(folder)}-wal")
    return log.stat().st_size if log.exists() else 0


def test_a_full_disk_is_the_error_though_the_transaction_is_over_by_then(tmp_path: Path) -> None:
    """SQLite ends the transaction itself."""
    database = files.connect(tmp_path)
    database.pragma("max_page_count", database.pragma("page_count"))

    with pytest.raises(apsw.FullError), files.writing(database):
        state.root.put(database, b"root" * 100_000)


def test_a_short_log_is_kept_when_the_index_is_closed(tmp_path: Path) -> None:
    database = files.connect(tmp_path)
    with files.writing(database):
        state.root.put(database, b"root")
    database.close()

    assert _log(tmp_path) > 0
    assert state.root(files.connect(tmp_path)) == b"root"


def test_a_long_log_is_emptied_when_the_index_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LONG_LOG", 50_000)
    sizes = []
    for number in range(40):
        database = files.connect(tmp_path)
        with files.writing(database):
            state.root.put(database, os.urandom(2000) + b"%d" % number)
        database.close()
        sizes.append(_log(tmp_path))

    assert 0 in sizes and max(sizes) < 2 * 50_000
    assert state.root(files.connect(tmp_path)).endswith(b"39")


def test_without_a_cache_folder_the_index_is_built_in_memory(
    memories: MemoryStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    index = memories.index(hash_embedder())

    assert find(index, memories.snapshot({"a": [memory("zebra")]}), "zebra") == ["default:a"]
    assert "no cache folder" in index.degraded[0]
    assert list(memories.git_dir.iterdir()) == []


def test_in_a_folder_whose_name_is_not_utf_8_the_index_is_built_in_memory(tmp_path: Path) -> None:
    with Repository.init(tmp_path / os.fsdecode(b"caf\xe9")) as repository:
        repository.remember(Memory.of("a zebra"), "a.b")

        answer = repository.recall("zebra")

    assert [found.path for found in answer.memories] == ["a.b"]
    assert "not UTF-8" in answer.degraded[0]


def test_an_endless_query_is_interrupted(tmp_path: Path) -> None:
    database = files.connect(tmp_path)

    with pytest.raises(apsw.InterruptError), files.reading(database, most_calls=3):
        database.execute(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
        ).fetchall()
    with files.reading(database):
        assert database.execute("SELECT 1").get == 1
    database.close()


def test_a_thread_that_waits_for_a_writer_lets_it_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)  # gives up the interpreter's lock; the call of apsw does not
    writer, waiting = files.connect(tmp_path), files.connect(tmp_path)
    waiting.set_busy_timeout(20)

    with files.writing(writer), pytest.raises(apsw.BusyError), files.writing(waiting):
        pass

    assert sum(slept) > 0


def test_the_words_of_a_small_index_stay_in_a_few_parts_however_often_it_changes(tmp_path: Path) -> None:
    """A query looks for each of its words in every part."""
    database = files.connect(tmp_path)
    for number in range(40):
        with files.writing(database):
            database.execute("INSERT INTO words(rowid, content) VALUES(?, ?)", (number + 1, f"heron {number}"))

    assert database.execute("SELECT count(DISTINCT segid) FROM words_idx").get < 2 * 4
