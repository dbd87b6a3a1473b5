"""What the fault tests share: processes to kill, and what a store holds, to compare before and after."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from support import Memoir, RunResult, copy_folder

from memoir.repository.repository import Repository

T = TypeVar("T")


def start(memoir: Memoir, *args: str, **popen: Any) -> "subprocess.Popen[bytes]":
    """Start the command in a process group of its own, as a shell does, with all its pipes open."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(memoir.argv(*args), cwd=memoir.folder, start_new_session=True, **{**pipes, **popen})


def finish(process: "subprocess.Popen[bytes]", timeout: float = 60) -> tuple[int, str, str]:
    """Wait for a process: its status, output and errors."""
    out, err = process.communicate(timeout=timeout)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def kill(process: "subprocess.Popen[bytes]", *, group: bool) -> None:
    """Kill a process alone, so that the git it started lives on for a while, or its whole group, as a crash does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL) if group else process.kill()


def state(memoir: Memoir) -> tuple[str, bytes]:
    """Every ref and every memory: equal before and after, nothing has changed. The library reads them: see `Memoir`."""
    with Repository.open(memoir.folder) as repository:
        return memoir.git("show-ref"), b"".join(repository.export_lines())


def assert_sound(memoir: Memoir) -> None:
    """Every object and invariant of the store is in order."""
    with Repository.open(memoir.folder) as repository:
        assert repository.upkeep.fsck().report.problems == []


def status(memoir: Memoir) -> tuple[int, int]:
    """How many memories and how many commits the store says it holds."""
    with Repository.open(memoir.folder) as repository:
        found = repository.status()
        return found.memories, found.commit_count


def lines(count: int, first: int = 0) -> bytes:
    """JSON lines to import: `count` memories at paths of their own."""
    rows = ({"path": f"bulk.topic{n % 50}.n{n}", "content": f"memory {n}"} for n in range(first, first + count))
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def at_once(jobs: int, job: Callable[[int], T]) -> list[T]:
    """Run `job(0)` to `job(jobs - 1)` at the same time and return their results."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(job, range(jobs)))


def run_all(memoir: Memoir, commands: Iterable[Sequence[str]], **env: str) -> list[RunResult]:
    """Run one command after the other; their ends, in order."""
    return [memoir.run(*argv, **env) for argv in commands]


def copy_of(build: Callable[[Memoir], None], factory: pytest.TempPathFactory, folder: Path) -> Memoir:
    """A copy of a store that is built once in a test run, for tests that each damage or change their own."""
    original = Memoir(factory.getbasetemp() / build.__module__ / build.__name__)
    if not original.folder.exists():
        original.folder.mkdir(parents=True)
        original.ok("init")
        build(original)
    copy_folder(original.folder, folder)
    return Memoir(folder)


def is_root() -> bool:
    """Whether permission bits mean nothing and file systems can be mounted."""
    return os.geteuid() == 0


_HOOKS = (
    "reference-transaction", "post-update", "pre-receive", "update", "proc-receive", "post-receive", "pre-push",
    "pre-auto-gc", "push-to-checkout", "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit",
    "pre-merge-commit", "post-merge", "post-checkout", "post-rewrite", "pre-rebase", "post-index-change",
    "fsmonitor-watchman",
)  # fmt: skip


class Trap:
    """A program that leaves a trace when it runs."""

    def __init__(self, folder: Path) -> None:
        self.canary = folder / "canary"
        self.program = folder / "trap"
        self.program.write_text(f'#!/bin/sh\necho "$0 $@" >> {self.canary}\n')
        self.program.chmod(0o755)
        self.hooks = folder / "hooks"
        self.set_hooks(self.hooks)

    def set_hooks(self, folder: Path) -> None:
        """Set the trap as every hook there is."""
        folder.mkdir(exist_ok=True)
        for name in _HOOKS:
            shutil.copy(self.program, folder / name)

    def spring(self) -> list[str]:
        """What ran; forgotten when asked."""
        ran = self.canary.read_text().splitlines() if self.canary.exists() else []
        self.canary.unlink(missing_ok=True)
        return ran
