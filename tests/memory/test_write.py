"""Writing memories: one commit each, or none."""

from typing import Any

import pytest

from memoir.errors import Conflict, NotFound
from memoir.memory import write
from memoir.memory.read import get
from memoir.memory.record import Memory, Record, projection
from memoir.store import history
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, address


def remember(store: Store, path: str, content: str, **options: Any) -> write.CommitResult:
    return write.remember(store, Memory.of(content), [address(path)], **options)


def content(store: Store, path: str, at: str | None = None) -> str | None:
    record = get(store.at(at), [address(path)])[0].record
    return projection(record) if record else None


def commits(store: Store) -> int:
    return history.count(store, store.commit("HEAD").id)


def test_one_memory_at_several_paths_is_one_commit(store: Store) -> None:
    result = write.remember(store, Memory.of("x"), [address("a.b"), address("c.d", "user:alice")])

    assert commits(store) == 1
    assert [place.full_key for place in result.outcomes] == ["default:a.b", "user:alice:c.d"]
    assert content(store, "user:alice:c.d") == "x"


@pytest.mark.parametrize(
    ("path", "expected"), [("experience.x", "one\ntwo"), ("context.x", "two"), ("preferences.x", "two")]
)
def test_the_kind_of_memory_decides_what_an_occupied_path_does(store: Store, path: str, expected: str) -> None:
    remember(store, path, "one")
    remember(store, path, "two")

    assert content(store, path) == expected


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("event", "preferences.x", "one\ntwo"),
        ("resolution", "context.x", "one\ntwo"),
        ("fact", "experience.x", "two"),
        ("mine", "experience.x", "one\ntwo"),
    ],
)
def test_a_kind_of_its_own_decides_before_the_path(store: Store, kind: str, path: str, expected: str) -> None:
    for text in ("one", "two"):
        write.remember(store, Memory.of(text, metadata={"item_kind": kind}), [address(path)])

    assert content(store, path) == expected


def test_a_rejected_memory_changes_nothing(store: Store) -> None:
    remember(store, "a", "one")

    with pytest.raises(Conflict):
        write.remember(store, Memory.of("two"), [address("free"), address("a")], policy="reject")

    assert commits(store) == 1
    assert content(store, "free") is None


def test_forgetting_is_all_or_nothing(store: Store) -> None:
    remember(store, "preferences.testing", "one")

    with pytest.raises(NotFound) as error:
        write.forget(store, [address("preferences.testing"), address("preferences.tasting")])

    assert error.value.hint == "did you mean 'preferences.testing'?"
    assert error.value.details == {"keys": ["default:preferences.tasting"]}
    assert commits(store) == 1


def test_a_forgotten_memory_stays_in_history(store: Store) -> None:
    first = remember(store, "a", "one").commit
    write.forget(store, [address("a")])

    assert first
    assert content(store, "a") is None
    assert content(store, "a", str(first.id)) == "one"


def test_a_move_is_one_commit_and_keeps_the_record(store: Store) -> None:
    remember(store, "a", "one")

    commit, pairs = write.move(store, address("a"), address("b.c"))

    assert commit
    assert commit.changes
    assert commit.changes.moves == ((b"default=a", b"default=b.c"),)
    assert pairs == [(address("a"), address("b.c"))]
    assert (content(store, "a"), content(store, "b.c")) == (None, "one")


def test_a_move_onto_an_occupied_path_or_from_nowhere_changes_nothing(store: Store) -> None:
    remember(store, "a", "one")
    remember(store, "b", "two")

    with pytest.raises(Conflict):
        write.move(store, address("a"), address("b"))
    assert commits(store) == 2


def test_a_prefix_moves_with_all_below_even_into_itself(store: Store) -> None:
    for path in ("a", "a.b", "a.b.c", "ab"):
        remember(store, path, path)

    write.move(store, address("a"), address("a.b"), prefix=True)

    assert {path: content(store, path) for path in ("a.b", "a.b.b", "a.b.b.c", "ab", "a")} == {
        "a.b": "a", "a.b.b": "a.b", "a.b.b.c": "a.b.c", "ab": "ab", "a": None
    }  # fmt: skip


def test_an_edit_of_a_record_that_changed_meanwhile_is_a_conflict(store: Store) -> None:
    remember(store, "a", "one", policy="replace")

    def revise(record: Record) -> list[Memory]:
        remember(store, "a", "by someone else", policy="replace")
        return [record[0]._replace(content="edited")]

    with pytest.raises(Conflict, match="changed while it was being edited"):
        write.edit(store, address("a"), revise)
    assert content(store, "a") == "by someone else"


def test_editing_everything_away_forgets_the_path(store: Store) -> None:
    remember(store, "a", "one")

    write.edit(store, address("a"), lambda record: [])

    assert content(store, "a") is None


def test_restoring_brings_the_whole_record_back(store: Store) -> None:
    remember(store, "context.a", "one")
    old = store.head()
    remember(store, "context.a", "two")
    write.forget(store, [address("context.a")])

    write.restore(store, [address("context.a")], old)

    assert get(store.head(), [address("context.a")]) == get(old, [address("context.a")])


def test_restoring_a_missing_memory_is_an_error(store: Store) -> None:
    remember(store, "a", "one")

    with pytest.raises(NotFound):
        write.restore(store, [address("b")], store.head())


def test_a_mistyped_path_is_matched_among_those_that_begin_like_it(store: Store) -> None:
    remember(store, "preferences.coding.testing", "x")

    with pytest.raises(NotFound) as error:
        write.forget(store, [Address("default", "prefrences.coding.testing")])

    assert error.value.hint == "did you mean 'preferences.coding.testing'?"
