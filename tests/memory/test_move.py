"""Moving memories, and replacing one by another: nothing else at the two paths changes, and history keeps both."""

import pytest
from support import built_once, commits

from memoir import Conflict, InvalidInput, Memory, NotFound, Repository
from memoir.memory import write
from memoir.memory.facets import ids_of, with_ids
from memoir.memory.move import move
from memoir.memory.read import get
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Record, projection
from memoir.store.store import Store
from memoir.taxonomy.paths import address, memory_address


def remember(store: Store, path: str, content: str) -> None:
    write.remember(store, Memory.of(content), [address(path)])


def content(store: Store, path: str) -> str | None:
    record = get(store.head(), [address(path)])[address(path)]
    return projection(record) if record else None


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


def record(repository: Repository, key: str) -> Record | None:
    (item,) = repository.get_many([key])
    return item.record


def states(repository: Repository, key: str) -> list[tuple[str, bool]]:
    return [(memory.content, memory.active) for memory in record(repository, key) or ()]


@built_once
def two(repository: Repository) -> None:
    repository.remember(Memory.of("old"), "a.b")
    repository.remember(Memory.of("new", confidence=0.5, metadata={"tags": ["x"]}), "c.d")


def test_the_new_memory_moves_to_the_old_path_with_all_it_has(two: Repository) -> None:
    done = two.replace("a.b", "c.d")

    assert states(two, "a.b") == [("old", False), ("new", True)]
    assert record(two, "c.d") is None
    new = done.outcome.record[-1]
    assert (new.confidence, new.metadata) == (0.5, {"tags": ["x"], "origin": ["agent"]})


def test_history_and_blame_keep_both(two: Repository) -> None:
    before = two.store.head().commit
    two.replace("a.b", "c.d")

    assert [version.record[-1].content for version in two.blame("a.b") if version.record] == ["new", "old"]
    assert before and states_at(two, "c.d", str(before.id)) == ["new"]
    two.undo()
    assert states(two, "a.b") == [("old", True)] and states(two, "c.d") == [("new", True)]


def states_at(repository: Repository, key: str, revision: str) -> list[str]:
    (item,) = repository.get_many([key], at=revision)
    return [memory.content for memory in item.record or ()]


def test_other_memories_at_both_paths_stay(two: Repository) -> None:
    two.remember(Memory.of("beside old"), "a.b", policy="append")
    two.remember(Memory.of("beside new"), "c.d", policy="append")
    ids = {memory.content: identity for key in ("a.b", "c.d") for identity, memory in with_ids(record(two, key) or ())}

    two.replace(f"a.b#{ids['old']}", f"c.d#{ids['new']}")

    assert states(two, "a.b") == [("old", False), ("beside old", True), ("new", True)]
    assert states(two, "c.d") == [("beside new", True)]


def test_a_filed_memory_notes_where_it_was_so_that_filing_learns_from_it(repository: Repository) -> None:
    repository.remember(Memory.of("Releases are cut on Thursdays."), "a.b")
    filed = next(iter(repository.remember(Memory.of("Releases are cut on Fridays.")).outcomes))

    repository.replace("a.b", filed.path)

    new = (record(repository, "a.b") or ())[-1]
    assert new.metadata["filing"] == {"by": "move", "from": filed.path}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a.b", "a.b", "cannot replace itself"),
        ("a.b", "many.x", "holds 2 memories"),
        ("many.x", "a.b", "holds 2 memories"),
        ("memoir:taxonomy:a.b", "a.b", "for categories"),
        ("a..b", "a.b", "a..b"),
    ],
)
def test_what_cannot_be_replaced_is_refused_and_changes_nothing(
    two: Repository, old: str, new: str, message: str
) -> None:
    for content in ("one", "two"):
        two.remember(Memory.of(content), "many.x", policy="append")
    before = two.store.head().commit

    with pytest.raises(InvalidInput, match=message):
        two.replace(old, new)

    assert two.store.head().commit == before


def test_a_memory_that_is_not_there_is_not_found(two: Repository) -> None:
    for old, new in (("a.nothing", "c.d"), ("a.b", "c.nothing")):
        with pytest.raises(NotFound):
            two.replace(old, new)


def test_a_superseded_memory_cannot_be_replaced_again(two: Repository) -> None:
    two.replace("a.b", "c.d")
    two.remember(Memory.of("newest"), "e.f")
    old_id = ids_of(record(two, "a.b") or ())[0]

    with pytest.raises(InvalidInput, match="superseded already"):
        two.replace(f"a.b#{old_id}", "e.f")


def test_a_dry_run_says_what_would_be_and_writes_nothing(two: Repository) -> None:
    done = two.replace("a.b", "c.d", options=WriteOptions(dry_run=True))

    assert (done.commit, [memory.content for memory in done.outcome.superseded]) == (None, ["old"])
    assert states(two, "a.b") == [("old", True)]
