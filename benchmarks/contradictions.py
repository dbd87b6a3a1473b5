"""How well rules tell memories that contradict each other from memories that look alike.

    python -m benchmarks.contradictions [-v] [FILE...]

`benchmarks/pairs/pairs.jsonl` has pairs that were labelled before the rules. With `-v` the pairs that are judged
wrongly are printed. For each FILE with a memory on each line, all its pairs that the rules mark are printed, and how
many of them there are, so that somebody can judge them.
"""

import json
import sys
from itertools import combinations
from pathlib import Path

from benchmarks.table import markdown
from memoir.english.claims.claims import claims, contradict

PAIRS = Path(__file__).parent / "pairs" / "pairs.jsonl"


def main() -> None:
    """Print the table, and what is marked in the files."""
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    verdicts = [(row, contradict(claims(row["one"]), claims(row["other"]))) for row in rows]
    for row, verdict in verdicts if "-v" in sys.argv else ():
        if verdict != row["contradicts"]:
            print(f"{'marked' if verdict else 'missed'} ({row['set']}, {row['kind']}): {row['one']} | {row['other']}")
    print(markdown(["set", "pairs", "contradict", "marked", "precision", "recall"], _lines(verdicts)))
    for name in (each for each in sys.argv[1:] if not each.startswith("-")):
        _mark(Path(name))


def _lines(verdicts: list[tuple[dict[str, str], bool]]) -> list[list[str]]:
    lines = []
    for name in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"):
        pairs = [(row["contradicts"], verdict) for row, verdict in verdicts if row["set"] == name]
        labels, marks = sum(bool(label) for label, _ in pairs), sum(verdict for _, verdict in pairs)
        right = sum(bool(label) and verdict for label, verdict in pairs)
        shares = (f"{right / marks:.2f}" if marks else "", f"{right / labels:.2f}")
        lines.append([name, str(len(pairs)), str(labels), str(marks), *shares])
    return lines


def _mark(file: Path) -> None:
    """Print the pairs of a file's memories that the rules mark; only those of one namespace are compared."""
    memories = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    known = [(memory.get("namespace"), memory.get("content") or memory["text"]) for memory in memories]
    made = [(space, text, claims(text)) for space, text in known]
    made = [each for each in made if each[2]]
    pairs = [
        (one, other)
        for (space, one, mine), (its, other, theirs) in combinations(made, 2)
        if space == its and one != other and contradict(mine, theirs)
    ]
    print(f"\n{file.name}: {len(memories):,} memories, {len(made):,} with claims, {len(pairs):,} pairs marked")
    for one, other in pairs:
        print(f"  {one[:140]!r} | {other[:140]!r}")


if __name__ == "__main__":
    main()
