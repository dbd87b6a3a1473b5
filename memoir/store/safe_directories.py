"""The folders of other users that the user has told git to trust: `safe.directory`, which tools for containers set."""

import os
from pathlib import Path

from memoir.git.git import SAFE_FOLDER, plain

_SCOPES = ("system", "global", "command")
"""Where git reads the setting: not in a repository, which could declare itself safe."""


def is_declared_safe(git_dir: Path) -> bool:
    """Whether the user trusts a store, or the project around it, whose hooks git would then run.

    Like git, an empty value takes back those before it, `*` means all folders, and `FOLDER/*` all below one.

    Raises:
        GitError: git is not installed.
    """
    rows = plain("-C", SAFE_FOLDER, "config", "-z", "--show-scope", "--get-all", "safe.directory").stdout
    fields = os.fsdecode(rows).split("\0")
    folders = [value for scope, value in zip(fields[::2], fields[1::2], strict=False) if scope in _SCOPES]
    if "" in folders:
        folders = folders[len(folders) - folders[::-1].index("") :]
    places = [git_dir, git_dir.parent] if git_dir.name == ".memoir" else [git_dir]
    return any(_covers(folder, os.path.realpath(place)) for folder in folders for place in places)


def _covers(folder: str, place: str) -> bool:
    path = os.path.expanduser(folder.removesuffix("*"))
    named = os.path.realpath(path)
    if folder.endswith("/*"):
        return place.startswith(os.path.join(named, ""))
    return folder == "*" or (os.path.isabs(path) and place == named)
