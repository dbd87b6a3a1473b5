"""Many clones of one bare repository that write, and sync after every write.

    /tmp/bench/bin/python -m benchmarks.fleet [--clones 24] [--writes 4] [--at-once 8]

Every write and every sync is a whole command. The table says what arrived, how many merge commits that made, and how
often a sync had to begin again because another clone had pushed.
"""

import argparse
import json
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import table


def main() -> None:
    """Run the trial and print its table."""
    options = _parser().parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        hub = str(folder / "hub.git")
        first = str(folder / "first")
        _run(options.memoir, first, "init")
        _run(options.memoir, first, "remember", "the beginning", "-p", "fleet.beginning")
        subprocess.run(["git", "clone", "-q", "--bare", f"{first}/.memoir", hub], check=True)
        with ThreadPoolExecutor(options.at_once) as pool:
            clones = [str(folder / f"clone{number}") for number in range(options.clones)]
            tries = [each for some in pool.map(lambda c: _work(options, hub, c), clones) for each in some]
        _run(options.memoir, folder, "clone", hub, "whole")
        arrivals = json.loads(_run(options.memoir, folder / "whole", "status", "--json"))["memory_count"] - 1
        merges = subprocess.run(
            ["git", "-C", hub, "rev-list", "--merges", "--count", "main"], check=True, capture_output=True, text=True
        ).stdout.strip()
    rows = [
        ("memories that arrived", f"{arrivals:,} of {options.clones * options.writes:,}"),
        ("merge commits", merges),
        ("tries of a sync, median and most", f"{statistics.median(tries):g}, {max(tries)}"),
    ]
    print(
        table.markdown([f"{options.clones} clones, {options.writes} writes each, {options.at_once} at once", ""], rows)
    )


def _work(options: argparse.Namespace, hub: str, clone: str) -> list[int]:
    """Write and sync in a clone; how many tries each sync took."""
    _run(options.memoir, Path(clone).parent, "clone", hub, clone)
    tries = []
    for number in range(options.writes):
        text = f"{Path(clone).name} wrote {number}"
        _run(options.memoir, clone, "remember", text, "-p", f"fleet.{Path(clone).name}.n{number}")
        tries.append(json.loads(_run(options.memoir, clone, "sync", "--json"))["tries"])
    return tries


def _run(memoir: Path, folder: Path | str, *arguments: str) -> str:
    """Run one command in a folder, which must succeed."""
    Path(folder).mkdir(exist_ok=True)
    done = subprocess.run([str(memoir), *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"memoir {' '.join(arguments)} failed: {done.stderr}")
    return done.stdout


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(sys.executable).with_name("memoir")
    parser.add_argument("--memoir", type=Path, default=beside, help=f"the command to measure ({beside})")
    parser.add_argument("--clones", type=int, default=24, metavar="N")
    parser.add_argument("--writes", type=int, default=4, metavar="N", help="of each clone")
    parser.add_argument("--at-once", type=int, default=8, metavar="N", help="clones that work at the same time")
    return parser


if __name__ == "__main__":
    main()
