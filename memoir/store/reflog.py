"""A branch's reflog: everything that ever moved it."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memoir.store.commit import CommitId
from memoir.store.refs import BRANCHES


class Move(NamedTuple):
    """One line of a reflog: where the branch was (None: it did not exist), where it went, and why."""

    old: CommitId | None
    new: CommitId
    reason: str


def read(git_dir: Path, branch: str) -> Iterator[Move]:
    """A branch's moves, newest first."""
    path = git_dir / "logs" / (BRANCHES + branch)
    lines = path.read_text("utf-8", "replace").split("\n") if path.exists() else []
    for line in reversed(lines):
        who, _, reason = line.partition("\t")
        old, _, rest = who.partition(" ")
        new = rest.partition(" ")[0]
        if new and new != old:  # a renaming is noted too, and moves nothing
            yield Move(old if old.strip("0") else None, new, reason)
