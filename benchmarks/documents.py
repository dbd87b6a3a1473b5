"""Whether recall finds the passage of a long document that answers a question, beside plain BM25 over paragraphs.

    /tmp/bench/bin/python -m benchmarks.documents [--manuals DIR] [--embedder onnx] [--dump FILE]

The questions are in `benchmarks/manuals`, whose README says where the manuals are from; without DIR only those about
this project's documents are asked. A body of documents is ingested as files into a store of its own, and asked with
`recall --batch - --json --limit 40`. A question is answered if its line stands in what is printed within 2,000 tokens
(counted as in `benchmarks.evidence`), or within the first 10 hits.
"""

import argparse
import hashlib
import json
import re
import shutil
import sqlite3
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import command_store, table
from benchmarks.evidence_score import PIECE, SENTENCE, within
from benchmarks.recall_store import seal

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "benchmarks" / "manuals" / "questions.jsonl"
BUDGET, HITS = 2000, 10
_MARKUP = re.compile(r"[`*|]")


class Question(NamedTuple):
    """A question, the body and the document that answer it, and the line or phrase that does."""

    body: str
    document: str
    text: str
    evidence: str


Answers = Callable[[Mapping[str, Path], Sequence[str]], list[list[str]]]
"""What is printed for each question, of the files of a body by their names."""


def plain(text: str) -> str:
    """A text without marks of code, emphasis and tables, with single spaces."""
    return " ".join(_MARKUP.sub(" ", text).split())


def bodies(manuals: Path | None) -> Mapping[str, Mapping[str, Path]]:
    """The files of each body of documents, by the names that questions call them."""
    own = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = {"memoir": {str(file.relative_to(ROOT)): file for file in own}}
    for folder in sorted(manuals.iterdir()) if manuals else ():
        files = sorted([*folder.glob("*.md"), *folder.glob("*.rst")])
        if files:
            found[folder.name] = {f"{folder.name}/{file.name}": file for file in files}
    return found


def questions(body: str, files: Mapping[str, Path]) -> Iterator[Question]:
    """The questions about a body; one without its passage is named and left out."""
    for line in map(json.loads, QUESTIONS.read_text("utf-8").splitlines()):
        if line["document"] in files:
            if evidence := located(line, files[line["document"]].read_text("utf-8")):
                yield Question(body, line["document"], line["question"], evidence)
            else:
                print(f"left out, its passage is gone: {line['document']}: {line['question']}", file=sys.stderr)


def located(line: Mapping[str, Any], text: str) -> str | None:
    """The evidence of a question: its phrase, or the line or sentence that has its digest."""
    if phrase := line.get("evidence"):
        return plain(phrase) if plain(text).count(plain(phrase)) == 1 else None
    parts = (part for row in text.splitlines() for part in (row, *SENTENCE.split(row.strip())))
    return next((one for one in map(plain, parts) if _digest(one) == line["digest"]), None)


def answered(question: Question, printed: Sequence[str]) -> bool:
    """Whether the evidence, or a long sentence of it, stands in a hit."""
    sentences = [part for part in SENTENCE.split(question.evidence) if len(part) >= PIECE]
    return any(part in plain(hit) for hit in printed for part in (question.evidence, *sentences))


def recalled(files: Mapping[str, Path], asked: Sequence[str]) -> list[list[str]]:
    """The hits of recall."""
    with TemporaryDirectory(prefix="memoir-bench-") as name:
        folder = Path(name)
        command_store.create(folder)
        for document, file in files.items():
            copy = folder / "documents" / document
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        command_store.memoir(folder, "ingest", str(folder / "documents"))
        command_store.complete(folder)
        return [command_store.contents(answer) for answer in command_store.ask(folder, asked)]


def by_paragraph(files: Mapping[str, Path], asked: Sequence[str]) -> list[list[str]]:
    """The best paragraphs by BM25, any word of the question counting."""
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE paragraphs USING fts5(text, tokenize='porter unicode61')")
    texts = (part for file in files.values() for part in re.split(r"\n\s*\n", file.read_text("utf-8")) if part.strip())
    index.executemany("INSERT INTO paragraphs VALUES (?)", ((text,) for text in texts))
    select = f"SELECT text FROM paragraphs WHERE paragraphs MATCH ? ORDER BY rank LIMIT {command_store.LIMIT}"
    matches = (" OR ".join(f'"{word}"' for word in re.findall(r"\w+", question)) for question in asked)
    return [[text for (text,) in index.execute(select, (match,))] for match in matches]


WAYS: Mapping[str, Answers] = {"recall": recalled, "paragraphs by BM25": by_paragraph}


def rows(answers: Mapping[str, Sequence[tuple[Question, Sequence[str]]]]) -> Iterator[Sequence[str]]:
    """For each way a row for every document, every body, and all."""
    for way, pairs in answers.items():
        asked = [question for question, _ in pairs]
        for name in [*dict.fromkeys(one.document for one in asked), *dict.fromkeys(one.body for one in asked), "all"]:
            own = [pair for pair in pairs if name in (pair[0].document, pair[0].body, "all")]
            yield [way, name, str(len(own)), *(f"{share:.2f}" for share in _shares(own))]


def _shares(pairs: Sequence[tuple[Question, Sequence[str]]]) -> Iterator[float]:
    for cut in (lambda hits: within(hits, BUDGET), lambda hits: hits[:HITS]):
        yield statistics.mean(answered(question, cut(hits)) for question, hits in pairs)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main() -> None:
    """Ask everything in both ways, and print the table."""
    options = _parser().parse_args()
    seal(options.embedder)
    answers: dict[str, list[tuple[Question, Sequence[str]]]] = {way: [] for way in WAYS}
    for body, files in bodies(options.manuals).items():
        asked = [*questions(body, files)]
        for way, answer in WAYS.items():
            hits = answer(files, [question.text for question in asked]) if asked else []
            answers[way] += zip(asked, hits, strict=True)
    print(table.markdown(["way", "document", "questions", f"@{BUDGET}", f"@{HITS} hits"], [*rows(answers)]))
    if options.dump:
        lines = [{"way": way, **question._asdict(), "found": answered(question, within(hits, BUDGET)), "hits": hits}
                 for way, pairs in answers.items() for question, hits in pairs]  # fmt: skip
        options.dump.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manuals", type=Path, metavar="DIR", help="a folder with a folder for each manual")
    parser.add_argument("--embedder", choices=("hash", "static", "onnx", "minilm"), default="static")
    parser.add_argument("--dump", type=Path, metavar="FILE", help="write each question with its hits to it")
    return parser


if __name__ == "__main__":
    main()
