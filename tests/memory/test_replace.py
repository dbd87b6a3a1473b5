"""One memory takes the place of another: nothing else at the two paths changes, and history keeps both."""

import pytest
from support import built_once

from memoir import Memory, Repository
from memoir.errors import InvalidInput, NotFound
from memoir.memory.facets import ids_of, with_ids
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Record


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
