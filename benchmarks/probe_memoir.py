"""One measurement of the store of memoir, below memories: keys and values as bytes. Printed as JSON.

    python -I probe_memoir.py FOLDER together|each|read|cost FILE

FILE holds keys and values, one JSON pair a line. `prollytree_stores.py` runs this.
"""

import fcntl
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from memoir.store import history
from memoir.store.create import create
from memoir.store.maintenance import REPACK_LOCK, repack_if_needed
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.tree.tree import diff

Pairs = list[tuple[bytes, bytes]]
Answer = dict[str, float]


def together(store: Store, pairs: Pairs) -> Answer:
    """Seconds for one commit of all pairs."""
    start = time.perf_counter()
    _put(store, pairs)
    return {"seconds": time.perf_counter() - start}


def each(store: Store, pairs: Pairs) -> Answer:
    """Seconds for one commit a pair, until the last background repack has ended."""
    start = time.perf_counter()
    for pair in pairs:
        _put(store, [pair])
        repack_if_needed(store)
    lock = store.git_dir / REPACK_LOCK
    if lock.exists():
        with lock.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
    return {"seconds": time.perf_counter() - start}


def _put(store: Store, pairs: Pairs) -> None:
    write(store, lambda head: Change(pairs, "put"), reason="put")


def read(store: Store, pairs: Pairs) -> Answer:
    """How many keys each way of reading finds."""
    head = store.head()
    values = head.read([key for key, _ in pairs])
    return {
        "get": sum(values.get(key) == value for key, value in pairs),
        "list": sum(1 for _ in head.tree.scan()),
        "at": sum(1 for _ in store.at("HEAD").scan()),
    }


def cost(store: Store, pairs: Pairs) -> Answer:
    """Milliseconds for the first key, its history, and a diff of the last two commits."""
    tip = store.commit("HEAD")
    return {
        "get": _milliseconds(lambda: store.head().read([pairs[0][0]])),
        "diff": _milliseconds(lambda: list(diff(store.at("HEAD~1").tree, store.at("HEAD").tree))),
        "history": _milliseconds(lambda: list(history.versions(store, tip, pairs[0][0]))),
    }


def _milliseconds(call: Callable[[], object]) -> float:
    """The best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def main(folder: str, what: str, file: str) -> None:
    """Measure one thing and print it."""
    pairs = [(key.encode(), value.encode()) for key, value in map(json.loads, Path(file).read_text().splitlines())]
    probes = {"together": together, "each": each, "read": read, "cost": cost}
    git_dir = Path(folder) / ".memoir"
    with Store(git_dir) if git_dir.exists() else create(folder) as store:
        print(json.dumps(probes[what](store, pairs)))


if __name__ == "__main__":
    main(*sys.argv[1:])
