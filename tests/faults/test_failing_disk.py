"""A disk that fails or is full at the n-th call of each command that writes: `pytest -m faults`.

strace lets the n-th call of every process fail. Whatever the command then says, the store opens without a repair, is as
before or as after, or in between where the command has several steps, and takes the next write.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fault_tools import lines
from faults.test_power_cut import FIRST, State, between, prepare, state_of
from support import Memoir, write

from memoir.store.store import Store

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: apt-get install strace"),
]

COMMANDS = (
    "remember new -p n.n", "forget a.b", "mv a.b bulk.topic1.moved", "import -", "merge other", "undo", "redo",
    "branch third", "branch -m main trunk", "branch -d -f other", "tag v1", "checkout other", "checkout -b fourth",
    "config memoir.repackAt 100", "remote add second ../hub.git", "remote remove origin", "fetch", "sync", "push", "gc",
)  # fmt: skip
CALLS = {
    "write": ("write,pwrite64", 40),
    "fsync": ("fsync,fdatasync", 12),
    "name": ("rename,renameat,renameat2,link,unlink,unlinkat,mkdir", 16),
}
"""Groups of calls, with the number of the last one of a process that is made to fail."""


def run(
    memoir: Memoir, command: str, calls: str, error: str, number: int, log: Path
) -> "subprocess.CompletedProcess[bytes]":
    """Run a command while the disk fails at one call of each of its processes; strace's words go to a log."""
    inject = f"--inject={calls}:error={error}:when={number}"
    strace = ["strace", "-f", "--seccomp-bpf", "-y", "-o", str(log), f"--trace={calls}", inject]
    return subprocess.run(
        [*strace, *memoir.argv(*command.split())],
        cwd=memoir.folder, env={**os.environ, **memoir.env}, input=lines(40, first=1000), capture_output=True,
        timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("group", CALLS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_failing_call_costs_nothing(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    command: str,
    group: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    memoir = prepare(tmp_path_factory, tmp_path)
    if command in FIRST:
        memoir.ok(FIRST[command])
    before = state_of(memoir.folder)
    for name in ("project", "hub.git"):
        shutil.copytree(tmp_path / name, tmp_path / f"{name}-before")
    memoir.ok(*command.split(), stdin=lines(40, first=1000))
    after = state_of(memoir.folder)
    calls, most = CALLS[group]

    log = tmp_path / "log"
    runs = refused = 0
    for number in range(1, most + 1):
        error = ("EIO", "ENOSPC")[number % 2]
        for name in ("project", "hub.git"):
            shutil.rmtree(tmp_path / name)
            shutil.copytree(tmp_path / f"{name}-before", tmp_path / name)
        done = run(memoir, command, calls, error, number, log)
        runs, refused = runs + _is_of_disk(log), refused + bool(done.returncode)
        where = f"{command}: {error} at {group} {number}: {done.returncode} {done.stderr[-600:].decode()}"
        assert b"Traceback" not in done.stderr or not _is_of_disk(log), where
        _check(memoir, before, after, where)
    with capsys.disabled():
        sys.stdout.write(f"\n{command}, {group}: {runs} runs, {refused} refused\n")


def _is_of_disk(log: Path) -> bool:
    """Whether it was files that failed, and no pipe: what a command says when it cannot speak does not count."""
    failed = [row for row in log.read_text("utf-8", "replace").splitlines() if "(INJECTED)" in row]
    return bool(failed) and not any("<pipe:" in row or "</dev/" in row for row in failed)


def _check(memoir: Memoir, before: State, after: State, where: str) -> None:
    try:
        state = state_of(memoir.folder)
        with Store(memoir.git_dir) as store:
            write(store, {"default=afterwards": '{"content":"x"}'})
    except Exception as error:
        raise AssertionError(where) from error
    assert between(state, before, after), where
