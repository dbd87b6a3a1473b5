"""`Place`: the file, the folder or the zip archive that an import reads. Nothing in it is written, run or followed."""

import os
import stat
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from zlib import error as ZlibError  # noqa: N812

from memoir.errors import InvalidInput, NotFound
from memoir.layers.source_files import FoundFile

MAX_BYTES = 1 << 30
"""The most bytes of one file that are read: exports of conversations have some hundred million."""
_HEAD = 4096
_FOREIGN_FOLDERS = frozenset(("node_modules", "__pycache__", "site-packages", ".git", ".memoir", ".venv", ".trash"))
_MOST_FILES = 1_000_000


class Place:
    """Where memories of another tool are. A file is a place with one name; a zip archive is read like a folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take a path.

        Raises:
            NotFound: there is nothing.
        """
        self.path = Path(path)
        if not self.path.exists():
            raise NotFound(f"no file or folder {str(path)!r}", "name the file or folder to import from")
        self.is_folder = self.path.is_dir()

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
        """The names of all plain files, relative to the place and sorted; no link is one.

        Raises:
            InvalidInput: there are too many to be the files of one tool.
        """
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
        for here, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if name not in _FOREIGN_FOLDERS]
            for name in files:
                if (path := Path(here, name)).is_file() and not path.is_symlink():
                    yield path.relative_to(self.path).as_posix()

    def matching(self, *globs: str) -> list[str]:
        """The names that match one of some globs, in which `*` matches slashes too."""
        return [name for name in self.names if any(fnmatchcase(name, glob) for glob in globs)]

    def has(self, name: str) -> bool:
        """Whether there is a file or folder of a name, without looking at the others."""
        return self.is_folder and (self.path / name).exists()

    def read(self, name: str, most: int = MAX_BYTES) -> bytes:
        """The bytes of a file; no more than one past the most that may be read.

        Raises:
            InvalidInput: it is larger than that, damaged, or no plain file. OSError: it cannot be read.
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
            if not self.is_folder and name == self.path.name:  # whether it is an archive is not known yet
                return FoundFile(self.path, name).read(_HEAD)
            return self._read(name, _HEAD)
        except (InvalidInput, OSError):
            return b""

    def text(self, name: str) -> str:
        """The text of a file, with lone surrogates for bytes that are not UTF-8: they harm only their own record."""
        return self.read(name).decode("utf-8-sig", "surrogateescape")

    def time(self, name: str) -> datetime | None:
        """When a file was last changed; None if nobody knows."""
        if self.archive is not None:
            return None
        try:
            about = (self.path / name if self.is_folder else self.path).lstat()
        except OSError:
            return None
        return datetime.fromtimestamp(int(about.st_mtime), UTC) if stat.S_ISREG(about.st_mode) else None
