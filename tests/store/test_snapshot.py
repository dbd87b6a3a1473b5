"""Commits by another git: checked, put right, never silently misread."""

from pathlib import Path

import pytest
from support import contents, git, write

from memoir.errors import DamagedStore
from memoir.exchange import fetch, remotes
from memoir.exchange.fetch import clone
from memoir.exchange.merge import merge
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.records.record import Memory, encode
from memoir.repair.fsck import fsck
from memoir.store import history
from memoir.store.create import create
from memoir.store.store import Store
from memoir.store.transaction import normalise
from memoir.tree.node import encode_internal, encode_leaf
from memoir.tree.shape import shape_problems


def record(text: str) -> str:
    """The bytes of a memory."""
    return encode([Memory.of(text, timestamp="2026-01-01")]).decode()


MANY = {f"default=k{number}": record(f"v{number}") for number in range(1000)}
OURS, THEIRS = record("ours"), record("theirs")


@pytest.fixture
def button(store: Store, tmp_path: Path) -> str:
    """A commit as a hosted merge button makes it: git's own merge of two branches' trees, without a conflict."""
    base = write(store, MANY)
    store.refs.create("branch", "side", base.id)
    write(store, {"default=k1x": OURS})
    write(store, {"default=k1y": THEIRS}, branch="side")
    where = [f"--git-dir={store.git_dir}", f"--work-tree={tmp_path / 'work'}"]
    (tmp_path / "work").mkdir()
    tree = git(*where, "merge-tree", "--write-tree", "main", "side").split()[0]
    who = ["-c", "user.name=Button", "-c", "user.email=button@example.org"]
    return git(*who, *where, "commit-tree", tree, "-p", "main", "-p", "side", "-m", "Merge").strip()


def test_its_tree_is_found_to_be_out_of_shape(store: Store, button: str) -> None:
    tree = store.tree(store.commit(button).tree)

    assert list(shape_problems(tree, store.head().tree))


def test_it_is_read_as_what_its_leaves_hold(store: Store, button: str) -> None:
    snapshot = store.at(button)

    assert {key.decode(): value.decode() for key, value in snapshot.scan()} == {
        **MANY, "default=k1x": OURS, "default=k1y": THEIRS
    }  # fmt: skip
    assert snapshot.tree.count() == len(MANY) + 2


def test_trailers_copied_from_another_commit_do_not_make_it_memoirs(store: Store, button: str) -> None:
    """As squashing and cherry-picking copy them."""
    tree = git(f"--git-dir={store.git_dir}", "rev-parse", f"{button}^{{tree}}").strip()
    message = git(f"--git-dir={store.git_dir}", "log", "-1", "--format=%B", "side")
    who = ["-c", "user.name=Button", "-c", "user.email=button@example.org"]
    copy = git(*who, f"--git-dir={store.git_dir}", "commit-tree", tree, "-p", "main", "-m", message).strip()

    assert store.at(copy).tree.count() == len(MANY) + 2


def test_a_commit_can_be_read_after_its_repair(store: Store, button: str) -> None:
    store.git.run("update-ref", "refs/heads/main", button)
    normalise(store, "main")

    assert store.at("HEAD~1").tree.count() == len(MANY) + 2
    assert history.changes(store, store.commit("HEAD")) == []


def test_two_values_of_one_key_are_not_chosen_between(store: Store, button: str) -> None:
    """Git's merge may leave the same key in two nodes."""
    tree = store.head().tree
    leaf = encode_leaf([(b"default=k0", tree.get([b"default=k1"])[b"default=k1"])], None)
    pack = PackWriter(store.git, store.hash)
    assert tree.top.counts
    rows = [
        *zip(tree.top.keys, tree.top.ids, tree.top.counts, strict=True),
        (b"default=k0x", pack.add("tree", leaf), 1),
    ]
    root = pack.add("tree", encode_internal(rows, pack.add("blob", b"")))
    pack.flush()
    who = ["-c", "user.name=Button", "-c", "user.email=button@example.org"]
    twice = git(*who, f"--git-dir={store.git_dir}", "commit-tree", str(root), "-p", "main", "-m", "twice").strip()

    with pytest.raises(DamagedStore, match="two values"):
        store.at(twice)


def test_the_next_write_puts_it_right(store: Store, button: str) -> None:
    store.git.run("update-ref", "refs/heads/main", button)

    write(store, {"default=new": "3"})

    both = {"default=k1x": OURS, "default=k1y": THEIRS}
    assert contents(store) == {**MANY, **both, "default=new": "3"}
    assert fsck(store, lambda key, value: None).problems == []


def test_normalising_adds_one_commit_and_changes_no_memory(store: Store, button: str) -> None:
    store.git.run("update-ref", "refs/heads/main", button)

    commit = normalise(store, "main")

    assert commit is not None
    assert commit.parents == (Oid.fromhex(button),)
    assert store.head().tree.count() == len(MANY) + 2
    assert normalise(store, "main") is None


def test_merging_it_makes_a_commit_of_memoirs_own(store: Store, button: str) -> None:
    result = merge(store, button)

    assert result.outcome == "merged"
    assert store.head().tree.count() == len(MANY) + 2


def test_fetching_reports_it_and_cloning_puts_it_right(store: Store, button: str, tmp_path: Path) -> None:
    store.git.run("update-ref", "refs/heads/main", button)
    with create(tmp_path / "other") as other:
        remotes.add(other, "origin", str(store.git_dir))
        reasons = {each.name: each.foreign for each in fetch.fetch(other, "origin").moves}
    with clone(str(store.git_dir), str(tmp_path / "clone")) as copy:
        assert copy.at(None).tree.count() == len(MANY) + 2

    assert reasons["main"] is not None
    assert reasons["side"] is None


def test_a_commit_of_another_git_in_good_shape_is_read_as_it_is(store: Store) -> None:
    write(store, MANY)
    tree = git(f"--git-dir={store.git_dir}", "rev-parse", "main^{tree}").strip()
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    copy = git(*who, f"--git-dir={store.git_dir}", "commit-tree", tree, "-p", "main", "-m", "again").strip()

    assert store.at(copy).tree.count() == len(MANY)
