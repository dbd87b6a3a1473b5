"""What the credential scan finds of the labelled set, what it refuses by mistake, and what it costs.

    python -m benchmarks.credential_scan

Samples are made of `tests/memory/credentials/shapes.txt` with several seeds; `ordinary.txt` beside it holds none.
Times are of the processor, the least of three: a memory of 100 characters, and texts of a megabyte.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from credential_samples import ordinary, samples  # noqa: E402

from benchmarks import table  # noqa: E402
from benchmarks.workload import memories  # noqa: E402
from memoir.records.record import Memory  # noqa: E402
from memoir.secrets.secrets import check_memory, find  # noqa: E402

SEEDS = (11, 12, 13)
MEGABYTE = 1_000_000
REPEATED_TEXTS = (
    "the team prefers short functions over long ones. ",
    "eyJ",
    "AccountKey=",
    "api_key=",
    "password=",
    "api_key: ",
    "token=a ",
    "pwd=",
    "<p>",
    "<p x>",
    ". ",
    "mysql -p",
    "mongodb://",
    "https://user:pass@host/",
    "next_token=page2cursorabcdef0123456789 ",
    "a\u200b",
)


def rates() -> list[list[str]]:
    """Rows: how many samples are refused in each context, and how many ordinary sentences."""
    totals, refusals = Counter[str](), Counter[str]()
    for seed in SEEDS:
        for sample in samples(seed):
            for name in (sample.context, "all"):
                totals[name] += 1
                refusals[name] += bool(find(sample.text))
    rows = [[f"credentials, {name}", str(totals[name]), f"{refusals[name] / totals[name]:.1%}"] for name in totals]
    wrong = sum(bool(find(text)) for text in ordinary())
    return [*rows, ["ordinary sentences", str(len(ordinary())), f"{wrong / len(ordinary()):.1%}"]]


def costs() -> list[list[str]]:
    """Rows: what a scan takes."""
    new = [Memory.of(memory.content) for memory in memories(1000)]
    rows = [["a memory of 100 characters", f"{least(lambda: _check_all(new)) * 1000:.0f} µs"]]
    for part in REPEATED_TEXTS:
        scan = partial(find, part * (MEGABYTE // len(part)))
        rows.append([f"1 MB of {part!r}", f"{least(scan) * 1000:.0f} ms"])
    return rows


def _check_all(new: Sequence[Memory]) -> None:
    for memory in new:
        check_memory(memory)


def least(work: Callable[[], object]) -> float:
    """The processor time of some work in seconds, the least of three."""
    seconds = []
    for _ in range(3):
        start = process_time()
        work()
        seconds.append(process_time() - start)
    return min(seconds)


def main() -> None:
    """Print both tables."""
    print(table.markdown(["texts", "number", "refused"], rates()), "\n")
    print(table.markdown(["scanned", "processor time"], costs()))


if __name__ == "__main__":
    main()
