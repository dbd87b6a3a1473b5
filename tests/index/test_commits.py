"""The table of commits: a walk that uses it finds the same as one that reads all commits, whatever the history."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import copied, write

from memoir.git.objects import Oid
from memoir.index import commits as table_module
from memoir.index.commits import CommitTable, TableLimits
from memoir.index.location import commits_file
from memoir.store import ancestry, history, transaction, walk
from memoir.store.commit import Commit
from memoir.store.create import create
from memoir.store.locate import DIRECTORY
from memoir.store.rewind import undo
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Edited, Edits, merge_bases, merge_trees
from memoir.store.transaction import Change
from memoir.store.walk import walk_commits

SMALL = TableLimits(keys=2, batch=3, heads=2)
KEYS = [f"{namespace}=k{number}" for namespace in ("default", "rare") for number in range(3)]
BRANCHES = ["main", "side", "third"]
RANGES = [(b"rare=", b"rare>"), (b"default=k1", b"default=k1\0"), (b"default=", b"rare>")]


class Step(NamedTuple):
    """What happens next to a store: on one of three branches a key gets a value, or is moved, merged, undone …"""

    what: str
    branch: str
    key: str
    other: str


STEPS = st.lists(
    st.builds(
        Step,
        st.sampled_from(["write"] * 6 + ["forget", "move", "merge", "fold", "undo", "bulk", "foreign", "look"]),
        st.sampled_from(BRANCHES),
        st.sampled_from(KEYS),
        st.sampled_from(KEYS),
    ),
    max_size=20,
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a walk of three commits long enough for the table, and the straight line at the tip short."""
    monkeypatch.setattr(walk, "_STRAIGHT", 0)
    monkeypatch.setattr(walk, "_FIRST_BATCH", 2)
    monkeypatch.setattr(ancestry, "LONG", 0)


def _take(store: Store, number: int, step: Step) -> None:
    """Do one step; one that is not possible at the moment is left out."""
    head = store.head(step.branch)
    keys = {key.decode() for key, _ in head.tree.scan()}
    if step.what == "forget" or (step.what == "move" and (step.other in keys or step.key == step.other)):
        write(store, {step.key: None, "default=k9": str(number)}, branch=step.branch)
    elif step.what == "move" and step.key in keys:
        value = head.read([step.key.encode()])[step.key.encode()]
        edits = [(step.key.encode(), None), (step.other.encode(), value)]
        change = Change(edits, "move", moves=((step.key.encode(), step.other.encode()),))
        transaction.write(store, lambda head: change, branch=step.branch, reason="move")
    elif step.what == "merge":
        _merge(store, step.branch, "side" if step.branch == "main" else "main")
    elif step.what == "fold":
        _merge(store, step.branch, *(name for name in BRANCHES if name != step.branch))
    elif step.what == "undo" and number > 3 and step.branch == "main":
        undo(store)
    elif step.what == "bulk":
        write(store, {key: str(number) for key in KEYS[:4]}, branch=step.branch)
    elif step.what == "foreign" and head.commit:
        who = ("-c", "user.name=Bo", "-c", "user.email=bo@example.org")
        tree = (str(head.commit.tree), "-p", str(head.commit.id), "-m", "by git")
        commit = store.git.run(*who, "commit-tree", *tree).decode().strip()
        store.git.run("update-ref", f"refs/heads/{step.branch}", commit)
    elif step.what == "look":
        _compare(store, step.branch)
    else:
        write(store, {step.key: str(number)}, branch=step.branch)


def _merge(store: Store, ours: str, *theirs: str) -> None:
    """Merge branches into another, in one commit."""
    others = {commit.id: commit for commit in map(store.commit, theirs)}

    def change(head: Snapshot) -> Change:
        assert head.commit
        edited, edits = Edited(store, head), Edits()
        for other in others.values():
            bases = [store.tree(base.tree) for base in merge_bases(store, head.commit.id, other.id)]
            result = merge_trees(store, edited, store.tree(other.tree), bases, lambda clash: clash.theirs)
            edited.take(result.edits)
            edits.update(result.edits)
        return Change(edits.items(), "merge", further_parents=tuple(others))

    transaction.write(store, change, branch=ours, reason="merge")


def _compare(store: Store, branch: str) -> None:
    def found() -> list[object]:
        touching = [list(history.commits_touching(store, tip, [keys])) for keys in RANGES]
        return [touching, [[*map(vars, history.versions(store, tip, key.encode()))] for key in KEYS]]

    tip = store.commit(branch)
    store.make_table = None
    expected = found()
    store.make_table = partial(CommitTable, store, SMALL)

    assert found() == expected


@settings(max_examples=8)
@given(STEPS)
def test_history_is_the_same_with_and_without_the_table(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder, create(Path(folder)) as store:
        write(store, {KEYS[0]: "begin"})
        for name in BRANCHES[1:]:
            store.refs.create("branch", name, store.commit("HEAD").id)
        for number, step in enumerate(steps):
            _take(store, number, step)
        for branch in BRANCHES:
            _compare(store, branch)


@pytest.fixture
def full_store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Some commits, of which the first alone touched the namespace `rare`, and their table."""
    with Store(copied(tmp_path / "full", tmp_path_factory.getbasetemp() / "commits", _fill) / DIRECTORY) as store:
        _compare(store, "main")
        assert commits_file(store.git_dir).exists()
        yield store


def _fill(folder: Path) -> None:
    with create(folder) as store:
        write(store, {"rare=a": "1"})
        for number in range(30):
            write(store, {f"default=k{number % 7}": str(number)})


def _read(store: Store, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many commits a search for what touched `rare` reads."""
    numbers: list[int] = []
    commits = store.commits

    def count_calls(ids: Sequence[Oid]) -> list[Commit]:
        numbers.append(len(ids))
        return commits(ids)

    monkeypatch.setattr(store, "commits", count_calls)
    store.make_table = partial(CommitTable, store, SMALL)
    assert len(list(history.commits_touching(store, store.commit("main"), RANGES[:1]))) == 1
    monkeypatch.setattr(store, "commits", commits)
    return sum(numbers)


def test_known_commits_are_not_read(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _read(full_store, monkeypatch) <= 3


def test_new_commits_are_added_to_the_table(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write(full_store, {"default=new": "1"})
    _compare(full_store, "main")

    assert _read(full_store, monkeypatch) <= 3


def test_an_interrupted_table_is_completed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is built in pieces, and those that are there are not built again."""
    for number in range(12):
        write(store, {f"{'rare' if number == 4 else 'default'}=k{number % 7}": str(number)})
    add, counts = table_module._add_commits, list[int]()

    def note(database: apsw.Connection, store: Store, commits: Sequence[Commit], most_keys: int) -> None:
        counts.append(len(commits))
        if len(counts) == 3:
            raise KeyboardInterrupt
        add(database, store, commits, most_keys)

    monkeypatch.setattr(table_module, "_add_commits", note)
    with pytest.raises(KeyboardInterrupt):
        _compare(store, "main")
    _compare(store, "main")

    assert counts == [3, 3, 3, 3, 3]


def test_a_walk_that_loses_the_table_finds_the_same(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list(history.commits_touching(full_store, full_store.commit("main"), RANGES[2:]))
    full_store.make_table = partial(CommitTable, full_store, SMALL._replace(first_read=2))
    commits = history.commits_touching(full_store, full_store.commit("main"), RANGES[2:])
    first = [next(commits), next(commits), next(commits)]
    path = commits_file(full_store.git_dir)
    path.unlink()
    path.mkdir()

    assert [*first, *commits] == expected


def test_a_commit_with_wrong_trailers_is_read(full_store: Store) -> None:
    """A commit whose trailers were found to be wrong later."""
    for commit in list(walk_commits(full_store, full_store.commit("main")))[3:6]:
        full_store.distrust(commit.id)

    _compare(full_store, "main")


def test_removed_history_is_forgotten(full_store: Store) -> None:
    """As after `gc` has dropped what no branch and no log reaches."""
    first = list(walk_commits(full_store, full_store.commit("main")))[-1]
    full_store.git.run("update-ref", "refs/heads/main", str(first.id))
    full_store.git.run("reflog", "expire", "--expire=all", "--all")
    full_store.git.run("gc", "-q", "--prune=now")
    write(full_store, {"default=new": "1"})

    _compare(full_store, "main")

    tip = full_store.commit("main")
    _, batches = CommitTable(full_store, SMALL).rest(tip.id, [(b"", b"\xff")], tip)
    assert [stop.commit for batch in batches for stop in batch] == [first]


def _garbage(path: Path) -> None:
    path.write_bytes(random.Random(3).randbytes(30_000))


def _flip(path: Path) -> None:
    """The file with one byte changed in every page."""
    data = bytearray(path.read_bytes())
    for start in range(4000, len(data), 8192):
        data[start] ^= 255
    path.write_bytes(data)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [_garbage, _flip, _folder, os.unlink])
def test_a_damaged_table_changes_no_answer(full_store: Store, damage: Callable[[Path], None]) -> None:
    path = commits_file(full_store.git_dir)
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    damage(path)

    for _ in range(2):
        _compare(full_store, "main")
        assert len(list(history.commits_touching(full_store, full_store.commit("main"), RANGES[:1]))) == 1
