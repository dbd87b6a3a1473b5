"""An index damaged anywhere gives the same answer as before, or none: never another one."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from index.indexing import MemoryStore, hash_embedder, memory, traces

from memoir.index import database
from memoir.index.location import index_file

QUERIES = ("zebra number 7", "What does Ada say of the lion?")
CONTENTS = {f"zoo.t{n}": [memory(f"zebra number {n} and lion {n % 7}", person="Ada")] for n in range(120)}


class Bench:
    """A store with a sound index, and what it answers."""

    def __init__(self, folder: Path) -> None:
        self.store = MemoryStore(folder)
        self.snapshot = self.store.snapshot(CONTENTS)
        self.file = index_file(folder)
        self.sound = self.answers()
        opened = database.connect(folder)
        assert database.empty_log(opened)
        opened.close()
        self.copy = folder / "kept"
        shutil.copyfile(self.file, self.copy)

    def answers(self) -> Any:
        index = self.store.index(hash_embedder())
        try:
            return [traces(index, self.snapshot, query) for query in QUERIES]
        finally:
            index.close()

    def restore(self) -> bytearray:
        for suffix in ("-wal", "-shm"):
            Path(f"{self.file}{suffix}").unlink(missing_ok=True)
        return bytearray(self.copy.read_bytes())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def _damage(dice: random.Random, data: bytearray) -> bytearray:
    kind, size = dice.randrange(6), database.PAGE
    at, other = dice.randrange(len(data)), dice.randrange(len(data) // size) * size
    page = at // size * size
    if kind == 0:
        data[at] ^= 1 << dice.randrange(8)
    elif kind == 1:
        data[at : at + 40] = dice.randbytes(len(data[at : at + 40]))
    elif kind == 2:
        del data[at:]
    elif kind == 3:
        data[page : page + size], data[other : other + size] = data[other : other + size], data[page : page + size]
    elif kind == 4:
        data[page : page + size] = bytes(size)
    else:
        data[page : page + size] = data[other : other + size]
    return data


@pytest.mark.parametrize("rounds", [40, pytest.param(10_000, marks=pytest.mark.soak)])
def test_no_damage_changes_an_answer(bench: Bench, rounds: int) -> None:
    dice = random.Random(20261122)
    for number in range(rounds):
        bench.file.write_bytes(_damage(dice, bench.restore()))
        assert bench.answers() == bench.sound, f"damage {number}"


HOSTILE = {
    "endless view": "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
    "trigger that deletes": "CREATE TRIGGER t AFTER UPDATE ON state BEGIN DELETE FROM document; END",
    "view for a table": "DROP TABLE person; CREATE VIEW person AS SELECT 1 part, 2 namespace, 3 name, 4 documents",
    "wrong types": "DROP TABLE state; CREATE TABLE state(name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "rows taken out": "DELETE FROM document WHERE id % 2",
    "another table": "CREATE TABLE extra(x)",
}


@pytest.mark.parametrize("sql", HOSTILE.values(), ids=HOSTILE)
def test_an_index_changed_by_another_program_is_not_used(bench: Bench, sql: str) -> None:
    """By plain SQLite, which knows nothing of the checksums."""
    import sqlite3

    bench.file.write_bytes(bench.restore())
    with sqlite3.connect(bench.file) as opened:
        opened.executescript(sql + "; PRAGMA wal_checkpoint(TRUNCATE)")
    opened.close()

    assert bench.answers() == bench.sound


@pytest.mark.parametrize("name", [n for n in HOSTILE if n != "rows taken out"])
def test_a_foreign_schema_with_right_checksums_is_refused(bench: Bench, name: str) -> None:
    bench.file.write_bytes(bench.restore())
    opened = database.connect_checked(str(bench.file))
    opened.execute(HOSTILE[name])
    opened.close()

    assert bench.answers() == bench.sound


def test_an_index_that_came_with_the_store_is_never_opened(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its maker has another key, and so another name for it."""
    bench.file.write_bytes(bench.restore())
    opened = database.connect(bench.file.parent)
    opened.execute("DELETE FROM document WHERE id > 5")
    opened.close()
    monkeypatch.setenv("XDG_CACHE_HOME", str(bench.file.parent / "another user"))

    assert index_file(bench.file.parent) != bench.file
    assert bench.answers() == bench.sound


def test_the_words_of_a_forgotten_memory_leave_the_files(tmp_path: Path) -> None:
    store, secret = MemoryStore(tmp_path), "qwzx7731secret9"
    index = store.index(hash_embedder())
    traces(index, store.snapshot({**CONTENTS, "key": [memory(f"token {secret}")]}), "zebra")
    assert secret.encode() in b"".join(path.read_bytes() for path in tmp_path.iterdir())

    traces(index, store.snapshot(CONTENTS), "zebra")

    assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    index.close()
