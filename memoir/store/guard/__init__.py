"""Refuses a store that belongs to someone else, that could make git execute something, or that leads out of itself.

A `.memoir/` can arrive inside any project that is cloned or unpacked, and git trusts what it finds in a
repository. So before git is started the owner, every file and every setting of the store are looked at here.
`docs/security.md` lists what git could be made to do, and what stops it.
"""

import os
from pathlib import Path

from memoir.errors import DamagedStore, MemoirError, NoStore, UnsafeStore
from memoir.store.guard import files, values
from memoir.store.guard.values import Settings, allows, parse_config

__all__ = ["Settings", "allows", "check_config", "check_files", "inspect"]

_LARGEST_CONFIG = 1 << 20


def inspect(git_dir: Path) -> Settings:
    """Check a store's owner, files and config and return its own settings, lower-cased key to values.

    Raises:
        NoStore: there is no config, so this is no store.
        UnsafeStore: it is another user's, leads out of itself, or has a setting that memoir does not allow.
        DamagedStore: the config cannot be read as one.
        MemoirError: some of it may not be read.
    """
    check_files(git_dir)
    try:
        with open(git_dir / "config", "rb") as file:
            return check_config(git_dir, file.read(_LARGEST_CONFIG + 1))
    except FileNotFoundError as error:
        raise NoStore(f"{git_dir} is not a memoir store", "create one with 'memoir init'") from error
    except OSError as error:
        raise _unreadable(git_dir, error) from error


def check_files(git_dir: Path) -> None:
    """Check a store's owner and files, before any of them is read.

    Raises:
        NoStore, UnsafeStore, MemoirError: as for `inspect`.
    """
    try:
        _check_owner(git_dir)
        reason = files.find_unsafe_file(git_dir)
    except NotADirectoryError as error:
        raise NoStore(f"{git_dir} is not a memoir store", "create one with 'memoir init'") from error
    except OSError as error:
        raise _unreadable(git_dir, error) from error
    if reason:
        raise _unsafe(git_dir, reason)


def check_config(git_dir: Path, config: bytes) -> Settings:
    """Read what would be a store's config, if every setting in it is allowed.

    Raises:
        UnsafeStore, DamagedStore: as for `inspect`.
    """
    if len(config) > _LARGEST_CONFIG:
        raise _unsafe(git_dir, "its config is larger than 1 MB")
    try:
        settings = parse_config(config.decode())
    except UnicodeDecodeError as error:
        raise DamagedStore(f"{git_dir / 'config'} is not UTF-8 text") from error
    if reason := values.find_fault(settings):
        raise _unsafe(git_dir, reason)
    return settings


def _check_owner(git_dir: Path) -> None:
    try:
        owner = git_dir.stat().st_uid
    except FileNotFoundError as error:
        raise NoStore(f"{git_dir} does not exist", "create a store with 'memoir init'") from error
    user = os.geteuid()
    owners = {user} | (
        {int(os.environ["SUDO_UID"])} if user == 0 and os.environ.get("SUDO_UID", "").isdigit() else set()
    )
    if owner not in owners:
        raise _unsafe(git_dir, f"it belongs to another user (id {owner}, you are {user})")


def _unreadable(git_dir: Path, error: OSError) -> MemoirError:
    reason = f"{error.filename or git_dir} cannot be read: {error.strerror}"
    return MemoirError(reason, "see who owns it, and what its permissions are")


def _unsafe(git_dir: Path, reason: str) -> UnsafeStore:
    return UnsafeStore(
        f"refusing to open {git_dir}: {reason}",
        "if the store is yours, fix that first; plain git can read the memories in it",
    )
