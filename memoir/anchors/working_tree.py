"""The files of the project around a store, as checked out now.

A store may name any path, so a file is read only if it is below the root of the project, is a regular file and is not
large. git is asked only for objects and renames, which runs no program of the project.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from memoir.git.git import Git, around
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid, Unread
from memoir.records.anchor import Anchor, is_inside, normalise
from memoir.store.locate import DIRECTORY, find, path_in
from memoir.store.store import Store

MOST_BYTES = 4 << 20
"""The size of the largest file that a memory can be about."""


class TooLarge(Exception):
    """The file is larger than the limit."""


_CHUNK = re.compile(rb"[^\n]{0,63}\n|[^\n]{1,64}")
"""The piece of a text that git counts when it looks for renames."""
_LEAST_SHARED = 0.4
"""The least share of the larger text that both must have; git requires 0.5."""


def _shared(one: bytes, other: bytes) -> int:
    return sum(map(len, (Counter(_CHUNK.findall(one)) & Counter(_CHUNK.findall(other))).elements()))


Stamp = tuple[str, int, int, int]
"""The path, inode, size and modification time, by which an unchanged file is recognized."""


class WorkingTree:
    """The files of a project. Use it as a context manager, so that the git process behind it ends."""

    def __init__(self, root: Path, git_dir: Path | None) -> None:
        self.root = root
        self.git_dir = git_dir
        """The git directory of the project or of its linked worktree; None outside git."""

    def __enter__(self) -> "WorkingTree":
        return self

    def __exit__(self, *exc: object) -> None:
        if reader := self.__dict__.get("_reader"):
            reader.close()

    def read(self, file: str, most: int = MOST_BYTES) -> bytes | None:
        """The text of a file below the root, with line feeds at the ends of lines; None if there is no such file.

        Raises:
            TooLarge: it has more than `most` bytes.
        """
        path = self._path(file)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC) if path else None
        except OSError:
            return None
        if descriptor is None:
            return None
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                return None
            if about.st_size > most:
                raise TooLarge(file)
            with open(descriptor, "rb", closefd=False) as opened:
                data = opened.read(most + 1)
        finally:
            os.close(descriptor)
        if len(data) > most:
            raise TooLarge(file)
        return normalise(data)

    def stamp(self, file: str) -> Stamp | None:
        """The stamp of a file below the root; None if there is no such file."""
        path = self._path(file)
        try:
            about = os.lstat(path) if path else None
        except OSError:
            return None
        return (str(path), about.st_ino, about.st_size, about.st_mtime_ns) if about else None

    def _path(self, file: str) -> str | None:
        """The path of a file that lies below the root, through links too; else None."""
        if not is_inside(file):
            return None
        path = os.path.realpath(self.root / file)
        return path if path.startswith(os.path.join(os.path.realpath(self.root), "")) else None

    @cached_property
    def _reader(self) -> ObjectReader:
        assert self.git_dir
        return ObjectReader(Git(self.git_dir))

    def head(self) -> str | None:
        """The id of the checked-out commit; None outside git, or before the first commit."""
        found = self._reader.resolve("HEAD") if self.git_dir else None
        return str(found.oid) if found else None

    def old_text(self, blob: str) -> bytes | None:
        """The text of a blob of the project's history; None if it is missing or too large."""
        if not self.git_dir:
            return None
        oid = Oid.fromhex(blob)
        if not self._reader.has(oid):
            return None
        (data,) = self._reader.read([oid], "blob")
        return None if isinstance(data, Unread) or len(data) > MOST_BYTES else normalise(data)

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[str]]:
        """The files in git, by their names without folders."""
        answer = around(self.root, "ls-files", "-z", "--full-name", ":/") if self.git_dir else None
        found: dict[str, list[str]] = {}
        for file in answer.stdout.decode("utf-8", "surrogateescape").split("\0") if answer else ():
            found.setdefault(file.rpartition("/")[2], []).append(file)
        return found

    def may_have_become(self, anchor: Anchor, file: str) -> bool:
        """Whether git may have renamed an anchor's file to this file, or to one below this folder.

        Asking git for renames starts it once for each commit, so files are excluded that the commit already had, or
        that share too little with the anchor's text.
        """
        if not self.git_dir or (self.root / file).is_dir():
            return bool(self.git_dir)
        if not anchor.commit or self._reader.has(Oid.fromhex(anchor.commit), file):
            return False
        try:
            old, new = self.old_text(anchor.blob), self.read(file)
        except TooLarge:
            return False
        return old is None or new is None or _shared(old, new) >= _LEAST_SHARED * max(len(old), len(new))

    def renames(self, commit: str) -> dict[str, str]:
        """The files renamed since a commit, as git sees it in the index, with their new names."""
        if not self.git_dir:
            return {}
        words = ("diff-index", "--cached", "--no-ext-diff", "-M", "--diff-filter=R", "--name-status", "-z", commit)
        answer = around(self.root, *words)
        fields = answer.stdout.decode("utf-8", "surrogateescape").split("\0") if answer.returncode == 0 else []
        return dict(zip(fields[1::3], fields[2::3], strict=False))

    def changed_since(self, revision: str) -> set[str] | None:
        """The files that differ between a revision of the project and its working tree; None if there is none."""
        if not self.git_dir:
            return None
        found = self._reader.resolve(revision)
        if found is None:
            return None
        answer = around(self.root, "diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", str(found.oid), "--")
        return set(answer.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}


def working_tree(store: Store) -> WorkingTree | None:
    """The project of a store, in the linked worktree that is worked in; None if there is none.

    It is the git checkout around the working folder, or around the store; without git, the folder that holds the store.
    A bare repository has no files.
    """
    here = Path(store.folder or os.getcwd())
    own = find(here)
    if own is None or not os.path.samefile(own, store.git_dir) or here.resolve().is_relative_to(own.resolve()):
        if store.git_dir.name != DIRECTORY:
            return None
        here = store.git_dir.parent
    for folder in (here.absolute(), *here.absolute().parents):
        entry = folder / ".git"
        git_dir = entry if entry.is_dir() else path_in(entry, "gitdir: ")
        if git_dir and (git_dir / "HEAD").exists():
            return WorkingTree(folder, git_dir)
    return WorkingTree(store.git_dir.parent, None)
