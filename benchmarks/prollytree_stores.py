"""memoir's store beside prollytree's own, in one table.

    /tmp/bench/bin/python -m benchmarks.prollytree_stores --peer-python /path/to/python

All store the same keys, with values of 140 bytes, below anything that knows what a memory is. Each
answer comes from a process of its own that has just opened the store; prollytree's run in another
environment. A store that cannot be opened holds nothing as far as its reader is concerned: 0.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import table
from benchmarks.disk import bytes_on_disk, megabytes
from benchmarks.figures import say
from benchmarks.workload import memories

VALUE_BYTES = 140
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Kind:
    """A kind of store: how its probe is started, where git's data lies in its folder, where it may work."""

    name: str
    probe: Sequence[str]
    git: str
    work: Path

    def store(self, name: str, count: int, how: str, further: int = 0) -> "Store":
        """A store of some keys, put `together` or `each`, and of further ones put each."""
        store = Store(self, self.work / name)
        store.ask(how, count)
        if further:
            store.ask("each", further, skip=count)
        return store


@dataclass(frozen=True)
class Store:
    """A store of a kind, in a folder."""

    kind: Kind
    folder: Path

    @property
    def git_dir(self) -> Path:
        """The directory that git calls its own."""
        return self.folder / self.kind.git

    def ask(self, what: str, count: int, skip: int = 0) -> dict[str, float]:
        """What the probe answers about some keys; nothing if the store cannot be opened."""
        pairs = _pairs(self.kind.work / f"{skip}-{count}.jsonl", count, skip)
        argv = [*self.kind.probe, str(self.folder), what, str(pairs)]
        done = subprocess.run(argv, capture_output=True, env=_env(self.kind.work))
        answer: dict[str, float] = json.loads(done.stdout) if done.returncode == 0 else {}
        return answer

    def size(self) -> str:
        """What the store takes on disk."""
        return megabytes(bytes_on_disk(self.folder))

    def collect_garbage(self) -> None:
        """What a careful user of git may do at any time."""
        _git("--git-dir", str(self.git_dir), "gc", "--quiet", "--prune=now", work=self.kind.work)

    def clone(self) -> "Store":
        """A clone of a repository that this one was pushed to."""
        hub, copy = self.folder.with_suffix(".hub"), Store(self.kind, self.folder.with_suffix(".copy"))
        work = self.kind.work
        _git("init", "--quiet", "--bare", "-b", "main", str(hub), work=work)
        _git("--git-dir", str(self.git_dir), "push", "--quiet", str(hub), "HEAD:refs/heads/main", work=work)
        bare = copy.git_dir.name != ".git"
        target = copy.git_dir if bare else copy.folder
        _git("clone", "--quiet", *(["--bare"] if bare else []), str(hub), str(target), work=work)
        return copy


def _pairs(file: Path, count: int, skip: int) -> Path:
    """A file of keys and values: `count` of them, from the given one on."""
    some = memories(skip + count)[skip:]
    file.write_text("\n".join(json.dumps([f"default={m.path}", _value(m.content)]) for m in some))
    return file


def _value(content: str) -> str:
    return f"{content}; {content}"[:VALUE_BYTES].ljust(VALUE_BYTES, ".")


def _env(work: Path) -> dict[str, str]:
    """A sealed environment: no settings of the user's."""
    identity = {"GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "bench@example.org"}
    identity |= {"GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "bench@example.org"}
    return {"PATH": os.environ["PATH"], "HOME": str(work), "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", **identity}


def _git(*args: str, work: Path) -> None:
    subprocess.run(["git", *args], check=True, capture_output=True, env=_env(work))


@dataclass(frozen=True)
class Sizes:
    """How many keys, and how many commits of one key each."""

    keys: int
    commits: int


Figures = Iterator[tuple[str, str]]
"""What was measured, and the figure."""


def listing(kind: Kind, sizes: Sizes) -> Figures:
    """How much of a store its readers see."""
    counts = kind.store("listing", sizes.keys, "together").ask("read", sizes.keys)
    of = f"of {sizes.keys:,}"
    yield f"keys found one by one (`get`), {of}", f"{counts['get']:,}"
    yield f"keys listed (`list_keys`, a scan), {of}", f"{counts['list']:,}"
    yield f"keys listed at a revision (`get_keys_at_ref`, `at`), {of}", f"{counts['at']:,}"


def small_commits(kind: Kind, sizes: Sizes) -> Figures:
    """What many small commits take, and what git's own housekeeping and transport leave of them."""
    store = Store(kind, kind.work / "commits")
    seconds = store.ask("each", sizes.commits)["seconds"]
    yield f"{sizes.commits:,} commits of one new key: seconds", f"{seconds:.1f}"
    yield "disk then", store.size()
    copy = store.clone()
    yield f"keys found in a clone of what `git push` sent, of {sizes.commits:,}", _readable(copy, sizes)
    store.collect_garbage()
    yield "disk after `git gc --prune=now`", store.size()
    yield f"keys found after it, of {sizes.commits:,}", _readable(store, sizes)


def _readable(store: Store, sizes: Sizes) -> str:
    counts = store.ask("read", sizes.commits)
    return f"{counts['get']:,}" if counts else "0 (cannot be opened)"


def growth(kind: Kind, sizes: Sizes) -> Figures:
    """What one key, a diff of one change and one key's history cost as the store grows fourfold."""
    gets, diffs, histories = [], [], []
    for part in (4, 1):
        keys, commits = sizes.keys // part, sizes.commits // part
        cost = kind.store(f"keys-{keys}", keys, "together", further=2).ask("cost", 1)
        gets.append(cost["get"])
        diffs.append(cost["diff"])
        histories.append(kind.store(f"commits-{commits}", commits, "each").ask("cost", 1)["history"])
    yield f"one `get` in an open store, {sizes.keys // 4:,} → {sizes.keys:,} keys, ms", _arrow(gets)
    yield f"diff of one change, {sizes.keys // 4:,} → {sizes.keys:,} keys, ms", _arrow(diffs)
    yield f"history of one key, {sizes.commits // 4:,} → {sizes.commits:,} commits, ms", _arrow(histories)


def _arrow(milliseconds: Sequence[float]) -> str:
    return " → ".join(f"{value:.2g}" if value < 10 else f"{value:,.0f}" for value in milliseconds)


MEASURES: Sequence[Callable[[Kind, Sizes], Figures]] = (listing, small_commits, growth)


def main() -> None:
    """Measure every kind, and print the table."""
    options = _parser().parse_args()
    columns: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="memoir-bench-") as folder:
        for kind in _kinds(options, Path(folder)):
            say(kind.name)
            sizes = Sizes(options.keys, options.commits)
            columns[kind.name] = dict(figure for measure in MEASURES for figure in measure(kind, sizes))
    rows = [[what, *(column[what] for column in columns.values())] for what in columns["memoir"]]
    print(table.markdown(["what", *columns], rows))


def _kinds(options: argparse.Namespace, folder: Path) -> Iterator[Kind]:
    probes = {
        f"prollytree, {backend}": [options.peer_python, "-I", _HERE / "probe_prollytree.py", backend]
        for backend in options.backends
    }
    probes["memoir"] = [sys.executable, "-I", _HERE / "probe_memoir.py"]
    for number, (name, probe) in enumerate(probes.items()):
        work = folder / str(number)
        work.mkdir()
        yield Kind(name, list(map(str, probe)), ".memoir" if name == "memoir" else ".git", work)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", required=True, help="an interpreter that can import prollytree")
    parser.add_argument("--backends", nargs="+", default=["Git", "File", "RocksDB"], help="of prollytree's")
    parser.add_argument("--keys", type=int, default=3000, metavar="N", help="in one commit (3,000)")
    parser.add_argument("--commits", type=int, default=1000, metavar="N", help="of one key each (1,000)")
    return parser


if __name__ == "__main__":
    main()
