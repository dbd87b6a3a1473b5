"""Refs: compare-and-swap, names, reflogs."""

import pytest
from support import write

from memoir.errors import Conflict, GitError, InvalidInput, NotFound
from memoir.store import reflog
from memoir.store.refs import BRANCHES, TAGS
from memoir.store.store import Store


def test_an_update_needs_the_old_value(store: Store) -> None:
    first, second = write(store, {"default=a": "1"}), write(store, {"default=a": "2"})

    assert not store.refs.update(BRANCHES + "main", first.id, first.id, "stale")
    assert store.refs.update(BRANCHES + "main", first.id, second.id, "fresh")
    assert store.refs.read(BRANCHES + "main") == first.id


def test_a_ref_that_git_cannot_write_is_an_error_not_a_lost_race(store: Store) -> None:
    first = write(store, {"default=a": "1"})

    with pytest.raises(GitError):
        store.refs.update(BRANCHES + "main", "1" * 40, first.id, "to an object that is not there")


@pytest.mark.parametrize("name", ["", "-d", "a..b", "a b", "HEAD", "@", "a\nb", "x.lock", "a//b", "~", "refs/heads/x^"])
def test_names_that_git_would_not_take_are_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidInput):
        store.refs.check_name("branch", name)


def test_branches_and_tags_are_listed_sorted(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    for name in ("zebra", "agent/one", "alpha"):
        store.refs.create("branch", name, commit)
    store.refs.create("tag", "v1", commit)

    assert [ref.name for ref in store.refs.list(BRANCHES)] == ["agent/one", "alpha", "main", "zebra"]
    assert [(ref.name, ref.commit) for ref in store.refs.list(TAGS)] == [("v1", commit)]


def test_creating_twice_and_deleting_nothing_are_errors(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    store.refs.create("branch", "side", commit)

    with pytest.raises(Conflict):
        store.refs.create("branch", "side", commit)
    with pytest.raises(Conflict):
        store.refs.create("branch", "side/deeper", commit)
    with pytest.raises(NotFound):
        store.refs.delete("branch", "none")


def test_renaming_takes_head_and_the_reflog_along(store: Store) -> None:
    write(store, {"default=a": "1"}, "first")

    store.refs.rename("main", "trunk")

    assert store.refs.current == "trunk"
    assert [move.reason for move in reflog.read(store.git_dir, "trunk")][-1] == "first"
    with pytest.raises(NotFound):
        store.refs.rename("main", "other")


def test_the_reflog_tells_each_move_newest_first(store: Store) -> None:
    first, second = write(store, {"default=a": "1"}, "one"), write(store, {"default=a": "2"}, "two")

    assert [(move.old, move.new, move.reason) for move in reflog.read(store.git_dir, "main")] == [
        (first.id, second.id, "two"),
        (None, first.id, "one"),
    ]
