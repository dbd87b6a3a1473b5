"""Fits the confidence of the classifier by rules: logistic regression on what a verdict knows of itself.

    /tmp/bench/bin/python -m benchmarks.filing_fit

Facts that the taxonomy was not tuned on count fully, texts that are no memories together 20 % of that. What is printed
stands in `memoir/filing/classifier.py`. The set `third` is left out: it told how well the result fits, before the
taxonomy was tuned on it.
"""

import json
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path

from benchmarks.filing_quality import FACTS, NO_MEMORIES
from memoir.filing.classifier import ENOUGH, MANY
from memoir.filing.evidence import default_evidence, stems_with_marks, weigh

FITTED = ("blind", "stress", "second")
NOISE = 0.2
_ROUNDS = 50
_RIDGE = 1e-3

Row = tuple[tuple[float, ...], bool, float]
"""What a verdict knows (1, evidence, lead, words), whether it was right, and what it weighs."""


def rows() -> list[Row]:
    """The verdicts to fit to; a text that nothing speaks for has none."""
    facts = [row for line in _read(FACTS) if line["set"] in FITTED and (row := _row(line["text"], line["levels"]))]
    noise = [row for line in _read(NO_MEMORIES) if line["set"] == "fitted" and (row := _row(line["text"], ()))]
    weight = NOISE * len(facts) / len(noise)
    return [*facts, *((known, right, weight) for known, right, _ in noise)]


def _read(file: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, file.read_text().splitlines())


def _row(text: str, levels: Sequence[str]) -> Row | None:
    _, by_first, matched = weigh(stems_with_marks(text), default_evidence())
    if not by_first:
        return None
    (level, first), (_, second) = sorted([*by_first.items(), ("", 0.0)], key=lambda item: -item[1])[:2]
    known = (1.0, min(first, ENOUGH), (first - second) / (first + second + 1), min(matched[level], MANY))
    return known, level in levels, 1.0


def fitted(data: Sequence[Row]) -> list[float]:
    """The coefficients of greatest likelihood, by Newton's method with a touch of ridge."""
    weights = [0.0] * len(data[0][0])
    for _ in range(_ROUNDS):
        gradient, hessian = _derivatives(data, weights)
        weights = [weight + step for weight, step in zip(weights, _solved(hessian, gradient), strict=True)]
    return weights


def _derivatives(data: Sequence[Row], weights: Sequence[float]) -> tuple[list[float], list[list[float]]]:
    size = len(weights)
    gradient = [0.0] * size
    hessian = [[_RIDGE * (row == column) for column in range(size)] for row in range(size)]
    for known, right, weight in data:
        sure = 1 / (1 + exp(-sum(a * b for a, b in zip(weights, known, strict=True))))
        for i, a in enumerate(known):
            gradient[i] += weight * (right - sure) * a
            for j, b in enumerate(known):
                hessian[i][j] += weight * sure * (1 - sure) * a * b
    return gradient, hessian


def _solved(matrix: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float]:
    """Solve a small symmetric, positive system by elimination."""
    system = [[*row, right] for row, right in zip(matrix, wanted, strict=True)]
    for i, pivot in enumerate(system):
        system[i] = [value / pivot[i] for value in pivot]
        for k, row in enumerate(system):
            if k != i:
                system[k] = [value - row[i] * by for value, by in zip(row, system[i], strict=True)]
    return [row[-1] for row in system]


def main() -> None:
    """Print the coefficients."""
    data = rows()
    names = ("BIAS", "OF_SCORE", "OF_LEAD", "OF_WORDS")
    print(f"{sum(weight == 1 for *_, weight in data)} facts, {sum(weight != 1 for *_, weight in data)} other texts")
    print(*(f"{name} = {value:.2f}" for name, value in zip(names, fitted(data), strict=True)), sep="\n")


if __name__ == "__main__":
    main()
