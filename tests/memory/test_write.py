"""Writing memories: one commit each, or none."""

from typing import Any

import pytest

from memoir.errors import Conflict, NotFound
from memoir.memory import write
from memoir.memory.read import get
from memoir.records.record import Memory, Record, projection
from memoir.store.ancestry import count_commits
from memoir.store.store import Store
from memoir.taxonomy.paths import address, memory_address


def remember(store: Store, path: str, content: str, **options: Any) -> write.CommitResult:
    return write.remember(store, Memory.of(content), [address(path)], **options)


def content(store: Store, path: str, at: str | None = None) -> str | None:
    record = get(store.at(at), [address(path)])[address(path)]
    return projection(record) if record else None


def commits(store: Store) -> int:
    return count_commits(store, store.commit("HEAD").id)


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
        write.forget(store, [memory_address("preferences.testing"), memory_address("preferences.tasting")])

    assert error.value.hint == "did you mean 'preferences.testing'?"
    assert error.value.details == {"keys": ["default:preferences.tasting"]}
    assert commits(store) == 1


def test_a_forgotten_memory_stays_in_history(store: Store) -> None:
    first = remember(store, "a", "one").commit
    write.forget(store, [memory_address("a")])

    assert first
    assert content(store, "a") is None
    assert content(store, "a", str(first.id)) == "one"


def test_an_edit_of_a_record_that_changed_meanwhile_is_a_conflict(store: Store) -> None:
    remember(store, "a", "one", policy="replace")

    def revise(record: Record) -> list[Memory]:
        remember(store, "a", "by someone else", policy="replace")
        return [record[0]._replace(content="edited")]

    with pytest.raises(Conflict, match="changed while it was being edited"):
        write.edit(store, memory_address("a"), revise)
    assert content(store, "a") == "by someone else"


def test_editing_everything_away_forgets_the_path(store: Store) -> None:
    remember(store, "a", "one")

    write.edit(store, memory_address("a"), lambda record: [])

    assert content(store, "a") is None


def test_a_mistyped_path_is_matched_among_those_that_begin_like_it(store: Store) -> None:
    remember(store, "preferences.coding.testing", "x")

    with pytest.raises(NotFound) as error:
        write.forget(store, [memory_address("prefrences.coding.testing")])

    assert error.value.hint == "did you mean 'preferences.coding.testing'?"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("timeout", "did you mean 'settings.environment.timeout'?"),
        ("config.database.timeout", "did you mean 'settings.environment.timeout'?"),
        ("inbox.unsorted.mde520c80832", "did you mean 'inbox.unsorted.mde520c80832b'?"),
        ("inbox.unsorted.mf1e8e358f43b", "'memoir ls' lists all paths"),
    ],
)
def test_a_path_is_known_by_its_last_name_and_one_in_the_inbox_by_nearly_all_of_it(
    store: Store, typed: str, hint: str
) -> None:
    remember(store, "settings.environment.timeout", "x")
    remember(store, "inbox.unsorted.mde520c80832b", "y")

    with pytest.raises(NotFound) as error:
        write.forget(store, [memory_address(typed)])

    assert error.value.hint == hint
