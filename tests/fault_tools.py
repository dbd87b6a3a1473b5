"""What the fault tests share: processes to kill, and what a store holds, to compare before and after."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from support import Memoir


def start(memoir: Memoir, *args: str, **popen: Any) -> "subprocess.Popen[bytes]":
    """Start the command in a process group of its own, as a shell does, with all its pipes open."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(memoir.argv(*args), cwd=memoir.folder, start_new_session=True, **{**pipes, **popen})


def finish(process: "subprocess.Popen[bytes]", timeout: float = 60) -> tuple[int, str, str]:
    """Wait for a process: its status, output and errors."""
    out, err = process.communicate(timeout=timeout)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def state(memoir: Memoir) -> tuple[str, str]:
    """Every ref and every memory: equal before and after, nothing has changed."""
    return memoir.git("show-ref"), memoir.ok("export")


def assert_sound(memoir: Memoir) -> None:
    """Every object and invariant of the store is in order."""
    answer = memoir.json("fsck")
    assert answer["ok"] and answer["problems"] == []


def status(memoir: Memoir) -> tuple[int, int]:
    """How many memories and how many commits the store says it holds."""
    answer = memoir.json("status")
    return answer["memory_count"], answer["commit_count"]


def lines(count: int, first: int = 0) -> bytes:
    """JSON lines to import: `count` memories at paths of their own."""
    rows = ({"path": f"bulk.topic{n % 50}.n{n}", "content": f"memory {n}"} for n in range(first, first + count))
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def at_once(jobs: int, job: Any) -> list[Any]:
    """Run `job(0)` to `job(jobs - 1)` at the same time and return their results."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(job, range(jobs)))


def is_root() -> bool:
    """Whether permission bits mean nothing and file systems can be mounted."""
    return os.geteuid() == 0
