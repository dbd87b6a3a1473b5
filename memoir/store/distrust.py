"""The commits from elsewhere whose trailers say what memoir's would, and whose trees are out of shape nevertheless.

The list is derived: whoever finds such a commit adds it (a fetch, a merge, `fsck --repair`), and nearly always there
is none. Without it such a commit's counts and cuts would be believed again, and nothing else would be lost.
"""

import os
import re
from pathlib import Path

from memoir.git.objects import Oid

_NAME = "memoir-distrusted"
_MOST_BYTES = 1 << 20
_LINE = rb"(?m)^(?:[0-9a-f]{40}|[0-9a-f]{64})$"


def read(git_dir: Path) -> frozenset[Oid]:
    """The ids of the commits."""
    try:
        with open(git_dir / _NAME, "rb") as file:
            return frozenset(Oid.fromhex(line.decode()) for line in re.findall(_LINE, file.read(_MOST_BYTES)))
    except FileNotFoundError:
        return frozenset()


def add(git_dir: Path, commit: Oid) -> None:
    """Add a commit, unless it is on the list already."""
    if commit in read(git_dir):
        return
    with open(git_dir / _NAME, "ab") as file:
        file.write(commit.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
