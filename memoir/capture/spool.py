"""The spool: what hosts handed over of a store's sessions, kept on this machine until it is reviewed.

It lies in the user's state folder, never in a store: a folder for each store, in it a file for each session, so that no
session sees another's. Credentials are removed before a turn is written. A turn, a session and the whole are bounded,
and after 30 days a session is dropped, if a day before the clock said that it soon would be: a clock may be wrong once.
Capture is on for a store as long as its folder has the file `on`; nothing that comes with a cloned project can put it
there.
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
"""The files of what was made of the turns: what is proposed, and what a model has answered."""
_ON, _LOCK, _LOOKED = "on", "lock", "looked"
"""The files of the spool itself; the last has the time, once a day, at which somebody found what is nearly old."""
_TURNS = ".jsonl"
"""How the files of sessions end."""
_OWN_FILES = (_ON, _LOCK, _LOOKED, STORE)
_MODE, _DAY = 0o600, 24 * 3600


class SessionTurn(NamedTuple):
    """A text of a session: when (seconds since 1970), to which host, by a `user` or an `assistant`.

    `struck` are the credentials that were removed from it: the rule that found each, and its line, from 1. `part` is
    the folder of the project in which it was said, empty for its root.
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
    """The characters of a turn."""
    session: int = 256 << 10
    """The bytes from which nothing more is kept of a session."""
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
        """Whether what hosts hand over is kept."""
        return self.folder is not None and (self.folder / _ON).is_file()

    def switch(self, on: bool) -> None:
        """Begin or end to keep what hosts hand over; what is kept already stays until it is reviewed.

        Raises:
            ReadOnlyStore: there is no folder for it.
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
        """Keep a turn, without what is private or looks like a credential, if capture is on."""
        if self.folder is None or not self.is_on:
            return
        from memoir.secrets.secrets import strike, strip_private

        text, findings = strike(strip_private(turn.text)[0])
        kept = turn._replace(text=text[: self._limits.turn], struck=[[each.rule, each.line] for each in findings])
        line = orjson.dumps(list(kept)) + b"\n"
        file = self.folder / turn.file
        is_new = not file.exists()
        with suppress(FileNotFoundError):  # it was switched off and purged meanwhile
            with _held(file, os.O_CREAT | os.O_APPEND) as session:
                self._append(session, file, line)
            if is_new:
                sync(self.folder)
                self._drop_old()

    def _append(self, session: IO[bytes], file: Path, line: bytes) -> None:
        """Add a line to a session, whose file was made or found while capture was on."""
        size = session.seek(0, os.SEEK_END)
        if not self.is_on:  # whoever has switched it off and purged since may not have seen the file
            if not size:
                file.unlink()
        elif size < self._limits.session:
            # A line that a full disk has cut takes only itself away.
            session.write(line if not size or _ends_line(session) else b"\n" + line)
            session.flush()
            flush(session.fileno())

    def read(self, after: Mapping[str, int] | None = None) -> tuple[list[SessionTurn], dict[str, int]]:
        """The turns after some positions, by the names of the files; and the positions up to which they were read.

        They come session by session, each in its order; the sessions by the time of their first turn.
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
        """Drop the turns of sessions up to some positions; what was said since then stays."""
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
        """Delete all that is kept, and what was made of it; return how much it was.

        Where nothing more is to be kept, the folder goes, too: whoever waits for its lock then finds nothing to decide.
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
                    with suppress(OSError):  # a session hands something over, and takes it back at once
                        self.folder.rmdir()
        return contents

    def contents(self) -> Contents:
        """How much is kept."""
        turns, _ = self.read()
        size = sum(file.stat().st_size for file in self._entries() if file.name not in _OWN_FILES)
        sessions = len({(turn.host, turn.session) for turn in turns})
        return Contents(len(turns), sessions, size, min((turn.time for turn in turns), default=None))

    def alone(self) -> AbstractContextManager[None]:
        """Let nobody else decide on what is kept meanwhile; hosts may still hand over more."""
        from memoir.git.lock import held

        if self.folder is None or not self.folder.is_dir():
            return nullcontext()
        with suppress(OSError):  # then `held` says why
            (self.folder / _LOCK).touch(_MODE)
        return held(self.folder / _LOCK)

    def load(self, name: str) -> dict[str, Any]:
        """What was made of the turns and kept beside them under a name; empty if there is nothing."""
        with suppress(OSError, ValueError):
            value = orjson.loads((self.folder / name).read_bytes()) if self.folder else None
            return value if isinstance(value, dict) else {}
        return {}

    def write(self, name: str, data: bytes | None) -> None:
        """Write a file beside the turns whole or not at all; None removes it."""
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
        """Drop the sessions that nobody has said anything in for 30 days, and the oldest of too many."""
        if self.folder is None:
            return
        with suppress(OSError):
            now = time.time()
            entries = (entry for entry in os.scandir(self.folder) if entry.name not in _OWN_FILES)
            files = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
            nearly_old = any(changed <= now - (DAYS - 1) * _DAY for changed, _ in files)
            latest = min(now - DAYS * _DAY, self._looked_before(now, nearly_old) - (DAYS - 1) * _DAY)
            old = [file for file in files if file[0] <= latest]
            sessions = [file for file in files if file[1].endswith(_TURNS) and file not in old]
            for _, path in {*old, *sessions[: -self._limits.sessions]}:
                os.unlink(path)

    def _looked_before(self, now: float, nearly_old: bool) -> float:
        """When somebody last found a session that is nearly old, if that was a day ago or earlier, else 0."""
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
    """The folder of all spools, and of how many stores it keeps texts; None if it keeps none."""
    base = user_folders.state()
    folders = (base / "spool").glob("*/") if base else ()
    count = sum(any(file.name not in _OWN_FILES for file in folder.iterdir()) for folder in folders)
    return (base / "spool", count) if base and count else None


@contextmanager
def _held(file: Path, flags: int = 0) -> Iterator[IO[bytes]]:
    """Open the file that is at a path, and let nobody else change it meanwhile."""
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
    """The turns in some lines; a damaged one is left out."""
    for line in data.splitlines():
        with suppress(ValueError, TypeError):
            yield SessionTurn(*orjson.loads(line))
