"""One measurement of prollytree's `VersionedKvStore`, printed as JSON.

    python -I probe_prollytree.py Git|File|RocksDB FOLDER together|each|read|cost FILE

FILE holds keys and values, one JSON pair a line. `prollytree_stores.py` runs this.
"""

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

prollytree: Any = importlib.import_module("prollytree")

Pairs = list[tuple[bytes, bytes]]
Answer = dict[str, float]


def together(store: Any, pairs: Pairs) -> Answer:
    """Seconds for one commit of all pairs."""
    start = time.perf_counter()
    for key, value in pairs:
        store.insert(key, value)
    store.commit("put")
    return {"seconds": time.perf_counter() - start}


def each(store: Any, pairs: Pairs) -> Answer:
    """Seconds for one commit a pair."""
    start = time.perf_counter()
    for key, value in pairs:
        store.insert(key, value)
        store.commit("put")
    return {"seconds": time.perf_counter() - start}


def read(store: Any, pairs: Pairs) -> Answer:
    """How many keys each way of reading finds."""
    return {
        "get": sum(store.get(key) == value for key, value in pairs),
        "list": _count(store.list_keys),
        "at": _count(lambda: store.get_keys_at_ref("HEAD")),
    }


def _count(listing: Callable[[], list[Any]]) -> int:
    try:
        return len(listing())
    except ValueError:
        return 0


def cost(store: Any, pairs: Pairs) -> Answer:
    """Milliseconds for the first key, its history, and a diff of the last two commits."""
    newest, before = (entry["id"] for entry in store.log()[:2])
    return {
        "get": _milliseconds(lambda: store.get(pairs[0][0])),
        "diff": _milliseconds(lambda: store.diff(before, newest)),
        "history": _milliseconds(lambda: store.get_commits_for_key(pairs[0][0])),
    }


def _milliseconds(call: Callable[[], object]) -> float:
    """The best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def _store(folder: Path, backend: str) -> Any:
    """Open the store in a folder, or create it."""
    kind = getattr(prollytree.StorageBackend, backend)
    new = not folder.exists()
    if new:
        (folder / "data").mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    os.chdir(folder)  # prollytree looks for the repository from here
    make = prollytree.VersionedKvStore if new else prollytree.VersionedKvStore.open
    return make(str(folder / "data"), kind)


def main(backend: str, folder: str, what: str, file: str) -> None:
    """Measure one thing and print it."""
    pairs = [(key.encode(), value.encode()) for key, value in map(json.loads, Path(file).read_text().splitlines())]
    probes = {"together": together, "each": each, "read": read, "cost": cost}
    print(json.dumps(probes[what](_store(Path(folder), backend), pairs)))


if __name__ == "__main__":
    main(*sys.argv[1:])
