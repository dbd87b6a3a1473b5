"""Exports: which memories, and of which commit."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memoir.records.record import Memory
from memoir.repository.repository import Repository


def test_exports_can_be_narrowed_and_taken_from_the_past(repository: Repository) -> None:
    repository.remember(Memory.of("1"), "a.x")
    first = repository.remember(Memory.of("2"), "b").commit
    repository.remember(Memory.of("3"), "a.y")

    def paths(**options: Any) -> list[str]:
        return [json.loads(line)["path"] for line in repository.export_lines(**options)]

    assert first
    assert paths() == ["a.x", "a.y", "b"]
    assert paths(globs=["a.*"]) == ["a.x", "a.y"]
    assert paths(at=str(first.id)) == ["a.x", "b"]


def test_a_file_is_counted_in_memories_and_paths(repository: Repository, tmp_path: Path) -> None:
    for text in ("1", "2"):
        repository.remember(Memory.of(text), "a.x", policy="append")
    repository.remember(Memory.of("3"), "b")

    assert repository.export_file(str(tmp_path / "all.jsonl"))[:2] == (3, 2)
    assert repository.export_file(str(tmp_path / "a.jsonl"), ["a.*"])[:2] == (2, 1)
    assert (tmp_path / "all.jsonl").read_bytes() == b"".join(repository.export_lines())


def test_a_file_is_as_the_umask_has_it_which_is_never_changed(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other threads may make files at the same moment."""
    repository.remember(Memory.of("1"), "a")
    mask = os.umask(0o027)
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("it was changed"))
    try:
        repository.export_file(str(tmp_path / "all.jsonl"))
    finally:
        monkeypatch.undo()
        os.umask(mask)

    assert (tmp_path / "all.jsonl").stat().st_mode & 0o777 == 0o640
