"""What a write takes where there is much: at a path with 1,000 memories, and of a memory of 16 MB.

    /tmp/bench/bin/python -m benchmarks.writes [--rounds 20]

The library writes in this process, in a temporary folder. Times are the median over the rounds; processor time is that
of the process, without git's.
"""

import argparse
import json
import os
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from benchmarks import table
from memoir import Memory, Repository
from memoir.git.lock import writer_lock

_FEW, _MANY = 10, 900
"""Memories at a path; a path keeps 1,000 at most."""
_LARGE = (16 << 20) - 1024
_lock_seconds: list[float] = []
"""The seconds for which writes held the writer lock; a large one takes it twice."""


def append(repository: Repository, rounds: int) -> Iterator[tuple[str, str]]:
    """Append to a path that holds few memories, and in turn to one that holds many."""
    dice = random.Random(1)
    paths = {many: f"events.busy_{many}" for many in (_FEW, _MANY)}
    for many, path in paths.items():
        repository.import_lines(json.dumps({"path": path, "content": _text(dice)}).encode() for _ in range(many))
    seconds: dict[int, list[float]] = {many: [] for many in paths}
    for _ in range(rounds):
        for many, path in paths.items():
            begin = time.process_time()
            repository.remember(Memory.of(_text(dice)), path)
            seconds[many].append(time.process_time() - begin)
    few, most = (statistics.median(seconds[many]) for many in paths)
    yield f"append at a path with {_FEW} memories", f"{1000 * few:.1f} ms"
    yield f"the same with {_MANY}", f"{1000 * most:.1f} ms ({most / few:.2f} ×)"


def large(repository: Repository, rounds: int) -> Iterator[tuple[str, str]]:
    """Remember memories of 16 MB, each at a path of its own."""
    dice = random.Random(2)
    words = " ".join(f"w{dice.randrange(60_000):x}" for _ in range(3_000_000))[:_LARGE]
    longest = []
    for number in range(rounds):
        _lock_seconds.clear()
        repository.remember(Memory.of(f"{words} {number}"), f"events.large_{number}")
        longest.append(max(_lock_seconds))
    yield "16 MB: the writer lock is held, at a stretch", f"{statistics.median(longest):.2f} s"


def _text(dice: random.Random) -> str:
    return " ".join(f"w{dice.randrange(5000):x}" for _ in range(12))


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """The writer lock; notes for how long it is held."""
    with writer_lock(folder):
        begin = time.perf_counter()
        yield
        _lock_seconds.append(time.perf_counter() - begin)


def main() -> None:
    """Measure both, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="of each write (20; 3 of the large one)")
    rounds = parser.parse_args().rounds
    with TemporaryDirectory() as folder, patch("memoir.store.transaction.writer_lock", watched):
        os.environ.update(HOME=folder, XDG_CACHE_HOME=folder)
        with Repository.init(Path(folder, "store")) as repository:
            rows = [*append(repository, rounds), *large(repository, min(rounds, 3))]
    print(table.markdown(("what", "takes"), rows))


if __name__ == "__main__":
    main()
