"""Plain git works on the same repository: whatever it does there, no memory and no commit is lost."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread, Timer

import pytest
from fault_tools import assert_sound, at_once, copy_of, lines, state, status
from support import Memoir, git

_OLD = 3600.0 * 24


def _two_branches(memoir: Memoir) -> None:
    """Two branches, a tag, an undone commit, and enough memories for internal nodes."""
    memoir.ok("import", "-", stdin=lines(200))
    memoir.remember("a.first", "first")
    memoir.ok("branch", "side")
    memoir.ok("tag", "v1")
    memoir.remember("a.side", "aside", "--branch", "side")
    memoir.remember("a.undone", "undone")
    memoir.ok("undo")


@pytest.fixture
def full_store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """A store as `_two_branches` makes it."""
    return copy_of(_two_branches, tmp_path_factory, tmp_path / "project")


_TIDY_COMMANDS = (
    "gc --prune=now --quiet", "gc --aggressive --prune=now --quiet", "repack -a -d -q", "prune --expire=now",
    "pack-refs --all", "maintenance run --quiet", "reflog expire --all",
)  # fmt: skip


@pytest.mark.parametrize("command", _TIDY_COMMANDS)
def test_what_plain_git_tidies_away_is_not_missed(full_store: Memoir, command: str) -> None:
    before = state(full_store), full_store.json("status"), full_store.json("log")

    full_store.git(*command.split())

    assert (state(full_store), full_store.json("status"), full_store.json("log")) == before
    assert_sound(full_store)
    full_store.ok("redo")
    assert full_store.content("a.undone") == "undone"
    full_store.remember("a.second", "second")


def test_git_finds_nothing_wrong_with_a_store(full_store: Memoir) -> None:
    assert full_store.git("fsck", "--full", "--strict", "--no-dangling") == ""


def test_a_plain_clone_is_a_whole_store(full_store: Memoir, tmp_path: Path) -> None:
    git("clone", "--quiet", "--mirror", str(full_store.git_dir), str(tmp_path / "copy" / ".memoir"))
    copy = Memoir(tmp_path / "copy")

    assert state(copy) == state(full_store)
    assert copy.json("status")["root"] == full_store.json("status")["root"]
    assert_sound(copy)


def test_a_plain_push_carries_everything(full_store: Memoir, tmp_path: Path) -> None:
    other = Memoir(tmp_path / "other")
    other.folder.mkdir()
    other.ok("init")

    full_store.git("push", "--quiet", "--all", str(other.git_dir))
    full_store.git("push", "--quiet", "--tags", str(other.git_dir))

    assert state(other) == state(full_store)
    assert_sound(other)


def _with_gc_beside(memoir: Memoir, work: Callable[[], object], *, pause: float = 0.0) -> int:
    """Run `git gc --prune=now` over and over, with a pause of so many seconds, while the work lasts; returns how often.

    A gc that meets another one, or finds a pack gone, may fail; it may not do harm.
    """
    argv = ["git", f"--git-dir={memoir.git_dir}", "gc", "--quiet", "--prune=now"]
    stop, runs = Event(), 0

    def loop() -> None:
        nonlocal runs
        while not stop.is_set():
            subprocess.run(argv, capture_output=True)
            runs += 1
            stop.wait(pause)

    beside = Thread(target=loop)
    beside.start()
    try:
        work()
    finally:
        stop.set()
        beside.join()
    return runs


@pytest.mark.parametrize(("writers", "each"), [(8, 3), pytest.param(16, 60, marks=pytest.mark.soak)])
def test_a_prune_during_writes_removes_nothing_needed(memoir: Memoir, writers: int, each: int) -> None:
    memoir.remember("a.first", "first")

    def write(writer: int) -> None:
        for number in range(each):
            memoir.remember(f"writer{writer}.n{number}", f"memory {number} of {writer}")

    assert _with_gc_beside(memoir, lambda: at_once(writers, write)) > 1

    assert status(memoir) == (1 + writers * each, 1 + writers * each)
    assert_sound(memoir)


def test_a_prune_during_an_import_removes_nothing_needed(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")

    _with_gc_beside(memoir, lambda: memoir.ok("import", "-", stdin=lines(3000)), pause=0.1)

    assert status(memoir) == (3001, 2)
    assert_sound(memoir)


def test_commits_by_another_git_are_never_overwritten(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    writes = at_once(2, lambda writer: _commit_by_hand(memoir, 20) if writer else _remember(memoir, 15))

    assert min(writes) > 0
    assert status(memoir) == (1 + writes[0], 1 + sum(writes))
    assert_sound(memoir)


def _remember(memoir: Memoir, count: int) -> int:
    for number in range(count):
        memoir.remember(f"a.n{number}", f"memory {number}")
    return count


def _commit_by_hand(memoir: Memoir, count: int) -> int:
    """Commit with plain git what the branch holds at the moment; returns how many of the commits found their place."""
    total = 0
    for _ in range(count):
        head = memoir.git("rev-parse", "main").strip()
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        commit = memoir.git(*identity, "commit-tree", "-p", head, "-m", "by hand", head + "^{tree}").strip()
        argv = ["git", f"--git-dir={memoir.git_dir}", "update-ref", "refs/heads/main", commit, head]
        total += subprocess.run(argv, capture_output=True).returncode == 0
        time.sleep(0.03)  # without a pause nobody else would ever get a word in
    return total


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock", "packed-refs.lock"])
def test_a_lock_that_a_killed_writer_left_is_removed(full_store: Memoir, name: str) -> None:
    lock = full_store.git_dir / name
    lock.touch()
    os.utime(lock, (time.time() - 60, time.time() - 60))
    if name == "packed-refs.lock":
        full_store.ok("branch", "-d", "-f", "side")
    else:
        full_store.remember("a.second", "second")

    assert not lock.exists()
    assert_sound(full_store)


def test_a_lock_that_is_in_use_is_waited_for(full_store: Memoir) -> None:
    lock = full_store.git_dir / "refs/heads/main.lock"
    lock.touch()
    there: list[bool] = []

    def release() -> None:
        there.append(lock.exists())
        lock.unlink()

    Timer(0.5, release).start()

    full_store.remember("a.second", "second")

    assert there == [True], "the write has waited, and has not taken the lock away"


def test_what_killed_writers_leave_among_the_packs_is_cleared_away(full_store: Memoir) -> None:
    packs = full_store.git_dir / "objects" / "pack"
    pack = next(packs.glob("*.pack"))
    ours, old, fresh = pack.with_suffix(".keep"), packs / "tmp_pack_old", packs / "tmp_pack_fresh"
    ours.write_text("memoir: being written\n")
    for path in (old, fresh):
        path.write_bytes(b"half a pack")
    os.utime(old, (time.time() - _OLD, time.time() - _OLD))

    full_store.remember("a.second", "second")

    assert not ours.exists() and not old.exists()
    assert fresh.exists()  # it may be a running fetch's


def test_a_pack_with_a_keep_file_is_kept(full_store: Memoir) -> None:
    keep = next(full_store.git_dir.glob("objects/pack/*.pack")).with_suffix(".keep")
    keep.write_text("my archive\n")

    full_store.remember("a.second", "second")

    assert keep.read_text() == "my archive\n"
