"""Safeguards against loss of a store: its file `.git`, a copy of its config, and a line in the project's git.

Because of `.git` the project treats the store as another repository and leaves it alone. Because of the line in its
`info/exclude`, `git add` skips the store; otherwise git could no longer tell the project's status. The copy restores
remotes and settings if the config is lost; it is used only then, and must pass the guard like the config.
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
"""Makes a user's 'git gc' keep objects that are also in a writer's pack (`memoir.git.git.REPACK` says why)."""


def renew(git_dir: Path) -> None:
    """Restore `.git` if it was lost, update the copy of the config, and write the line if it is missing.

    The folder may have become a project after the store was created. A store made by git, or by an older memoir, gets
    the setting for packing here; an existing value stays.
    """
    config = _with_packing(git_dir / "config")
    if _read(git_dir / COPY) != config:
        replace(git_dir / COPY, config)
    if lacks_gitfile(git_dir):
        replace(git_dir / ".git", guard.OWN_GITFILE)
    if git_dir.name == DIRECTORY and _is_exposed(git_dir.parent / ".git"):
        with suppress(MemoirError):  # the store itself is sound
            protect(git_dir)


def _with_packing(path: Path) -> bytes:
    """The config, after adding the setting for packing if it is missing and can be written now."""
    config = path.read_bytes()
    if b"packkeptobjects" in config.lower() or not (draft := take_lock(path)):
        return config
    with renaming(draft, path):
        config = path.read_bytes()  # it may have changed before the lock
        config += (b"" if config.endswith(b"\n") else b"\n") + _PACKING
        draft.write_bytes(config)
        shutil.copymode(path, draft)
    return config


def _is_exposed(project: Path) -> bool:
    """Whether the project beside a store does not exclude it."""
    exclude = project / "info" / "exclude"
    if not project.is_dir() or (exclude.exists() and not exclude.is_file()):
        return False
    return f"/{DIRECTORY}/".encode() not in _read(exclude).split(b"\n")


def lacks_gitfile(git_dir: Path) -> bool:
    """Whether git in the project would treat the store as a plain folder."""
    return git_dir.name == DIRECTORY and not _read(git_dir / ".git").strip(b"\0")


def spare_config(git_dir: Path) -> bytes | None:
    """The copy of the config, if memoir would open the store with it; else None."""
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
        MemoirError: the file cannot be written, or is a link.
    """
    folder = git_dir.parent.resolve()
    top = _ask_project(folder, "--show-toplevel")
    if top is None or not folder.is_relative_to(top.resolve()):  # `core.worktree` may name any folder
        return
    common = _ask_project(folder, "--git-common-dir") or top / ".git"
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
    """Refuse to write through links: the project may come from someone else."""
    if path.is_symlink() or path.parent.is_symlink():
        raise OSError(errno.ELOOP, "a symbolic link leads elsewhere")
    if path.exists() and not (path.is_file() and path.stat().st_nlink == 1):
        raise OSError(errno.EINVAL, "it is not a plain file with one name")


_GLOB = r"[*?\[\\]"
"""The characters of an exclude pattern that need a backslash."""


def _ask_project(folder: Path, which: str) -> Path | None:
    """The path that `git rev-parse` with an option prints for a folder; None without a project."""
    done = around(folder, "rev-parse", which)
    return None if done.returncode else Path(os.fsdecode(done.stdout.removesuffix(b"\n")))
