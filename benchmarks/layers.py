"""How long it takes to find what belongs together: all at once, and after one more memory.

    /tmp/bench/bin/python -m benchmarks.layers [--sizes 1000 10000 100000]

The index is complete before; what is timed is what comes on top. "after one more" is the median of some rounds, each of
which remembers a memory, brings the words of the index up to date, and then times the rest. Times are processor time of
this process, so that a busy machine counts like a quiet one; what git takes to write the insights is not in them.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import table
from benchmarks.disk import megabytes
from benchmarks.recall_workload import memories
from memoir import Memory, Repository
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.layers.insight_nodes import InsightNode
from memoir.layers.insights import Build, Estimator, InsightText, Texts, build

ROUNDS = 7
_NUMBERS = count()


def names(repository: Repository) -> Iterator[tuple[str, str]]:
    """The figures of words and names, without vectors."""
    yield "words and names, built at once", f"{seconds(lambda: ready(repository)):.1f} s"
    yield "words and names, size of the index", megabytes(index_file(repository.path).stat().st_size)
    yield (
        "words and names, after one more memory",
        after_one_more(repository, lambda: ready(repository), lambda _: None),
    )


def threads(repository: Repository) -> Iterator[tuple[str, str]]:
    """The figures of threads."""
    before = index_file(repository.path).stat().st_size
    yield "threads, built at once", f"{seconds(lambda: repository.layers.threads(every=True)):.1f} s"
    yield "threads, size in the index", megabytes(index_file(repository.path).stat().st_size - before)
    yield "threads, after one more memory", after_one_more(repository, lambda: group(repository))
    yield "threads, listed", f"{1000 * seconds(lambda: repository.layers.threads(every=True)):.0f} ms"


def insights(repository: Repository) -> Iterator[tuple[str, str]]:
    """The figures of insights, without the time of a model; the threads are complete before."""
    group(repository)
    builds: list[Build] = []
    took = seconds(lambda: builds.append(build_insights(repository)))
    yield "insights", f"{len(builds[0].changes):,}"
    yield "insights, built at once", f"{took:.1f} s"
    yield "insights, after one more memory", after_one_more(repository, lambda: build_insights(repository), group)


class _Terms(Estimator):
    """Takes the place of a model: it says at once which words the sources share."""

    def write(self, node: InsightNode, texts: Texts) -> InsightText:
        """See `memoir.layers.insights.Writer`."""
        return InsightText(", ".join(node.terms) or node.address.path, "nobody", node.sources)


def build_insights(repository: Repository) -> Build:
    """Bring the insights up to date."""
    with closing(Index(repository.store, wait=True, threads=True)) as index:
        return build(repository.store, index, "default", _Terms())


def ready(repository: Repository) -> None:
    """Complete the words of the index."""
    with closing(Index(repository.store, wait=True)) as index:
        index.read(repository.store.at(None), lambda view: None)


def group(repository: Repository) -> None:
    """Complete the threads of the index."""
    with closing(Index(repository.store, wait=True, threads=True)) as index:
        index.read(repository.store.at(None), lambda view: None)


def after_one_more(
    repository: Repository, work: Callable[[], object], before: Callable[[Repository], None] | None = None
) -> str:
    """What some work takes after each of a few new memories and what is done `before`, in milliseconds."""
    took = []
    for _ in range(ROUNDS):
        number = next(_NUMBERS)
        repository.remember(Memory.of(f"change {number} of lopabi is late"), f"project.late.change_{number}")
        (before or ready)(repository)
        took.append(seconds(work))
    return f"{1000 * statistics.median(took):.1f} ms"


def seconds(work: Callable[[], object]) -> float:
    """The processor time of one call."""
    start = process_time()
    work()
    return process_time() - start


def figures(size: int) -> dict[str, str]:
    """All figures of a store of a given size."""
    with TemporaryDirectory() as folder, Repository.init(folder) as repository:
        repository.import_lines(memories(size))
        return dict([*names(repository), *threads(repository), *insights(repository)])


def main() -> None:
    """Print a table with a column for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    sizes: Sequence[int] = parser.parse_args().sizes
    columns = [figures(size) for size in sizes]
    rows = [[name, *(each[name] for each in columns)] for name in columns[0]]
    print(table.markdown(["", *(f"{size:,} memories" for size in sizes)], rows))


if __name__ == "__main__":
    main()
