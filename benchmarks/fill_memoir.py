"""Remember JSON lines one commit each through memoir's library, as the command `remember` would.

    python -I fill_memoir.py FOLDER FILE

Ends when the background repack that it may have started has ended.
"""

import fcntl
import json
import sys
from pathlib import Path

from memoir import Memory, Repository
from memoir.store.maintenance import REPACK_LOCK, repack_if_needed


def main(folder: str, file: str) -> None:
    """Remember every line, look after every one whether a repack is due, wait for the last one."""
    with Repository.open(folder) as repository, open(file, "rb") as lines:
        for line in map(json.loads, lines):
            repository.remember(Memory.of(line["content"]), line["path"])
            repack_if_needed(repository.store)
        lock = repository.store.git_dir / REPACK_LOCK
    if lock.exists():
        _wait_for(lock)


def _wait_for(lock: Path) -> None:
    with lock.open("rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)


if __name__ == "__main__":
    main(*sys.argv[1:])
