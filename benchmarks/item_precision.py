"""How well rules find items: precision and recall on labelled sentences.

    python -m benchmarks.item_precision [-v]

`benchmarks/items/sentences.jsonl` has sentences of talk and of documentation with the kind of item that each is, or
null. They were written and labelled before the rules. With `-v` the sentences that are judged wrongly are printed.
"""

import json
import sys
from pathlib import Path

from benchmarks.table import markdown
from memoir.layers.reader import kind_of_item

SENTENCES = Path(__file__).parent / "items" / "sentences.jsonl"


def main() -> None:
    """Print the table."""
    rows = [json.loads(line) for line in SENTENCES.read_text("utf-8").splitlines()]
    verdicts = [(row, kind_of_item(row["text"], talk=row["from"] == "talk")) for row in rows]
    for row, kind in verdicts if "-v" in sys.argv else ():
        if bool(kind) != bool(row["kind"]):
            print(f"{kind or '-'} for {row['kind'] or '-'}: {row['text']}")
    print(markdown(["sentences", "count", "items", "taken", "precision", "recall", "right kind"], _lines(verdicts)))


def _lines(verdicts: list[tuple[dict[str, str], str | None]]) -> list[list[str]]:
    lines = []
    for origin in ("talk", "docs", "all"):
        pairs = [(row["kind"], kind) for row, kind in verdicts if origin in (row["from"], "all")]
        hits = [(label, kind) for label, kind in pairs if kind]
        right = [(label, kind) for label, kind in hits if label]
        items = sum(label is not None for label, _ in pairs)
        kinds = sum(label == kind for label, kind in right)
        shares = (len(right) / len(hits), len(right) / items, kinds / len(right))
        lines.append([origin, str(len(pairs)), str(items), str(len(hits)), *(f"{share:.2f}" for share in shares)])
    return lines


if __name__ == "__main__":
    main()
