"""What consolidating costs, and how many of an exact scan's candidates it finds.

    /tmp/bench/bin/python -m benchmarks.consolidate DATASET_DIR [--size 100000] [--exact 10000]

DATASET_DIR holds `memories.jsonl`. Its texts are varied: a word left out, doubled or exchanged for a word of another
text, a clause of another text joined; so that some are much alike, a few say the same, and most have nothing in common.
No store is made: what is measured is the scan, with the embedder `hash`. The exact scan compares each with each.
"""

import argparse
import json
import resource
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import apsw
import sqlite_vec  # type: ignore[import-untyped]

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import table
from memoir.embedders.embedder import Vector
from memoir.embedders.hashing import HashEmbedder
from memoir.filing.consolidate import near_duplicates
from memoir.filing.likeness import similar_pairs
from memoir.filing.similar import THRESHOLD
from memoir.index.vectors import unit
from memoir.memory.active import Facet
from memoir.records.record import Memory
from memoir.taxonomy.paths import Address


def texts(folder: Path, size: int) -> Iterator[str]:
    """Texts as people write them, each near to none, one or a few others."""
    base_texts = [json.loads(line)["content"] for line in (folder / "memories.jsonl").open()]
    random = Random(7)
    while True:
        for text in base_texts:
            if not size:
                return
            size -= 1
            yield _vary(text, base_texts, random)


def _vary(text: str, others: Sequence[str], random: Random) -> str:
    words = text.split()
    for _ in range(random.choice((0, 1, 1, 2, 8, 8, 16, 16))):
        at = random.randrange(len(words))
        other = random.choice(others).split()
        what = random.random()
        if what < 0.3 and len(words) > 3:
            del words[at]
        elif what < 0.8:
            words[at] = random.choice(other)
        else:
            words[at:at] = other[: random.randrange(1, 8)]
    return " ".join(words)


def _embed(text: str) -> Vector:
    return unit(HashEmbedder().embed([text])[0])


def _vector(facet: Facet) -> Vector:
    return _embed(facet.memory.content)


def _facets(texts: Sequence[str]) -> list[Facet]:
    """Memories of those texts, each newer than the next."""
    return [Facet(Address("default", f"m{number:06}"), 0, Memory(text, 1.0, "")) for number, text in enumerate(texts)]


def _with_exact_candidates(facets: Sequence[Facet], threshold: float) -> set[Address]:
    """The memories that some newer one is like, by comparing each with each."""
    database = apsw.Connection(":memory:")
    database.enable_load_extension(True)
    database.load_extension(sqlite_vec.loadable_path())
    database.execute("CREATE TABLE vector(id INTEGER PRIMARY KEY, value BLOB)")
    vectors = [_embed(one.memory.content).tobytes() for one in facets]
    database.executemany("INSERT INTO vector VALUES(?, ?)", enumerate(vectors))
    sql = "SELECT 1 FROM vector WHERE id < ? AND vec_distance_cosine(value, ?) <= ? LIMIT 1"
    near = (database.execute(sql, (older, vector, 1 - threshold + 1e-6)).get for older, vector in enumerate(vectors))
    return {one.address for one, row in zip(facets, near, strict=True) if row}


def main() -> None:
    """Measure, and print a table."""
    from time import perf_counter, process_time

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--exact", type=int, default=10_000)
    options = parser.parse_args()
    facets = _facets(list(texts(options.folder, options.size)))
    wall, cpu = perf_counter(), process_time()
    same = near_duplicates(facets)
    between = process_time()
    candidates = similar_pairs(facets, _vector, THRESHOLD)
    rows = [
        ["memories", f"{len(facets):,}"],
        ["near-duplicates", f"{len(same):,} in {between - cpu:.1f} s of CPU"],
        ["candidates", f"{len(candidates):,} in {process_time() - between:.1f} s of CPU"],
        ["both, on the clock", f"{perf_counter() - wall:.1f} s"],
        ["peak", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"],
    ]
    if options.exact:
        few = _facets([one.memory.content for one in facets[: options.exact]])
        exact = _with_exact_candidates(few, THRESHOLD)
        quick = {pair.older.address for pair in similar_pairs(few, lambda one: _embed(one.memory.content), THRESHOLD)}
        what = f"found of the {len(exact):,} of an exact scan at {options.exact:,}"
        rows.append([what, f"{len(quick & exact) / len(exact):.1%}"])
    print(table.markdown(["what", "figure"], rows))


if __name__ == "__main__":
    main()
