"""git's commit-graph: used if memoir has written it, and otherwise as if it were not there."""

import hashlib
from pathlib import Path

import pytest
from support import commits, write

from memoir.store import ancestry, walk
from memoir.store.ancestry import graph_options
from memoir.store.store import Store
from memoir.store.walk import walk_commits

_COMMITS = 12


@pytest.fixture
def long(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A history that counts as a long one."""
    monkeypatch.setattr(ancestry, "LONG", 5)
    for number in range(_COMMITS):
        monkeypatch.setenv("MEMOIR_NOW", f"2026-01-01T00:{number:02}:00Z")
        write(store, {"default=a": str(number)}, f"commit {number}")
    return store


def _file(store: Store) -> Path:
    return store.git_dir / "objects/info/commit-graph"


def _forget_parents(path: Path) -> None:
    """Say of every commit that it has no parents, in a file that is sound otherwise."""
    data = bytearray(path.read_bytes())[:-20]
    entry = data.index(b"CDAT")
    start = int.from_bytes(data[entry + 4 : entry + 12], "big")
    for row in range(start, start + 36 * _COMMITS, 36):
        data[row + 20 : row + 28] = bytes.fromhex("7000000070000000")
    path.chmod(0o600)
    path.write_bytes(data + hashlib.sha1(data).digest())


def test_a_long_history_gets_one_and_it_is_used(long: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert graph_options(long) == ()

    assert commits(long) == _COMMITS

    assert _file(long).is_file() and graph_options(long)
    assert commits(long) == _COMMITS
    monkeypatch.setattr(ancestry, "refresh_graph", lambda store, tip, flags: None)
    write(long, {"default=a": "more"}, "one that is not in it")
    assert commits(long) == _COMMITS + 1


def test_a_short_history_gets_none(store: Store) -> None:
    write(store, {"default=a": "1"}, "first")

    assert commits(store) == 1
    assert not _file(store).exists()


def test_one_that_lies_is_not_believed_and_is_replaced(long: Store) -> None:
    long.git.run("-c", "core.commitGraph=true", "commit-graph", "write", "--reachable")
    _forget_parents(_file(long))
    assert long.git.read("-c", "core.commitGraph=true", "rev-list", "--count", "HEAD") == b"1\n"  # the lie works

    assert [commits(long) for _ in range(2)] == [_COMMITS] * 2
    assert long.git.read("-c", "core.commitGraph=true", "rev-list", "--count", "HEAD") == b"%d\n" % _COMMITS


def test_a_changed_commit_graph_is_not_used(long: Store) -> None:
    commits(long)
    _forget_parents(_file(long))

    assert graph_options(long) == ()
    assert [commits(long) for _ in range(2)] == [_COMMITS] * 2


def test_it_is_written_again_when_much_has_come_since(long: Store) -> None:
    commits(long)
    before = _file(long).read_bytes()
    for number in range(4):
        write(long, {"default=b": str(number)}, "later")
    commits(long)
    assert _file(long).read_bytes() == before
    for number in range(4):
        write(long, {"default=c": str(number)}, "later still")

    assert commits(long) == _COMMITS + 8
    assert _file(long).read_bytes() != before


def test_a_pipe_in_its_place_stops_nothing(long: Store) -> None:
    import os

    _file(long).parent.mkdir(exist_ok=True)
    os.mkfifo(_file(long))

    assert commits(long) == _COMMITS


def test_dates_and_order_are_the_same_with_it_and_without(long: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first commits of a walk are read without git's list, so only what lies behind them tells."""
    monkeypatch.setattr(walk, "_STRAIGHT", 0)
    tip = long.commit("HEAD")
    everything = list(walk_commits(long, tip))
    assert graph_options(long)
    times = sorted({commit.committer.time for commit in everything})
    assert len(times) == _COMMITS
    middle = times[_COMMITS // 2]

    assert list(walk_commits(long, tip)) == everything
    late = {c.id for c in walk_commits(long, tip, since=middle) if c.committer.time >= middle}
    early = {c.id for c in walk_commits(long, tip, until=middle) if c.committer.time <= middle}
    assert late == {c.id for c in everything if c.committer.time >= middle}
    assert early == {c.id for c in everything if c.committer.time <= middle}
    assert len(list(walk_commits(long, tip, since=times[-1] + 1))) == 1
