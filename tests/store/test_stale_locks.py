"""Lock files that a killed git left are removed once they are old; a living git's are waited for."""

import errno
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support import git, write

from memoir.errors import GitError, MemoirError
from memoir.exchange import fetch, remotes
from memoir.exchange.push import push
from memoir.git import lock
from memoir.git.messages import FULL_HINT, failure
from memoir.git.ref_names import BRANCHES
from memoir.store import config
from memoir.store.maintenance import gc
from memoir.store.rewind import rename
from memoir.store.store import Store

OLD = 3600


def leave(path: Path, age: float = OLD) -> None:
    """A lock file that nobody has touched for so long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (time.time() - age,) * 2)


CASES: dict[str, tuple[str, Callable[[Store], object]]] = {
    "a setting": ("config.lock", lambda store: config.put(store, "memoir.x", "1")),
    "unsetting": ("config.lock", lambda store: config.unset(store, "user.name")),
    "remote add": ("config.lock", lambda store: remotes.add(store, "other", "../elsewhere")),
    "remote set-url": ("config.lock", lambda store: remotes.set_url(store, "origin", "../elsewhere")),
    "remote remove": ("config.lock", lambda store: remotes.remove(store, "origin")),
    "checkout": ("HEAD.lock", lambda store: store.refs.switch("side")),
    "a write": ("refs/heads/main.lock", lambda store: write(store, {"default=b": "2"})),
    "deleting a packed branch": ("packed-refs.lock", lambda store: store.refs.delete("branch", "side")),
    "any command that fails": (
        "objects/info/commit-graph.lock",
        lambda store: lock.try_past_stale_locks(store.git_dir, lambda: CompletedProcess([], 1)),
    ),
    "gc, refs": ("packed-refs.lock", gc),
    "fetch": ("refs/remotes/origin/main.lock", lambda store: fetch.fetch(store, "origin")),
}


@pytest.fixture
def full_store(store: Store, tmp_path: Path) -> Store:
    """A store with a second branch, a setting, and a remote that has something new."""
    commit = write(store, {"default=a": "1"}).id
    store.refs.create("branch", "side", commit)
    store.git.run("pack-refs", "--all")
    config.put(store, "user.name", "Tess")
    git("clone", "--quiet", "--mirror", str(store.git_dir), str(tmp_path / "remote.git"))
    remotes.add(store, "origin", str(tmp_path / "remote.git"))
    return store


@pytest.mark.parametrize(("name", "act"), CASES.values(), ids=CASES)
def test_a_stale_lock_is_removed(full_store: Store, name: str, act: Callable[[Store], object]) -> None:
    leave(full_store.git_dir / name)

    act(full_store)

    assert not (full_store.git_dir / name).exists()


def test_a_lock_of_a_living_git_is_left_alone(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "STALE_LOCK", 0.2)
    path = full_store.git_dir / "packed-refs.lock"
    leave(path, age=5)

    with pytest.raises(GitError, match=r"packed-refs\.lock") as refusal:
        full_store.refs.delete("branch", "side")
    assert path.exists()
    assert "wait a minute, then run the same command again" in (refusal.value.hint or "")


def wait_and_release(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let a lock go when it was waited for five times; the waits."""
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 5:
            path.unlink()

    monkeypatch.setattr(time, "sleep", wait)
    return waits


@pytest.mark.parametrize("ahead", [300, -300])
def test_a_living_gits_lock_is_waited_for_when_the_file_servers_clock_is_wrong(
    full_store: Store, monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    path = full_store.git_dir / f"{BRANCHES}main.lock"
    leave(path, age=0)
    here = time.time()
    monkeypatch.setattr(time, "time", lambda: here - ahead)
    waits = wait_and_release(path, monkeypatch)

    assert lock.remove_stale_locks(full_store.git_dir, f"{BRANCHES}main")
    assert len(waits) == 5


def test_a_lock_from_the_future_is_watched_first(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = full_store.git_dir / f"{BRANCHES}main.lock"
    leave(path, age=-300)
    waits = wait_and_release(path, monkeypatch)

    write(full_store, {"default=b": "2"})
    assert len(waits) == 5


def test_a_lock_from_before_the_clock_was_set_back_goes_in_the_end(
    full_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "STALE_LOCK", 0.2)
    leave(full_store.git_dir / f"{BRANCHES}main.lock", age=-1_000_000)

    write(full_store, {"default=b": "2"})


def test_a_full_disk_is_not_blamed_on_another_git() -> None:
    words = b"fatal: Unable to create '/x/.memoir/refs/heads/new.lock': %s"

    assert (failure("update-ref", words % b"No space left on device").hint or "").startswith("the disk is full: ")
    assert "another git" in (failure("update-ref", words % b"File exists.").hint or "")


NO_ROOM = "/proc"
"""A file system without room for anything."""


@pytest.mark.parametrize(
    ("words", "is_full"),
    [
        (f"error: failed to write new configuration file {NO_ROOM}/config.lock.lock", True),
        (f"fatal: cannot update ref 'refs/heads/x': couldn't write '{NO_ROOM}/x.lock'", True),
        ("fatal: sha1 file '/x/tmp_idx_yIOFFm' write error. Out of diskspace", True),
        ("error: failed to write new configuration file /config.lock.lock", False),
        ("error: invalid key: a", False),
    ],
)
def test_a_full_disk_is_found_out_where_git_names_only_the_file(words: str, is_full: bool) -> None:
    assert (failure("config", words.encode()).hint == FULL_HINT) is is_full


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_named(store: Store, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)

    with pytest.raises(MemoirError, match="cannot lock files") as refusal:
        write(store, {"default=a": "1"})
    assert "local disk" in (refusal.value.hint or "")


def test_an_empty_keep_of_a_writer_goes_and_a_persons_own_stays(store: Store) -> None:
    write(store, {"default=a": "1"})
    pack = next(store.git_dir.glob("objects/pack/*.pack"))
    keep = pack.with_suffix(".keep")
    for made, packed, stays in ((OLD, OLD, False), (OLD, 2 * OLD, True), (1, 1, True)):
        for content in (b"", bytes(22)):
            keep.write_bytes(content)
            os.utime(keep, (time.time() - made,) * 2)
            os.utime(pack, (time.time() - packed,) * 2)

            lock.remove_leftovers(store.git_dir)

            assert keep.exists() == stays, (made, packed)


def test_the_keep_of_a_killed_writer_goes_on_nfs_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """NFS takes no exclusive lock for a file that is open for reading only."""
    flock = fcntl.flock

    def of_nfs(descriptor: int, kind: int) -> None:
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        flock(descriptor, kind)

    write(store, {"default=a": "1"})
    keep = next(store.git_dir.glob("objects/pack/*.pack")).with_suffix(".keep")
    keep.write_text(f"{lock.KEEP_REASON}\n")
    monkeypatch.setattr(fcntl, "flock", of_nfs)

    write(store, {"default=a": "2"})

    assert not keep.exists()


def test_a_rename_at_a_fresh_lock_says_to_wait(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "STALE_LOCK", 0.2)
    leave(full_store.git_dir / "packed-refs.lock", age=5)

    with pytest.raises(GitError) as refusal:
        rename(full_store, "side", "aside")
    assert "wait a minute, then run the same command again" in (refusal.value.hint or "")

    leave(full_store.git_dir / "packed-refs.lock", age=61)
    rename(full_store, "side", "aside")
    assert list(full_store.refs.branches()) == ["aside", "main"]


def test_memoirs_own_locks_are_none_of_gits(store: Store) -> None:
    write(store, {"default=a": "1"})
    leave(store.git_dir / lock.LOCK_NAME)

    assert not lock.remove_stale_locks(store.git_dir)
    assert (store.git_dir / lock.LOCK_NAME).exists()


def test_a_lock_that_is_released_in_time_is_waited_for(full_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = full_store.git_dir / f"{BRANCHES}main.lock"
    leave(path, age=0)
    monkeypatch.setattr(time, "sleep", lambda seconds: path.unlink(missing_ok=True))

    write(full_store, {"default=b": "2"})


def test_a_stale_lock_at_the_remote_does_not_suggest_a_pull(full_store: Store, tmp_path: Path) -> None:
    write(full_store, {"default=b": "2"})
    leave(tmp_path / "remote.git/refs/heads/main.lock")

    with pytest.raises(GitError, match="could not write 'main'") as refusal:
        push(full_store, "origin", ["main"])
    assert refusal.value.hint and "lock file" in refusal.value.hint


def test_a_fetch_is_named_in_few_words_in_the_log(full_store: Store) -> None:
    fetch.fetch(full_store, "origin")

    log = (full_store.git_dir / "logs/refs/remotes/origin/main").read_text()
    assert "\tfetch origin: " in log and "-c " not in log


def test_gc_minds_no_other_gcs_lock(full_store: Store) -> None:
    leave(full_store.git_dir / "gc.pid.lock")

    gc(full_store)


def test_a_lock_that_another_takes_right_after_a_change_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    changed, taken, replace = store.git_dir / "config", store.git_dir / "config.lock", os.replace

    def replace_beside_another(source: Path, target: Path) -> None:
        replace(source, target)
        taken.touch()

    monkeypatch.setattr("memoir.git.lock.os.replace", replace_beside_another)
    with lock.rewriting(changed) as draft:
        draft.write_bytes(b"changed")

    assert changed.read_bytes() == b"changed" and taken.exists()


def test_a_change_that_fails_leaves_neither_a_lock_nor_a_trace(store: Store) -> None:
    changed = store.git_dir / "config"
    before = changed.read_bytes()

    def interrupted() -> None:
        with lock.rewriting(changed) as draft:
            draft.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert changed.read_bytes() == before and not (store.git_dir / "config.lock").exists()
