"""What keeps a store from being lost: its file `.git`, a second copy of its config, and a line of the project around.

With `.git` the project takes the store for another repository and leaves it alone; with the line in its `info/exclude`
`git add` does not take it in, after which git could not tell the status of the project. The copy brings remotes and
settings back if the config is lost; it counts only then, and must pass the guard as the config does.
"""

import errno
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore, MemoirError, UnsafeStore
from memoir.git.fsync import replace, sync
from memoir.git.git import around
from memoir.git.lock import renaming, take_lock
from memoir.store import guard
from memoir.store.locate import DIRECTORY

COPY = "memoir-config"
_PACKING = b"[repack]\n\tpackKeptObjects = true\n"
"""A user's own 'git gc' must not leave out what a writer has too (`memoir.git.git.REPACK` says why)."""


def renew(git_dir: Path) -> None:
    """Write `.git` if a power cut took it, the copy of the config if it is not what the config is now, and the line.

    The folder of the store may have become a project after the store. A store that was made by git, or by memoir before
    it set how a user's git packs, gets that setting here; a value that somebody else gave it stays.
    """
    config = _with_packing(git_dir / "config")
    if _read(git_dir / COPY) != config:
        replace(git_dir / COPY, config)
    if lacks_gitfile(git_dir):
        replace(git_dir / ".git", guard.OWN_GITFILE)
    if git_dir.name == DIRECTORY and _is_exposed(git_dir.parent / ".git"):
        with suppress(MemoirError):  # the store is sound all the same
            protect(git_dir)


def _with_packing(path: Path) -> bytes:
    """What is in the config, with the setting if it can be written now."""
    config = path.read_bytes()
    if b"packkeptobjects" in config.lower() or not (draft := take_lock(path)):
        return config
    with renaming(draft, path):
        config = path.read_bytes()  # it may have changed before it was locked
        config += (b"" if config.endswith(b"\n") else b"\n") + _PACKING
        draft.write_bytes(config)
        shutil.copymode(path, draft)
    return config


def _is_exposed(project: Path) -> bool:
    """Whether the git directory of the project beside a store does not name that."""
    exclude = project / "info" / "exclude"
    if not project.is_dir() or (exclude.exists() and not exclude.is_file()):
        return False
    return f"/{DIRECTORY}/".encode() not in _read(exclude).split(b"\n")


def lacks_gitfile(git_dir: Path) -> bool:
    """Whether git in the project around would take the store for a plain folder."""
    return git_dir.name == DIRECTORY and not _read(git_dir / ".git").strip(b"\0")


def spare_config(git_dir: Path) -> bytes | None:
    """The second copy of the config, if memoir would open the store with it; else None."""
    data = _read(git_dir / COPY)
    with suppress(DamagedStore, UnsafeStore):
        guard.check_config(git_dir, data)
        return data
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def protect(git_dir: Path) -> None:
    """List the store in the enclosing project's `info/exclude`, if there is a project.

    Raises:
        MemoirError: there is one, and that file cannot be written, or a link leads from it to elsewhere.
    """
    folder = git_dir.parent.resolve()
    top = _place_of_project(folder, "--show-toplevel")
    if top is None or not folder.is_relative_to(top.resolve()):  # `core.worktree` may name any folder
        return
    common = _place_of_project(folder, "--git-common-dir") or top / ".git"
    inside = (folder / DIRECTORY).relative_to(top.resolve()).as_posix()
    line = os.fsencode("/" + re.sub(_GLOB, r"\\\g<0>", inside).replace("\n", "?") + "/")
    path = folder / common / "info/exclude"
    try:
        _insist_plain(path)
        present = path.read_bytes() if path.exists() else b""
        if line not in present.split(b"\n"):
            path.parent.mkdir(exist_ok=True)
            with path.open("ab") as file:
                file.write((b"\n" if present and not present.endswith(b"\n") else b"") + line + b"\n")
            sync(path, path.parent)
    except OSError as error:
        raise MemoirError(
            f"the store was created, but {path} could not be written: {error.strerror}",
            f"write the line {os.fsdecode(line)!r} there yourself, so that git does not add the store to the project",
        ) from error


def _insist_plain(path: Path) -> None:
    """Refuse to write where a link leads: the project may come from somebody else."""
    if path.is_symlink() or path.parent.is_symlink():
        raise OSError(errno.ELOOP, "a symbolic link leads elsewhere")
    if path.exists() and not (path.is_file() and path.stat().st_nlink == 1):
        raise OSError(errno.EINVAL, "it is not a plain file with one name")


_GLOB = r"[*?\[\\]"
"""The characters that mean something else in an exclude pattern, unless a backslash is before them."""


def _place_of_project(folder: Path, which: str) -> Path | None:
    """A folder of the project around a folder, by an option of `git rev-parse`; None without a project."""
    done = around(folder, "rev-parse", which)
    return None if done.returncode else Path(os.fsdecode(done.stdout.removesuffix(b"\n")))
