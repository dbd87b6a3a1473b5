"""Many stores that write at once to one hub, over http with a delay.

    PYTHONPATH=tests .venv/bin/python -m benchmarks.hub [--clones 24] [--writes 3] [--delay 0.2] [--writers own]

The hub is plain git's http-backend behind Python's http.server, and a proxy makes each round trip take longer. Each
write is followed by a sync, with memoir as a library: so many interpreters would measure this machine. The table says
what arrived, how many tries a sync took and how long.
"""

import argparse
import os
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

from git_servers import HttpServer, SlowProxy

from benchmarks import table
from benchmarks.recall_workload import memories as lines
from memoir import Memory, Repository


def _work(url: str, clone: Path, options: argparse.Namespace) -> list[tuple[int, float]]:
    """Write and sync in a clone: the tries and seconds of each sync."""
    time.sleep(random.uniform(0, options.within))
    rows = []
    with Repository.open(clone) as repository:
        repository.remotes.set_url("origin", url)
        repository.config.set("memoir.remote.origin.writers", options.writers)
        for number in range(options.writes):
            repository.remember(Memory.of(f"{clone.name} wrote {number}"), f"fleet.{clone.name}.n{number}")
            begin = time.monotonic()
            tries = repository.remotes.sync().tries
            rows.append((tries, time.monotonic() - begin))
    return rows


def _processor_seconds() -> float:
    """Of this process and those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Run the trial and print its table."""
    options = _parser().parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"HOME": name, "MEMOIR_EMBED_PROVIDER": "hash"}
        with Repository.init(folder / "first") as first:
            first.import_lines(lines(options.memories))
        subprocess.run(["git", "clone", "-q", "--bare", folder / "first/.memoir", folder / "hub.git"], check=True)
        for key, value in (("http.receivepack", "true"), ("receive.autogc", "false")):
            subprocess.run(["git", "-C", folder / "hub.git", "config", key, value], check=True)
        clones = [folder / f"c{number}" for number in range(options.clones)]
        for clone in clones:
            Repository.clone(str(folder / "hub.git"), clone).close()
        before = _processor_seconds()
        with (
            HttpServer(folder) as server,
            SlowProxy(server.port, options.delay) as link,
            ThreadPoolExecutor(len(clones)) as pool,
        ):
            url = server.url("hub", link.port)
            rows = [row for some in pool.map(lambda clone: _work(url, clone, options), clones) for row in some]
        processor = (_processor_seconds() - before) / len(rows)
        with Repository.clone(str(folder / "hub.git"), folder / "whole") as whole:
            arrived = sum(address.path.startswith("fleet.") for address in whole.keys(()))
    tries, seconds = [row[0] for row in rows], sorted(row[1] for row in rows)
    p95 = seconds[int(0.95 * (len(seconds) - 1))]
    figures = [
        ("memories that arrived", f"{arrived:,} of {options.clones * options.writes:,}"),
        ("tries of a sync: median, mean, most", f"{median(tries):g}, {mean(tries):.1f}, {max(tries)}"),
        ("seconds of a sync: median, p95, most", f"{median(seconds):.1f}, {p95:.1f}, {seconds[-1]:.1f}"),
        ("processor seconds of a sync and a write, store and hub", f"{processor:.2f}"),
    ]
    print(table.markdown([f"{options.clones} clones, {options.writes} writes each, {options.writers}", ""], figures))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=int, default=24, metavar="N")
    parser.add_argument("--writes", type=int, default=3, metavar="N", help="of each clone")
    parser.add_argument("--memories", type=int, default=10_000, metavar="N", help="of the store at the beginning")
    parser.add_argument("--delay", type=float, default=0.2, metavar="S", help="seconds of a round trip")
    parser.add_argument("--within", type=float, default=0.0, metavar="S", help="seconds within which the clones start")
    parser.add_argument("--writers", default="own", choices=("shared", "own", "auto"))
    return parser


if __name__ == "__main__":
    main()
