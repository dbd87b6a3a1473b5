"""Stores whose trees have the first format: read as they are, and written in the newest one."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hostile import Forge
from support import contents, copied_together, first_format, git, write

from memoir.errors import DamagedStore
from memoir.exchange import fetch
from memoir.exchange.writers.fold import fold
from memoir.git.objects import Oid
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repair import checks
from memoir.repair.fsck import fsck, repair_shapes
from memoir.repository.repository import Repository
from memoir.store.create import create
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.store.transaction import write as write_change
from memoir.tree.edit import apply
from memoir.tree.node import FORMAT
from memoir.tree.tree import diff

SIZE = 6000
WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
RECORDS = {f"default=topics.n{n % 50}.m{n}": f"value {n}" for n in range(SIZE)}


def make_old(folder: Path) -> None:
    """A clone of a store of the first format with two commits."""
    with first_format(), create(folder / "first") as store:
        write(store, RECORDS, "many")
        write(store, {"default=topics.n1.m1": "changed", "default=topics.n2.m2": None}, "two")
        assert (store.head().tree.version, store.head().tree.height) == (1, 2)
    git("clone", "-q", "--bare", str(folder / "first" / ".memoir"), str(folder / "hub.git"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "fault", lambda key, value: None)  # values here are no records
        fetch.clone(str(folder / "hub.git"), str(folder / "old")).close()


@pytest.fixture
def old(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    copied_together(tmp_path, tmp_path_factory.getbasetemp() / "old-format", make_old)
    with Store(tmp_path / "old" / ".memoir") as store:
        assert store.head().tree.version == 1
        yield store


def problems(store: Store) -> list[str]:
    return fsck(store, lambda key, value: None).problems


def test_it_is_read_as_it_is(old: Store) -> None:
    expected = {**RECORDS, "default=topics.n1.m1": "changed"}
    del expected["default=topics.n2.m2"]

    assert contents(old) == expected
    assert contents(old, "HEAD~1") == RECORDS
    assert old.head().tree.count(b"default=topics.n1.", b"default=topics.n1/") == SIZE // 50
    assert problems(old) == []


def test_the_first_write_changes_the_format_and_nothing_else(old: Store) -> None:
    before = old.head()

    commit = write(old, {"default=topics.new": "one more"})

    after = old.head()
    assert after.tree.version == FORMAT
    assert commit.changes and (commit.changes.put, commit.changes.forget) == ((b"default=topics.new",), ())
    assert [delta.key for delta in diff(before.tree, after.tree)] == [b"default=topics.new"]
    assert contents(old, "HEAD~1") == {
        key: value for key, value in contents(old).items() if key != "default=topics.new"
    }
    assert problems(old) == []


def test_the_new_tree_is_that_of_a_store_that_never_had_another_format(old: Store, store: Store) -> None:
    write(old, {"default=topics.new": "one more"})
    write(store, contents(old))

    assert old.head().stored_root == store.head().stored_root


def test_a_write_that_changes_nothing_makes_no_commit(old: Store) -> None:
    change = Change([(b"default=topics.n1.m1", b"changed"), (b"default=nothing", None)], "nothing")

    assert write_change(old, lambda head: change, reason="nothing") is None
    assert old.head().tree.version == 1


def test_a_change_of_format_that_loses_a_record_is_found(old: Store) -> None:
    lost = dict(old.head().tree.scan())
    del lost[b"default=topics.n7.m7"]
    forge = Forge(old)
    wrong = apply(old.tree(None), lost, forge.pack)
    forge.commit(wrong)

    assert problems(old) == [
        f"commit {old.refs.read('refs/heads/main'):.12}: its trailers do not name the keys it changed"
    ]


def test_a_tree_of_two_formats_is_malformed(old: Store) -> None:
    head = old.head().tree
    forge = Forge(old)
    mixed = forge.internal(list(zip(head.top.keys, head.top.ids, head.top.counts or (), strict=True)), root=True)
    forge.commit(mixed)

    (problem,) = {problem.partition(" has ")[2] for problem in problems(old)}
    assert problem == "the format 1, and the root 2"
    assert repair_shapes(old) == ["main"]
    assert problems(old) == []


def test_nothing_is_built_on_counts_that_contradict_each_other(store: Store) -> None:
    write(store, {f"default=k{number}": "value" for number in range(300)})
    forge = Forge(store)
    data = store.reader.read([store.head().stored_root or Oid()], "tree")[0]
    note = re.search(rb"100644 (default=[^;]+;[\d,]+)\0", data)
    assert note
    forge.commit(forge.pack.add("tree", data.replace(note[0], note[0] + forge.marker + note[0][:-1] + b"0\0")))

    with pytest.raises(DamagedStore, match="how many memories"):
        write(store, {"default=k7": "changed"})
    assert repair_shapes(store) == ["main"]
    write(store, {"default=k7": "changed"})
    assert problems(store) == []


def make_past(folder: Path) -> None:
    """A store with a remote, both of the first format; its branch `side` has it too."""
    git("init", "-q", "--bare", "-b", "main", str(folder / "hub.git"))
    with first_format(), Repository.init(folder / "past") as past:
        past.import_lines(b'{"path": "topics.n%d.m%d", "content": "memory %d"}' % (n % 9, n, n) for n in range(200))
        past.remember(Memory.of("a secret"), "topics.vault")
        past.branches.create("side")
        past.remember(Memory.of("on the side"), "topics.side", options=WriteOptions(branch="side"))
        past.remotes.add("origin", str(folder / "hub.git"))
        past.remotes.sync()


@pytest.fixture
def past(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    copied_together(tmp_path, tmp_path_factory.getbasetemp() / "past-format", make_past)
    with Repository.open(tmp_path / "past") as past:
        assert past.store.head().tree.version == past.store.head("side").tree.version == 1
        assert past.store.head().tree.height == 1
        yield past


def test_history_branches_and_undo_reach_over_the_change(past: Repository) -> None:
    past.remember(Memory.of("changed"), "topics.n3.m3", policy="replace")

    assert [version.operation for version in past.blame("topics.n3.m3")] == ["modified", "added"]
    assert [change.address.path for change in past.diff("HEAD~1", "HEAD").differences] == ["topics.n3.m3"]
    assert past.merge("side").changed == 1
    assert past.store.head().tree.version == FORMAT
    past.undo(2)
    assert past.store.head().tree.version == 1
    past.remember(Memory.of("again"), "topics.n3.m3", policy="replace")
    past.upkeep.purge("topics.vault")
    assert not past.upkeep.fsck().report.problems
    assert past.store.head().tree.version == FORMAT
    assert past.store.head("side").tree.version == 1


def test_clones_that_change_the_format_apart_meet(past: Repository, tmp_path: Path) -> None:
    url = str(tmp_path / "hub.git")
    with Repository.clone(url, tmp_path / "one") as one, Repository.clone(url, tmp_path / "two") as two:
        with first_format():
            one.remember(Memory.of("from one"), "topics.one")
        two.remember(Memory.of("from two"), "topics.two")
        assert (one.store.head().tree.version, two.store.head().tree.version) == (1, FORMAT)
        two.remotes.sync()
        one.remotes.sync()
        past.remember(Memory.of("from the first"), "topics.past")
        past.remotes.pull()
        one.remotes.pull()
        assert past.store.head().tree.version == one.store.head().tree.version == FORMAT
        assert past.count() == 201 + 3
        for each in (one, two, past):
            assert not each.upkeep.fsck().report.problems


def test_heads_of_both_formats_fold_into_the_same_commits(past: Repository, tmp_path: Path) -> None:
    for number in range(3):
        past.branches.create(f"w{number}")
        with first_format() if number == 1 else nullcontext():
            past.remember(Memory.of(f"from {number}"), f"topics.w{number}", options=WriteOptions(branch=f"w{number}"))
    heads = [past.store.commit(f"refs/heads/w{number}").id for number in range(3)]
    git("clone", "-q", "--mirror", str(past.store.git_dir), str(tmp_path / "other" / ".memoir"))

    with Repository.open(tmp_path / "other") as other:
        tips = {fold(each.store, order).tip for each, order in ((past, heads), (other, heads[::-1]))}

        (tip,) = tips
        assert other.store.of(tip).tree.version == FORMAT
        assert other.merge(str(tip)).changed == 3


def test_what_plain_git_merges_in_the_new_format_is_put_in_order(repository: Repository, tmp_path: Path) -> None:
    """Nodes keep their names, so git merges node by node; only the counts are there twice."""
    lines = (b'{"path": "topics.n%d.m%d", "content": "memory %d"}' % (n % 9, n, n) for n in range(400))
    repository.import_lines(lines)
    repository.branches.create("side")
    repository.remember(Memory.of("on main"), "topics.n1.main")
    repository.remember(Memory.of("on the side"), "topics.n8.side", options=WriteOptions(branch="side"))
    git("clone", "-q", "--no-checkout", str(repository.store.git_dir), str(tmp_path / "hosted"))
    tree = git("merge-tree", "--write-tree", "origin/main", "origin/side", cwd=tmp_path / "hosted").split()[0]
    commit = git(
        *WHO, "commit-tree", tree, "-p", "origin/main", "-p", "origin/side", "-m", "merged", cwd=tmp_path / "hosted"
    )
    git("push", "-q", str(repository.store.git_dir), f"{commit.strip()}:refs/heads/merged", cwd=tmp_path / "hosted")

    done = repository.merge("merged")

    assert done.changed == 1
    assert repository.count() == 402
    repository.branches.delete("merged", force=True)
    assert not repository.upkeep.fsck().report.problems
