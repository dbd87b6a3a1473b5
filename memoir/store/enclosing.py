"""The code repository around a store, if there is one: which addresses are its own."""

import os
import re
from pathlib import Path

from memoir.store.git import plain

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/]*@)?(?P<host>[^/:@]*)(?::\d+)?/(?P<path>.*)")
_SCP = re.compile(r"(?:[^/@]*@)?(?P<host>[^/:@]+):(?P<path>.*)")


def is_of_enclosing(folder: Path, url: str) -> bool:
    """Whether an address is that of the code repository a folder lies in, or of one of its remotes."""
    return _identity(url, folder) in {_identity(each, folder) for each in _addresses(folder)}


def _addresses(folder: Path) -> list[str]:
    done = plain("-C", str(folder), "config", "--local", "-z", "--get-regexp", r"^remote\..*\.(url|pushurl)$")
    if done.returncode not in (0, 1):  # 1: there is none
        return []
    own = plain("-C", str(folder), "rev-parse", "--path-format=absolute", "--git-common-dir")
    settings = os.fsdecode(done.stdout).split("\0")
    return [item.partition("\n")[2] for item in settings if item] + (
        [os.fsdecode(own.stdout.rstrip(b"\n"))] if own.returncode == 0 else []
    )


def _identity(url: str, folder: Path) -> tuple[str, str]:
    """What tells two repositories apart: host and path, however the user reaches them; a local one by its real path."""
    local = url.removeprefix("file://")
    match = None if local != url or os.path.exists(folder / url) else _URL.fullmatch(url) or _SCP.fullmatch(url)
    if match:
        return match["host"].casefold(), _name(match["path"].strip("/").casefold())
    return "", _name(os.path.realpath(folder / local))


def _name(path: str) -> str:
    """A repository's path without what may be left out."""
    return path.removesuffix("/.git").removesuffix(".git").rstrip("/")
