"""Write memoir/filing/regression.txt: fit what the form and the meaning of a fact say of its kind to labelled facts.

    pip install numpy               # for this script alone
    python scripts/fit_filing.py

The facts are those of `tests/filing/facts.jsonl`, but for the set `sixth`, which nothing is ever fitted to; the
examples and descriptions of the default taxonomy; and the texts that are not memories which are marked `fitted`. A fact
with several acceptable first levels is right in any of them. The weights are of greatest likelihood with a ridge.

How well it files facts that it has not seen is measured by leaving out one set after the other (`fourth` and `fifth`,
which are of one hand, together) and fitting to the others. The confidence is fitted to these verdicts alone, and
measured in the same way. What is printed last stands in `memoir/filing/classifier.py`. Another machine may round a
weight differently.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from memoir.filing.classifier import MANY
from memoir.filing.evidence import default_evidence
from memoir.filing.levels import FILE, NO_MEMORY, START, UNIT, features, meaning, read, weigh_words
from memoir.git.digest import sha1
from memoir.index.embedders.static import FILE as TABLE
from memoir.settings import FILING_THRESHOLD
from memoir.taxonomy import catalogue

FACTS = Path(__file__).resolve().parent.parent / "tests" / "filing" / "facts.jsonl"
NO_MEMORIES = FACTS.with_name("no_memories.jsonl")
HELD_OUT_SET = "sixth"
UNTUNED_SETS = (("blind",), ("stress",), ("second",), ("fourth", "fifth"), ("terse",))
"""The sets that no cue was tuned on, in the groups that are left out together."""
NOISE = "fitted"
"""The texts that are not memories."""
SURE = 0.9

RARE = 3
"""A feature must have this many texts."""
RIDGE = 1.5
STEPS = 100
RATE = 0.05
NOISE_SHARE = 0.2
"""The weight of all of these together when the confidence is fitted, where that of all facts is 1."""

Array: TypeAlias = Any
"""A numpy array."""


class Text(NamedTuple):
    """A text to fit to: its set, its classes, its features, its meaning, and what the rules make of it."""

    set_name: str
    classes: Sequence[str]
    features: frozenset[str]
    meaning: Sequence[float]
    evidence: dict[str, float]
    words: dict[str, float]


def texts() -> Iterator[Text]:
    """All texts but the set that is held out."""
    for line in map(json.loads, FACTS.read_text("utf-8").splitlines()):
        if line["set"] != HELD_OUT_SET:
            yield _text(line["set"], line["text"], line["levels"])
    for line in map(json.loads, NO_MEMORIES.read_text("utf-8").splitlines()):
        if line["set"] == NOISE:
            yield _text(NOISE, line["text"], [NO_MEMORY])
    for path, category in catalogue.default().items():
        for text in filter(None, (*category.examples, category.about)):
            yield _text("taxonomy", text, [path.partition(".")[0]])


def _text(set_name: str, text: str, classes: Sequence[str]) -> Text:
    memory = read(text)
    words = weigh_words(memory, default_evidence())
    return Text(set_name, classes, features(text, memory.stems), meaning(text), words.first_levels, words.match_counts)


class Fit:
    """Weights of features, fitted to some texts."""

    def __init__(self, data: Sequence[Text], classes: Sequence[str]) -> None:
        """Fit by Adam (Kingma and Ba, 2015), in full batches, with smaller steps in the end."""
        counts = Counter(feature for text in data for feature in text.features)
        self.names = sorted(feature for feature, count in counts.items() if count >= RARE)
        self._numbers = {name: number for number, name in enumerate(self.names)}
        targets = np.array([[name in text.classes for name in classes] for text in data], np.float32)
        matrix = self.matrix(data)
        self.weights = np.zeros((matrix.shape[1], len(classes)), np.float32)
        ridge = np.full((matrix.shape[1], 1), RIDGE, np.float32)
        ridge[self._numbers[START]] = 0
        mean, square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        for step in range(1, STEPS + 1):
            shares = _softmax(matrix @ self.weights)
            right = shares * targets
            slope = shares - right / (right.sum(1, keepdims=True) + 1e-12)
            gradient = (matrix.T @ slope + ridge * self.weights) / len(data)
            mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
            rate = RATE if step < 0.6 * STEPS else RATE / 5
            self.weights -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        self.weights -= self.weights.mean(1, keepdims=True)  # which changes no share

    def matrix(self, data: Sequence[Text]) -> Array:
        """The features of some texts, as ones in a row each, and their meanings after them."""
        matrix = np.zeros((len(data), len(self.names)), np.float32)
        for row, text in enumerate(data):
            matrix[row, [self._numbers[name] for name in text.features if name in self._numbers]] = 1
        return np.hstack([matrix, np.array([text.meaning for text in data], np.float32)])


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class Verdicts(NamedTuple):
    """The features of some verdicts (1, the log-odds of the best level, its words), and whether each is right."""

    features: Array
    right: Array


def unseen(data: Sequence[Text], classes: Sequence[str]) -> dict[str, Verdicts]:
    """The verdicts on each set, by regressions that have not seen its group."""
    verdicts = {}
    for group in (*UNTUNED_SETS, (NOISE,)):
        fit = Fit([text for text in data if text.set_name not in group], classes)
        for name in group:
            rest = [text for text in data if text.set_name == name]
            verdicts[name] = _verdicts(rest, fit.matrix(rest) @ fit.weights, classes)
    return verdicts


def _verdicts(data: Sequence[Text], form: Array, classes: Sequence[str]) -> Verdicts:
    levels = [name for name in classes if name != NO_MEMORY]
    scores = form + np.array([[text.evidence.get(name, 0.0) for name in classes] for text in data])
    shares = _softmax(scores)
    best = scores[:, : len(levels)].argmax(1)
    share = shares[range(len(data)), best].clip(1e-6, 1 - 1e-6)
    words = [min(text.words.get(levels[at], 0.0), MANY) for text, at in zip(data, best, strict=True)]
    matrix = np.column_stack([np.ones(len(data)), np.log(share / (1 - share)), words])
    return Verdicts(matrix, np.array([levels[at] in text.classes for text, at in zip(data, best, strict=True)], float))


def confidence_of(verdicts: dict[str, Verdicts], without: Sequence[str] = ()) -> Array:
    """Fit the logistic regression of the confidence, by Newton's method; the texts that are not memories are wrong."""
    facts = [verdicts[name] for group in UNTUNED_SETS for name in group if name not in without]
    matrix = np.vstack([*(each.features for each in facts), verdicts[NOISE].features])
    right = np.concatenate([*(each.right for each in facts), verdicts[NOISE].right])
    count = len(matrix) - len(verdicts[NOISE].features)
    weight = np.where(np.arange(len(matrix)) < count, 1.0, NOISE_SHARE * count / len(verdicts[NOISE].features))
    constants = np.zeros(matrix.shape[1])
    for _ in range(50):
        sure = 1 / (1 + np.exp(-matrix @ constants))
        slope = matrix.T @ (weight * (right - sure)) - 1e-3 * constants
        curve = (matrix.T * (weight * sure * (1 - sure))) @ matrix + 1e-3 * np.eye(len(constants))
        constants = constants + np.linalg.solve(curve, slope)
    return constants


def report(verdicts: dict[str, Verdicts]) -> None:
    """Print, by set and by confidence, how many are right where neither regression has seen the set."""
    sure = {
        name: 1 / (1 + np.exp(-verdicts[name].features @ confidence_of(verdicts, group)))
        for group in UNTUNED_SETS
        for name in group
    }
    threshold = float(FILING_THRESHOLD.default)
    for name, each in sure.items():
        right, above, firm = verdicts[name].right, each >= threshold, each >= SURE
        share, wrong = 100 * (right * above).mean(), int(((1 - right) * firm).sum())
        _say(f"{name:8} {len(each):4} facts, {share:3.0f} % right, {(~above).sum():3} in the inbox")
        _say(f"              from {SURE}: {wrong} of {firm.sum()} wrong")
    every, right = np.concatenate(list(sure.values())), np.concatenate([verdicts[name].right for name in sure])
    for tenth in range(10):
        inside = (every * 10).astype(int) == tenth
        mean, share = 100 * every[inside].mean(), 100 * right[inside].mean()
        _say(f"{tenth / 10:.1f} {inside.sum():4} facts, confidence {mean:3.0f} %, right {share:3.0f} %")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def digest() -> str:
    """The digest of what is fitted to, which the file names; a test compares it."""
    lines = [line for line in FACTS.read_text("utf-8").splitlines() if json.loads(line)["set"] != HELD_OUT_SET]
    texts = "\n".join([*lines, NO_MEMORIES.read_text("utf-8")]).encode()
    return sha1(texts + TABLE.read_bytes()).hex()


def format_weights(fit: Fit, classes: Sequence[str]) -> str:
    """The file of the weights."""
    weights = np.rint(fit.weights * UNIT).astype(int)
    by_feature, by_class = weights[: len(fit.names)].tolist(), weights[len(fit.names) :].T.tolist()
    lines = (f"{name}\t{_join(row)}" for name, row in zip(fit.names, by_feature, strict=True))
    return "\n".join([f"# fitted to {digest()}", " ".join(classes), *map(_join, by_class), *sorted(lines)]) + "\n"


def _join(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def main() -> None:
    """Measure, print and write."""
    data = list(texts())
    classes = [*default_evidence().first_levels, NO_MEMORY]
    verdicts = unseen(data, classes)
    report(verdicts)
    _say("BIAS, OF_ODDS, OF_WORDS = " + ", ".join(f"{constant:.2f}" for constant in confidence_of(verdicts)))
    FILE.write_text(format_weights(Fit(data, classes), classes), "utf-8")


if __name__ == "__main__":
    main()
