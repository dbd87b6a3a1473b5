"""What is staged may have come with a stranger's store: it moves refs of the store, and nothing else."""

import json
from pathlib import Path

import pytest
from support import contents, write

from memoir.errors import DamagedStore, StoreBusy, UnsafeStore
from memoir.git.lock import LOCK_NAME, held
from memoir.store import switchover
from memoir.store.locate import STAGED
from memoir.store.store import Store


@pytest.fixture
def two_writes(store: Store) -> Store:
    """A store with two commits."""
    for value in "12":
        write(store, {"default=a": value})
    return store


def _leave(store: Store, refs: bytes, **logs: bytes) -> Path:
    """Stage some bytes as a process that was killed may have, or a stranger; the folder."""
    folder = store.git_dir / STAGED
    (folder / "logs").mkdir(parents=True)
    (folder / "refs.json").write_bytes(refs)
    for name, data in logs.items():
        (folder / "logs" / name).write_bytes(data)
    return folder


def test_what_is_staged_is_finished_once(two_writes: Store) -> None:
    old, new = (str(two_writes.commit(name).id) for name in ("HEAD", "HEAD~1"))
    folder = _leave(two_writes, json.dumps({"refs/heads/main": [old, new]}).encode())

    switchover.finish_staged(two_writes.git)

    assert contents(two_writes) == {"default=a": "1"} and not folder.exists()
    switchover.finish(two_writes.git)  # as by another process that had waited
    assert contents(two_writes) == {"default=a": "1"}


def test_it_waits_for_who_writes(two_writes: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_LOCK_TIMEOUT", "0")
    _leave(two_writes, b"{}")

    with held(two_writes.git_dir / LOCK_NAME), pytest.raises(StoreBusy):
        switchover.finish_staged(two_writes.git)


@pytest.mark.parametrize("refs", [b"", b"\xff", b"[]", b"{", b'{"refs/heads/main": 3}', b'{"refs/heads/main": [1, 2]}'])
def test_what_makes_no_sense_is_damage_and_stays(two_writes: Store, refs: bytes) -> None:
    folder = _leave(two_writes, refs)

    with pytest.raises(DamagedStore, match="does not say where the refs are to go"):
        switchover.finish_staged(two_writes.git)

    assert folder.is_dir() and contents(two_writes) == {"default=a": "2"}


def test_no_order_to_git_is_smuggled_in(two_writes: Store) -> None:
    tip = str(two_writes.commit("HEAD").id)
    two_writes.refs.create("branch", "side", two_writes.commit("HEAD").id)
    before = two_writes.refs.list("refs/")
    moves = {
        "refs/heads/../../config": [tip, tip],
        f"refs/heads/x {tip}\ndelete refs/heads/main": [tip, None],
        "refs/heads/main": [tip, f"{tip}\ndelete refs/heads/side"],
        "HEAD": [tip, "0" * 40],
    }
    _leave(two_writes, json.dumps(moves).encode())

    switchover.finish_staged(two_writes.git)

    assert two_writes.refs.list("refs/") == before


def test_a_branch_that_has_moved_since_stays_where_it_is(two_writes: Store) -> None:
    first = str(two_writes.commit("HEAD~1").id)
    _leave(two_writes, json.dumps({"refs/heads/main": [first, None]}).encode())

    switchover.finish_staged(two_writes.git)

    assert contents(two_writes) == {"default=a": "2"}


def test_no_file_is_written_that_is_no_log_of_a_ref(two_writes: Store) -> None:
    _leave(two_writes, b"{}", **{"x.lock": b"evil"})
    (two_writes.git_dir / "logs" / "x.lock").write_bytes(b"mine")

    with pytest.raises(UnsafeStore):
        switchover.finish_staged(two_writes.git)

    assert (two_writes.git_dir / "logs" / "x.lock").read_bytes() == b"mine"
