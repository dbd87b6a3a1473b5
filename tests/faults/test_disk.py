"""A full disk and a read-only one: a clear error, nothing changed, reading goes on, and so does writing afterwards."""

import json
import os
import random
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fault_tools import assert_sound, copy_of, finish, is_root, lines, run_all, start, state
from support import Memoir, git

_READS = (
    "get a.first", "export", "status", "log", "blame a.first", "ls", "grep first", "summarize --depth 1", "show",
    "diff HEAD~1 HEAD", "fsck", "branch", "tag", "config --list", "remote list",
)  # fmt: skip
_WRITES = (
    "remember third -p a.third", "forget a.first", "mv a.first a.moved", "restore a.first --at HEAD~1",
    "revert HEAD", "undo", "merge side", "import -", "branch new", "branch -m side other", "branch -d -f side",
    "checkout side", "tag v1", "config memoir.repackAt 60", "remote add origin nowhere", "gc",
)  # fmt: skip


def _mount(*args: str) -> None:
    """Mount, or skip: even root may not in many containers."""
    if not is_root():
        pytest.skip("only root can mount a file system to fill or to write-protect")
    done = subprocess.run(["mount", *args], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot mount here: {done.stderr.strip()}")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Memoir]:
    """A store with one memory on a file system of 1 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    _mount("-t", "tmpfs", "-o", "size=1m", "memoir-test", str(folder))
    try:
        memoir = Memoir(folder)
        memoir.ok("init")
        memoir.remember("a.first", "first")
        yield memoir
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(folder: Path, *, spare: int) -> Path:
    """Take up all of a file system but some bytes."""
    path = folder / "filler"
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            os.truncate(path, max(file.tell() - spare, 0))
    return path


@pytest.mark.parametrize("spare", [0, 4096, 8192, 16384])
def test_a_full_disk_refuses_a_write_and_keeps_the_store(small_disk: Memoir, spare: int) -> None:
    """With little room left it depends on the room which step fails; none may do harm."""
    before = state(small_disk)
    filler = _fill(small_disk.folder, spare=spare)

    done = small_disk.run("remember", _incompressible(40_000), "-p", "a.second", "--json")

    assert done.status == 1, done
    assert done.json["error"]["code"] in ("failure", "git_failed")
    assert done.json["error"]["message"]
    assert "Traceback" not in done.err
    assert state(small_disk) == before
    filler.unlink()
    small_disk.remember("a.second", "second")
    assert_sound(small_disk)


@pytest.mark.parametrize("spare", [0, 20_000, 60_000, 100_000, 150_000])
def test_a_question_is_answered_on_a_full_disk(small_disk: Memoir, spare: int) -> None:
    """With little room left it depends on the room at which step the index cannot be written."""
    _fill(small_disk.folder, spare=spare)

    assert "a.first" in small_disk.ok("recall", "first")


@pytest.mark.parametrize(
    "command", ["remember second -p a.second", "branch x", "tag t", "config memoir.repackAt 60", "remote add o nowhere"]
)
def test_a_full_disk_is_named_as_the_reason(small_disk: Memoir, command: str) -> None:
    _fill(small_disk.folder, spare=0)

    assert (
        "hint: the disk is full: make room there, then run the same command again"
        in small_disk.run(*command.split()).err
    )


def test_a_fetch_for_which_there_is_no_room_takes_none(small_disk: Memoir, tmp_path: Path) -> None:
    git("clone", "-q", "--bare", str(small_disk.git_dir), str(tmp_path / "hub.git"))
    (tmp_path / "other").mkdir()
    other = Memoir(tmp_path / "other")
    other.ok("clone", str(tmp_path / "hub.git"), ".")
    for number in range(3):
        other.remember(f"a.n{number}", _incompressible(1_000_000))
    other.ok("sync")
    small_disk.ok("remote", "add", "origin", str(tmp_path / "hub.git"))
    filler = _fill(small_disk.folder, spare=500_000)

    done = small_disk.run("sync")

    assert (done.status, "the disk is full" in done.err) == (1, True), done
    small_disk.remember("a.second", _incompressible(100_000))
    filler.unlink()
    assert not [*small_disk.git_dir.glob("objects/pack/tmp_*")]
    assert_sound(small_disk)


def test_a_gc_for_which_there_is_no_room_leaves_nothing_of_its_pack(small_disk: Memoir) -> None:
    for number in range(3):
        small_disk.remember(f"a.n{number}", _incompressible(200_000 + number))
    filler = _fill(small_disk.folder, spare=150_000)

    done = small_disk.run("gc")

    assert (done.status, "the disk is full" in done.err) == (1, True), done
    assert not [*small_disk.git_dir.glob("objects/pack/tmp_*")]
    filler.unlink()
    small_disk.ok("gc")
    assert_sound(small_disk)


def _incompressible(size: int) -> str:
    return random.Random(size).randbytes(size // 2).hex()


@pytest.mark.parametrize("command", ["remember - -p a.second", "import -"])
def test_a_limit_on_file_sizes_refuses_a_write_and_keeps_the_store(
    memoir: Memoir, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python keeps bytecode that the limit has cut short
    memoir.remember("a.first", "first")
    before = state(memoir)
    data = lines(1000) if command.startswith("import") else _incompressible(100_000).encode()

    for limit in (0, 1, 60, 1_000, 30_000):
        process = start(memoir, *command.split(), "--json", preexec_fn=_limit(limit))
        out, err = process.communicate(data, timeout=60)
        assert process.returncode == 1, (limit, out, err)
        assert b'"success":false' in out and b"no message" not in out and b"Traceback" not in err, (limit, out, err)
        assert state(memoir) == before

    memoir.remember("a.second", "second")
    assert_sound(memoir)


def _limit(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def buffering(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own choice of how output is written; images of containers often set the second."""
    monkeypatch.setenv("PYTHONUNBUFFERED", request.param)


@pytest.mark.usefixtures("buffering")
def test_an_answer_that_cannot_be_printed_is_an_error(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    for command in ("get a.first", "get a.first --json", "export", "log", "help", "--version"):
        with open("/dev/full", "wb") as full:
            status, _, err = finish(start(memoir, *command.split(), stdout=full))
        assert status == 1, command
        assert err.count("o space left on device") == 1 and "Traceback" not in err


@pytest.mark.usefixtures("buffering")
def test_an_answer_is_whole_where_standard_output_may_not_block(memoir: Memoir) -> None:
    memoir.remember("a.long", "word " * 50_000)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with open(reader, "rb") as pipe:
        process = start(memoir, "get", "a.long", "--json", stdout=writer)
        os.close(writer)
        time.sleep(0.5)  # the pipe is full now
        answer = json.loads(pipe.read())

    assert finish(process)[0] == 0 and answer["found_count"] == 1


def test_standard_error_that_fails_changes_no_exit_status(memoir: Memoir) -> None:
    on_side = Memoir(memoir.folder, MEMOIR_BRANCH="side")  # a write that begins a branch says so on standard error
    for command, expected in (
        ("get a.first --at nowhere", 4),
        ("remember first -p a.first", 0),
        ("checkout nowhere", 4),
    ):
        with open("/dev/full", "wb") as full:
            process = start(on_side, *command.split(), stderr=full)
            process.communicate(timeout=60)
        assert process.returncode == expected, command


def _two_commits(memoir: Memoir) -> None:
    """Two commits, and a further branch with one of its own."""
    memoir.remember("a.first", "first")
    memoir.ok("branch", "side")
    memoir.remember("a.second", "second")
    memoir.remember("b.side", "aside", "--branch", "side")


@pytest.fixture
def two_commits(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """A store as `_two_commits` makes it."""
    return copy_of(_two_commits, tmp_path_factory, tmp_path / "project")


@pytest.fixture
def write_protected(two_commits: Memoir) -> Iterator[Memoir]:
    """The store on a read-only mount."""
    folder = str(two_commits.folder)
    _mount("--bind", folder, folder)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield two_commits
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_store_on_a_read_only_mount_can_be_read(write_protected: Memoir) -> None:
    _assert_readable(write_protected)


def _assert_readable(memoir: Memoir) -> None:
    answers = run_all(memoir, map(str.split, _READS))
    assert {command: done for command, done in zip(_READS, answers, strict=True) if done.status} == {}


def test_a_write_on_a_read_only_mount_names_the_cause(write_protected: Memoir) -> None:
    _assert_writes_are_refused(write_protected)


def _assert_writes_are_refused(memoir: Memoir) -> None:
    before = state(memoir)
    answers = {command: memoir.run(*command.split(), "--json", stdin=lines(1)) for command in _WRITES}
    codes = {command: (done.status, done.json["error"]["code"]) for command, done in answers.items()}
    assert codes == dict.fromkeys(_WRITES, (1, "read_only"))
    assert all(str(memoir.git_dir) in done.json["error"]["message"] for done in answers.values())
    assert state(memoir) == before


def test_a_store_cannot_be_created_on_a_read_only_mount(write_protected: Memoir) -> None:
    assert write_protected.json("init", "sub", status=1)["error"]["code"] == "read_only"


@pytest.fixture
def without_permission(two_commits: Memoir) -> Iterator[Memoir]:
    """The store with every directory's and file's write permission taken away."""
    if is_root():
        pytest.skip("root may write whatever the permission bits say")
    places = [two_commits.git_dir, *two_commits.git_dir.rglob("*")]
    modes = {place: place.stat().st_mode for place in places}
    for place, mode in modes.items():
        place.chmod(mode & ~0o222)
    yield two_commits
    for place, mode in modes.items():
        place.chmod(mode)


def test_a_store_without_write_permission_can_be_read(without_permission: Memoir) -> None:
    _assert_readable(without_permission)


def test_a_write_without_permission_names_the_cause(without_permission: Memoir) -> None:
    _assert_writes_are_refused(without_permission)
