"""Exports: which memories, and of which commit."""

import json
from typing import Any

from memoir.memory.record import Memory
from memoir.repository import Repository


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
