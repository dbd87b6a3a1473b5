"""Undo and redo of what a remote has: a commit that sync takes there, or a word that the next sync brings it back."""

from pathlib import Path

import pytest
from exchange.conftest import Cloning, paths
from support import COMMAND, Memoir, git

from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture(params=["shared", "own"])
def pair(fresh_clone: Cloning, request: pytest.FixtureRequest) -> tuple[Repository, Repository]:
    """Two clones, which send to the branch or to refs of their own."""
    mine, yours = fresh_clone("mine"), fresh_clone("yours")
    for each in (mine, yours):
        each.config.set("memoir.remote.origin.writers", request.param)
    return mine, yours


def remember(repository: Repository, key: str) -> None:
    repository.remember(Memory.of("text"), key)


def meet(*repositories: Repository) -> set[str]:
    """Let some stores sync until none has news; what each has then."""
    for each in (*repositories, *repositories):
        each.remotes.sync()
    (all_have,) = {frozenset(paths(each)) for each in repositories}
    assert [each.upkeep.fsck().report.problems for each in repositories] == [[] for _ in repositories]
    return set(all_have)


def test_undo_of_what_the_remote_has_is_a_deed_that_sync_carries(pair: tuple[Repository, Repository]) -> None:
    mine, yours = pair
    remember(mine, "b.one")
    remember(mine, "b.two")
    assert meet(mine, yours) == {"a.first", "b.one", "b.two"}
    before = mine.store.head().id

    done = mine.undo()

    assert (done.old, done.remote, done.returns) == (before, "origin", False)
    assert paths(mine) == {"a.first", "b.one"}
    assert [parent for commit in mine.store.commits([done.new]) for parent in commit.parents] == [before]
    remember(yours, "b.three")
    assert meet(yours, mine) == {"a.first", "b.one", "b.three"}


def test_undo_and_redo_step_by_step_through_what_the_remote_has(pair: tuple[Repository, Repository]) -> None:
    mine, yours = pair
    for name in ("one", "two", "three"):
        remember(mine, f"b.{name}")
    mine.remotes.sync()
    remember(mine, "b.only-here")

    assert mine.undo().remote is None
    assert {mine.undo().remote, mine.undo().remote} == {"origin"}
    assert paths(mine) == {"a.first", "b.one"}
    assert mine.redo().remote is None, "that undo is not published"
    assert paths(mine) == {"a.first", "b.one", "b.two"}
    assert meet(mine, yours) == {"a.first", "b.one", "b.two"}
    assert mine.redo().remote == "origin", "this one is"
    assert paths(mine) == {"a.first", "b.one", "b.two", "b.three"}
    assert meet(mine, yours) == {"a.first", "b.one", "b.two", "b.three"}
    mine.undo(3)
    assert meet(mine, yours) == {"a.first"}
    assert [entry.reason for entry in mine.reflog()] == ["clone"]


def test_undo_of_a_sync_says_that_the_next_one_brings_it_back(pair: tuple[Repository, Repository]) -> None:
    mine, yours = pair
    remember(yours, "b.yours")
    yours.remotes.sync()
    remember(mine, "b.mine")
    before = mine.store.head().id
    mine.remotes.sync()

    done = mine.undo()

    assert (done.new, done.remote, done.returns) == (before, "origin", True)
    assert mine.undo().remote == "origin", "the remote has this one as the sync made it again"
    assert paths(mine) == {"a.first"}
    assert meet(mine, yours) == {"a.first", "b.yours"}


def test_undo_of_a_pull_says_that_the_next_sync_brings_it_back(pair: tuple[Repository, Repository]) -> None:
    mine, yours = pair
    remember(yours, "b.yours")
    yours.remotes.sync()
    mine.remotes.pull()

    assert mine.undo()[3:] == ("origin", True)
    assert paths(mine) == {"a.first"}
    assert meet(mine, yours) == {"a.first", "b.yours"}


def test_undo_of_what_only_one_store_has_is_no_commit(pair: tuple[Repository, Repository]) -> None:
    mine, _ = pair
    before = mine.store.head().id
    remember(mine, "b.mine")
    mine.branches.create("topic")
    mine.remotes.push(branch="topic")

    assert mine.undo() == ("remember b.mine", mine.store.commit("topic").id, before, None, False)


def test_undo_of_all_that_a_store_began_with_is_a_deed_as_well(tmp_path: Path) -> None:
    git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    with Repository.init(tmp_path / "mine") as mine:
        mine.remotes.add("origin", str(tmp_path / "hub.git"))
        remember(mine, "a.first")
        mine.remotes.sync()

        mine.undo()

        with Repository.clone(str(tmp_path / "hub.git"), tmp_path / "yours") as yours:
            assert meet(mine, yours) == set()


def test_a_step_that_changes_no_memory_still_is_one(pair: tuple[Repository, Repository]) -> None:
    mine, yours = pair
    remember(mine, "b.one")
    mine.forget("b.one")
    mine.remotes.sync()

    mine.undo(2)

    assert [entry.reason for entry in mine.reflog()] == ["clone"]
    assert meet(mine, yours) == {"a.first"}


def test_the_command_says_which_it_was_and_what_comes_next(hub: Path, memoir: Memoir) -> None:
    memoir.ok("clone", str(hub), "mine")
    memoir.ok("-s", "mine", "remember", "text", "--path", "b.one")
    memoir.ok("-s", "mine", "sync")

    undone = memoir.ok("-s", "mine", "undo", PATH="/usr/bin:/bin")
    assert f"origin has it, so this is a commit; '{COMMAND} sync origin' takes it there" in undone
