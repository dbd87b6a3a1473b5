"""Find the files to ingest at a path, and name the origin of a source."""

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import NamedTuple

from memoir.errors import InvalidInput, NotFound
from memoir.sources.reading import CONVERSATIONS_ONLY, READABLE
from memoir.store.locate import DIRECTORY

_FOREIGN_FOLDERS = frozenset(("node_modules", "__pycache__", "site-packages"))
"""Folders of other programs' files, which are left out; hidden folders are as well."""
_TOOL_RESULTS = "tool-results"


_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Flags to follow no link, and not to block on a FIFO."""
_NOT_PLAIN = frozenset((errno.ELOOP, errno.ENOTDIR, errno.ENXIO))
"""The errors of opening a link, or a socket, with these flags."""


class FoundFile(NamedTuple):
    """A file to ingest."""

    path: Path
    """Its path."""
    origin: str
    """Its path in the project; else its name, or its path from the given folder on."""
    folder: Path | None = None
    """The given folder, with which the path begins; None if the file itself was given."""

    def read(self, most: int) -> bytes:
        """The first bytes of the file, if it still is a plain file: others may have replaced it.

        Links are followed to a file that was given itself, but not below a folder.

        Raises:
            InvalidInput: it is a link, a FIFO or a device. OSError: it cannot be read.
        """
        path = self.path if self.folder else Path(os.path.realpath(self.path))
        base = self.folder or path.parent
        descriptor = _open_below(base, path.relative_to(base).parts)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _not_plain(path.name)
            with open(descriptor, "rb", closefd=False) as stream:
                return stream.read(most)
        finally:
            os.close(descriptor)


def _open_below(folder: Path, parts: tuple[str, ...]) -> int:
    """Open a path below a folder; none of its parts may be a link."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for at, part in enumerate(parts, 1):
        flags = _FLAGS if at == len(parts) else _FLAGS | os.O_DIRECTORY
        try:
            inner = os.open(part, flags, dir_fd=descriptor)
        except OSError as error:
            if error.errno not in _NOT_PLAIN:
                raise
            raise _not_plain(part) from error
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def _not_plain(name: str) -> InvalidInput:
    return InvalidInput(f"{name} is a link, or no file", "to read a pipe, name - and use it as standard input")


class FoundFiles(NamedTuple):
    """The files at a path."""

    files: list[FoundFile]
    """The files to ingest, sorted; behind them the folders that cannot be looked into: to read one fails."""
    others: Counter[str]
    """How many files of a folder are read only if they are named, by ending."""


def find_files(target: Path, store: Path, known: Container[str] = frozenset()) -> FoundFiles:
    """The file at a path, or the files to ingest in the folder there; no links, FIFOs and devices.

    In a folder these are the readable files, and those that were named before: `known` are the origins of sources.
    `store` is the git directory in the project.

    Raises:
        NotFound: there is nothing.
    """
    if not target.exists():
        raise NotFound(f"no file {str(target)!r}", "name a file, a folder, or - for standard input")
    if not target.is_dir():
        return FoundFiles([FoundFile(target, origin_of(target, store))], Counter())
    closed = list[OSError]()
    found = FoundFiles([], Counter())
    for path in _walk(target, closed.append):
        ending, origin = _printable(path.suffix.lower()), origin_of(path, store, target)
        if ending in READABLE or ending in CONVERSATIONS_ONLY or origin in known:
            found.files.append(FoundFile(path, origin, target))
        else:
            found.others[ending] += 1
    folders = [Path(error.filename) for error in closed if not isinstance(error, FileNotFoundError)]
    found.files.extend(FoundFile(folder, origin_of(folder, store, target), target) for folder in folders)
    return found


def origin_of(path: Path, store: Path, folder: Path | None = None) -> str:
    """The origin of a source: its path in the project, else from the given folder on, else its name; never absolute."""
    real, project = Path(os.path.realpath(path)), Path(os.path.realpath(store))
    project = project.parent if project.name == DIRECTORY else project
    if real.is_relative_to(project):
        return _printable(real.relative_to(project).as_posix())
    above = Path(os.path.realpath(folder or path)).parent
    return _printable(real.relative_to(above).as_posix())


def _printable(name: str) -> str:
    """A name with unprintable characters replaced, for commit messages and terminals."""
    return "".join(char if char.isprintable() else "?" for char in name)


def _walk(folder: Path, on_error: Callable[[OSError], None]) -> Iterator[Path]:
    for here, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = sorted(name for name in folders if not _is_left_out(Path(here), name))
        for name in sorted(names):
            path = Path(here, name)
            if name[0] != "." and _is_plain(path):
                yield path


def _is_left_out(here: Path, name: str) -> bool:
    """Whether to skip a folder: hidden, another program's, or Claude Code's results of tools beside its sessions."""
    is_of_tools = name == _TOOL_RESULTS and here.with_name(f"{here.name}.jsonl").exists()
    return name[0] == "." or name in _FOREIGN_FOLDERS or is_of_tools


def _is_plain(path: Path) -> bool:
    """Whether a path is a plain file, not a link, FIFO or device."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # whoever reads it is told why that cannot be
