"""Requests per second and latency of `memoir serve`: /api/get and /api/recall with 1, 8 and 32 clients, and four tabs.

    python -m benchmarks.http_api [MEMORIES] [SECONDS]

Each is measured without and with a writer, so that the two can be compared on a busy machine. The writer remembers one
memory after the other, and each is read back at once: nothing may be stale, and nothing lost.
"""

import http.client
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

from memoir.repository.repository import Repository

CLIENTS = (1, 8, 32)
_WORDS = [
    "deploy",
    "cache",
    "review",
    "branch",
    "worker",
    "schema",
    "token",
    "queue",
    "release",
    "latency",
    "budget",
    "parser",
    "index",
    "retry",
    "merge",
]


class Client:
    """A client with one connection that stays open."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {"Authorization": f"Bearer {token}"}

    def ask(self, path: str, fields: dict[str, Any] | None = None) -> Any:
        """Send one request, and return the JSON of its answer."""
        body = json.dumps(fields) if fields is not None else None
        headers = self._headers | ({"Content-Type": "application/json"} if body else {})
        self._connection.request("POST" if body else "GET", path, body, headers)
        answer = self._connection.getresponse()
        data = answer.read()
        assert answer.status == 200, data
        return json.loads(data)


def fill(folder: str, memories: int) -> list[str]:
    """Make a store, and return its paths."""
    chance = random.Random(1)
    paths = [f"project.{chance.choice(_WORDS)}.item{number}" for number in range(memories)]
    with Repository.init(folder) as repository:
        lines = ({"path": path, "content": " ".join(chance.choices(_WORDS, k=12))} for path in paths)
        repository.import_lines(json.dumps(line).encode() for line in lines)
        repository.upkeep.index()
    return paths


def measure(
    new: Callable[[], Client], paths: list[str], kind: str, clients: int, seconds: float, *, writes: bool
) -> dict[str, Any]:
    """Let clients ask for some seconds, and one more write if that is wanted."""
    over, taken = Event(), []
    written: list[str] = []

    def read(seed: int) -> None:
        client, chance = new(), random.Random(seed)
        while not over.is_set():
            query = quote(" ".join(chance.choices(_WORDS, k=3)))
            began = time.perf_counter()
            if kind == "get":
                assert client.ask(f"/api/get?keys={chance.choice(paths)}")["found_count"] == 1
            else:
                client.ask(f"/api/recall?query={query}&limit=5&mode=simple")
            taken.append(time.perf_counter() - began)

    def write() -> None:
        client = new()
        while not over.is_set():
            path = f"written.{kind}{clients}.item{len(written)}"
            client.ask("/api/remember", {"content": f"number {len(written)}", "keys": [path], "allow_secret": True})
            assert client.ask(f"/api/get?keys={path}")["found_count"] == 1, "stale"
            written.append(path)

    with ThreadPoolExecutor(clients + 1) as pool:
        jobs = [pool.submit(read, number) for number in range(clients)]
        jobs += [pool.submit(write)] if writes else []
        time.sleep(seconds)
        over.set()
        for job in jobs:
            job.result()
    taken.sort()
    found = new().ask(f"/api/get?keys=written.{kind}{clients}&prefix=true")["found_count"] if written else 0
    assert found == len(written), "lost"
    return {
        "rate": len(taken) / seconds,
        "median": taken[len(taken) // 2] * 1000,
        "p95": taken[int(len(taken) * 0.95)] * 1000,
        "writes": len(written) / seconds,
    }


def _tabs(new: Callable[[], Client], number: int, tabs: int) -> float:
    """The milliseconds of the slowest of some clients that ask different questions at once after a write."""
    new().ask("/api/remember", {"content": f"tab {tabs} {number}", "keys": [f"tabs.t{tabs}.n{number}"]})

    def ask(tab: int) -> float:
        client = new()
        began = time.perf_counter()
        client.ask(f"/api/recall?query={_WORDS[tab + number]}+{_WORDS[-tab - 1]}&limit=5&mode=simple")
        return (time.perf_counter() - began) * 1000

    with ThreadPoolExecutor(tabs) as pool:
        return max(pool.map(ask, range(tabs)))


def main(memories: int, seconds: float) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        paths = fill(folder, memories)
        argv = [sys.executable, "-m", "memoir", "serve", "--json", "-s", folder]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=Path(folder)) as server:
            assert server.stdout
            fields = json.loads(server.stdout.readline())

            def new() -> Client:
                return Client(fields["port"], fields["token"])

            new().ask("/api/recall?query=cache&mode=simple")
            print(f"{memories:,} memories\n")
            print("| request | clients | writer | a second | median ms | p95 ms | writes a second |")
            print("|---|---|---|---|---|---|---|")
            for kind in ("get", "recall"):
                for clients in CLIENTS:
                    for writes in (False, True):
                        row = measure(new, paths, kind, clients, seconds, writes=writes)
                        print(
                            f"| /api/{kind} | {clients} | {'yes' if writes else 'no'} | {row['rate']:.0f} "
                            f"| {row['median']:.1f} | {row['p95']:.1f} | {row['writes']:.1f} |",
                            flush=True,
                        )
            for number in range(3):
                one, four = _tabs(new, number, 1), _tabs(new, number, 4)
                print(
                    f"\nthe slowest of tabs that ask at once after a write: {one:.0f} ms of one, {four:.0f} ms of four"
                )
            server.terminate()


if __name__ == "__main__":
    given = [float(each) for each in sys.argv[1:]]
    main(int(given[0]) if given else 10_000, given[1] if len(given) > 1 else 5.0)
