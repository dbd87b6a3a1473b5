"""The spool: captured texts of a store's sessions, kept on this machine until they are reviewed.

It is in the user's state folder, never in a store: a folder for each store, with a file for each session, so that no
session sees another's. Credentials are removed before a turn is written. The sizes of turns, of sessions and of the
spool are limited. A session is dropped after 30 days, but only if the clock already showed 29 days a day earlier, since
a clock may be wrong once. Capture is on for a store while its folder has the file `on`; nothing in a cloned project can
create it.
"""

import fcntl
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson

from memoir import user_folders
from memoir.capture.spool_place import STORE, mark, placing, spool_folder
from memoir.errors import ReadOnlyStore
from memoir.git.fsync import flush, replace, sync
from memoir.git.objects import blake2b

DAYS = 30
PROPOSALS, ANSWERS = "proposals", "answers"
"""The files made from the turns: the proposals, and the answers of a model."""
_ON, _LOCK, _LOOKED = "on", "lock", "looked"
"""The files of the spool itself; the time of the last, set once a day, is when a session of 29 days was seen."""
_TURNS = ".jsonl"
"""The ending of session files."""
_OWN_FILES = (_ON, _LOCK, _LOOKED, STORE)
_MODE, _DAY = 0o600, 24 * 3600


class SessionTurn(NamedTuple):
    """A text of a session: host, session, time (seconds since 1970), role (`user` or `assistant`) and text.

    `struck` are the credentials that were removed from it: the rule that found each, and its line, from 1. `part` is
    the project's folder in which it was said, empty for the root.
    """

    host: str
    session: str
    time: float
    role: str
    text: str
    struck: Sequence[Sequence[Any]] = ()
    part: str = ""

    @property
    def file(self) -> str:
        """The name of the file of its session."""
        return blake2b(f"{self.host}\n{self.session}".encode(errors="replace"), size=12).hex() + _TURNS


class SpoolLimits(NamedTuple):
    """How much a spool keeps."""

    turn: int = 8_000
    """The most characters of a turn."""
    session: int = 256 << 10
    """The size in bytes from which a session gets no more turns."""
    sessions: int = 200


SPOOL_LIMITS = SpoolLimits()


class Contents(NamedTuple):
    """How much a spool holds."""

    turns: int
    sessions: int
    size: int
    oldest: float | None


class TurnSpool:
    """The spool of one store."""

    def __init__(self, git_dir: Path, limits: SpoolLimits = SPOOL_LIMITS) -> None:
        self._limits, self._git_dir = limits, git_dir
        self.folder = spool_folder(git_dir)

    @property
    def is_on(self) -> bool:
        """Whether capture is on."""
        return self.folder is not None and (self.folder / _ON).is_file()

    def switch(self, on: bool) -> None:
        """Switch capture on or off; texts that are kept already stay until they are reviewed.

        Raises:
            ReadOnlyStore: there is no writable folder for it.
        """
        if self.folder is None:
            raise ReadOnlyStore(
                "there is no folder for captures", "set XDG_STATE_HOME to a folder that you may write to"
            )
        try:
            if on:
                user_folders.make(self.folder.parent)
                with placing(self.folder):
                    user_folders.make(self.folder)
                    mark(self._git_dir, self.folder)
                    (self.folder / _ON).touch(_MODE)
            else:
                (self.folder / _ON).unlink(missing_ok=True)
            sync(self.folder)
        except OSError as error:
            hint = "see its permissions, 'df' and 'dmesg', then run the same command again"
            raise ReadOnlyStore(f"{self.folder} cannot be written to: {error.strerror}", hint) from error

    def add(self, turn: SessionTurn) -> None:
        """Keep a turn, without private passages and credentials, if capture is on."""
        if self.folder is None or not self.is_on:
            return
        from memoir.secrets.secrets import strike, strip_private

        text, findings = strike(strip_private(turn.text)[0])
        kept = turn._replace(text=text[: self._limits.turn], struck=[[each.rule, each.line] for each in findings])
        line = orjson.dumps(list(kept)) + b"\n"
        file = self.folder / turn.file
        is_new = not file.exists()
        with suppress(FileNotFoundError):  # capture was switched off and purged meanwhile
            with _held(file, os.O_CREAT | os.O_APPEND) as session:
                self._append(session, file, line)
            if is_new:
                sync(self.folder)
                self._drop_old()

    def _append(self, session: IO[bytes], file: Path, line: bytes) -> None:
        """Append a line to the file of a session, opened while capture was on."""
        size = session.seek(0, os.SEEK_END)
        if not self.is_on:  # a purge since then may have missed the file
            if not size:
                file.unlink()
        elif size < self._limits.session:
            # If a full disk has cut the last line, only that line is lost.
            session.write(line if not size or _ends_line(session) else b"\n" + line)
            session.flush()
            flush(session.fileno())

    def read(self, after: Mapping[str, int] | None = None) -> tuple[list[SessionTurn], dict[str, int]]:
        """The turns after given positions in the session files, and the positions up to which they were read.

        Turns are grouped by session, in order; sessions are sorted by the time of their first turn.
        """
        self._drop_old()
        sessions, ends = list[list[SessionTurn]](), dict[str, int]()
        for file in self._files():
            with suppress(FileNotFoundError):
                data = file.read_bytes()
                start = (after or {}).get(file.name, 0)
                start = start if start <= len(data) else 0  # another file of that name
                ends[file.name] = max(start, data.rfind(b"\n") + 1)
                sessions.append([*_turns(data[start:])])
        sessions = sorted(filter(None, sessions), key=lambda turns: turns[0].time)
        return [turn for session in sessions for turn in session], ends

    def drop(self, ends: Mapping[str, int]) -> None:
        """Drop the turns of sessions up to some positions; later turns stay."""
        for file in self._files():
            if end := ends.get(file.name):
                with suppress(FileNotFoundError), _held(file) as session:
                    session.seek(end)
                    rest = session.read()
                    if any(True for _ in _turns(rest)):
                        self.write(file.name, rest)
                    else:
                        file.unlink()
                        sync(file.parent)

    def purge(self) -> Contents:
        """Delete all kept texts and everything made of them; return how much it was.

        If capture is off, the folder is deleted as well; a process that waits for its lock then finds no texts.
        """
        contents = self.contents()
        if self.folder and self.folder.is_dir():
            with placing(self.folder):
                is_on = self.is_on
                for file in self._entries():
                    if file.name not in (_ON, _LOCK) and not (is_on and file.name == STORE):
                        file.unlink(missing_ok=True)
                sync(self.folder)
                if not is_on:
                    (self.folder / _LOCK).unlink(missing_ok=True)
                    with suppress(OSError):  # a session is just adding a file, which it removes at once
                        self.folder.rmdir()
        return contents

    def contents(self) -> Contents:
        """How much is kept."""
        turns, _ = self.read()
        size = sum(file.stat().st_size for file in self._entries() if file.name not in _OWN_FILES)
        sessions = len({(turn.host, turn.session) for turn in turns})
        return Contents(len(turns), sessions, size, min((turn.time for turn in turns), default=None))

    def alone(self) -> AbstractContextManager[None]:
        """Hold the lock for decisions on proposals; hosts may still add turns."""
        from memoir.git.lock import held

        if self.folder is None or not self.folder.is_dir():
            return nullcontext()
        with suppress(OSError):  # then `held` raises the reason
            (self.folder / _LOCK).touch(_MODE)
        return held(self.folder / _LOCK)

    def load(self, name: str) -> dict[str, Any]:
        """Load a file made from the turns, `PROPOSALS` or `ANSWERS`; empty if there is none."""
        with suppress(OSError, ValueError):
            value = orjson.loads((self.folder / name).read_bytes()) if self.folder else None
            return value if isinstance(value, dict) else {}
        return {}

    def write(self, name: str, data: bytes | None) -> None:
        """Write a file beside the turns atomically; None removes it."""
        if self.folder is None or not self.folder.is_dir():
            return
        if data is None:
            (self.folder / name).unlink(missing_ok=True)
            sync(self.folder)
        else:
            replace(self.folder / name, data, _MODE)

    def _entries(self) -> Iterable[Path]:
        return self.folder.iterdir() if self.folder and self.folder.is_dir() else ()

    def _files(self) -> list[Path]:
        return sorted(file for file in self._entries() if file.name.endswith(_TURNS))

    def _drop_old(self) -> None:
        """Drop the sessions without a new turn for 30 days, and the oldest if there are too many."""
        if self.folder is None:
            return
        with suppress(OSError):
            now = time.time()
            entries = (entry for entry in os.scandir(self.folder) if entry.name not in _OWN_FILES)
            files = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
            nearly_old = any(changed <= now - (DAYS - 1) * _DAY for changed, _ in files)
            latest = min(now - DAYS * _DAY, self._seen_old_before(now, nearly_old) - (DAYS - 1) * _DAY)
            old = [file for file in files if file[0] <= latest]
            sessions = [file for file in files if file[1].endswith(_TURNS) and file not in old]
            for _, path in {*old, *sessions[: -self._limits.sessions]}:
                os.unlink(path)

    def _seen_old_before(self, now: float, nearly_old: bool) -> float:
        """When a session of 29 days was last seen, if that was a day ago or earlier, else 0."""
        assert self.folder
        file = self.folder / _LOOKED
        looked = file.stat().st_mtime if file.exists() else None
        if not nearly_old:
            file.unlink(missing_ok=True)
        elif looked is None or not now - _DAY < looked <= now:
            file.touch(_MODE)
            os.utime(file, (now, now))
        return looked if looked is not None and looked <= now - _DAY else 0


def is_on_anywhere() -> bool:
    """Whether capture is on for any store."""
    base = user_folders.state()
    return base is not None and any((base / "spool").glob(f"*/{_ON}"))


def kept_anywhere() -> tuple[Path, int] | None:
    """The folder of all spools, and the number of stores with kept texts; None if there are none."""
    base = user_folders.state()
    folders = (base / "spool").glob("*/") if base else ()
    count = sum(any(file.name not in _OWN_FILES for file in folder.iterdir()) for folder in folders)
    return (base / "spool", count) if base and count else None


@contextmanager
def _held(file: Path, flags: int = 0) -> Iterator[IO[bytes]]:
    """Open the file at a path and lock it."""
    while True:
        descriptor = os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, _MODE)
        with open(descriptor, "r+b") as opened:
            with suppress(OSError):  # a file server may have no locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if file.exists() and os.path.samestat(os.fstat(descriptor), os.stat(file)):
                yield opened
                return


def _ends_line(file: IO[bytes]) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _turns(data: bytes) -> Iterator[SessionTurn]:
    """The turns in some lines; damaged lines are skipped."""
    for line in data.splitlines():
        with suppress(ValueError, TypeError):
            yield SessionTurn(*orjson.loads(line))
