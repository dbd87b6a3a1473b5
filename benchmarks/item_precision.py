"""How well rules find items: precision and recall on labelled sentences.

    python -m benchmarks.item_precision [-v]

`benchmarks/items/sentences.jsonl` has sentences of talk and of documentation with the kind of item that each is, or
null. They were written and labelled before the rules. With `-v` the sentences that are judged wrongly are printed.
"""

import json
import sys
from pathlib import Path

from benchmarks.table import markdown
from memoir.layers.durable import kind_of

SENTENCES = Path(__file__).parent / "items" / "sentences.jsonl"


def main() -> None:
    """Print the table."""
    rows = [json.loads(line) for line in SENTENCES.read_text("utf-8").splitlines()]
    verdicts = [(row, kind_of(row["text"], talk=row["from"] == "talk")) for row in rows]
    for row, found in verdicts if "-v" in sys.argv else ():
        if bool(found) != bool(row["kind"]):
            print(f"{found or '-'} for {row['kind'] or '-'}: {row['text']}")
    print(markdown(["sentences", "count", "items", "taken", "precision", "recall", "right kind"], _lines(verdicts)))


def _lines(verdicts: list[tuple[dict[str, str], str | None]]) -> list[list[str]]:
    lines = []
    for origin in ("talk", "docs", "all"):
        chosen = [(row["kind"], found) for row, found in verdicts if origin in (row["from"], "all")]
        taken = [(label, found) for label, found in chosen if found]
        right = [(label, found) for label, found in taken if label]
        items = sum(label is not None for label, _ in chosen)
        kinds = sum(label == found for label, found in right)
        shares = (len(right) / len(taken), len(right) / items, kinds / len(right))
        lines.append([origin, str(len(chosen)), str(items), str(len(taken)), *(f"{share:.2f}" for share in shares)])
    return lines


if __name__ == "__main__":
    main()
