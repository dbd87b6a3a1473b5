"""The user's own store, which reads add to that of a project: `memoir.store.global`, by default `~/.memoir`."""

import os
from pathlib import Path

from memoir.errors import NoStore
from memoir.git.git import plain
from memoir.store.branch_choice import Selection
from memoir.store.locate import DIRECTORY, discover, locate

_KEY, _VARIABLE = "memoir.store.global", "MEMOIR_STORE_GLOBAL"
_OFF = "off"
SELECTION = Selection(by="the user's store")
"""The branch of the user's own store: that of its HEAD, whatever branch of a project's store is selected."""


def user_store() -> Path | None:
    """The git directory of the user's own store; None if there is none, or if it is switched off."""
    folder = os.environ.get(_VARIABLE) or _ask_git()
    if folder == _OFF:
        return None
    if folder:
        return locate(os.path.expanduser(folder))
    home = Path(os.path.expanduser("~"), DIRECTORY)
    return home if (home / "objects").is_dir() else None


def require_user_store() -> Path:
    """As `user_store`.

    Raises:
        NoStore: there is none.
    """
    git_dir = user_store()
    if git_dir is None:
        raise NoStore("you have no store of your own", "'memoir init ~' creates one")
    return git_dir


def nearest() -> tuple[Path, bool]:
    """The git directory of the nearest store, or else of the user's own, and whether it is the user's."""
    try:
        return discover(), False
    except NoStore:
        own = user_store()
        if own is None:
            raise
        return own, True


def _ask_git() -> str | None:
    """The folder that the user's configuration names. git is asked only if a file of it could name one."""
    if not any(map(_may_name_one, _files())) and "GIT_CONFIG_COUNT" not in os.environ:
        return None
    answer = plain("config", "--global", "--includes", "--get", _KEY)
    return os.fsdecode(answer.stdout).removesuffix("\n") or None


def _files() -> list[str]:
    """The files of the user's configuration, as git-config(1) lists them."""
    if file := os.environ.get("GIT_CONFIG_GLOBAL"):
        return [file]
    settings = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return [os.path.expanduser(each) for each in ("~/.gitconfig", f"{settings}/git/config")]


def _may_name_one(file: str) -> bool:
    try:
        with open(file, "rb") as config:
            text = config.read().lower()
    except OSError:
        return False
    return b"[include" in text or (b"memoir" in text and b"global" in text)
