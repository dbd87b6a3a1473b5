"""The spool: what hosts handed over of a store's sessions, kept on this machine until it is reviewed.

It lies in the user's state folder, never in a store: a folder for each store, in it a file for each session, so that no
session sees another's. Credentials are removed before a turn is written. A turn, a session and the whole are bounded,
and after 30 days a session is dropped. Capture is on for a store as long as its folder has the file `on`; nothing that
comes with a cloned project can put it there.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import orjson

from memoir.errors import ReadOnlyStore
from memoir.named_tuple import NamedTuple
from memoir.store import state
from memoir.store.digest import blake2b

DAYS = 30
_LONGEST = 8_000
"""The characters of a turn that are kept."""
_LARGEST_SESSION = 256 << 10
_MOST_SESSIONS = 200
_ON, _TURNS, _TAKEN_TURNS, _ANSWERS = "on", ".jsonl", ".taken", "answers"
_MODE = 0o600


class SessionTurn(NamedTuple):
    """A text of a session: when (seconds since 1970), to which host, by a `user` or an `assistant`."""

    host: str
    session: str
    time: float
    role: str
    text: str


class Contents(NamedTuple):
    """How much a spool holds."""

    turns: int
    sessions: int
    size: int
    oldest: float | None


class TurnSpool:
    """The spool of one store."""

    def __init__(self, git_dir: Path) -> None:
        base = state.folder()
        name = blake2b(os.fsencode(os.path.realpath(git_dir)), size=8).hex()
        self.folder = base / "spool" / name if base else None

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
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                (self.folder / _ON).touch(_MODE)
            else:
                (self.folder / _ON).unlink(missing_ok=True)
        except OSError as error:
            raise ReadOnlyStore(f"{self.folder} cannot be written to: {error.strerror}") from error

    def add(self, turn: SessionTurn) -> None:
        """Keep a turn, without what is private or looks like a credential, if capture is on."""
        if self.folder is None or not self.is_on:
            return
        from memoir.memory.private import strip_private
        from memoir.memory.secrets import redact

        clean = turn._replace(text=redact(strip_private(turn.text)[0])[:_LONGEST])
        file = self.folder / (_digest(f"{turn.host}\n{turn.session}") + _TURNS)
        is_new = not file.exists()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(file, flags, _MODE), "ab") as spool:
            if spool.tell() < _LARGEST_SESSION:
                spool.write(orjson.dumps(list(clean)) + b"\n")
        if is_new:
            self._drop_old()

    def turns(self) -> list[SessionTurn]:
        """The kept turns, session by session, each in its order; the sessions by the time they began."""
        sessions = [list(_read(file)) for file in self._files()]
        return [turn for session in sorted(filter(None, sessions), key=lambda turns: turns[0].time) for turn in session]

    def take(self) -> list[SessionTurn]:
        """The kept turns; further turns are kept apart, so that `drop_taken` drops only these."""
        for file in self._files(_TURNS):
            file.rename(file.with_suffix(f".{time.time_ns()}{_TAKEN_TURNS}"))
        return self.turns()

    def drop_taken(self) -> None:
        """Drop what was taken, and what a model has answered to it."""
        for file in self._files(_TAKEN_TURNS, _ANSWERS):
            file.unlink(missing_ok=True)

    def answers(self) -> dict[str, str]:
        """The answers of a model to turns that are kept, by name."""
        with suppress(OSError, ValueError):
            record = orjson.loads((self.folder / _ANSWERS).read_bytes()) if self.folder else None
            return record if isinstance(record, dict) else {}
        return {}

    def keep_answers(self, answers: Mapping[str, str]) -> None:
        """Keep what a model has answered as long as the turns; if that fails, it is asked again."""
        with suppress(OSError):
            if self.folder:
                draft = self.folder / f"{_ANSWERS}.{os.getpid()}"
                draft.touch(_MODE)
                draft.write_bytes(orjson.dumps(answers))
                draft.replace(self.folder / _ANSWERS)

    def contents(self) -> Contents:
        """How much is kept."""
        turns = self.turns()
        size = sum(file.stat().st_size for file in self._files())
        sessions = len({(turn.host, turn.session) for turn in turns})
        return Contents(len(turns), sessions, size, min((turn.time for turn in turns), default=None))

    def _files(self, *suffixes: str) -> list[Path]:
        self._drop_old()
        if self.folder is None or not self.folder.is_dir():
            return []
        return sorted(file for file in self.folder.iterdir() if file.name.endswith(suffixes or (_TURNS, _TAKEN_TURNS)))

    def _drop_old(self) -> None:
        """Drop the sessions that nobody has said anything in for 30 days, and the oldest of too many."""
        if self.folder is None:
            return
        with suppress(OSError):
            files = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(self.folder) if entry.name != _ON]
            recent = [file for file in sorted(files) if file[0] > time.time() - DAYS * 24 * 3600][-_MOST_SESSIONS:]
            for _, path in {*files} - {*recent}:
                os.unlink(path)


def is_on_anywhere() -> bool:
    """Whether capture is on for any store."""
    base = state.folder()
    return base is not None and any((base / "spool").glob(f"*/{_ON}"))


def _read(file: Path) -> Iterator[SessionTurn]:
    with suppress(OSError):
        for line in file.read_bytes().splitlines():
            with suppress(ValueError, TypeError):
                yield SessionTurn(*orjson.loads(line))


def _digest(text: str) -> str:
    return blake2b(text.encode(errors="replace"), size=12).hex()
