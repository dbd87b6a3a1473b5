"""Write memoir/english/lasting_words.txt: what labelled turns teach about the clauses that last.

    pip install numpy               # for this script alone
    PYTHONPATH=. python scripts/fit_lasting.py

The turns are those of `benchmarks/turns`, but for the set `last`, and those that are named (`fit_lasting.py others`).
The weights are of greatest likelihood with a ridge, for features that three clauses have. A set whose turns have no
kinds takes those of the rules. The sets in view of which the rules were written count less, because there the rules'
phrases look better than they are.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from benchmarks.capture import TURNS, is_same
from memoir.english.lasting_clauses import LONGEST_REQUEST, split_clauses
from memoir.english.lasting_words import FILE, KINDS, UNIT, features
from memoir.english.sentences import said_sentences
from memoir.english.session_sentences import findings
from memoir.taxonomy.kinds import FACT

MEASURED = ("last", *sys.argv[1:])
"""The sets that nothing is fitted to."""
OTHER_AUTHORS = frozenset({"people", "others", "voices", "trades", "polite"})
"""The sets that were written by authors who had not seen the rules."""
_LEAST, _RIDGE, _STEPS = 3, 4.0, 150
Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"


class Example(NamedTuple):
    """A clause, what it is (0 if it does not last, else its place in KINDS, from 1), and its weight."""

    features: frozenset[str]
    kind: int
    weight: float


def labels(turn: dict[str, Any]) -> list[tuple[str | None, str]]:
    """The kinds and quotations of what is to be kept of a turn; a kind of None is not known."""
    kept = turn["keep"]
    if isinstance(kept, list):
        return [(each["kind"], each["quote"]) for each in kept]
    return [(turn.get("kind"), kept)] if kept else []


def examples(turns: Iterable[dict[str, Any]]) -> Iterator[Example]:
    """The clauses of the turns of users; without those whose kind is not known."""
    for turn in turns:
        if turn["role"] != "user":
            continue
        for sentence in said_sentences(turn["text"], LONGEST_REQUEST):
            for clause in split_clauses(sentence):
                kind = kind_of(clause, turn)
                if kind is not None:
                    weight = 1.0 if turn["set"] in OTHER_AUTHORS else 0.6
                    yield Example(frozenset(features(clause, sentence)), kind, weight)


def kind_of(clause: str, turn: dict[str, Any]) -> int | None:
    """What a clause is by the labels of its turn; None if they do not tell."""
    for kind, quote in labels(turn):
        if is_same(quote, clause):
            named = kind or next((each.kind for each in findings(clause, "user", by_words=False)), None)
            return 1 + KINDS.index(named) if named in KINDS else None if named is None else 1 + KINDS.index(FACT)
    return 0


class Fit:
    """The weights of features that were fitted to examples."""

    def __init__(self, learnt: Sequence[Example]) -> None:
        counts = Counter(feature for each in learnt for feature in each.features)
        self.names = ["", *sorted(name for name, count in counts.items() if count >= _LEAST)]
        self.places = {name: at for at, name in enumerate(self.names)}
        rows = self.rows(learnt)
        wanted = np.eye(1 + len(KINDS), dtype=np.float32)[[each.kind for each in learnt]]
        self.weights = _fit(rows, wanted, np.array([[each.weight] for each in learnt], np.float32))

    def rows(self, some: Sequence[Example]) -> Array:
        """A row for each example, with a 1 for each of its features."""
        rows = np.zeros((len(some), len(self.names)), np.float32)
        rows[:, 0] = 1
        for at, each in enumerate(some):
            rows[at, [self.places[name] for name in each.features if name in self.places]] = 1
        return rows


def _fit(rows: Array, wanted: Array, weights: Array) -> Array:
    """Nesterov's accelerated gradient on the likelihood with a ridge; the bias is free."""
    ridge = np.full((rows.shape[1], 1), _RIDGE, np.float32)
    ridge[0] = 0.01
    step = 1.0 / (0.5 * _largest(rows * np.sqrt(weights)) + _RIDGE)
    found = ahead = np.zeros((rows.shape[1], wanted.shape[1]), np.float32)
    for number in range(_STEPS):
        slope = rows.T @ (weights * (_softmax(rows @ ahead) - wanted)) + ridge * ahead
        new = ahead - step * slope
        ahead = new + number / (number + 3) * (new - found)
        found = new
    return found


def _largest(rows: Array) -> float:
    """The square of the largest singular value, by the power method, and a little more."""
    vector = np.ones(rows.shape[1], np.float32)
    for _ in range(30):
        vector = rows.T @ (rows @ vector)
        size = float(np.linalg.norm(vector))
        vector = vector / size
    return 1.05 * size


def _softmax(scores: Array) -> Array:
    powers: Array = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares


def format_weights(fit: Fit) -> str:
    """The text of the file; features without weight are left out."""
    lines = [
        "# Written by scripts/fit_lasting.py: a feature of a clause, and its weights for: nothing " + " ".join(KINDS)
    ]
    for name, weights in sorted(zip(fit.names, np.rint(fit.weights * UNIT).astype(int).tolist(), strict=True)):
        if any(weights):
            lines.append(f"{name}\t{' '.join(map(str, weights))}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Fit, and write the file."""
    turns = [json.loads(line) for line in TURNS.read_text("utf-8").splitlines()]
    fit = Fit([*examples(turn for turn in turns if turn["set"] not in MEASURED)])
    FILE.write_text(format_weights(fit), encoding="utf-8")
    sys.stdout.write(f"{len(fit.names)} features\n")


if __name__ == "__main__":
    main()
