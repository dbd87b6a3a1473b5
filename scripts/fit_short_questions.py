"""Write memoir/recall/towards_answers.bin: how the vectors of short questions differ from those of what answers them.

    pip install numpy               # for this script alone
    PYTHONPATH=. python scripts/fit_short_questions.py [SET...]

The questions are those of `benchmarks/short`, but for the sets in JUDGES and those that are named, which judge a fit
that has not seen them: `python -m benchmarks.short_questions SET...`. The names that people gave to the facts of
`tests/filing/worlds.jsonl` stand for questions too, at less weight, because they are of other trades. A fact competes
with the others of its world (a softmax over cosines); both factors of the map have a ridge. The file begins with a
digest of what it was fitted to, so that a test sees whether that is still so. Another machine may round a weight
differently.
"""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from filing_facts import SHORT, WORLDS, lines_of

from memoir.embedders.embedder import MINILM_DIMENSION
from memoir.english.lexicon.own_words import NONE
from memoir.english.lexicon.spotting import with_classes
from memoir.git.objects import sha1
from memoir.index.vectors import unit
from memoir.recall.towards_answers import CONSTANT, FILE

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"

JUDGES = frozenset(
    {"podcast", "hospital", "family", "rental", "vets", "newsroom", "ceramics", "robotics"}
    | {"payments", "student", "mobile", "choir", "energy"}
)
"""The worlds that nothing is fitted to."""
RANK, RIDGE, SHARPNESS = 16, 0.03, 20.0
NAMES, NAMES_WEIGHT = 4, 0.3
"""How many names of a fact stand for questions, and the weight of one beside a question."""
STEPS, RATE, MOMENTUM, DECAY = 40, 0.003, 0.9, 0.99
START = 0.3


class World(NamedTuple):
    """Facts, and questions with the numbers of the facts that answer them, each at a weight."""

    facts: Sequence[str]
    questions: Sequence[tuple[str, Collection[int]]]
    weight: float


class Example(NamedTuple):
    """The vectors of a world's questions, with a constant, and of its facts; what answers what; the weight of each."""

    questions: "Array"
    facts: "Array"
    answers: "Array"
    weight: float


def digest(left_out: Collection[str] = JUDGES) -> bytes:
    """The digest of all questions, names and facts that the map is fitted to, and of how."""
    text = json.dumps([[world.facts, world.questions, world.weight] for world in worlds(left_out)])
    return sha1(f"{text}{RANK} {RIDGE} {SHARPNESS} {STEPS} {RATE} {START}".encode())


def worlds(left_out: Collection[str]) -> Iterator[World]:
    """The worlds of questions, then those of names."""
    for file in sorted(SHORT.glob("*.questions.jsonl")):
        name = file.name.partition(".")[0]
        if name not in left_out:
            facts = {line["key"]: line["content"] for line in lines_of(SHORT / f"{name}.facts.jsonl")}
            numbers = {key: number for number, key in enumerate(facts)}
            yield World(
                [*facts.values()],
                [(line["question"], [numbers[key] for key in line["evidence"]]) for line in lines_of(file)],
                1.0,
            )
    named = [line for line in lines_of(WORLDS) if line.get("names")]
    for world in dict.fromkeys(line["set"] for line in named):
        its = [line for line in named if line["set"] == world]
        names = [(name, [number]) for number, line in enumerate(its) for name in line["names"][:NAMES]]
        phrases = [(name.replace("_", " "), numbers) for name, numbers in names]
        yield World([line["text"] for line in its], phrases, NAMES_WEIGHT)


def embed(world: World) -> Example:
    """The vectors of a world as an index has them."""
    import numpy as np

    from memoir.embedders.minilm import MiniLm

    def vectors(texts: Sequence[str]) -> "Array":
        return np.array([unit(vector) for vector in MiniLm().embed(texts)], np.float32)

    answers = np.zeros((len(world.questions), len(world.facts)), np.float32)
    for row, (_, numbers) in zip(answers, world.questions, strict=True):
        row[list(numbers)] = 1 / len(numbers)
    questions = vectors([text for text, _ in world.questions])
    constants = np.full((len(questions), 1), CONSTANT, np.float32)
    facts = vectors([with_classes(text, NONE) for text in world.facts])
    return Example(np.hstack([questions, constants]), facts, answers, world.weight)


def gradient(examples: Sequence[Example], matrix: "Array") -> "Array":
    """The gradient of the mean loss by the numbers of the map."""
    import numpy as np

    total, count = np.zeros_like(matrix), 0.0
    for questions, facts, answers, weight in examples:
        turned = questions[:, :MINILM_DIMENSION] + questions @ matrix.T
        turned /= np.linalg.norm(turned, axis=1, keepdims=True)
        scores = SHARPNESS * (turned @ facts.T)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        total += weight * SHARPNESS * ((shares - answers) @ facts).T @ questions
        count += weight * len(questions)
    return total / np.float32(count)


def fit(examples: Sequence[Example]) -> "tuple[Array, Array]":
    """The two factors of the map: what features add, and what a vector has of them (by Adam, Kingma and Ba, 2015)."""
    import numpy as np

    left, sizes, right = np.linalg.svd(
        -gradient(examples, np.zeros((MINILM_DIMENSION, MINILM_DIMENSION + 1), np.float32))
    )
    roots = np.sqrt(START * sizes[:RANK] / sizes[0])
    factors = [left[:, :RANK] * roots, right[:RANK] * roots[:, None]]
    means, squares = [np.zeros_like(each) for each in factors], [np.zeros_like(each) for each in factors]
    for step in range(1, STEPS + 1):
        slope = gradient(examples, factors[0] @ factors[1])
        slopes = slope @ factors[1].T + RIDGE * factors[0], factors[0].T @ slope + RIDGE * factors[1]
        for number, its in enumerate(slopes):
            means[number] = MOMENTUM * means[number] + (1 - MOMENTUM) * its
            squares[number] = DECAY * squares[number] + (1 - DECAY) * its * its
            mean, square = means[number] / (1 - MOMENTUM**step), squares[number] / (1 - DECAY**step)
            factors[number] = factors[number] - RATE * mean / (np.sqrt(square) + 1e-8)
    return factors[0], factors[1]


def packed(additions: "Array", features: "Array") -> bytes:
    """The factors as bytes, with the unit of each feature."""
    import numpy as np

    of_additions, of_features = np.abs(additions).max(axis=0) / 127, np.abs(features).max(axis=1) / 127
    scales = (of_additions * of_features).astype(np.float32)
    rows = np.rint(features / of_features[:, None]), np.rint(additions / of_additions)
    return b"".join((scales.tobytes(), *(each.astype(np.int8).tobytes() for each in rows)))


def main() -> None:
    """Fit the map to all worlds but the judges and those that are named, and write it."""
    left_out = JUDGES.union(sys.argv[1:])
    factors = fit([embed(world) for world in worlds(left_out)])
    FILE.write_bytes(digest(left_out) + packed(*factors))


if __name__ == "__main__":
    main()
