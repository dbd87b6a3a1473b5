"""How well the constants of a ranking are supported: what they would be without the questions that they are judged by.

    /tmp/bench/bin/python -m benchmarks.recall_constants DATASET_DIR... [--embedder minilm]

A question counts with the mean of its recall@5 and recall@10, and all sets count the same. Each constant is varied by
itself. One fold after the other is left out: a conversation of LoCoMo, a project of the facts, a fifth of the questions
of any other set. The value that is best for the other questions is asked those of the fold, beside the shipped one.
The legs search once for each question, because what they find does not depend on these constants.
"""

import argparse
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import table
from benchmarks.recall_quality import Question, questions, score
from benchmarks.recall_store import Measurement, filled, opened, seal
from memoir.index.view import View
from memoir.recall import channels, scoring, second_step, shared_names
from memoir.recall.channel import Search
from memoir.recall.channels import Candidates, find
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, begin, in_order

_DEEPEST = 10
_FIFTHS = 5


class Constant(NamedTuple):
    """A constant with the values that it is given: in a module, or without one the weight of a leg or channel.

    Without its first value, the ranking would not have the constant.
    """

    name: str
    values: Sequence[float]
    module: ModuleType | None = None


CONSTANTS = (
    Constant("vector", (0.0, 0.75, 1.0, 1.25, 1.5, 2.0)),
    Constant("person", (0.0, 0.15, 0.3, 0.45)),
    Constant("time", (0.0, 0.15, 0.3, 0.45)),
    Constant("synonyms", (0.0, 0.1, 0.15, 0.2, 0.25, 0.3)),
    Constant("FAIR", (1e-9, 0.25, 0.5, 0.75, 1.0), channels),
    Constant("QUESTION_FACTOR", (1.0, 0.8, 0.85, 0.9, 0.95), scoring),
    Constant("TIMELESS", (1.0, 0.85, 0.9, 0.95), scoring),
    Constant("MISSING_WEIGHT", (0.0, 0.25, 0.5, 0.75), shared_names),
    Constant("OF_BASE", (0.0, 0.15, 0.3, 0.6), shared_names),
    Constant("LATE", (_DEEPEST + 2, 4, 5, 6), second_step),
    Constant("TWO_STEPS", (0, 3, 4, 5, 6), second_step),
    Constant("RARE_SHARE", (1.0, 0.03, 0.05, 0.1, 0.2), second_step),
    Constant("OF_SEED", (0.0, 0.3, 0.4, 0.5, 0.6, 0.7), second_step),
    Constant("RARE", (0, 2, 3, 5, 8, 12), shared_names),
)
"""The constants of the hop are judged by the mode `deep`, those of the second step by `simple`."""

Scores = Mapping[float, Sequence[float]]
"""How well each question was answered, by the value of a constant."""


class Judgements(NamedTuple):
    """The questions of all sets: to which set and fold each belongs, and how well it was answered."""

    places: Sequence[tuple[str, str]]
    scores: Mapping[str, Scores]
    """By the names of constants."""


def judge(datasets: Sequence[Path]) -> Judgements:
    """Ask everything of some sets with every value of every constant."""
    places: list[tuple[str, str]] = []
    scores: dict[str, dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    for dataset in datasets:
        all_questions = questions(dataset / "questions.jsonl")
        places += [(dataset.name, fold) for fold in folds(all_questions)]
        with (dataset / "memories.jsonl").open("rb") as lines, filled(lines) as folder, opened(folder) as store:
            for question in all_questions:
                for name, value, quality in _vary(store, question):
                    scores[name][value].append(quality)
    return Judgements(places, scores)


def folds(questions: Sequence[Question]) -> list[str]:
    """The fold of each question: its namespace, else its project, else a fifth, whichever are several."""
    namespaces = [question.namespace for question in questions]
    projects = [_project(min(question.evidence)) for question in questions]
    fifths = [str(number * _FIFTHS // len(questions)) for number in range(len(questions))]
    return next((each for each in (namespaces, projects) if len(set(each)) > 1), fifths)


def _project(path: str) -> str:
    return path.split(".")[1]


def _vary(store: Measurement, question: Question) -> list[tuple[str, float, float]]:
    """How well a question is answered with every value of every constant."""
    query = store.engine.query(question.text, {"namespace": question.namespace, "limit": _DEEPEST})

    def vary(view: View) -> list[tuple[str, float, float]]:
        search = begin(view, query)
        candidates = find(search)
        return [
            (constant.name, value, _quality(question, _rank(search, candidates, constant, value)))
            for constant in CONSTANTS
            for value in constant.values
        ]

    return store.engine.index().read(store.repository.store.head(), vary)


def _quality(question: Question, candidates: Sequence[RankedCandidate]) -> float:
    recall = score(question, [each.document.address.path for each in candidates[:_DEEPEST]]).recall
    return (recall[5] + recall[10]) / 2


def _rank(search: Search, candidates: Candidates, constant: Constant, value: float) -> Sequence[RankedCandidate]:
    """What was found, put in order with another value of a constant."""
    if constant.module is None:
        query = _with_weight(search.query, constant.name, value)
        return in_order(Search(search.view, query, search.clues, search.among), candidates).candidates
    with _replaced(constant.module, constant.name, value):
        ranking = in_order(search, candidates)
        if constant.module in (second_step, shared_names):
            ranking = second_step.add_second_step(search, candidates, ranking, _DEEPEST)
        return ranking.candidates


def _with_weight(query: Query, name: str, weight: float) -> Query:
    return query._replace(weights={**query.weights, name: weight})


@contextmanager
def _replaced(module: ModuleType, name: str, value: float) -> Iterator[None]:
    original = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, original)


def own_value(constant: Constant) -> float:
    """The value that a constant has."""
    return float(getattr(constant.module, constant.name)) if constant.module else channels.weights({})[constant.name]


def rows(judgement: Judgements) -> Iterator[Sequence[str]]:
    """A row for each constant: what was chosen without each fold, and how the folds fare by it and without it."""
    for constant in CONSTANTS:
        scores, own = judgement.scores[constant.name], own_value(constant)
        choices = {fold: _best(judgement, scores, fold, own) for fold in sorted(set(judgement.places))}
        gains = [_gain(judgement, scores, fold, value, own) for fold, value in choices.items()]
        without = [_gain(judgement, scores, fold, constant.values[0], own) for fold in choices]
        values = ", ".join(f"{value:g} ({many})" for value, many in Counter(choices.values()).most_common())
        yield [constant.name, f"{own:g}", values, *map(_sign, (*_extent(gains), *_extent(without)))]


def _best(judgement: Judgements, scores: Scores, fold: tuple[str, str], own: float) -> float:
    """The value that answers the questions of all other folds best, the sets counting the same; of equals `own`."""

    def mean(value: float) -> float:
        by_set: dict[str, list[float]] = defaultdict(list)
        for place, quality in zip(judgement.places, scores[value], strict=True):
            if place != fold:
                by_set[place[0]].append(quality)
        return statistics.mean(map(statistics.mean, by_set.values()))

    return max((own, *scores), key=mean)


def _gain(judgement: Judgements, scores: Scores, fold: tuple[str, str], value: float, beside: float) -> float:
    """How much better a value answers the questions of a fold than another one."""
    own = [number for number, place in enumerate(judgement.places) if place == fold]
    return statistics.mean(scores[value][number] - scores[beside][number] for number in own)


def _extent(gains: Sequence[float]) -> tuple[float, float]:
    return statistics.mean(gains), min(gains)


def _sign(value: float) -> str:
    return f"{value:+.3f}"


def main() -> None:
    """Ask everything in every way, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path, nargs="+", metavar="DATASET_DIR")
    parser.add_argument("--embedder", choices=("hash", "static", "minilm"), default="static", help="(static)")
    options = parser.parse_args()
    seal(options.embedder)
    columns = ["constant", "shipped", "chosen without a fold (folds)", "gain", "worst", "without it", "worst"]
    print(table.markdown(columns, [*rows(judge(options.dataset))]))


if __name__ == "__main__":
    main()
