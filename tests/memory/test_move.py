"""Moving memories: a record, one memory of it, or a prefix; nothing at the new path is lost."""

import pytest

from memoir import Conflict, InvalidInput, Memory, NotFound, Repository
from memoir.memory import write
from memoir.memory.move import move
from memoir.memory.read import get
from memoir.records.record import projection
from memoir.store.ancestry import count_commits
from memoir.store.store import Store
from memoir.taxonomy.paths import address, memory_address


def remember(store: Store, path: str, content: str) -> None:
    write.remember(store, Memory.of(content), [address(path)])


def content(store: Store, path: str) -> str | None:
    record = get(store.head(), [address(path)])[address(path)]
    return projection(record) if record else None


def commits(store: Store) -> int:
    return count_commits(store, store.commit("HEAD").id)


def test_a_move_is_one_commit_and_keeps_the_record(store: Store) -> None:
    remember(store, "a", "one")

    commit, pairs = move(store, memory_address("a"), address("b.c"))

    assert commit
    assert commit.changes
    assert commit.changes.moves == ((b"default=a", b"default=b.c"),)
    assert pairs == [(memory_address("a"), memory_address("b.c"))]
    assert (content(store, "a"), content(store, "b.c")) == (None, "one")


def test_a_move_onto_an_occupied_path_or_from_nowhere_changes_nothing(store: Store) -> None:
    remember(store, "a", "one")
    remember(store, "b", "two")

    with pytest.raises(Conflict):
        move(store, memory_address("a"), address("b"))
    assert commits(store) == 2


def test_a_prefix_moves_with_all_below_even_into_itself(store: Store) -> None:
    for path in ("a", "a.b", "a.b.c", "ab"):
        remember(store, path, path)

    move(store, memory_address("a"), address("a.b"), prefix=True)

    assert {path: content(store, path) for path in ("a.b", "a.b.b", "a.b.b.c", "ab", "a")} == {
        "a.b": "a", "a.b.b": "a.b", "a.b.b.c": "a.b.c", "ab": "ab", "a": None
    }  # fmt: skip


def test_the_refusal_of_an_occupied_path_says_what_to_type(repository: Repository) -> None:
    repository.remember(Memory.of("one"), "a.b")
    repository.remember(Memory.of("two"), "user:c.d")

    with pytest.raises(Conflict) as error:
        repository.move("a.b", "user:c.d")
    assert error.value.hint == "'memoir mv --append a.b user:c.d' adds to what is there"
    repository.remember(Memory.of("below"), "a.d")
    with pytest.raises(Conflict) as error:
        repository.move("a", "user:c", prefix=True)
    assert error.value.hint == "'memoir mv --prefix --append a user:c' adds to what is there"


def test_what_is_appended_joins_the_memories_there_and_blame_follows_both(repository: Repository) -> None:
    repository.remember(Memory.of("Steve maintains beads."), "preferences.answers")
    repository.remember(Memory.of("Ann maintains it."), "people.steve")

    repository.move("preferences.answers", "people.steve", append=True)

    record = repository.get("people.steve")
    assert [each.content for each in record or ()] == ["Ann maintains it.", "Steve maintains beads."]
    assert repository.get("preferences.answers") is None
    assert [each.operation for each in repository.blame("people.steve")] == ["moved", "added", "added"]


def test_appending_twice_what_is_the_same_keeps_it_once(repository: Repository) -> None:
    repository.remember(Memory.of("same", timestamp="2025-01-01"), "a.b", "c.d")
    before = repository.get("a.b")

    repository.move("a.b", "c.d", append=True)

    assert repository.get("c.d") == before


def test_one_memory_moves_and_its_neighbours_keep_their_bytes(repository: Repository) -> None:
    for text in ("one", "two", "three"):
        repository.remember(Memory.of(text, metadata={"n": text}), "a.b", policy="append")
    before = repository.get("a.b")
    assert before
    (key,) = [
        f"a.b#{identity}" for identity, each in zip(ids(repository, "a.b"), before, strict=True) if each == before[1]
    ]

    done = repository.move(key, "c.d")

    assert repository.get("a.b") == (before[0], before[2])
    assert repository.get("c.d") == (before[1],)
    assert done.commit and done.commit.message.startswith(f"mv {key} c.d")
    assert [each.operation for each in repository.blame("c.d")] == ["added"]
    assert repository.blame("a.b")[0].operation == "modified"


def test_the_last_active_memory_moves_with_what_it_superseded(repository: Repository) -> None:
    repository.remember(Memory.of("old"), "a.b")
    repository.remember(Memory.of("new"), "a.b", policy="replace")
    before = repository.get("a.b")

    repository.move(f"a.b#{ids(repository, 'a.b')[1]}", "c.d")

    assert repository.get("a.b") is None
    assert repository.get("c.d") == before
    assert [each.operation for each in repository.blame("c.d")] == ["moved", "modified", "added"]


def test_one_memory_of_a_prefix_is_refused(repository: Repository) -> None:
    repository.remember(Memory.of("one"), "a.b")

    with pytest.raises(InvalidInput, match="one memory"):
        repository.move(f"a.b#{ids(repository, 'a.b')[0]}", "c.d", prefix=True)
    with pytest.raises(NotFound, match="no memory"):
        repository.move("a.b#0" if not ids(repository, "a.b")[0].startswith("0") else "a.b#1", "c.d")


def ids(repository: Repository, key: str) -> list[str]:
    from memoir.memory.facets import ids_of

    return ids_of(repository.get(key) or ())
