"""Pinned memories: JSON's true alone, found again from what is known of another snapshot."""

import pytest

from memoir import InvalidInput, Memory, NotFound, Repository
from memoir.memory import pins


def keys_of_pins(repository: Repository, seconds: float | None = None) -> list[str]:
    snapshot = repository.store.at(None)
    return [place.path for place in pins.find(repository.store, snapshot, seconds=seconds).places]


def test_only_jsons_true_is_a_pin(repository: Repository) -> None:
    for path, value in {
        "a.yes": True,
        "a.word": "true",
        "a.one": 1,
        "a.list": [True],
        "a.inner": {"pinned": True},
    }.items():
        repository.remember(Memory.of('Say "pinned":true.', metadata={"pinned": value}), path)
    repository.remember(Memory.of('{"metadata":{"pinned":true}}'), "a.text")

    assert keys_of_pins(repository) == ["a.yes"]


def test_pins_are_changed_in_one_commit_and_undone_like_any_change(repository: Repository) -> None:
    for path in ("a.b", "a.c"):
        repository.remember(Memory.of(path, metadata={"tag": "x"}), path)

    result = repository.agents.pin("a.b", "a.c")
    assert result.commit and keys_of_pins(repository) == ["a.b", "a.c"]
    assert repository.agents.pin("a.b").commit is None
    assert repository.agents.unpin("a.b").commit and keys_of_pins(repository) == ["a.c"]
    record = repository.get("a.b")
    assert record and record[0].metadata == {"tag": "x"}
    repository.undo(2)
    assert keys_of_pins(repository) == []


def test_what_changed_since_is_read_and_nothing_else(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.remember(Memory.of("x", metadata={"pinned": True}), "a.b")
    repository.remember(Memory.of("y", metadata={"pinned": True}), "a.c")
    assert keys_of_pins(repository) == ["a.b", "a.c"]
    monkeypatch.setattr("memoir.store.snapshot.Snapshot.scan", lambda *_: pytest.fail("everything is read again"))
    repository.forget("a.b")
    repository.remember(Memory.of("z", metadata={"pinned": True}), "a.d")

    assert keys_of_pins(repository) == ["a.c", "a.d"]


def test_a_search_without_time_says_that_it_is_not_complete_and_is_not_kept(repository: Repository) -> None:
    repository.remember(Memory.of("x", metadata={"pinned": True}), "a.b")
    snapshot = repository.store.at(None)

    assert not pins.find(repository.store, snapshot, seconds=-1).complete
    assert pins.find(repository.store, snapshot) == (snapshot_places(repository), True)


def snapshot_places(repository: Repository) -> tuple[object, ...]:
    return tuple(repository.keys())


def test_only_memories_are_pinned(repository: Repository) -> None:
    repository.taxonomy.add("cooking", "Food")

    with pytest.raises(InvalidInput, match="only memories"):
        repository.agents.pin("memoir:taxonomy:cooking")
    with pytest.raises(NotFound):
        repository.agents.pin("a.b")
