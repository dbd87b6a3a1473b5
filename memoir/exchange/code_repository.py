"""The code repository around a store, and whether an address is its own or that of one of its remotes."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memoir.git.git import around

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/]*@)?(?P<host>[^/:@]*)(?::\d+)?/(?P<path>.*)")
_SCP = re.compile(r"(?:[^/@]*@)?(?P<host>[^/:@]+):(?P<path>.*)")
_SETTINGS = r"^(remote\..*\.(url|pushurl)|url\..*\.(push)?insteadof)$"


class _Project(NamedTuple):
    """A code repository: its folder, the addresses of its remotes, and its rewriting rules (prefix and replacement)."""

    top: str
    git_dir: str
    urls: list[str]
    rewrites: dict[str, list[tuple[str, str]]]


def is_of_enclosing(folder: Path, url: str) -> bool:
    """Whether an address is that of the code repository around a folder, or of one of its remotes."""
    project = _project(folder)
    if project is None:
        return False
    theirs = {each for address in (project.git_dir, *project.urls) for each in _identities(address, project)}
    return not theirs.isdisjoint(_identities(url, project))


def _project(folder: Path) -> _Project | None:
    """The code repository around a folder; None without one."""
    own = around(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    if own.returncode:
        return None
    git_dir = os.fsdecode(own.stdout.removesuffix(b"\n"))
    tree = around(folder, "rev-parse", "--path-format=absolute", "--show-toplevel")
    top = git_dir if tree.returncode else os.fsdecode(tree.stdout.removesuffix(b"\n"))  # a bare one has no work tree
    done = around(folder, "config", "-z", "--get-regexp", _SETTINGS)
    rows = [item.partition("\n")[::2] for item in os.fsdecode(done.stdout).split("\0") if item]
    rewrites: dict[str, list[tuple[str, str]]] = {"insteadof": [], "pushinsteadof": []}
    for key, value in rows:
        if key.startswith("url."):
            base, _, kind = key.removeprefix("url.").rpartition(".")
            rewrites[kind].append((value, base))
    return _Project(top, git_dir, [value for key, value in rows if key.startswith("remote.")], rewrites)


def _identities(url: str, project: _Project) -> set[tuple[str, str]]:
    """The identities of an address: as written, and after git's rewriting for fetches and for pushes."""
    return {_identity(each, project.top) for each in (url, *_rewritten(url, project))}


def _rewritten(url: str, project: _Project) -> Iterator[str]:
    for pairs in project.rewrites.values():
        if fit := [pair for pair in pairs if url.startswith(pair[0])]:
            prefix, base = max(fit, key=lambda pair: len(pair[0]))
            yield base + url.removeprefix(prefix)


def _identity(url: str, top: str) -> tuple[str, str]:
    """The identity of a repository: its host and path, for any protocol; the real path for a local one.

    git resolves a relative path from the top of the work tree.
    """
    local = url.removeprefix("file://")
    match = (
        None if local != url or os.path.exists(os.path.join(top, url)) else _URL.fullmatch(url) or _SCP.fullmatch(url)
    )
    if match:
        return match["host"].casefold(), _plain_path(match["path"].strip("/"))
    return "", _plain_path(os.path.realpath(os.path.join(top, local)))


def _plain_path(path: str) -> str:
    """The path of a repository without optional endings, such as `.git`."""
    return path.casefold().rstrip("/").removesuffix("/.git").removesuffix(".git").rstrip("/")
