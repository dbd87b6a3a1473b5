"""History: the versions of a key, credited to those who wrote them."""

import pytest
from support import git, write

from memoir.store import ancestry, history, transaction
from memoir.store.ancestry import count_commits
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import merge_bases, merge_trees
from memoir.store.transaction import Change
from memoir.store.walk import walk_commits


def versions(store: Store, key: str, tip: str = "HEAD") -> list[tuple[str, str, str]]:
    """(operation, message, key) of each version, newest first."""
    past = history.versions(store, store.commit(tip), key.encode())
    return [(version.operation, version.commit.message, version.key.decode()) for version in past]


def merge_theirs(store: Store, theirs: str) -> None:
    """Merge a branch into main; where both changed a key, theirs stands."""
    other = store.commit(theirs)

    def change(head: Snapshot) -> Change:
        assert head.commit
        bases = [store.tree(base.tree) for base in merge_bases(store, head.commit.id, other.id)]
        result = merge_trees(store, head, store.tree(other.tree), bases, lambda clash: clash.theirs)
        return Change(result.edits.items(), f"merge {theirs}", further_parents=(other.id,))

    transaction.write(store, change, reason="merge")


def test_only_the_commits_that_changed_the_key_are_versions(store: Store) -> None:
    write(store, {"default=a": "1"}, "add a")
    write(store, {"default=b": "1"}, "add b")
    write(store, {"default=a": "2"}, "change a")
    write(store, {"default=a": None}, "remove a")

    assert versions(store, "default=a") == [
        ("removed", "remove a", "default=a"),
        ("modified", "change a", "default=a"),
        ("added", "add a", "default=a"),
    ]


def test_a_merge_that_only_carried_a_version_is_not_credited(store: Store) -> None:
    base = write(store, {"default=a": "1"}, "add a")
    store.refs.create("branch", "side", base.id)
    write(store, {"default=b": "1"}, "on the side", branch="side")
    write(store, {"default=a": "2"}, "on main")
    merge_theirs(store, "side")

    assert versions(store, "default=b") == [("added", "on the side", "default=b")]
    assert versions(store, "default=a") == [("modified", "on main", "default=a"), ("added", "add a", "default=a")]


def test_a_merge_with_its_own_version_is_credited(store: Store) -> None:
    base = write(store, {"default=a": "1"}, "add a")
    store.refs.create("branch", "side", base.id)
    write(store, {"default=a": "2"}, "on the side", branch="side")
    write(store, {"default=a": "3"}, "on main")
    other = store.commit("side")

    def both(head: Snapshot) -> Change:
        return Change([(b"default=a", b"2 and 3")], "merge by hand", further_parents=(other.id,))

    transaction.write(store, both, reason="merge")

    rows = versions(store, "default=a")
    assert rows[0] == ("merged", "merge by hand", "default=a")
    assert sorted(message for _, message, _ in rows[1:]) == ["add a", "on main", "on the side"]


def test_a_move_is_followed_to_the_old_name(store: Store) -> None:
    write(store, {"default=old": "1"}, "add")
    change = Change([(b"default=old", None), (b"default=new", b"1")], "move", moves=((b"default=old", b"default=new"),))
    transaction.write(store, lambda head: change, reason="move")
    write(store, {"default=new": "2"}, "change")

    assert versions(store, "default=new") == [
        ("modified", "change", "default=new"),
        ("moved", "move", "default=new"),
        ("added", "add", "default=old"),
    ]


def test_a_bulk_commit_is_looked_into(store: Store) -> None:
    write(store, {f"default=k{number}": "v" for number in range(1500)}, "bulk")
    write(store, {f"default=k{number}": "w" for number in range(1200)}, "bulk again")

    assert versions(store, "default=k1100") == [
        ("modified", "bulk again", "default=k1100"),
        ("added", "bulk", "default=k1100"),
    ]
    assert versions(store, "default=k1400") == [("added", "bulk", "default=k1400")]


def test_bulk_commits_are_found_by_range_and_by_key(store: Store) -> None:
    write(store, {f"default=k{number:04}": "v" for number in range(1500)}, "bulk")
    write(store, {f"default=k{number:04}": "w" for number in range(1200)}, "bulk again")
    tip = store.head().commit
    assert tip
    ranges = {b"default=k": 2, b"default=k14": 1, b"default=k0700": 2, b"other": 0, b"default=k1": 2}

    for low, count in ranges.items():
        found = history.commits_touching(store, tip, [(low, low + b"\xff")])
        assert len(list(found)) == count, low


def test_trailers_of_another_base_are_not_used(store: Store) -> None:
    """Copied by another git onto another parent, its list would leave out what the new parent had."""
    first = write(store, {"default=a": "1"}, "add a")
    second = write(store, {"default=b": "1"}, "add b")
    third = write(store, {"default=b": "2"}, "change b")
    raw = store.reader.read([third.id], "commit")[0].replace(second.id.hex().encode(), first.id.hex().encode())
    copy = store.git.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw).decode().strip()

    assert versions(store, "default=b", copy) == [("added", "change b", "default=b")]


@pytest.mark.parametrize("commits", [1, 17, pytest.param(100, marks=pytest.mark.slow)])
def test_walking_yields_every_commit_children_first(store: Store, commits: int) -> None:
    ids = [write(store, {"default=a": str(number)}).id for number in range(commits)]

    assert [commit.id for commit in walk_commits(store, store.commit("HEAD"))] == ids[::-1]
    assert count_commits(store, ids[-1]) == commits


def test_distance_and_ancestry(store: Store) -> None:
    base = write(store, {"default=a": "1"})
    store.refs.create("branch", "side", base.id)
    ours = [write(store, {"default=a": str(number)}) for number in (2, 3)][-1]
    theirs = write(store, {"default=b": "1"}, branch="side")

    assert ancestry.ahead_behind(store, ours.id, theirs.id) == (2, 1)
    assert ancestry.is_ancestor(store, base.id, ours.id)
    assert not ancestry.is_ancestor(store, ours.id, theirs.id)


def test_git_reads_the_same_history(store: Store) -> None:
    write(store, {"default=a": "1"}, "subject\n\nbody")

    assert git(f"--git-dir={store.git_dir}", "log", "--format=%s|%an") == "subject|Tess Ter\n"
