"""How often ranked recall finds the memories that hold the answer, by way of ranking and kind of question.

    /tmp/bench/bin/python -m benchmarks.recall_quality DATASET_DIR... [--embedder minilm]

A DATASET_DIR holds `memories.jsonl` and `questions.jsonl`: a question has a `namespace`, the paths of its `evidence`,
and a group: a `category` as LoCoMo numbers them, a `kind`, or a number of `hops`. All memories go into one temporary
store; a question is asked in its own namespace. recall@k is the share of a question's evidence among the first k
memories, MRR the reciprocal rank of its first evidence (0 beyond 20); both are means over questions.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import clock, table
from benchmarks.recall_store import NOW, filled, opened, seal
from memoir.store import config

DEPTHS = (1, 5, 10, 20)
GROUPS = ("category", "kind", "hops")
"""The fields that may tell a question's group."""
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""The categories of LoCoMo."""
_ALONE = {"weight.synonyms": "0", "weight.concepts": "0"}
_PLAIN = {"personBoost": "0", "timeBoost": "0", **_ALONE}
WAYS: Mapping[str, Mapping[str, str]] = {
    "bm25 alone": {"vectorWeight": "0", **_ALONE},
    "bm25 alone, plain": {"vectorWeight": "0", **_PLAIN},
    "vector alone": {"bm25Weight": "0", **_ALONE},
    "vector alone, plain": {"bm25Weight": "0", **_PLAIN},
    "RRF of the seed": {
        "fusion": "rrf", "rrfK": "60", "bm25Weight": "1", "vectorWeight": "1", "candidatePool": "50", **_PLAIN,
    },
    "default": {},
    "deep": {"mode": "deep"},
}  # fmt: skip
"""The settings `memoir.recall.*` of each way of ranking; the others are as they come."""
NOTES = f"""\
alone: without synonyms and concepts. plain: also without the person and time channels, as is the seed's RRF. Every way
searches the index as it is: the words and the vector of a memory hold some of its neighbours', and names of people are
taken out of the query for the legs. ms is the median of a warm search inside the process, without embedding the query.
Relative dates count from {NOW}."""


class Question(NamedTuple):
    """A question, where to ask it, and the paths that hold its answer."""

    namespace: str
    text: str
    group: str
    evidence: frozenset[str]


class Score(NamedTuple):
    """How well one question was answered."""

    group: str
    recall: Mapping[int, float]
    reciprocal_rank: float


class Run(NamedTuple):
    """All questions asked in one way: the scores, the embedder, the milliseconds of a search and of an embedding."""

    scores: Sequence[Score]
    embedder: str
    search_time: float
    embed_time: float


def questions(file: Path) -> list[Question]:
    """Read JSON lines; questions without evidence are left out."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [
        Question(line["namespace"], line["question"], group(line), frozenset(line["evidence"]))
        for line in lines
        if line["evidence"]
    ]


def group(line: Mapping[str, Any]) -> str:
    """The group of a question, as its column is named."""
    field = next((field for field in GROUPS if field in line), None)
    if field == "category":
        return CATEGORIES[line[field]]
    return f"{line[field]} hops" if field == "hops" else str(line[field]) if field else "all"


def groups(questions: Sequence[Question]) -> list[str]:
    """The groups that there are, in the order of their columns."""
    names = {question.group for question in questions}
    return [name for name in CATEGORIES.values() if name in names] + sorted(names - {*CATEGORIES.values()})


def score(question: Question, paths: Sequence[str]) -> Score:
    """Judge the paths found, best first."""
    recall = {k: len(question.evidence.intersection(paths[:k])) / len(question.evidence) for k in DEPTHS}
    ranks = (rank for rank, path in enumerate(paths, 1) if path in question.evidence)
    return Score(question.group, recall, 1 / next(ranks, float("inf")))


def run(folder: Path, questions: Sequence[Question], settings: Mapping[str, str]) -> Run:
    """Ask a store everything under some settings, which are taken back afterwards; `mode` is an option instead."""
    mode = settings.get("mode", "simple")
    settings = {name: value for name, value in settings.items() if name != "mode"}
    with opened(folder) as first:
        for name, value in settings.items():
            config.put(first.repository.store, f"memoir.recall.{name}", value)
    with opened(folder) as store:
        store.search(questions[0].text, questions[0].namespace, mode=mode)
        store.forget_times()
        answers = [store.search(question.text, question.namespace, max(DEPTHS), mode) for question in questions]
        for name in settings:
            config.unset(store.repository.store, f"memoir.recall.{name}")
    scores = [
        score(question, [result.path for result in results])
        for question, results in zip(questions, answers, strict=True)
    ]
    embedder = answers[0].answer.embedder or "none"
    return Run(scores, embedder, clock.milliseconds(store.search_seconds), clock.milliseconds(store.embed_seconds))


def overall(runs: Mapping[str, Run], columns: Sequence[str]) -> Iterator[Sequence[str]]:
    """A row for each way: all questions, recall@10 by group, and the time."""
    for way, (scores, _, search_time, embed_time) in runs.items():
        by_group = [_mean(one.recall[10] for one in scores if one.group == name) for name in columns]
        vector = f"{embed_time:.2f}" if embed_time else "none"
        yield [way, *_measures(scores), *by_group, f"{search_time:.1f}", vector]


def by_group(runs: Mapping[str, Run], columns: Sequence[str]) -> Iterator[Sequence[str]]:
    """A row for each way and group."""
    for way, (scores, *_) in runs.items():
        for name in columns:
            own = [one for one in scores if one.group == name]
            yield [way, name, str(len(own)), *_measures(own)]


def margins(runs: Mapping[str, Run]) -> str:
    """How far the default is above the better of its legs alone, at each depth; below it, with a minus."""
    means = {
        way: {k: statistics.mean(one.recall[k] for one in run.scores) for k in DEPTHS} for way, run in runs.items()
    }
    better = {k: max(means["bm25 alone"][k], means["vector alone"][k]) for k in DEPTHS}
    return ", ".join(f"{means['default'][k] - better[k]:+.3f} @{k}" for k in DEPTHS)


def _measures(scores: Sequence[Score]) -> list[str]:
    return [*(_mean(one.recall[k] for one in scores) for k in DEPTHS), _mean(one.reciprocal_rank for one in scores)]


def _mean(values: Iterator[float]) -> str:
    return f"{statistics.mean([*values] or [float('nan')]):.3f}"


def main() -> None:
    """Ask everything of every dataset in every way, and print the tables."""
    options = _parser().parse_args()
    seal(options.embedder)
    for dataset in options.dataset:
        _print_tables(dataset, dataset / options.questions)
    print(f"The columns of groups are recall@10. {NOTES}")


def _print_tables(dataset: Path, file: Path) -> None:
    all_questions = questions(file)
    with (dataset / "memories.jsonl").open("rb") as lines, filled(lines) as folder:
        runs = {way: run(folder, all_questions, settings) for way, settings in WAYS.items()}
    columns, measures = groups(all_questions), [*(f"recall@{k}" for k in DEPTHS), "MRR"]
    print(f"{dataset.name}: {len(all_questions)} questions, embedder {runs['default'].embedder}\n")
    print(table.markdown(["way", *measures, *columns, "ms", "embedding, ms"], [*overall(runs, columns)]))
    print(f"\nThe default beside the better of its legs alone: {margins(runs)}.\n")
    print(table.markdown(["way", "group", "questions", *measures], [*by_group(runs, columns)]), end="\n\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path, nargs="+", metavar="DATASET_DIR")
    parser.add_argument("--questions", default="questions.jsonl", metavar="FILE", help="in each of them (%(default)s)")
    parser.add_argument("--embedder", choices=("hash", "static", "minilm"), default="static", help="(static)")
    return parser


if __name__ == "__main__":
    main()
