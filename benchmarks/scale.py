"""What a store costs at sizes that people reach: many memories, many commits, many branches.

    /tmp/bench/bin/python -m benchmarks.scale [--memories 100000] [--whole 100000 1000000] [--commits 50000] ...

Each kind has a store for each of its sizes, made for the purpose in a temporary folder, and a table with a column for
each. A row is one whole command: the median of some rounds, after one that is not counted, which also builds what is
derived. A first recall, and completing the index, happen once. The table of the whole store counts processor time, so
that its columns and rows can be compared on a busy machine.
"""

import argparse
import os
import shutil
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import clock, table
from benchmarks.clock import Command, Cost
from benchmarks.recall_workload import memories as lines
from memoir import Memory, Repository
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.store.commit import ChangeList, Signature, encode

_OLD, _BUSY = "people.old", "events.busy"
_WHO = Signature("Benchmark", "bench@example.org", 0)
_FIRST = 1_600_000_000
"""The first commit's time; each other follows a minute later."""
_STATES = 50
"""States of the store that the commits go through."""

Rows = Mapping[str, Sequence[str]]
"""Command lines by what they are called; those that begin with '1' run once."""

MEMORIES: Rows = {
    "1 first recall": ("recall", "what did we say about it?", "--mode", "simple"),
    "1 index, to its end": ("index",),
    "recall": ("recall", "what did we say about it?", "--mode", "simple"),
    "get": ("get", _OLD),
    "summarize --depth 1": ("summarize", "--depth", "1"),
    "status": ("status",),
    "remember -p": ("remember", "one more", "-p", "project.notes.more", "--merge-policy", "append"),
}
COMMITS: Rows = {
    "get": ("get", _OLD),
    "status": ("status",),
    "log --since (future)": ("log", "--since", "2099-01-01"),
    "log -n NS, 20 entries": ("log", "-n", "rare", "-l", "20"),
    "blame of an old key, 20 entries": ("blame", _OLD, "-l", "20"),
    "blame of a busy key, 20 entries": ("blame", f"{_BUSY}_7", "-l", "20"),
}
BRANCHES: Rows = {"get": ("get", _OLD), "branch": ("branch",), "1 gc": ("gc",), "get after gc": ("get", _OLD)}


def fill_memories(folder: Path, size: int) -> None:
    """A store of a number of memories."""
    with Repository.init(folder) as repository:
        repository.import_lines(lines(size))
        repository.import_lines([b'{"path": "%s", "content": "an old one"}' % _OLD.encode()])


def fill_commits(folder: Path, size: int) -> None:
    """A store of many commits, each of one change: to and fro over the states that some real writes have left."""
    with Repository.init(folder) as repository:
        repository.import_lines([b'{"path": "%s", "content": "an old one"}' % _OLD.encode()])
        repository.import_lines([b'{"path": "a.b", "namespace": "rare", "content": "x"}'])
        store, roots = repository.store, [_root(repository)]
        keys = [f"{_BUSY}_{number}" for number in range(_STATES)]
        for key in keys:
            repository.remember(Memory.of("something happened"), key)
            roots.append(_root(repository))
        head = store.head().commit
        assert head
        pack, parent, place, step = PackWriter(store.git, store.hash), head.id, _STATES, -1
        for number in range(size - _STATES - 2):
            change = f"default={keys[min(place, place + step)]}".encode()
            lists = ((change,), ()) if step > 0 else ((), (change,))
            who = _WHO._replace(time=_FIRST + 60 * number)
            data = encode(roots[place + step], [parent], who, who, "to and fro", ChangeList(roots[place], *lists))
            parent, place = pack.add("commit", data), place + step
            step = -step if place in (0, _STATES) else step
        pack.flush()
        store.git.run("update-ref", "refs/heads/main", str(parent))
        pack.release()


def _root(repository: Repository) -> Oid:
    commit = repository.store.head().commit
    assert commit
    return commit.tree


def fill_branches(folder: Path, size: int) -> None:
    """A store of a number of branches at one commit."""
    with Repository.init(folder) as repository:
        repository.import_lines([b'{"path": "%s", "content": "an old one"}' % _OLD.encode()])
        head = repository.store.head().commit
        assert head
        orders = "".join(f"create refs/heads/agent-{number} {head.id}\n" for number in range(size - 1))
        repository.store.git.run("update-ref", "--stdin", stdin=orders.encode())


Fill = Callable[[Path, int], None]


def column(memoir: Path, fill: Fill, rows: Rows, size: int, rounds: int) -> Iterator[str]:
    """The figures of one store."""
    with TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home), "MEMOIR_EMBED_PROVIDER": "hash"}
        os.environ.update(env)
        print(f"… {fill.__name__} {size:,}", file=sys.stderr, flush=True)
        fill(Path(folder, "store"), size)
        for name, arguments in rows.items():
            command = Command([str(memoir), "-s", str(Path(folder, "store")), *arguments], env)
            once = name.startswith("1 ")
            seconds = [clock.measure(command).seconds for _ in range(1 if once else rounds + 1)]
            yield f"{statistics.median(seconds if once else seconds[1:]):.2f} s"


_LATER = (0, 3, 100)
"""How many commits of one memory each have followed the import when a store is cloned."""


def whole_column(memoir: Path, size: int) -> Iterator[tuple[str, Cost]]:
    """What the commands cost that go through the whole of a store, each with its name.

    What is cloned is plain git's mirror of the store, with one pack.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:  # a clone's index may still be built
        folder = Path(name)
        env = {**os.environ, "HOME": name, "XDG_CACHE_HOME": name, "MEMOIR_EMBED_PROVIDER": "hash"}
        store, git = str(folder / "store"), shutil.which("git") or "git"
        memoir_in = [str(memoir), "-s", store]
        print(f"… whole store {size:,}", file=sys.stderr, flush=True)
        Path(folder, "lines").write_bytes(b"\n".join(line.rstrip() for line in lines(size)))
        Path(store).mkdir()
        clock.measure(Command([str(memoir), "init", store], env))
        for row, arguments in (("import", ("import", str(folder / "lines"))), ("gc", ("gc",))):
            yield row, clock.measure(Command([*memoir_in, *arguments], env))
        written = 0
        for later in _LATER:
            for number in range(written, later):
                clock.measure(Command([*memoir_in, "remember", "one more", "-p", f"project.more{number}"], env))
            written = later
            url, clone = f"file://{folder}/hub{later}", str(folder / f"clone{later}")
            mirror = f"{folder}/hub{later}"
            clock.measure(Command([git, "clone", "--quiet", "--mirror", f"file://{store}/.memoir", mirror], env))
            clock.measure(Command([git, "-C", mirror, "repack", "-adq"], env))
            when = f", {later} commits later" if later else ""
            plain = [git, "clone", "--quiet", "--mirror", url, str(folder / f"plain{later}")]
            yield f"plain git's clone{when}", clock.measure(Command(plain, env))
            yield f"clone{when}", clock.measure(Command([str(memoir), "clone", url, clone], env))
            if not later:
                recall = [str(memoir), "-s", clone, *MEMORIES["recall"]]
                yield "first recall in the clone", clock.measure(Command(recall, env))


def whole_table(memoir: Path, sizes: Sequence[int]) -> str:
    """Processor seconds and peak memory at each size, and how often the last takes the first."""
    columns = [dict(whole_column(memoir, size)) for size in sizes]
    rows = []
    for name in columns[0]:
        costs = [column[name] for column in columns]
        cells = [f"{cost.processor:.1f} s, {cost.peak / 2**20:.0f} MB" for cost in costs]
        rows.append((name, *cells, f"{costs[-1].processor / costs[0].processor:.1f}"))
        if f"plain git's {name}" in columns[0]:
            plain = [column[f"plain git's {name}"] for column in columns]
            ratios = [f"{ours.processor / theirs.processor:.2f}" for ours, theirs in zip(costs, plain, strict=True)]
            rows.append((f"{name} ÷ plain git's", *ratios, ""))
    header = ["the whole store: processor, memory", *(f"{size:,}" for size in sizes), "last ÷ first"]
    return table.markdown(header, rows)


def main() -> None:
    """Measure every size of every kind, and print a table for each."""
    options = _parser().parse_args()
    if options.whole:
        print(whole_table(options.memoir, options.whole) + "\n")
    kinds: Sequence[tuple[str, Fill, Rows]] = (
        ("memories", fill_memories, MEMORIES),
        ("commits", fill_commits, COMMITS),
        ("branches", fill_branches, BRANCHES),
    )
    for kind, fill, rows in kinds:
        if sizes := getattr(options, kind):
            columns = [list(column(options.memoir, fill, rows, size, options.rounds)) for size in sizes]
            header = ["whole command", *(f"{size:,} {kind}" for size in sizes)]
            names = [name.removeprefix("1 ") for name in rows]
            print(table.markdown(header, list(zip(names, *columns, strict=True))) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(sys.executable).with_name("memoir")
    parser.add_argument("--memoir", type=Path, default=beside, help=f"the command to measure ({beside})")
    parser.add_argument("--memories", nargs="*", type=int, default=[10_000, 100_000, 1_000_000], metavar="N")
    parser.add_argument("--whole", nargs="*", type=int, default=[100_000, 1_000_000], metavar="N", help="of memories")
    parser.add_argument("--commits", nargs="*", type=int, default=[1000, 10_000, 50_000], metavar="N")
    parser.add_argument("--branches", nargs="*", type=int, default=[10, 1000, 10_000], metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of each command (5)")
    return parser


if __name__ == "__main__":
    main()
