"""What it costs to ingest sources: at first, again, and after one more turn.

    /tmp/bench/bin/python -m benchmarks.ingest [--segments 10000] [FILE...]

Without files it ingests a conversation that is made for the purpose, with a pause after every sixth turn; one turn in
each of its segments states something (`benchmarks/items/sentences.jsonl`). A row is one source, in a store of its own;
times are of the processor, git's aside.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeVar

from benchmarks import table
from benchmarks.disk import megabytes
from benchmarks.recall_workload import sentence
from memoir import Repository
from memoir.layers.intake import IngestReport
from memoir.layers.item_options import ItemOptions

_SENTENCES = Path(__file__).parent / "items" / "sentences.jsonl"
_TURNS = 6
_BEGAN = datetime(2025, 1, 1, 9)
T = TypeVar("T")


def talk(segments: int) -> Iterator[str]:
    """A conversation of a number of segments, as JSON lines."""
    dice = random.Random(segments)
    sentences = [json.loads(line)["text"] for line in _SENTENCES.read_text("utf-8").splitlines()]
    for number in range(segments * _TURNS):
        text = sentence(dice, dice.randint(12, 30)).capitalize() + "."
        if number % _TURNS == 2:
            text = f"{dice.choice(sentences)[:-1]}, as {sentence(dice, 2)}."
        when = _BEGAN + timedelta(minutes=number + 60 * (number // _TURNS))
        yield json.dumps({"speaker": ("Ada", "Ben")[number % 2], "content": text, "timestamp": when.isoformat()})


def row(name: str, text: str) -> list[str]:
    """Ingest a text in several ways; the cells of its line."""
    with TemporaryDirectory(prefix="memoir-ingest-") as folder, Repository.init(folder) as repository:

        def take(text: str, reader: str = "rules") -> tuple[IngestReport, float]:
            return measure(lambda: repository.sources.ingest_text(text, name="source", items=ItemOptions(reader)))

        _, bare = take(text, "none")
        first, whole = take(text)
        again, idle = take(text)
        more, growth = take(text + '\n{"speaker": "Ben", "content": "Our API returns dates in UTC."}\n')
        assert again.sources[0].commit is None and more.sources[0].segments.unchanged
        size = sum(file.stat().st_size for file in Path(folder, ".memoir", "objects").rglob("*") if file.is_file())
        done = first.sources[0]
        counts = [f"{len(text):,}", f"{done.segments.total:,}", f"{len(done.items):,}"]
        times = [f"{bare:.1f} s", f"{bare + whole:.1f} s", f"{idle:.2f} s", f"{growth:.2f} s"]
        return [name, *counts, *times, megabytes(size)]


def measure(work: Callable[[], T]) -> tuple[T, float]:
    """What some work returns, and the seconds of processor time that it took, git's aside."""
    start = process_time()
    return work(), process_time() - start


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--segments", type=int, default=10_000)
    options = parser.parse_args(arguments)
    texts = [(file.name, file.read_text("utf-8")) for file in options.files]
    rows = [row(name, text) for name, text in texts or [("made", "\n".join(talk(options.segments)))]]
    header = ["source", "characters", "segments", "items", "segments alone", "with items", "again", "one more", "disk"]
    print(table.markdown(header, rows))


if __name__ == "__main__":
    main(sys.argv[1:])
