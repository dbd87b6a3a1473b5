"""Write memoir/filing/regression_*.txt, labelled*.txt and the weights of evidence_default.txt.

They are what labelled facts teach about the category of others.

    pip install numpy               # for this script alone
    python scripts/fit_filing.py

The facts are those of `tests/filing/worlds.jsonl`, of `benchmarks/short`, in a few words each those of
`tests/filing/terse.jsonl`, and what developers tell coding agents, `rules.jsonl`, whose second levels are labelled;
those of trades far from software, `trades.jsonl`; those of `tests/filing/facts.jsonl`, of which only first levels are,
but for what `filing_facts.py` holds out; the examples and descriptions of the default taxonomy; and the texts that are
not memories which are marked `fitted`. A fact with
several acceptable categories is right in any of them, and one whose first level alone is labelled in any category
below it. The weights are of greatest likelihood with a ridge. There is one regression for the vectors of `static` and
one for those of MiniLM, which the first run lays out in the cache. The facts themselves, as the stems of their words
and as signs of MiniLM's vectors, are written beside them, but for those that the cues were tuned on, which look like
each other. Before, each phrase of
the taxonomy gets the weight that it has as evidence (`fitted_words.py`).

How well it files facts of a domain that it has not seen is measured by leaving out some domains after the others and
fitting to the rest. Of the texts that are not memories a part is left out at a time, too, so that each is judged by a
regression that knows others. The confidence is fitted to these verdicts alone, and measured in the same way. Another
machine may round a weight differently.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from filing_facts import NO_MEMORIES, NOISE, TUNED_SETS, WORLD_FILES, digest, fitted_lines, lines_of, short_worlds
from fitted_words import Precisions, Words
from logistic import fit_logistic, shares

from memoir.embedders.minilm import MiniLm
from memoir.filing.evidence import DEFAULT_FILE, default_evidence
from memoir.filing.labelled import BY_MEANING, BY_WORDS, MEANINGS, UNIT, LabelledFacts, Near, Signs, Weight
from memoir.filing.labelled import FILE as LABELLED
from memoir.filing.levels import BESIDE, read
from memoir.filing.regression import (
    MANY,
    MINILM,
    NO_MEMORY,
    STATIC,
    Meaning,
    Row,
    features,
    file_of,
    minilm_meaning,
    static_meaning,
)
from memoir.settings import FILING_THRESHOLD
from memoir.taxonomy import catalogue

DOMAINS = tuple(
    tuple(group.split())
    for group in (
        "short.booking games bakery museum water short.transit short.solicitors allotments "
        "funeral radio taxes harbour flatmates",
        "short.warehouse newspaper biolab itteam farm fraud short.firmware short.carer "
        "choir garage removals trawler winebar",
        "short.freelancer library travel law radiology restaurant short.school short.marathon "
        "dentist hairdresser restorer ward paramedic",
        "energy household recommender webshop translation framework short.logistics firebrigade "
        "kindergarten site translator3 fintech",
        "assistant climate support short.theatre short.relocation short.compiler florist "
        "parish skischool ml_infra municipality",
        "short.games short.lab vet film architects club student short.bakery foodbank pharmacy stable gardener kinfolk",
    )
)
"""The sets of one domain each whose second levels are labelled, in the groups that are left out together."""
UNTUNED_SETS = (("blind", "stress"), ("second", "terse"), ("fourth", "fifth"))
"""The other sets that no cue was tuned on, in the same way."""
GROUPS = (*DOMAINS, *UNTUNED_SETS)
TERSE_SETS, RULE_SETS = "terse.", "rules."
"""How the names of the sets of terse facts begin, and those of rules, one for each author; they are dealt out to the
groups."""
EXAMPLES = "taxonomy"
"""The examples and descriptions of the default taxonomy, whose words are evidence as well."""
SURE = (0.9, 0.7)

RARE = 5
"""A feature must have this many texts."""
RIDGE_OF_FORM, RIDGE_OF_HIDDEN, RIDGE_OF_BIAS = 1.5, 1.0, 0.5
RIDGE_OF_CLASSES = {STATIC: 1.5, MINILM: 2.0}
HIDDEN = {STATIC: 0, MINILM: 64}
"""The units between a meaning and the classes; those of `static` are too coarse to need any."""
NETS = {STATIC: 1, MINILM: 2}
"""How many fits, each from another beginning, are one in the end: chance differs, and what was learned adds up."""
DROPPED_COMPONENTS, DROPPED_UNITS = 0.1, 0.3
"""The shares of a meaning's components and of the units that a step does without (Srivastava and others, "Dropout",
2014)."""
OF_SECOND_LABEL, OF_TUNED_SET = 2.0, 0.4
"""The weights of a fact whose second level is labelled and of one of `TUNED_SETS`, where that of another text is 1."""
STEPS = 80
RATE, RATE_OF_UNITS = 0.05, 0.009
NOISE_SHARE = 0.08
"""The weight of all texts that are not memories when the confidence is fitted, where that of all facts is 1."""
CAUTION = 1.2
"""The weight of a wrong verdict when the confidence is fitted, where that of a right one is 1: a wrong path costs more
than a memory that waits. So six in ten of the facts left out that are just sure enough are right, with MiniLM, and 0.83
of all that are filed."""

Array: TypeAlias = Any
"""A numpy array."""
CLASSES = [*(path for path in default_evidence().paths if "." in path), NO_MEMORY]
FIRST_LEVELS = [*default_evidence().first_levels, NO_MEMORY]
BELOW = np.array(
    [[path.partition(".")[0] == first for path in CLASSES] for first in FIRST_LEVELS],
    np.float32,
)
"""For each first level, which classes are below it."""


class Text(NamedTuple):
    """A text to fit to: its set, its acceptable categories, its features, and its words as evidence."""

    set_name: str
    content: str
    levels: Sequence[str]
    features: frozenset[str]
    words: Words
    weight: float


def texts() -> Iterator[Text]:
    """All texts but the sets that are held out."""
    for line in map(json.loads, fitted_lines()):
        yield _text(line["set"], line["text"], line["levels"], OF_TUNED_SET if line["set"] in TUNED_SETS else 1.0)
    for line in chain(*map(lines_of, WORLD_FILES), *map(_short_world, short_worlds())):
        yield _text(line["set"], line["text"], line["categories"], OF_SECOND_LABEL)
    for line in lines_of(NO_MEMORIES):
        if line["set"] == NOISE:
            yield _text(NOISE, line["text"], [NO_MEMORY])
    for path, category in catalogue.default().items():
        for text in filter(None, (*category.examples, category.about)):
            yield _text(EXAMPLES, text, [path])


def _short_world(file: Path) -> Iterator[dict[str, Any]]:
    for line in lines_of(file):
        yield {**line, "set": f"short.{file.name.partition('.')[0]}", "text": line["content"]}


def _text(set_name: str, text: str, levels: Sequence[str], weight: float = 1.0) -> Text:
    memory = read(text)
    words = Words.of(memory, () if set_name in (EXAMPLES, NOISE, *TUNED_SETS) else levels)
    return Text(set_name, text, levels, features(text, memory.stems), words, weight)


class Table:
    """Some texts as arrays: for each the meaning, the targets, the evidence of words if weighed, the features' numbers.

    `fair` tells the texts by which the weight of that evidence may be judged.
    """

    def __init__(self, data: Sequence[Text], meanings: Array, names: Sequence[str]) -> None:
        """Take the meanings of the texts, and the features that count."""
        numbers = {name: number for number, name in enumerate(names)}
        self.data = data
        self.size = len(names)
        self.features = [np.array([numbers[name] for name in text.features if name in numbers]) for text in data]
        self.meanings = np.hstack([np.ones((len(data), 1), np.float32), meanings])
        self.targets = np.array([[_accepts(text.levels, name) for name in CLASSES] for text in data], np.float32)
        self.of_first = self.of_second = np.zeros((len(data), 0), np.float32)
        self.weights = np.array([[text.weight] for text in data], np.float32)
        self.fair = np.array([[text.set_name not in (*TUNED_SETS, EXAMPLES)] for text in data], np.float32)

    def weigh(self, precisions: Precisions, *, known: bool) -> "Table":
        """Weigh the words of the texts, among which the precisions were found if they are known."""
        scores = [precisions.scores(text.words, known=known) for text in self.data]
        self.of_first = np.array([[s.first_levels.get(name, 0.0) for name in FIRST_LEVELS] for s in scores], np.float32)
        self.of_second = np.array([[s.categories.get(name, 0.0) for name in CLASSES] for s in scores], np.float32)
        return self

    def rows(self, keep: Array) -> "Table":
        """Some of the texts."""
        part = object.__new__(Table)
        part.size = self.size
        part.data = [text for text, kept in zip(self.data, keep, strict=True) if kept]
        part.features = [row for row, kept in zip(self.features, keep, strict=True) if kept]
        for name in ("meanings", "targets", "of_first", "of_second", "weights", "fair"):
            setattr(part, name, getattr(self, name)[keep])
        return part


def _accepts(levels: Sequence[str], name: str) -> bool:
    return name in levels or name.partition(".")[0] in levels


class Form:
    """The features of a table's texts, as a sparse matrix of ones."""

    def __init__(self, table: Table) -> None:
        """Sort the features by text and by feature."""
        counts = [len(row) for row in table.features]
        self._size = table.size
        self._columns = np.concatenate(table.features)
        self._starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        order = np.argsort(self._columns, kind="stable")
        self._rows = np.repeat(np.arange(len(counts)), counts)[order]
        self._present, self._begins = np.unique(self._columns[order], return_index=True)

    def times(self, matrix: Array) -> Array:
        """The product with a matrix of a row for each feature."""
        return np.add.reduceat(matrix[self._columns], self._starts)

    def turned_times(self, matrix: Array) -> Array:
        """The product of the transpose with a matrix of a row for each text."""
        product = np.zeros((self._size, matrix.shape[1]), np.float32)
        product[self._present] = np.add.reduceat(matrix[self._rows], self._begins)
        return product


class Net:
    """Weights of features, of meanings, and of the evidence of words, fitted to some texts."""

    def __init__(self, table: Table, embedder: str, seed: int) -> None:
        """Fit by Adam (Kingma and Ba, 2015), in full batches, with smaller steps in the end."""
        self._random, width, size = np.random.default_rng(seed), table.meanings.shape[1], HIDDEN[embedder]
        self.of_form: Array = np.zeros((table.size, len(FIRST_LEVELS)), np.float32)
        self.of_words: Array = np.array([1.0, 0.5], np.float32)
        self.of_hidden: Array = (self._random.standard_normal((width, size)) * 0.25).astype(np.float32)
        self.of_classes: Array = np.zeros((size or width, len(CLASSES)), np.float32)
        self._ridges = np.full((size or width, 1), RIDGE_OF_CLASSES[embedder], np.float32)
        if not size:
            self._ridges[0] = RIDGE_OF_BIAS
        parts = (self.of_form, self.of_words, self.of_classes, self.of_hidden)
        rates = (RATE, RATE, RATE_OF_UNITS if size else RATE, RATE_OF_UNITS)
        means, squares = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
        form = Form(table)
        for step in range(1, STEPS + 1):
            gradients = self._gradients(table, form)
            share = (1 if step < 0.6 * STEPS else 0.2) / (1 - 0.9**step)
            for part, rate, gradient, mean, square in zip(parts, rates, gradients, means, squares, strict=True):
                mean += 0.1 * (gradient / len(table.data) - mean)
                square += 0.01 * ((gradient / len(table.data)) ** 2 - square)
                part -= rate * share * mean / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)

    def _gradients(self, table: Table, form: Form) -> Sequence[Array]:
        has_units = self.of_hidden.size > 0
        meanings = table.meanings * (self._kept(table.meanings.shape, DROPPED_COMPONENTS) if has_units else 1)
        units = self.units(meanings)
        kept = self._kept(units.shape, DROPPED_UNITS) if has_units else 1
        shares = _softmax(self.scores(table, form, units * kept))
        right = shares * table.targets
        slope = (shares - right / (right.sum(1, keepdims=True) + 1e-12)) * table.weights
        fair = slope * table.fair
        of_words = np.array([(fair * (table.of_first @ BELOW)).sum(), (fair * table.of_second).sum()], np.float32)
        below = (slope @ self.of_classes.T) * kept * (1 - units**2)
        return (
            form.turned_times(slope @ BELOW.T) + RIDGE_OF_FORM * self.of_form,
            of_words,
            (units * kept).T @ slope + self._ridges * self.of_classes,
            *([meanings.T @ below + RIDGE_OF_HIDDEN * self.of_hidden] if has_units else [self.of_hidden]),
        )

    def _kept(self, shape: tuple[int, ...], dropped: float) -> Array:
        return ((self._random.random(shape) > dropped) / (1 - dropped)).astype(np.float32)

    def units(self, meanings: Array) -> Array:
        """The hidden units of some meanings; without any, the meanings."""
        return np.tanh(meanings @ self.of_hidden) if self.of_hidden.size else meanings

    def scores(self, table: Table, form: Form, units: Array) -> Array:
        """The scores of all classes for some texts."""
        first = form.times(self.of_form) + self.of_words[0] * table.of_first
        return first @ BELOW + units @ self.of_classes + self.of_words[1] * table.of_second


class Fit(Net):
    """The mean of some nets, as one of all their units."""

    def __init__(self, table: Table, embedder: str) -> None:
        """Fit the nets."""
        nets = [Net(table, embedder, seed) for seed in range(NETS[embedder])]
        self.of_form = np.mean([net.of_form for net in nets], 0)
        self.of_words = np.mean([net.of_words for net in nets], 0)
        self.of_hidden = np.hstack([net.of_hidden for net in nets])
        self.of_classes = np.vstack([net.of_classes for net in nets]) / len(nets)

    def of(self, table: Table) -> Array:
        """The scores of all classes for some texts."""
        return self.scores(table, Form(table), self.units(table.meanings))


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class Verdicts(NamedTuple):
    """Verdicts on texts, each by regressions and labelled facts that know nothing of its group."""

    sets: Array
    groups: Array
    of_right: Array
    """What tells whether the first level is right: 1, its log-odds, the logarithm of the number of words."""
    of_memory: Array
    """What tells whether the text is a memory: 1, the log-odds that it is none."""
    right: Array
    right_below: Array
    """Whether the first level is right, and the second."""

    def rows(self, keep: Array) -> "Verdicts":
        """Some of the verdicts."""
        return Verdicts(*(each[keep] for each in self))


Tables: TypeAlias = Mapping[str, Table]
"""The same texts, with the meanings of each embedder."""


def rows(tables: Tables, keep: Array, precisions: Precisions, *, known: bool) -> Tables:
    """Some of the texts, with the weights of their words."""
    return {embedder: table.rows(keep).weigh(precisions, known=known) for embedder, table in tables.items()}


def precisions_of(data: Sequence[Text], but: int | None = None) -> Precisions:
    """How often phrases are right in the texts, but for those of a group."""
    return Precisions(text.words for text, group in zip(data, _groups(data), strict=True) if group != but)


def unseen(tables: Tables) -> Mapping[str, Verdicts]:
    """By embedder, the verdicts on all texts that are in a group."""
    data = tables[STATIC].data
    groups, parts = _groups(data), {embedder: list[Verdicts]() for embedder in tables}
    for group in range(len(GROUPS)):
        precisions = precisions_of(data, but=group)
        known = rows(tables, groups != group, precisions, known=True)
        rest = rows(tables, groups == group, precisions, known=False)
        fits = {embedder: Fit(table, embedder) for embedder, table in known.items()}
        for embedder, scores in scores_of(fits, Labelled(known[MINILM]), rest).items():
            parts[embedder].append(_verdicts(rest[embedder], scores, group))
    return {embedder: Verdicts(*map(np.concatenate, zip(*its, strict=True))) for embedder, its in parts.items()}


def scores_of(fits: Mapping[str, Fit], labelled: "Labelled", tables: Tables) -> Mapping[str, Array]:
    """By embedder, the scores of all classes for some texts, as `memoir.filing.levels` has them."""
    own = {embedder: fit.of(tables[embedder]) for embedder, fit in fits.items()}
    by_words = labelled.votes_by_words(tables[STATIC])
    both = (1 - BESIDE) * own[MINILM] + BESIDE * own[STATIC]
    return {STATIC: own[STATIC] + by_words, MINILM: both + by_words + labelled.votes_by_meaning(tables[MINILM])}


def _groups(data: Sequence[Text]) -> Array:
    """The number of each text's group, -1 for none; terse sets, rules and texts that are no memories are dealt out."""
    numbers = {name: number for number, group in enumerate(GROUPS) for name in group}
    for start in (TERSE_SETS, RULE_SETS):
        names = sorted({text.set_name for text in data if text.set_name.startswith(start)})
        numbers |= {name: at % len(GROUPS) for at, name in enumerate(names)}
    turn = count()
    return np.array(
        [next(turn) % len(GROUPS) if text.set_name == NOISE else numbers.get(text.set_name, -1) for text in data]
    )


class Labelled:
    """The texts of a table with their labels, but for those that the cues were tuned on."""

    def __init__(self, table: Table) -> None:
        """Take a table of MiniLM's meanings."""
        every = zip(table.data, table.meanings[:, 1:], strict=True)
        known = sorted(
            ((text, row) for text, row in every if text.set_name not in TUNED_SETS),
            key=lambda each: (each[0].levels, each[0].content),
        )
        signed = Signs(np.rint(UNIT * np.mean([row for _, row in known], 0)).astype(int).tolist(), [])
        self.facts = LabelledFacts.of([(text.levels, text.words.stems) for text, _ in known], f"fitted to {digest()}")
        self.meanings = Signs(signed.means, [signed.signs(row) for _, row in known])

    def votes_by_words(self, table: Table) -> Array:
        """What the facts add that share words with some texts."""
        return self._votes((self.facts.nearest(text.words.stems) for text in table.data), BY_WORDS)

    def votes_by_meaning(self, table: Table) -> Array:
        """What the facts add that mean much the same as some texts."""
        return self._votes(map(self.meanings.nearest, table.meanings[:, 1:]), BY_MEANING)

    def _votes(self, nearest: Iterable[Sequence[Near]], weight: Weight) -> Array:
        by_text = (self.facts.votes(each, weight, CLASSES) for each in nearest)
        return np.array([[scores[name] for name in CLASSES] for scores in by_text], np.float32)


def _verdicts(table: Table, scores: Array, group: int) -> Verdicts:
    shares = _softmax(scores)
    by_level = shares @ BELOW.T
    best, every = by_level[:, :-1].argmax(1), range(len(table.data))
    below = np.where(BELOW[best] > 0, shares, -1.0).argmax(1)
    no_memory, ones = by_level[:, -1], np.ones(len(table.data))
    share = by_level[every, best] / (1 - no_memory)
    lengths = np.log([min(len(text.content.split()), MANY) for text in table.data])
    return Verdicts(
        np.array([text.set_name for text in table.data]),
        ones * group,
        np.column_stack([ones, _log_odds(share), lengths]),
        np.column_stack([ones, _log_odds(no_memory)]),
        (table.targets @ BELOW.T > 0)[every, best].astype(float),
        table.targets[every, below].astype(float),
    )


def _log_odds(shares: Array) -> Array:
    clipped = shares.clip(1e-6, 1 - 1e-6)
    return np.log(clipped / (1 - clipped))


def confidence_of(verdicts: Verdicts) -> Array:
    """Fit the two logistic regressions of the confidence; returns their constants."""
    is_fact = verdicts.sets != NOISE
    facts = verdicts.rows(is_fact)
    noise_weight = NOISE_SHARE * is_fact.sum() / (~is_fact).sum()
    right = _logistic(facts.of_right, facts.right, np.where(facts.right, 1.0, CAUTION))
    memory = _logistic(verdicts.of_memory, is_fact.astype(float), np.where(is_fact, 1.0, noise_weight))
    return np.concatenate([right, memory])


def _logistic(matrix: Array, right: Array, weight: Array) -> Array:
    return fit_logistic(matrix, right, weight, np.full(matrix.shape[1], 1e-3))


def report(verdicts: Verdicts) -> None:
    """Print, by set and by confidence, how many are right where neither regression has seen the group."""
    sure = np.zeros(len(verdicts.sets))
    for group in range(len(GROUPS)):
        inside = verdicts.groups == group
        constants = confidence_of(verdicts.rows(~inside))
        left_out = verdicts.rows(inside)
        sure[inside] = shares(left_out.of_right, constants[:3]) * shares(left_out.of_memory, constants[3:])
    for name in sorted(set(verdicts.sets)):
        _say(f"{name:16} {_line(sure, verdicts, verdicts.sets == name)}")
    is_terse, is_rule = (np.char.startswith(verdicts.sets, start) for start in (TERSE_SETS, RULE_SETS))
    others = np.isin(verdicts.sets, [name for group in DOMAINS for name in group])
    untuned = np.isin(verdicts.sets, [name for group in UNTUNED_SETS for name in group])
    for title, its in (("rules", is_rule), ("terse facts", is_terse), ("domains", others), ("other sets", untuned)):
        _say(f"{title:16} {_line(sure, verdicts, its)}")
        for limit in SURE:
            high = its & (sure >= limit)
            _say(f"    from {limit}: {high.sum():4} facts, {100 * verdicts.right[high].mean():3.0f} % right")
        for tenth in range(10):
            inside = its & ((sure * 10).astype(int) == tenth)
            if inside.any():
                mean, share = 100 * sure[inside].mean(), 100 * verdicts.right[inside].mean()
                _say(f"    {tenth / 10:.1f} {inside.sum():4} facts, confidence {mean:3.0f} %, right {share:3.0f} %")


def _line(sure: Array, verdicts: Verdicts, its: Array) -> str:
    filed = its & (sure >= float(FILING_THRESHOLD.default))
    right, below = (100 * each[filed].mean() for each in (verdicts.right, verdicts.right_below))
    inbox = its.sum() - filed.sum()
    return f"{its.sum():4} facts, {inbox:3} in the inbox; of the others {right:3.0f} % right, {below:3.0f} % below"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def format_weights(fit: Fit, of_words: Array, names: Sequence[str], confidence: Array) -> str:
    """The file of the weights."""
    constants = " ".join(f"{number:.2f}" for number in (*of_words, *confidence))
    lines = sorted(f"{name}\t{Row.of(row)}" for name, row in zip(names, fit.of_form.tolist(), strict=True))
    head = [f"# fitted to {digest()}", constants, " ".join(CLASSES)]
    parts = (head, map(Row.of, fit.of_hidden.T.tolist()), map(Row.of, fit.of_classes.T.tolist()), lines)
    return "\n\n".join("\n".join(map(str, part)) for part in parts) + "\n"


def main() -> None:
    """Measure, print and write."""
    minilm, data = MiniLm(), list(texts())
    counts = Counter(feature for text in data for feature in text.features)
    names = sorted(feature for feature, count in counts.items() if count >= RARE)
    meaning_by: dict[str, Callable[[str], Meaning]] = {
        STATIC: static_meaning,
        MINILM: lambda text: minilm_meaning(minilm.embed([text])[0]),
    }
    tables = {
        embedder: Table(data, np.array([meaning_of(text.content).vector for text in data], np.float32), names)
        for embedder, meaning_of in meaning_by.items()
    }
    verdicts = unseen(tables)
    precisions = precisions_of(data)
    known = rows(tables, np.ones(len(data), bool), precisions, known=True)
    fits = {embedder: Fit(table, embedder) for embedder, table in known.items()}
    of_words = {STATIC: fits[STATIC].of_words}
    of_words[MINILM] = (1 - BESIDE) * fits[MINILM].of_words + BESIDE * of_words[STATIC]
    for embedder, fit in fits.items():
        _say(f"== {embedder}")
        report(verdicts[embedder])
        text = format_weights(fit, of_words[embedder], names, confidence_of(verdicts[embedder]))
        file_of(embedder).write_text(text, "utf-8")
    labelled = Labelled(tables[MINILM])
    DEFAULT_FILE.write_text(precisions.evidence().dumps(), "utf-8")
    LABELLED.write_bytes(labelled.facts.data)
    MEANINGS.write_text(f"# fitted to {digest()}\n{labelled.meanings.dumps()}", "utf-8")


if __name__ == "__main__":
    main()
