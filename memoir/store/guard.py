"""Refuses a store that belongs to someone else, could make git execute something, or has links to the outside.

A `.memoir/` can arrive inside any cloned or unpacked project, and git trusts everything in a repository. So before git
is started, the store's owner, files and settings are checked here: no file may lead out of the store, or be one that
git would read and memoir never writes; every setting must be in `memoir.store.allowed_settings`. `docs/security.md`
lists the attacks and what stops them.
"""

import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path

from memoir import user_folders
from memoir.errors import DamagedStore, MemoirError, NoStore, UnsafeStore
from memoir.store.allowed_settings import Settings, find_fault, parse_config

_LARGEST_CONFIG = 1 << 20
# Each would make git read another folder, or settings that this guard does not read.
_FOREIGN = {
    "commondir": "it borrows its config from elsewhere (a file named 'commondir')",
    "gitdir": "it is a part of another repository (a file named 'gitdir')",
    "config.worktree": "it has a second config ('config.worktree')",
    "worktrees": "it has work trees ('worktrees')",
    "modules": "it has submodules ('modules')",
    "index": "it has an index of files ('index'), so it is not a bare repository",
}
_FILES = frozenset({"HEAD", "config", "packed-refs"})
_OLD_REMOTES = ("remotes", "branches")
_ALTERNATES = ("objects/info/alternates", "objects/info/http-alternates")
OWN_GITFILE = b"gitdir: .\n"
"""The content of `.git` in a store: it makes the store a separate repository for the project around it."""
_SHARED_FOLDER = "objects/"
"""The folder whose files never change; a local `git clone` shares them by hard links."""
_FORM = 1
"""Increased whenever the guard refuses more than before, so that older notes no longer count."""
_LARGE = 64
_MOMENT = 2_000_000_000


def inspect(git_dir: Path) -> Settings:
    """Check a store's owner, files and config and return its own settings, lower-cased key to values.

    Raises:
        NoStore: there is no config, so this is not a store.
        UnsafeStore: it belongs to another user and is not declared safe, has links to the outside, or a setting that
            memoir does not allow.
        DamagedStore: the config is malformed.
        MemoirError: permission to read a part of it is missing.
    """
    check_files(git_dir)
    return read_settings(git_dir)


def read_settings(git_dir: Path) -> Settings:
    """Read and check a store's own settings, after `check_files`."""
    try:
        with open(git_dir / "config", "rb") as file:
            return check_config(git_dir, file.read(_LARGEST_CONFIG + 1))
    except FileNotFoundError as error:
        raise NoStore(f"{git_dir} is not a memoir store", "create one with 'memoir init'") from error
    except OSError as error:
        raise _unreadable(git_dir, error) from error


def check_files(git_dir: Path) -> None:
    """Check a store's owner and files before reading any."""
    try:
        _check_owner(git_dir)
        reason = _find_unsafe_file(git_dir)
    except NotADirectoryError as error:
        raise NoStore(f"{git_dir} is not a memoir store", "create one with 'memoir init'") from error
    except OSError as error:
        raise _unreadable(git_dir, error) from error
    if reason:
        raise _unsafe(git_dir, reason)


def check_config(git_dir: Path, config: bytes) -> Settings:
    """Parse the text of a store's config, and refuse settings that are not allowed."""
    if len(config) > _LARGEST_CONFIG:
        raise _unsafe(git_dir, "its config is larger than 1 MB")
    try:
        settings = parse_config(config.decode())
    except UnicodeDecodeError as error:
        raise DamagedStore(f"{git_dir / 'config'} is not UTF-8 text") from error
    if reason := find_fault(settings):
        raise _unsafe(git_dir, reason)
    return settings


def _check_owner(git_dir: Path) -> None:
    try:
        owner = git_dir.stat().st_uid
    except FileNotFoundError as error:
        raise NoStore(f"{git_dir} does not exist", "create a store with 'memoir init'") from error
    user = os.geteuid()
    sudo = os.environ.get("SUDO_UID", "")
    if owner == user or (user == 0 and sudo.isdigit() and owner == int(sudo)):
        return
    from memoir.store.safe_directories import is_declared_safe

    if not is_declared_safe(git_dir):
        from shlex import quote

        raise UnsafeStore(
            f"refusing to open {git_dir}: it belongs to another user (id {owner}, you are {user})",
            f"if you trust it: git config --global --add safe.directory {quote(str(git_dir))}",
        )


def _unreadable(git_dir: Path, error: OSError) -> MemoirError:
    reason = f"{error.filename or git_dir} cannot be read: {error.strerror}"
    return MemoirError(reason, "see who owns it, and what its permissions are")


def _unsafe(git_dir: Path, reason: str) -> UnsafeStore:
    return UnsafeStore(
        f"refusing to open {git_dir}: {reason}",
        "if the store is yours, fix that first; plain git can read the memories in it",
    )


def _find_unsafe_file(git_dir: Path) -> str | None:
    """The reason not to open a store because of its files; None if there is none."""
    if git_dir.name == ".memoir" and git_dir.is_symlink():
        return "it is a symbolic link (name the folder that it leads to with --store or MEMOIR_STORE)"
    if reason := _special_file_fault(git_dir) or _check_folders(git_dir):
        return reason
    outward = _outward_ref(_plain_bytes(f"{git_dir}/packed-refs", -1))
    return f"its 'packed-refs' names {outward!r}, which leads out of it" if outward else None


def _special_file_fault(git_dir: Path) -> str | None:
    """The first fault among files with a meaning for git; each is looked up by name."""
    folder = os.fspath(git_dir)  # every command does this, and joining paths would take longer than the look-ups
    for name, reason in _FOREIGN.items():
        if os.path.lexists(f"{folder}/{name}"):
            return reason
    for name in _OLD_REMOTES:
        with suppress(FileNotFoundError):
            if os.listdir(f"{folder}/{name}"):
                return f"it has remotes in git's old form ('{name}')"
    for name in _ALTERNATES:
        if _plain_bytes(f"{folder}/{name}").strip():
            return f"it borrows objects from elsewhere ('{name}')"
    gitfile = _plain_bytes(f"{folder}/.git")
    if gitfile.strip(b"\0") and gitfile != OWN_GITFILE:  # a power cut can leave it empty, which is harmless
        return "its '.git' leads elsewhere"
    return None


def _outward_ref(data: bytes) -> str | None:
    """A ref whose name, used as a path, would lead out of the store."""
    match = re.search(rb" (refs/(?:[^\n]*/)?\.[^\n]*)", data) if b"/." in data else None
    return match[1][:80].decode("utf-8", "replace") if match else None


def _plain_bytes(path: str, size: int = 100) -> bytes:
    """The beginning of a file; empty if it is missing, `?` if it is not a plain file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError:  # a link, a socket, or unreadable
        return b"?"
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return b"?"
    with open(descriptor, "rb", buffering=0) as file:
        return file.read(size) or b""


def _check_folders(git_dir: Path) -> str | None:
    notes = _KnownFolders(git_dir)
    rest = [""]
    while rest:
        below = rest.pop()
        path = os.path.join(git_dir, below)
        with suppress(FileNotFoundError):  # git removes empty folders of refs
            about = os.lstat(path)
            folders = notes.folders(below, about)
            if folders is None:
                folders, size, problem = _check_folder(path, below)
                if problem:
                    return problem
                notes.add(below, about, folders, size)
            rest += [f"{below}{name}/" for name in folders]
    notes.save()
    return None


def _check_folder(path: str, below: str) -> tuple[list[str], int, str | None]:
    """A folder's subfolders, its number of entries, and its first fault or None."""
    folders: list[str] = []
    size = 0
    with os.scandir(path) as entries:
        for size, entry in enumerate(entries, 1):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
                if entry.name.endswith(".lock") or (not below and entry.name in _FILES):
                    return folders, size, f"{below + entry.name!r} is a folder"
            elif reason := _entry_problem(entry, below):
                return folders, size, reason
    return folders, size, None


def _entry_problem(entry: "os.DirEntry[str]", below: str) -> str | None:
    name = below + entry.name
    if entry.is_symlink():
        return f"{name!r} is a symbolic link"
    if not entry.is_file(follow_symlinks=False):
        return f"{name!r} is neither a file nor a folder"
    with suppress(FileNotFoundError):  # a lock that was removed meanwhile
        if not below.startswith(_SHARED_FOLDER) and entry.stat(follow_symlinks=False).st_nlink > 1:
            return f"{name!r} is a hard link, so the same file may be elsewhere, too"
    return None


class _KnownFolders:
    """The large folders that were checked before, so that ten thousand branches cost no more than one.

    A folder is recognised by its path, device, inode and times: adding, removing or renaming an entry changes them, and
    the time of the last change (`ctime`) cannot be set back. The note is in the user's cache, which a store cannot
    write to. A folder that changed a moment ago is not noted, since a second change in the same clock tick would not
    show.
    """

    def __init__(self, git_dir: Path) -> None:
        about = os.stat(git_dir)
        self._name = f"folders-{_FORM}-{about.st_dev}-{about.st_ino}"
        self._before = _read_notes(self._name)
        self._now: dict[str, list[str]] = {}

    def folders(self, below: str, about: os.stat_result) -> list[str] | None:
        """The subfolders of a folder that passed before and has not changed since; None for other folders."""
        stamp = _stamp(below, about)
        if stamp in self._before:
            self._now[stamp] = self._before[stamp]
        return self._before.get(stamp)

    def add(self, below: str, about: os.stat_result, folders: list[str], size: int) -> None:
        """Note a folder that passed; `about` is its state before the check."""
        quiet = time.time_ns() - max(about.st_mtime_ns, about.st_ctime_ns) > _MOMENT
        if size >= _LARGE and quiet:
            self._now[_stamp(below, about)] = folders

    def save(self) -> None:
        """Write the notes, if they changed."""
        if self._now != self._before:
            text = "\0\0".join("\0".join((stamp, *folders)) for stamp, folders in self._now.items())
            user_folders.write_cached(self._name, os.fsencode(text))


def _stamp(below: str, about: os.stat_result) -> str:
    return f"{about.st_dev} {about.st_ino} {about.st_mtime_ns} {about.st_ctime_ns} {below}"


def _read_notes(name: str) -> dict[str, list[str]]:
    """The stored notes, each a folder's stamp with its subfolders; none if malformed."""
    data = user_folders.read_cached(name)
    rows = [row.split("\0") for row in os.fsdecode(data).split("\0\0")] if data else []
    sound = all(name not in ("", ".", "..") and "/" not in name for _, *folders in rows for name in folders)
    return {stamp: folders for stamp, *folders in rows} if sound else {}
