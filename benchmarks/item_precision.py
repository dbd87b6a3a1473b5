"""How well rules find items: precision and recall on labelled sentences of talk, and on labelled documents.

    python -m benchmarks.item_precision [-v] [--embedder minilm]

`benchmarks/items` has both, and says how they were labelled. With `-v` what is judged wrongly is printed.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import command_store
from benchmarks.recall_store import seal
from benchmarks.table import markdown
from memoir.layers.reader import kind_of_item

ITEMS = Path(__file__).parent / "items"
SENTENCES, DOCUMENTS = ITEMS / "sentences.jsonl", ITEMS / "documents"
KEEP = "{+}"
"""Stands in a document behind each sentence that is a memory of the project."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", action="store_true", dest="verbose", help="print what is judged wrongly")
    parser.add_argument("--embedder", choices=("hash", "static", "onnx", "minilm"), default="static")
    options = parser.parse_args()
    rows = [json.loads(line) for line in SENTENCES.read_text("utf-8").splitlines()]
    verdicts = [(row, kind_of_item(row["text"], talk=True)) for row in rows]
    for row, kind in verdicts if options.verbose else ():
        if bool(kind) != bool(row["kind"]):
            print(f"{kind or '-'} for {row['kind'] or '-'}: {row['text']}")
    heads = ["sentences", "items", "taken", "precision", "recall", "right kind"]
    print(markdown(heads, [_line([(row["kind"], kind) for row, kind in verdicts])]))
    seal(options.embedder)
    print(markdown(["document", "to keep", "items", "right"], [*_of_documents(verbose=options.verbose)]))


def _line(pairs: Sequence[tuple[str | None, str | None]]) -> list[str]:
    hits = [(label, kind) for label, kind in pairs if kind]
    right = [(label, kind) for label, kind in hits if label]
    items = sum(label is not None for label, _ in pairs)
    kinds = sum(label == kind for label, kind in right)
    shares = (len(right) / len(hits), len(right) / items, kinds / len(right))
    return [str(len(pairs)), str(items), str(len(hits)), *(f"{share:.2f}" for share in shares)]


def _of_documents(*, verbose: bool) -> Iterator[list[str]]:
    totals = [0, 0, 0]
    for file in sorted(DOCUMENTS.iterdir()):
        marked = file.read_text("utf-8")
        items = _found(file.name, marked.replace(KEEP, ""))
        wrong = [item for item in items if not is_kept(item, marked)]
        for item in wrong if verbose else ():
            print(f"{file.name}: {item}")
        counts = [marked.count(KEEP), len(items), len(items) - len(wrong)]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        yield [file.name, *map(str, counts)]
    yield ["all", *map(str, totals)]


def _found(name: str, text: str) -> list[str]:
    """The items that `ingest` finds in a document."""
    with TemporaryDirectory(prefix="memoir-bench-") as folder:
        command_store.create(Path(folder))
        (Path(folder) / name).write_text(text, "utf-8")
        answer = json.loads(command_store.memoir(Path(folder), "ingest", name, "--dry-run", "--json"))
        return [item["content"] for source in answer["sources"] for item in source["items"]]


def is_kept(item: str, marked: str) -> bool:
    """Whether a sentence of a document is marked as one to keep."""
    return item + KEEP in " ".join(marked.split())


if __name__ == "__main__":
    main()
