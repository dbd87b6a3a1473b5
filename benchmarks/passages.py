"""What the passages of sources cost: the size of the index, the time to build it, and the time to recall from it.

    /tmp/bench/bin/python -m benchmarks.passages [--sizes 20000 100000] [--tables]

The sources are made-up chats with an assistant: short turns of a user, long answers. 100,000 passages have
about 46 MB of text. They are written without items, and the index is built with the embedder `static`. `--tables` says
which tables of the index have the bytes.
"""

import argparse
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import apsw

from benchmarks import table
from benchmarks.disk import megabytes
from benchmarks.recall_store import seal
from benchmarks.recall_workload import NAMESPACE, questions, sentence
from memoir import IntelligentSearchEngine, Repository
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.layers.ingest import ingest
from memoir.memory.passages import passages
from memoir.records.record import Memory
from memoir.sources.reading import SourceText, read_source

_TURNS = 60
"""The turns of a chat, half of them the user's."""
_LIMIT = 40
_QUESTIONS = 20


def chats() -> Iterator[SourceText]:
    """Chats without end."""
    dice = random.Random(20261123)
    for number in count():
        text = "\n".join(_turn(dice, turn) for turn in range(_TURNS))
        yield read_source(f"chat_{number:05}.txt", text)


def _turn(dice: random.Random, number: int) -> str:
    if number % 2 == 0:
        return f"user: {_paragraph(dice, dice.randint(40, 90))}"
    return "assistant: " + "\n\n".join(_paragraph(dice, dice.randint(60, 95)) for _ in range(dice.randint(2, 4)))


def _paragraph(dice: random.Random, words: int) -> str:
    text = sentence(dice, words).split()
    return " ".join(" ".join(text[at : at + 12]).capitalize() + "." for at in range(0, words, 12))


def fill(repository: Repository, most: int) -> tuple[int, int]:
    """Ingest chats until they have enough passages; how many these are, and their characters."""
    number = characters = 0
    for source in chats():
        ingest(repository.store, source, NAMESPACE)
        for part in source.parts:
            its = passages((Memory.of(part.text, metadata={"speakers": ["user", "assistant"]}),))
            number += len(its)
            characters += sum(len(each.text) for each in its)
        if number >= most:
            return number, characters
    raise AssertionError


def figures(most: int, *, tables: bool) -> Iterator[tuple[str, str]]:
    """What was measured of a number of passages, and the figure."""
    with TemporaryDirectory(prefix="memoir-passages-") as folder, Repository.init(folder) as repository:
        number, characters = fill(repository, most)
        file = index_file(repository.path)
        yield "passages", f"{number:,}"
        yield "text", megabytes(characters)
        yield "index, built", f"{build(repository):.1f} s"
        yield "index, size", megabytes(file.stat().st_size)
        yield "index, bytes a character of text", f"{file.stat().st_size / characters:.2f}"
        yield f"a recall of {_LIMIT}, median", f"{1000 * statistics.median(recalls(repository)):.0f} ms"
        if tables:
            print(bytes_by_table(file), file=sys.stderr)


def build(repository: Repository) -> float:
    """The seconds from no index to a whole one."""
    embedder = IntelligentSearchEngine(repository).index().embedder
    start = perf_counter()
    with closing(Index(repository.store, embedder, wait=True)) as index:
        index.read(repository.store.head(), lambda view: None)
    return perf_counter() - start


def recalls(repository: Repository) -> Sequence[float]:
    """The seconds of each of some questions, asked one after another of a warm index."""
    engine = IntelligentSearchEngine(repository)
    with closing(engine):
        engine.search("warm", NAMESPACE, _LIMIT)
        return [_seconds(engine, question) for question in questions(_QUESTIONS)]


def _seconds(engine: IntelligentSearchEngine, question: str) -> float:
    start = perf_counter()
    results = engine.search(question, NAMESPACE, _LIMIT)
    assert results and not results.answer.degraded
    return perf_counter() - start


def bytes_by_table(file: Path) -> str:
    """The tables of an index with the most bytes."""
    sql = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 12"
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as database:
        return table.markdown(["table", "size"], [[name, megabytes(size)] for name, size in database.execute(sql)])


def main() -> None:
    """Print a table with a column for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 100_000])
    parser.add_argument("--tables", action="store_true", help="say which tables have the bytes")
    options = parser.parse_args()
    seal("static")
    columns = [dict(figures(size, tables=options.tables)) for size in options.sizes]
    print(
        table.markdown(
            ["", *(f"{size:,}" for size in options.sizes)], [[k, *(c[k] for c in columns)] for k in columns[0]]
        )
    )


if __name__ == "__main__":
    main()
