"""Bringing records and single memories back."""

import pytest
from support import built_once

from memoir import Memory, NotFound, Repository
from memoir.memory import write
from memoir.memory.facets import ids_of
from memoir.memory.read import get
from memoir.memory.write import restore
from memoir.store.store import Store
from memoir.taxonomy.paths import address, memory_address


def remember(store: Store, path: str, content: str) -> None:
    write.remember(store, Memory.of(content), [address(path)])


def test_restoring_brings_the_whole_record_back(store: Store) -> None:
    remember(store, "context.a", "one")
    old = store.head()
    remember(store, "context.a", "two")
    write.forget(store, [memory_address("context.a")])

    restore(store, [memory_address("context.a")], old)

    assert get(store.head(), [address("context.a")]) == get(old, [address("context.a")])


def test_restoring_a_missing_memory_is_an_error(store: Store) -> None:
    remember(store, "a", "one")

    with pytest.raises(NotFound):
        restore(store, [memory_address("b")], store.head())


@built_once
def several(repository: Repository) -> None:
    """A store with three memories at one path."""
    for text in ("one", "two", "three"):
        repository.remember(Memory.of(text), "a.b", policy="append")


def key_of(repository: Repository, content: str) -> str:
    record = repository.get("a.b") or ()
    (identity,) = [each for each, memory in zip(ids_of(record), record, strict=True) if memory.content == content]
    return f"a.b#{identity}"


@pytest.mark.parametrize("content", ["one", "two", "three"])
def test_a_memory_comes_back_to_its_place_among_the_others(several: Repository, content: str) -> None:
    before = several.get("a.b")
    key = key_of(several, content)
    several.forget(key)

    done = several.restore(key, at="HEAD~1")

    assert several.get("a.b") == before
    assert [each.label for each in done.addresses] == [key]
    assert done.commit and done.commit.message.startswith(f"restore {key} from ")


def test_what_came_meanwhile_stays(several: Repository) -> None:
    key = key_of(several, "two")
    several.forget(key)
    several.remember(Memory.of("four"), "a.b", policy="append")

    several.restore(key, at="HEAD~2")

    assert [memory.content for memory in several.get("a.b") or ()] == ["one", "two", "three", "four"]


def test_only_the_memory_that_is_named_gets_its_old_state_back(several: Repository) -> None:
    several.agents.pin("a.b")

    several.restore(key_of(several, "two"), at="HEAD~1")

    pins = [memory.metadata.get("pinned", False) for memory in several.get("a.b") or ()]
    assert pins == [True, False, True]


def test_a_memory_comes_back_where_the_path_is_gone(several: Repository) -> None:
    key = key_of(several, "two")
    several.forget("a.b")

    several.restore(key, at="HEAD~1")

    assert [memory.content for memory in several.get("a.b") or ()] == ["two"]


def test_a_memory_that_was_not_there_is_not_found(several: Repository) -> None:
    several.remember(Memory.of("four"), "a.b", policy="append")
    key = key_of(several, "four")

    with pytest.raises(NotFound, match=key):
        several.restore(key, at="HEAD~1")
