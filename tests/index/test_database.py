"""The index's file and its write-ahead log."""

import os
from pathlib import Path

import pytest

from memoir.index import database as files
from memoir.index import state


def _log(folder: Path) -> int:
    log = folder / f"{files.FILE}-wal"
    return log.stat().st_size if log.exists() else 0


def test_a_short_log_is_left_to_the_next_who_reads_it(tmp_path: Path) -> None:
    database = files.connect(tmp_path)
    with files.writing(database):
        state.arrived(database, b"root")
    database.close()

    assert _log(tmp_path) > 0
    assert state.root(files.connect(tmp_path)) == b"root"


def test_a_long_log_is_emptied_by_whoever_closes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LONG_LOG", 50_000)
    sizes = []
    for number in range(40):
        database = files.connect(tmp_path)
        with files.writing(database):
            state.arrived(database, os.urandom(2000) + b"%d" % number)
        database.close()
        sizes.append(_log(tmp_path))

    assert 0 in sizes and max(sizes) < 2 * 50_000
    assert state.root(files.connect(tmp_path)).endswith(b"39")
