"""Where the time of one `memoir get` goes: what is imported, by package, and what is then done.

    /tmp/bench/bin/python -m benchmarks.startup

Imports are timed by `python -X importtime`, the rest by cProfile; both slow down what they watch. So
the tables show proportions, and `benchmarks.figures` the real times.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import clock, table
from benchmarks.clock import Command
from benchmarks.systems import Store, System
from benchmarks.workload import changes, memories

_OURS = ("memoir", "typer", "orjson", "shellingham", "annotated_doc")
_HERE = Path(__file__).parent

Milliseconds = dict[str, float]


def imports(command: Command) -> Milliseconds:
    """What each package's modules took to import in one run, without what they import in turn."""
    argv = [command.argv[0], "-X", "importtime", *command.argv[1:]]
    trace = subprocess.run(argv, env=command.env, capture_output=True, text=True, check=True).stderr
    spent: Counter[str] = Counter()
    for line in trace.splitlines():
        fields = line.removeprefix("import time:").split("|")
        if len(fields) == 3 and fields[0].strip().isdigit():
            name = fields[2].strip().partition(".")[0]
            spent[name if name in _OURS else "the standard library"] += int(fields[0])
    return {name: microseconds / 1000 for name, microseconds in spent.items()}


def work(command: Command) -> Milliseconds:
    """What each package's functions took in one run, after memoir's command line was imported."""
    argv = [command.argv[0], "-I", str(_HERE / "profile_memoir.py"), *command.argv[2:]]
    answer: Milliseconds = json.loads(subprocess.run(argv, env=command.env, capture_output=True, check=True).stdout)
    return answer


def typical(measure: Callable[[], Milliseconds], rounds: int) -> list[tuple[str, float]]:
    """The median of several runs, the largest first."""
    runs: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        for name, spent in measure().items():
            runs[name].append(spent)
    return sorted(((name, statistics.median(spent)) for name, spent in runs.items()), key=lambda row: -row[1])


def floors(store: Store, rounds: int) -> list[tuple[str, float]]:
    """Whole processes that do less and less than a `get`, in times of `python -c pass`."""
    lean = "import gc; gc.disable(); import os"
    scripts = {
        "`python -c pass`": "pass",
        "the same, left by `os._exit`": f"{lean}; os._exit(0)",
        "`import typer`, left likewise": f"{lean}, typer; os._exit(0)",
        "`import typer` with memoir's deferral": (
            f"{lean}; from memoir.cli.deferral import defer; defer(); import typer; os._exit(0)"
        ),
    }
    commands = {what: _python(store, "-c", script) for what, script in scripts.items()}
    commands["`memoir get KEY`"] = _get(store)
    seconds = clock.in_turn({what: _always(command) for what, command in commands.items()}, rounds)
    unit = seconds["`python -c pass`"]
    return [(what, clock.ratio(own, unit)) for what, own in seconds.items()]


def _always(command: Command) -> Callable[[int], Command]:
    return lambda number: command


def _python(store: Store, *args: str) -> Command:
    return Command([str(store.system.python), *args], store.env)


def _get(store: Store) -> Command:
    return _python(store, str(store.system.command), "--json", "get", memories(1)[0].path)


def main() -> None:
    """Measure, and print three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memoir", type=Path, default=Path(sys.executable).with_name("memoir"))
    parser.add_argument("--rounds", type=int, default=30, metavar="N", help="(30)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memoir-bench-") as folder:
        store = System(options.memoir.absolute(), Path(folder)).store("store", memories(1000), changes(10))
        command = _get(store)
        _print("whole process", "× `python -c pass`", floors(store, options.rounds))
        _print("imported", "ms", typical(lambda: imports(command), options.rounds))
        _print("then done by", "ms", typical(lambda: work(command), options.rounds))


def _print(what: str, unit: str, rows: Sequence[tuple[str, float]]) -> None:
    print(table.markdown([what, unit], [[name, f"{value:.2f}"] for name, value in rows]) + "\n")


if __name__ == "__main__":
    main()
