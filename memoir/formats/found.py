"""The input of an import (a file, a folder or a zip archive), and the findings of a reader: memories and conversations.

Nothing in a place is written or run, and no link is followed. Every reader yields its findings in the order of its
files, and nothing else passes between a reader and the import.
"""

import os
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from zlib import error as ZlibError  # noqa: N812

import orjson

from memoir.errors import InvalidInput, MemoirError, NotFound
from memoir.git.objects import sha1
from memoir.sources.messages import Message, instant_of
from memoir.sources.source_files import FoundFile

MAX_BYTES = 1 << 30
"""The most bytes of one file that are read; exports of conversations have some hundred million."""
_HEAD = 4096
_FOREIGN_FOLDERS = frozenset(("node_modules", "__pycache__", "site-packages", ".git", ".memoir", ".venv", ".trash"))
_MOST_FILES = 1_000_000


class Place:
    """The file or folder with another tool's memories. A file has one name in it; a zip archive is like a folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take a path."""
        self.path = Path(path)
        if not self.path.exists():
            raise NotFound(f"no file or folder {str(path)!r}", "name the file or folder to import from")
        self.is_folder = self.path.is_dir()
        self.closed: list[Refused] = []
        """The folders that could not be looked into."""

    @cached_property
    def archive(self) -> zipfile.ZipFile | None:
        """The archive, if the place is one."""
        if not self.path.is_file() or self.head(self.path.name)[:4] != b"PK\x03\x04":
            return None
        try:
            return zipfile.ZipFile(self.path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            return None

    @cached_property
    def names(self) -> list[str]:
        """The sorted names of all plain files, relative to the place; links are left out."""
        names = sorted(self._names())
        if len(names) > _MOST_FILES:
            raise InvalidInput(f"{self.path} has more than {_MOST_FILES:,} files", "name the folder of the tool itself")
        return names

    def _names(self) -> Iterator[str]:
        if not self.is_folder:
            if self.archive is None:
                yield self.path.name
            else:
                yield from (name for name in self.archive.namelist() if not name.endswith("/"))
            return
        for here, folders, files in os.walk(self.path, onerror=self._note):
            folders[:] = [name for name in folders if name not in _FOREIGN_FOLDERS]
            for name in files:
                if (path := Path(here, name)).is_file() and not path.is_symlink():
                    yield path.relative_to(self.path).as_posix()

    def _note(self, error: OSError) -> None:
        name = Path(error.filename).relative_to(self.path).as_posix()
        self.closed.append(Refused(name, error.strerror or "it cannot be read"))

    def matching(self, *globs: str) -> list[str]:
        """The names that match one of some globs, in which `*` matches slashes too."""
        return [name for name in self.names if any(fnmatchcase(name, glob) for glob in globs)]

    def files(self, *globs: str) -> list[str]:
        """The names in a folder that match one of some globs; for a file or archive, all names."""
        return self.matching(*globs) if self.is_folder else self.names

    def has(self, name: str) -> bool:
        """Whether there is a file or folder of a name, without listing the others."""
        return self.is_folder and (self.path / name).exists()

    def read(self, name: str, most: int = MAX_BYTES) -> bytes:
        """The bytes of a file of at most `most` bytes.

        Raises:
            InvalidInput: it is larger, damaged, or no plain file. OSError: it cannot be read.
        """
        data = self._read(name, most + 1)
        if len(data) > most:
            raise InvalidInput(f"{name} is larger than {most >> 20:,} MiB", "split it")
        return data

    def _read(self, name: str, most: int) -> bytes:
        if self.archive is not None:
            try:
                with self.archive.open(name) as file:
                    return file.read(most)
            except (zipfile.BadZipFile, RuntimeError, KeyError, NotImplementedError, EOFError, ZlibError) as error:
                raise InvalidInput(f"{name} in {self.path.name} cannot be read: {error}") from error
        if not self.is_folder:
            return FoundFile(self.path, name).read(most)
        return FoundFile(self.path / name, name, self.path).read(most)

    def head(self, name: str) -> bytes:
        """The first bytes of a file, by which its kind is recognized; none if it cannot be read."""
        try:
            if not self.is_folder and name == self.path.name:  # called to find out whether it is an archive
                return FoundFile(self.path, name).read(_HEAD)
            return self._read(name, _HEAD)
        except (InvalidInput, OSError):
            return b""

    def text(self, name: str) -> str:
        """The text of a file, with lone surrogates for bytes that are not UTF-8: they harm only their own record."""
        return self.read(name).decode("utf-8-sig", "surrogateescape")

    def file(self, name: str) -> Path:
        """The path of a file that is not in an archive."""
        return self.path / name if self.is_folder else self.path

    def time(self, name: str) -> datetime | None:
        """When a file was last changed; None if unknown."""
        if self.archive is not None:
            return None
        try:
            about = self.file(name).lstat()
        except OSError:
            return None
        return datetime.fromtimestamp(int(about.st_mtime), UTC) if stat.S_ISREG(about.st_mode) else None


class SourceCommit(NamedTuple):
    """A change in the history of a source: its id, when it was made, who made it, and why.

    Memories of one commit become one commit, with that author and time.
    """

    id: str
    time: datetime | None = None
    author: str = ""
    email: str = ""
    message: str = ""


class Found(NamedTuple):
    """A memory of another tool."""

    id: str
    """The tool's id, unique in its kind; for memories without one, see `anonymous`."""
    where: str
    """Where it is, for people: a file and line, or an id."""
    content: str | None
    """Its content; None in a history if this version deleted it."""
    path: str | None = None
    """The path to store it at; None if the tool gives none, so that filing chooses one."""
    time: datetime | None = None
    """The time from which it holds; None if the tool does not say."""
    metadata: Mapping[str, Any] = {}
    """The tool's other fields."""
    confidence: float = 1.0
    """From 0 to 1."""
    active: bool = True
    """Whether it is still valid in the tool."""
    namespace: str | None = None
    """The namespace for it; None for that of the import."""
    commit: SourceCommit | None = None
    """The commit that wrote this version, if the tool keeps a history."""
    group: str | None = None
    """The file or note of an anonymous memory, within which an edited memory is recognized."""
    key: str | None = None
    """The address of the memory in the store from which `memoir export --to` wrote this one."""
    as_written: bool = False
    """Whether it has not been edited since memoir wrote it."""
    above: int = 0
    """If `where` is a whole file, how many of its lines come before the content."""


class Talk(NamedTuple):
    """A conversation: its id, its place, its name, and its messages."""

    id: str
    where: str
    name: str
    messages: Sequence[Message]


class Refused(NamedTuple):
    """A record that was not imported: its place, and the reason."""

    where: str
    message: str


Finding = Found | Talk | Refused
Reader = Callable[[Place], Iterator[Finding]]


def anonymous(group: str, where: str, content: str, path: str | None, **fields: Any) -> Found:
    """A memory for which its tool has no id: it is identified by its file, its path and its words.

    An edited one gets another id; the import matches it with memories that have vanished from the same file.
    """
    digest = sha1(f"{path}\n{' '.join(content.split())}".encode(errors="surrogatepass")).hex()[:12]
    return Found(f"{group}#{digest}", where, content, path, group=group, **fields)


def each_file(place: Place, names: Sequence[str], read: Callable[[str, str], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings of `read` in some files, called with name and text; a file that cannot be read is refused."""
    for name in names:
        try:
            if not name.isascii() and name != name.encode(errors="replace").decode():
                raise InvalidInput("its name is not UTF-8: rename it")
            yield from read(name, place.text(name))
        except (MemoirError, OSError) as error:
            yield Refused(name, str(error))


def each_row(
    rows: Iterable[tuple[str, dict[str, Any]]], read: Callable[[str, dict[str, Any]], Finding]
) -> Iterator[Finding]:
    """The findings of `read` in (place, row) pairs; a row for which it raises InvalidInput is refused."""
    for where, row in rows:
        try:
            yield read(where, row)
        except InvalidInput as error:
            yield Refused(where, error.message)


def when(value: object) -> datetime | None:
    """A time in any form that tools write; None if there is none, or for the year 1, which Go writes for none."""
    if value is None or value == "" or isinstance(value, bool):
        return None
    time = value if isinstance(value, datetime) else instant_of(value)
    if time is not None and time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time if time is None or time.year > 1 else None


def known_time(*values: object) -> datetime | None:
    """The first of some values that is a time; None if none is."""
    for value in values:
        with suppress(InvalidInput):
            if time := when(value):
                return time
    return None


def as_text(value: object) -> str:
    """A string without surrounding white space; empty for anything else."""
    return value.strip() if isinstance(value, str) else ""


def as_rows(value: object) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def as_strings(value: object) -> list[str]:
    """The non-blank strings of a list; a single string counts as a list of one."""
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [each.strip() for each in values if isinstance(each, str) and each.strip()]


def known(**fields: Any) -> dict[str, Any]:
    """The fields that are not empty, as metadata."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def load(place: Place, name: str) -> Any:
    """The JSON of a file."""
    try:
        return orjson.loads(place.read(name).removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise InvalidInput(f"{name} is not JSON: {error}") from error


def each_object(place: Place, names: Iterable[str], what: str) -> Iterator[tuple[str, dict[str, Any]] | Refused]:
    """(place, object) pairs from JSON files; refuses values that are no objects (`what` names the expected kind)."""
    for name in names:
        try:
            value = load(place, name)
        except (InvalidInput, OSError) as error:
            yield Refused(name, str(error))
            continue
        for at, row in enumerate(value if isinstance(value, list) else [value], 1):
            where = f"{name}[{at}]"
            yield (where, row) if isinstance(row, dict) else Refused(where, f"not {what}")


def rows(name: str, text: str) -> Iterator[tuple[str, dict[str, Any]] | Refused]:
    """Yield (place, object) pairs from lines of JSON; refuse other lines."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{name}:{number}"
            try:
                row = orjson.loads(line.encode("utf-8", "surrogateescape"))
            except ValueError as error:
                yield Refused(where, f"not JSON: {error}")
                continue
            yield (where, row) if isinstance(row, dict) else Refused(where, "not a JSON object")


def first_rows(place: Place, name: str) -> list[dict[str, Any]]:
    """The objects in the first lines of a file, by which its kind is recognized."""
    text = place.head(name).decode("utf-8", "replace")
    lines = text.split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return [row[1] for row in rows(name, "\n".join(whole[:5])) if not isinstance(row, Refused)]
