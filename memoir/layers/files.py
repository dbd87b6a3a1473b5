"""The files that a path names, and what a source is said to be from."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from memoir.errors import NotFound
from memoir.layers.reading import READABLE
from memoir.named_tuple import NamedTuple
from memoir.store.locate import DIRECTORY

_FOREIGN_FOLDERS = frozenset(("node_modules", "__pycache__", "site-packages"))
"""Folders that hold what other programs put there; hidden ones are left out too."""


class FoundFile(NamedTuple):
    """A file to ingest, and its origin: its path in the project, else its name, or its path below the folder named."""

    path: Path
    origin: str


def find_files(target: Path, store: Path) -> list[FoundFile]:
    """The file at a path, or the readable files in the folder there, sorted; no symbolic links, FIFOs and devices.

    Args:
        target: The file or folder.
        store: The store's git directory, which is in the project.

    Raises:
        NotFound: there is nothing.
    """
    if target.is_dir():
        return [FoundFile(path, origin_of(path, store, target.parent)) for path in _walk(target)]
    if not target.exists():
        raise NotFound(f"no file {str(target)!r}", "name a file, a folder, or - for standard input")
    return [FoundFile(target, origin_of(target, store))]


def origin_of(path: Path, store: Path, base: Path | None = None) -> str:
    """Where a source is from: its path in the project, else below `base`, else its name. No path is absolute."""
    real, project = Path(os.path.realpath(path)), Path(os.path.realpath(store))
    project = project.parent if project.name == DIRECTORY else project
    if real.is_relative_to(project):
        return _printable(real.relative_to(project).as_posix())
    return _printable(real.relative_to(os.path.realpath(base)).as_posix() if base else real.name)


def _printable(name: str) -> str:
    """A name without characters that a commit's message or a terminal could act on."""
    return "".join(char if char.isprintable() else "?" for char in name)


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _FOREIGN_FOLDERS)
        for name in sorted(names):
            path = Path(here, name)
            if name[0] != "." and path.suffix.lower() in READABLE and _is_plain(path):
                yield path


def _is_plain(path: Path) -> bool:
    """Whether a path is a file that can be read to its end, and leads nowhere else."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False
