"""Write memoir/filing/naming.txt: what the names that people gave to labelled facts teach about those of others.

    pip install numpy               # for this script alone
    python scripts/fit_naming.py

The facts are those of `tests/filing/worlds.jsonl` and of `benchmarks/short` that have names, each the choice of the
author of its world. An aspect is a name that the facts of some worlds have in the same category. Of the names that a
fact may have one is chosen by a multinomial logistic regression with a ridge; all acceptable ones are right. MiniLM's
vectors are projected to those of `static` by least squares over the names that facts may have.

How well it names facts of a world that it has not seen is measured by leaving out some worlds after the others, and
their aspects too. The first run lays MiniLM out in the cache. Another machine may round a weight differently.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from filing_facts import JUDGES as NEVER_FITTED
from filing_facts import SHORT, WORLDS, lines_of

from memoir.embedders.minilm import MiniLm
from memoir.embedders.static import StaticEmbedder
from memoir.english.words import stems
from memoir.filing.name_features import NameFeatures
from memoir.filing.naming import FILE, Namer, Naming
from memoir.filing.regression import MINILM, STATIC, Meaning, Row, minilm_meaning, static_meaning

STRANGERS = ("bakery of short", "transit", "carer")
"""Worlds whose labels are strict; they are left out together."""
JUDGES = (*NEVER_FITTED, "solicitors", "marathon")
"""Worlds that nothing is fitted to."""
FOLDS = 9
LEAST_WORLDS = 3
"""An aspect has facts in this many worlds, ..."""
LEAST_UNSAID = 2
"""... and in so many of them one that has no word of it: what all its facts say is a thing, not an aspect."""
RARE = 8
"""A feature must have this many names."""
RIDGE, STEPS, RATE = 1.0, 300, 0.05
RIDGE_OF_PROJECTION = 5.0

Array: TypeAlias = Any
"""A numpy array."""
Options: TypeAlias = Sequence[tuple[str, NameFeatures]]
"""The names that a fact may have, with their features."""


class Fact(NamedTuple):
    """A fact: its world, its text, the acceptable categories and names, and its meaning by each embedder."""

    world: str
    text: str
    categories: Sequence[str]
    names: Collection[str]
    meanings: Mapping[str, Meaning]


def facts(minilm: MiniLm) -> list[Fact]:
    """The labelled facts, each once."""
    lines = [(line["set"], line["text"], line) for line in lines_of(WORLDS) if line.get("names")]
    worlds = {world for world, _, _ in lines}
    for file in sorted(SHORT.glob("*.facts.jsonl")):
        name = file.name.partition(".")[0]
        if name in JUDGES:
            continue
        lines += [(f"{name} of short" if name in worlds else name, line["content"], line) for line in lines_of(file)]
    once = {text: (world, line) for world, text, line in reversed(lines)}
    return [
        Fact(world, text, line["categories"], line["names"],
             {STATIC: static_meaning(text), MINILM: minilm_meaning(minilm.embed([text])[0])})
        for text, (world, line) in once.items()
    ]  # fmt: skip


def aspects(data: Sequence[Fact]) -> dict[str, list[str]]:
    """For each category the names that facts of several worlds have there, some of them without a word of it."""
    worlds, unsaid = (defaultdict[tuple[str, str], set[str]](set) for _ in range(2))
    for fact in data:
        words = {*stems(fact.text)}
        for category, name in product(fact.categories, fact.names):
            worlds[category, name].add(fact.world)
            if words.isdisjoint(stems(name.replace("_", " "))):
                unsaid[category, name].add(fact.world)
    found = defaultdict[str, list[str]](list)
    for (category, name), its in sorted(worlds.items()):
        if len(its) >= LEAST_WORLDS and len(unsaid[category, name]) >= LEAST_UNSAID:
            found[category].append(name)
    return dict(found)


def projection(data: Sequence[Fact], minilm: MiniLm) -> Array:
    """The matrix from vectors of MiniLM to the directions of `static`."""
    empty = Naming({}, {}, ())
    names = sorted(
        {
            name
            for fact in data
            for name, _ in Namer(fact.text, fact.meanings[STATIC], fitted=empty).names(fact.categories[0])
        }
    )
    phrases = [name.replace("_", " ") for name in names]
    given = np.array([minilm_meaning(minilm.embed([phrase])[0]).vector for phrase in phrases])
    wanted = np.array(StaticEmbedder().embed(phrases), float)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True) + 1e-12
    return np.linalg.solve(given.T @ given + RIDGE_OF_PROJECTION * np.eye(given.shape[1]), given.T @ wanted).T


class Table:
    """The names that facts may have, as rows of features; a fact with no acceptable one among them teaches nothing."""

    def __init__(self, data: Sequence[Fact], options: Sequence[Options], columns: Mapping[str, int]) -> None:
        """Take the facts, the names of each, and the numbers of the features."""
        rows, right, starts = list[Array](), list[bool](), list[int]()
        for fact, its in zip(data, options, strict=True):
            are_right = [name in fact.names for name, _ in its]
            if any(are_right) and not all(are_right):
                starts.append(len(rows))
                rows += [row(features, columns) for _, features in its]
                right += are_right
        self.rows, self.right, self.starts = np.array(rows), np.array(right, float), np.array(starts)
        self.fact_of_row = np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)]))

    def fit(self) -> Array:
        """The weights of the features, by Adam (Kingma and Ba, 2015), with smaller steps in the end."""
        weights, mean, square = np.zeros((3, self.rows.shape[1]))
        for step in range(1, STEPS + 1):
            shares = self._shares(np.ones(len(self.rows)), weights)
            gradient = self.rows.T @ (shares - self._shares(self.right, weights)) + RIDGE * weights
            mean += 0.1 * (gradient / len(self.starts) - mean)
            square += 0.01 * ((gradient / len(self.starts)) ** 2 - square)
            rate = RATE * (1 if step < 0.7 * STEPS else 0.2)
            weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        return weights

    def _shares(self, among: Array, weights: Array) -> Array:
        scores = self.rows @ weights
        powers = among * np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.fact_of_row])
        return powers / np.add.reduceat(powers, self.starts)[self.fact_of_row]


def row(features: NameFeatures, columns: Mapping[str, int]) -> Array:
    """The features of a name by their numbers."""
    numbers = np.zeros(len(columns))
    for name, value in features.items():
        if name in columns:
            numbers[columns[name]] = value
    return numbers


def options(data: Sequence[Fact], embedder: str, matrix: Array, without: Collection[str] = ()) -> list[Options]:
    """The names that each fact may have, with the aspects of other worlds than its own and those left out."""
    rows, found = [str(Row.of(line)) for line in matrix.tolist()], dict[str, Naming]()
    for world in {fact.world for fact in data}:
        others = [fact for fact in data if fact.world != world and fact.world not in without]
        found[world] = Naming(aspects(others), {}, rows)
    return [
        [*Namer(fact.text, fact.meanings[embedder], fitted=found[fact.world]).names(fact.categories[0])]
        for fact in data
    ]


def groups(data: Sequence[Fact]) -> list[Sequence[str]]:
    """The worlds that are left out together."""
    worlds = sorted({fact.world for fact in data} - {*STRANGERS})
    return [STRANGERS, *(worlds[start::FOLDS] for start in range(FOLDS))]


def measure(data: Sequence[Fact], embedder: str, matrix: Array, columns: Mapping[str, int]) -> None:
    """Print, by world, how many facts get an acceptable name where nothing has seen the world."""
    right = dict[str, list[bool]]()
    for group in groups(data):
        every = options(data, embedder, matrix, without=group)
        kept = [fact.world not in group for fact in data]
        known = [fact for fact, keep in zip(data, kept, strict=True) if keep]
        weights = Table(known, [its for its, keep in zip(every, kept, strict=True) if keep], columns).fit()
        for fact, its in zip(data, every, strict=True):
            if fact.world in group:
                best = max(its, key=lambda each: float(row(each[1], columns) @ weights), default=("", {}))[0]
                right.setdefault(fact.world, []).append(best in fact.names)
    for title, worlds in (*((world, [world]) for world in sorted(right)), ("strangers", STRANGERS), ("all", right)):
        verdicts = [each for world in worlds for each in right[world]]
        sys.stdout.write(
            f"{embedder:8} {title:18} {len(verdicts):5} facts, {sum(verdicts) / len(verdicts):.3f} right\n"
        )


def main() -> None:
    """Measure, print and write."""
    minilm = MiniLm()
    data = facts(minilm)
    matrix = projection(data, minilm)
    weights = {}
    for embedder in (STATIC, MINILM):
        every = options(data, embedder, matrix)
        counts = Counter(feature for its in every for _, features in its for feature in features)
        names = sorted(name for name, count in counts.items() if count >= RARE)
        columns = {name: number for number, name in enumerate(names)}
        measure(data, embedder, matrix, columns)
        weights[embedder] = dict(zip(names, Table(data, every, columns).fit().tolist(), strict=True))
    rows = [str(Row.of(line)) for line in matrix.tolist()]
    FILE.write_text(Naming(aspects(data), weights, rows).dumps(), "utf-8")


if __name__ == "__main__":
    main()
