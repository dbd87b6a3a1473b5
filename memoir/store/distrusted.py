"""The commits from elsewhere whose trailers say what memoir's would, and whose trees are out of shape nevertheless.

The list is derived: whoever finds such a commit adds it (a fetch, a merge, `fsck --repair`), and nearly always there
is none. Without it such a commit's counts and cuts would be believed again, and nothing else would be lost.
"""

import os
from pathlib import Path

_NAME = "memoir-distrusted"
_MOST_BYTES = 1 << 20


def read(git_dir: Path) -> frozenset[str]:
    """The ids of the commits."""
    try:
        with open(git_dir / _NAME, "rb") as file:
            return frozenset(file.read(_MOST_BYTES).decode("ascii", "replace").split())
    except FileNotFoundError:
        return frozenset()


def add(git_dir: Path, commit: str) -> None:
    """Add a commit, unless it is on the list already."""
    if commit in read(git_dir):
        return
    with open(git_dir / _NAME, "ab") as file:
        file.write(commit.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
