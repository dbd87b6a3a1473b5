"""Pinning memories, and taking pins away."""

import pytest

from memoir import InvalidInput, Memory, NotFound, Repository
from memoir.primer.standing_memories import is_pinned


def keys_of_pins(repository: Repository) -> list[str]:
    items = repository.get_many(["*"])
    return [item.address.path for item in items if item.record and any(map(is_pinned, item.record))]


def test_pins_are_changed_in_one_commit_and_undone_like_any_change(repository: Repository) -> None:
    for path in ("a.b", "a.c"):
        repository.remember(Memory.of(path, metadata={"tag": "x"}), path)

    result = repository.agents.pin("a.b", "a.c")
    assert result.commit and keys_of_pins(repository) == ["a.b", "a.c"]
    assert repository.agents.pin("a.b").commit is None
    assert repository.agents.unpin("a.b").commit and keys_of_pins(repository) == ["a.c"]
    record = repository.get("a.b")
    assert record and record[0].metadata == {"tag": "x", "origin": ["agent"]}
    repository.undo(2)
    assert keys_of_pins(repository) == []


def test_only_memories_are_pinned(repository: Repository) -> None:
    repository.taxonomy.add("cooking", "Food")

    with pytest.raises(InvalidInput, match="only memories"):
        repository.agents.pin("memoir:taxonomy:cooking")
    with pytest.raises(NotFound):
        repository.agents.pin("a.b")
