"""What the benchmarks of recall store and ask: text with the statistics of talk, the same on every run.

About half of the words of a memory are stop words; the others follow Zipf's law (in Mandelbrot's form), so the
commonest stand in about a quarter of the memories and most of the 20,000 in very few. A third of the memories are
turns of sessions, which have neighbours and are told by somebody; the others stand at ordinary paths.
"""

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate

from memoir.english.stopwords import STOP_WORDS

NAMESPACE = "default"
_AREAS = ("preferences", "project", "knowledge", "workflow", "people", "profile", "decisions", "environment")
_TOPICS = ("coding", "testing", "review", "release", "design", "team", "tools", "style", "data", "security", "docs")
_PEOPLE = ("ada", "grace", "alan", "edsger", "barbara", "donald", "john", "radia", "ken", "leslie")
_SYLLABLES = [first + second for first in "bdfghklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er", "il")]
_VOCABULARY = 20_000
_FLATNESS = 5
"""Mandelbrot's constant: how far the commonest words fall short of Zipf's law."""
_TURNS = 25
_FIRST_DAY = datetime(2024, 11, 1, tzinfo=UTC)


def memories(many: int, seed: int = 20261122) -> Iterator[bytes]:
    """JSON lines as `memoir import` reads them."""
    dice = random.Random(seed)
    for number in range(many):
        metadata = {"person": dice.choice(_PEOPLE)} if number % 3 == 0 else {}
        line = {
            "namespace": NAMESPACE,
            "path": _turn(number // 3) if metadata else _note(dice, number),
            "content": sentence(dice, dice.randint(12, 46)),
            "timestamp": (_FIRST_DAY + timedelta(minutes=10 * number)).isoformat(),
            "metadata": metadata,
        }
        yield json.dumps(line).encode()


def questions(many: int) -> list[str]:
    """Questions of every sort, in turn: common words, rarer ones, a mixture, somebody's name, a time."""
    dice = random.Random(many)
    return [_question(dice, number % 5) for number in range(many)]


def sentence(dice: random.Random, length: int) -> str:
    """A number of words, about half of them stop words."""
    return " ".join(dice.choice(_stop_words()) if dice.random() < 0.5 else _word(dice) for _ in range(length))


def _question(dice: random.Random, sort: int) -> str:
    words = _words()[0]
    common, rarer = dice.sample(words[:40], 3), dice.sample(words[100:3000], 3)
    return (
        f"what did we say about the {' and '.join(common)}?",
        f"where is the {rarer[0]} of {rarer[1]} and {rarer[2]}?",
        f"why do they {common[0]} {rarer[0]} before {common[1]} {rarer[1]} with a {rarer[2]}?",
        f"what does {dice.choice(_PEOPLE).capitalize()} think of {common[0]} {rarer[0]}?",
        f"which {rarer[0]} was {common[0]} in March 2025?",
    )[sort]


def _turn(number: int) -> str:
    return f"experience.session_{number // _TURNS:04}.turn_{number % _TURNS:02}"


def _note(dice: random.Random, number: int) -> str:
    return f"{dice.choice(_AREAS)}.{dice.choice(_TOPICS)}.note_{number}"


def _word(dice: random.Random) -> str:
    words, weights = _words()
    return dice.choices(words, cum_weights=weights)[0]


@cache
def _words() -> tuple[Sequence[str], Sequence[float]]:
    """Made-up words, the commonest first, and their cumulative weights."""
    dice = random.Random(1935)
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        words["".join(dice.choices(_SYLLABLES, k=dice.choice((2, 2, 3, 3, 4))))] = None
    return list(words), list(accumulate(1 / (rank + _FLATNESS) for rank in range(1, _VOCABULARY + 1)))


@cache
def _stop_words() -> Sequence[str]:
    return sorted(STOP_WORDS)
