"""What filing by rules adds to `remember`: whole commands with a path and without one, in turn.

    /tmp/bench/bin/python -m benchmarks.filing_cost [--sizes 1000 10000]

Both begin with the same store, whose index is up to date, and remember the same facts; the one with a path is given the
path that the rules find. Figures are of processor time, git's included: medians of each turn, beside `python -c pass`.
"""

import argparse
import json
import random
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import clock, table
from benchmarks.clock import Command
from benchmarks.filing_quality import FACTS
from benchmarks.recall_store import filled, seal
from benchmarks.recall_workload import memories
from benchmarks.systems import Store, System
from memoir import Repository
from memoir.filing.classifier import classify

PROVIDER = "static"
SEED = 20261122


def facts(rounds: int) -> list[str]:
    """Facts that the rules have a path for, in an order that is the same on every run."""
    texts = [json.loads(line)["text"] for line in FACTS.read_text().splitlines()]
    clear_texts = [text for text in texts if classify(text).paths]
    return random.Random(SEED).sample(clear_texts, rounds + 1)


def differences(folder: Path, memoir: Path, texts: Sequence[str]) -> dict[str, list[float]]:
    """The seconds of `remember` with a path and without one, and of a bare start of Python, in each round."""
    beside = folder.with_name(f"{folder.name}-filed")
    shutil.copytree(folder, beside)
    for place in (folder, beside):  # an index is known by its store's path, so a copy of it would not be opened
        with Repository.open(place) as repository:
            repository.upkeep.index()
    try:
        path, rules = _place_each(_store(memoir, folder), texts), _file_each(_store(memoir, beside), texts)
        start = Command([sys.executable, "-c", "pass"], {})
        commands = {"start": lambda number: start, "path": path, "rules": rules}
        return clock.in_turn(commands, len(texts) - 1, of_processor=True)
    finally:
        shutil.rmtree(beside)


def _store(memoir: Path, folder: Path) -> Store:
    return Store(System(memoir, folder), folder)


def _place_each(store: Store, texts: Sequence[str]) -> Callable[[int], Command]:
    paths = [classify(text).paths[0].path for text in texts]
    return lambda number: _seal(store.command("remember", texts[number], "-p", paths[number]))


def _file_each(store: Store, texts: Sequence[str]) -> Callable[[int], Command]:
    return lambda number: _seal(store.command("remember", texts[number]))


def _seal(command: Command) -> Command:
    return command._replace(env={**command.env, "MEMOIR_EMBED_PROVIDER": PROVIDER})


def main() -> None:
    """Measure every size, and print the table."""
    options = _parser().parse_args()
    seal(PROVIDER)
    texts = facts(options.rounds)
    rows = []
    for size in options.sizes:
        with filled(memories(size)) as folder:
            seconds = differences(folder, options.memoir.absolute(), texts)
        start, path, rules = seconds.values()
        gaps = [by_rules - by_path for by_rules, by_path in zip(rules, path, strict=True)]
        figures = (f"{clock.milliseconds(of):.0f} ms ({clock.ratio(of, start):.1f} ×)" for of in (path, rules, gaps))
        rows.append([f"{size:,} memories", *figures])
    print(table.markdown(["store", "with a path", "filed by rules", "filing adds"], rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(sys.executable).with_name("memoir")
    parser.add_argument("--memoir", type=Path, default=beside, help=f"the command to measure ({beside})")
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10_000], metavar="N")
    parser.add_argument("--rounds", type=int, default=60, metavar="N", help="of whole processes (60)")
    return parser


if __name__ == "__main__":
    main()
