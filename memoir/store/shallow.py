"""Histories that are cut off are refused: log, blame and merge would be wrong in silence."""

import os
from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore


def require_whole_store(git_dir: Path) -> None:
    """Refuse a store that is a shallow clone, or whose commits have grafted parents.

    Raises:
        DamagedStore: it is one.
    """
    for name in ("shallow", "info/grafts"):
        with suppress(OSError):
            if os.stat(git_dir / name).st_size:
                raise DamagedStore(
                    f"{git_dir} is a shallow clone: a part of its history is missing (see its file '{name}')",
                    "clone the whole store, or run 'git fetch --unshallow' in this one",
                )


def require_whole_remote(name: str, output: bytes) -> None:
    """Refuse a remote from which git took nothing because its own history is cut off.

    Raises:
        DamagedStore: git said so.
    """
    if b"shallow" in output:
        raise DamagedStore(
            f"{name} is a shallow clone: a part of its history is missing, so nothing was fetched",
            "run 'git fetch --unshallow' there, or use the store that it was cloned from",
        )
