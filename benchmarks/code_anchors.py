"""What memories about code cost: checking the anchors of five hits, and `about FILE` in a large store.

    /tmp/bench/bin/python -m benchmarks.code_anchors              # 100,000 memories; --memories N

The store has the embedder `static`. Each memory is about five lines of one of 2,000 files, and no state is remembered
from one round to the next. What is printed is the processor's time, that of child processes included: the median of
several rounds after a first one.
"""

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from memoir.anchors.mark import mark
from memoir.anchors.tie import tie
from memoir.anchors.working_tree import WorkingTree, working_tree
from memoir.repository.repository import Repository

_FILES, _LINES, _HITS = 2_000, 200, 5


def lines(folder: Path, memories: int) -> Iterator[bytes]:
    """The memories as lines of an import, each about five lines of a file; writes the files."""
    for number in range(_FILES):
        file = folder / "src" / f"d{number % 40}" / f"m{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"value_{number}_{each} = {each}\n" for each in range(_LINES)))
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    with Repository.init(folder) as repository, _tree(repository) as tree:
        names = [f"src/d{number % 40}/m{number}.py:{number % 190 + 1}-{number % 190 + 5}" for number in range(_FILES)]
        anchors = [tie(tree, [str(folder / name)], "")[0].as_dict() for name in names]
    for number in range(memories):
        fields = {"path": f"code.p{number % 300}.m{number}", "content": f"Fact {number} of a module."}
        yield orjson.dumps({**fields, "metadata": {"about": [anchors[number % _FILES]]}})


def _tree(repository: Repository) -> WorkingTree:
    tree = working_tree(repository.store)
    assert tree
    return tree


def median(work: Callable[[], object], rounds: int) -> float:
    """The milliseconds of the processor that a piece of work takes, here and in the processes that it starts."""
    spent = []
    for _ in range(rounds + 1):
        before = _processor()
        work()
        spent.append((_processor() - before) * 1000)
    return statistics.median(spent[1:])


def _processor() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def main() -> None:
    """Build the store, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    os.environ["MEMOIR_EMBED_PROVIDER"] = "static"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        news = list(lines(folder, options.memories))
        os.chdir(folder)
        with Repository.open(folder) as repository:
            repository.import_lines(news)
            repository.upkeep.index()
            keys = [f"code.p{number % 300}.m{number}" for number in range(0, 50, 10)][:_HITS]
            hits = [memory for item in repository.get_many(keys) for memory in item.record or ()]
            print(
                f"check {len(hits)} hits        {median(lambda: mark(repository.store, hits), options.rounds):7.1f} ms"
            )
            found = len(repository.code.about("src/d1/m1.py"))
            spent = median(lambda: repository.code.about("src/d1/m1.py"), options.rounds)
            print(f"about FILE ({found} of {options.memories:,})  {spent:7.1f} ms")


if __name__ == "__main__":
    main()
