"""memoir's figures beside memoir-ai's, in one table.

    /tmp/bench/bin/python -m benchmarks.figures --peer /path/to/memoir-ai/bin/memoir

The unit of the whole-process rows is `python -c pass`, with the interpreter that memoir runs on. A
ratio is the median of the ratios of each round, the times beside it are medians. What a system
cannot do, or was not asked to, is said in its column.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import clock, table
from benchmarks.clock import Command
from benchmarks.disk import megabytes
from benchmarks.systems import Peer, Store, System
from benchmarks.workload import changes, memories, save

DIFFERENT = 10
"""One-memory commits on top of every store that is read from, so that there is something to diff and blame."""

READS = {
    "get": ("get", memories(1)[0].path),
    "summarize --depth 1": ("summarize", "--depth", "1"),
    "blame": ("blame", memories(1)[0].path),
    f"diff of {DIFFERENT} changes": ("diff", f"HEAD~{DIFFERENT}", "HEAD"),
}


@dataclass(frozen=True)
class Bench:
    """What is measured, how often, and at which sizes."""

    memoir: System
    peer: System | None
    rounds: int
    small: int
    large: int
    commits: int
    writers: int
    writes: int
    stores: dict[tuple[str, int], Store] = field(default_factory=dict)

    @property
    def systems(self) -> list[System]:
        """memoir, and its peer if there is one."""
        return [self.memoir, *([self.peer] if self.peer else [])]

    def unit(self, number: int) -> Command:
        """`python -c pass`."""
        return Command([str(self.memoir.python), "-c", "pass"], self.store(self.memoir, self.small).env)

    def store(self, system: System, size: int) -> Store:
        """A store of some size with a few commits on top, made once."""
        if (system.name, size) not in self.stores:
            say(f"{system.name}: a store of {size:,} memories")
            self.stores[system.name, size] = system.store(f"of-{size}", memories(size), changes(DIFFERENT))
        return self.stores[system.name, size]

    def cells(self, measure: Callable[[System], str], *, otherwise: str = "not measured") -> list[str]:
        """The peer's cell and memoir's."""
        return [measure(self.peer) if self.peer else otherwise, measure(self.memoir)]


Row = Sequence[str]
"""What was measured, the peer's figure, memoir's, and the figure to reach."""


def whole_processes(bench: Bench) -> Iterator[Row]:
    """Reading commands from start to exit, against an interpreter that does nothing."""
    for what, args in READS.items():
        say(what)
        commands = {s.name: bench.store(s, bench.small).always(*args) for s in bench.systems}
        yield _against_unit(bench, f"`{what}`, whole process, {bench.small:,} memories", commands, "5 ×")


def one_remember(bench: Bench) -> Iterator[Row]:
    """A writing command from start to exit, against the same."""
    say("remember")
    new = memories(bench.rounds + 1, "remembered_")
    commands = {s.name: bench.store(s, bench.small).remember_commands(new) for s in bench.systems}
    yield _against_unit(bench, "one `remember -p`, whole process", commands, "7 ×")


def _against_unit(bench: Bench, what: str, commands: dict[str, Callable[[int], Command]], target: str) -> Row:
    seconds = clock.in_turn({"unit": bench.unit, **commands}, bench.rounds)

    def cell(system: System) -> str:
        own = seconds[system.name]
        return f"{clock.ratio(own, seconds['unit']):.2f} × ({clock.milliseconds(own):.0f} ms)"

    return [what, *bench.cells(cell), target]


def growth(bench: Bench) -> Iterator[Row]:
    """Reading commands on a large store, against the same on a small one."""
    small, large = (bench.store(bench.memoir, size) for size in (bench.small, bench.large))
    for what, args in READS.items():
        if what != "blame":
            say(f"{what} at {bench.large:,}")
            seconds = clock.in_turn({"small": small.always(*args), "large": large.always(*args)}, bench.rounds)
            own = f"{clock.ratio(seconds['large'], seconds['small']):.2f} ×"
            peer = "not possible, see below" if bench.peer else "not measured"
            yield [f"`{what}` at {bench.large:,} memories against {bench.small:,}", peer, own, "1.5 ×"]


def complete(bench: Bench) -> Iterator[Row]:
    """How many of a store's memories a survey counts."""
    size = 3 * bench.small

    def cell(system: System) -> str:
        store = bench.store(system, size)
        return f"{store.memories():,}"

    total = size + DIFFERENT // 2
    yield [f"memories that `summarize` counts, of {total:,}", *bench.cells(cell), f"{total:,}"]


def disk(bench: Bench) -> Iterator[Row]:
    """The blocks a store takes after many small commits, and after the system's own `gc`."""
    sizes: dict[str, list[int]] = {}
    for system in bench.systems:
        say(f"{system.name}: {bench.commits:,} commits")
        store = system.store("growing", memories(bench.small), memories(bench.commits, "grown_"))
        sizes[system.name] = [store.size()]
        store.collect_garbage()
        sizes[system.name].append(store.size())
    what = f"disk: {bench.commits:,} one-memory commits on {bench.small:,} memories"
    yield [f"{what}, as it goes", *bench.cells(lambda system: megabytes(sizes[system.name][0])), "3 MB"]
    yield ["the same after `memoir gc`", *bench.cells(lambda system: megabytes(sizes[system.name][1])), "1.2 MB"]


def import_once(bench: Bench) -> Iterator[Row]:
    """One import into an empty store."""
    say("import")
    store = bench.memoir.store("importing")
    cost = clock.measure(store.command("import", str(save(memories(bench.large), bench.memoir.home / "all.jsonl"))))
    own = f"{cost.seconds:.1f} s, peak {megabytes(cost.peak)}"
    yield [f"`import` of {bench.large:,} memories", "no such command", own, "10 s, bounded memory"]


def at_once(bench: Bench) -> Iterator[Row]:
    """Several writers on one store, each a row of processes."""

    def cell(system: System) -> str:
        say(f"{system.name}: {bench.writers} writers")
        store = system.store("shared")
        before = store.commits()
        with ThreadPoolExecutor(bench.writers) as pool:
            names = [f"writer_{number}_" for number in range(bench.writers)]
            failures = sum(pool.map(lambda name: _write(store, name, bench.writes), names))
        return f"{store.memories()} memories, {store.commits() - before} commits, {failures} failed"

    count = bench.writers * bench.writes
    what = f"{bench.writers} processes × {bench.writes} `remember` at once"
    yield [what, *bench.cells(cell), f"{count} memories, {count} commits"]


def _write(store: Store, branch: str, count: int) -> int:
    """Remember one memory after the other; how many commands failed."""
    command = store.remember_commands(memories(count, branch))
    return sum(clock.run(command(number)).status != 0 for number in range(count))


ROWS: Sequence[Callable[[Bench], Iterator[Row]]] = (
    whole_processes, one_remember, growth, complete, disk, import_once, at_once,
)  # fmt: skip


def say(what: str) -> None:
    """Tell on standard error what is going on."""
    print(f"… {what}", file=sys.stderr, flush=True)


def main() -> None:
    """Measure, and print the table."""
    options = _parser().parse_args()
    with tempfile.TemporaryDirectory(prefix="memoir-bench-") as folder:
        bench = _bench(options, Path(folder))
        rows = [row for measure in ROWS if measure.__name__ in options.rows for row in measure(bench)]
    print(table.markdown(["what", "memoir-ai", "memoir", "to reach"], rows))


def _bench(options: argparse.Namespace, folder: Path) -> Bench:
    homes = [folder / "memoir", folder / "peer"]
    for home in homes:
        home.mkdir()
    return Bench(
        System(options.memoir.absolute(), homes[0]),
        Peer(options.peer.absolute(), homes[1]) if options.peer else None,
        options.rounds, options.small, options.large, options.commits, options.writers, options.writes,
    )  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(sys.executable).with_name("memoir")
    parser.add_argument("--memoir", type=Path, default=beside, help=f"the command to measure ({beside})")
    parser.add_argument("--peer", type=Path, help="memoir-ai's command, to measure beside it")
    names = [measure.__name__ for measure in ROWS]
    parser.add_argument("--rows", nargs="+", choices=names, default=names, help="which to measure (all)")
    sizes = {"rounds": 60, "small": 1000, "large": 100_000, "commits": 1000, "writers": 8, "writes": 50}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"({default:,})")
    return parser


if __name__ == "__main__":
    main()
