"""The log of hooks' failures, which `memoir doctor` shows, since hooks print no errors.

Each line is a JSON list: the time, the host, the event, the problem, and for a sync the store. It contains no text of
payloads or memories.
"""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_LARGEST = 128 << 10
_LONGEST = 300


class LogEntry(NamedTuple):
    """One line: seconds since 1970, the host, its event, the problem, and the store that was to be synced."""

    time: float
    host: str
    event: str
    problem: str
    synced: str = ""


def file() -> Path | None:
    """The log's file; None if the user's state folder is unknown."""
    from memoir.user_folders import state

    folder = state()
    return folder / "hooks.log" if folder else None


def write(host: str, event: str, problem: str, synced: str = "") -> None:
    """Add a line, and drop the older half of a full log. Failures to write are ignored."""
    import orjson

    from memoir import user_folders

    path = file()
    if path is None:
        return
    line = orjson.dumps([round(time.time(), 3), host[:40], event[:40], problem[:_LONGEST], synced]) + b"\n"
    with suppress(OSError):
        user_folders.make(path.parent)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(descriptor, "ab") as log:
            full = log.tell() > _LARGEST
            log.write(line)
        if full:
            _halve(path)


def _halve(path: Path) -> None:
    data = path.read_bytes()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(data[data.index(b"\n", len(data) // 2) + 1 :])
    draft.chmod(0o600)
    draft.replace(path)


def read() -> list[LogEntry]:
    """The lines of the log, the oldest first; malformed lines are skipped."""
    import orjson

    path, entries = file(), []
    with suppress(OSError):
        for line in path.read_bytes().splitlines() if path else ():
            with suppress(ValueError, TypeError):
                entries.append(LogEntry(*orjson.loads(line)))
    return entries
