"""How likely a clause of a turn lasts, and as what, by all its words: a regression (multinomial, logistic).

Rules name the phrases that say it; most people use others. The features of a clause are its words and pairs of words,
how it begins, how long it is, and the phrases of the rules that it has. `scripts/fit_lasting.py` fits the weights to
labelled turns, and writes them.
"""

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import NamedTuple

from memoir.english import grammar
from memoir.english import session_phrases as phrases
from memoir.english.sentences import SUPPOSITION, without_lead
from memoir.taxonomy.kinds import DIRECTIVE, FACT, PREFERENCE

KINDS = (DIRECTIVE, PREFERENCE, FACT)
"""What a clause that lasts may be, in the order of the weights; the first weight is for one that does not."""
UNIT = 100
"""A weight of 1 in the file."""
FILE = Path(__file__).with_name("lasting_words.txt")
_WORD = re.compile(r"[a-z][a-z'’]*|\d[\d.,:]*|[?!:`%$€£]")
_NAMED = re.compile(r"[a-z] [A-Z]")
_BEGINNINGS = ("QUESTION", "TASK", "STANDING_INSTRUCTION", "CURT", "COMPLAINT", "OTHERS_WORDS", "POINTS_BACK")
_PHRASES = (
    "REMINDER",
    "ONCE",
    "HERE_AND_NOW",
    "GENERAL",
    "LASTING_ORDER",
    "OURS",
    "MINE",
    "CHANGED",
    "MUST",
    "PASSING_MATTER",
)
_GRAMMAR = ("is_order", "is_ban", "is_habit", "points_at_task")


class Verdict(NamedTuple):
    """What a clause's words say of it.

    Attributes:
        share: How likely it lasts, 0 to 1.
        kinds: How likely it is of each kind that lasts.
    """

    share: float
    kinds: dict[str, float]


def judge(clause: str, sentence: str) -> Verdict:
    """How likely a clause of a sentence lasts, and as what."""
    lines = _lines()
    sums = [0.0] * (1 + len(KINDS))
    for feature in ("", *sorted(features(clause, sentence))):
        for at, weight in enumerate(_weights(lines, feature)):
            sums[at] += weight / UNIT
    powers = [exp(each - max(sums)) for each in sums]
    shares = {kind: power / sum(powers) for kind, power in zip(KINDS, powers[1:], strict=True)}
    return Verdict(sum(shares.values()), shares)


def features(clause: str, sentence: str) -> set[str]:
    """The features of a clause of a sentence."""
    words = ["0" if word[0].isdigit() else word.replace("’", "'") for word in _WORD.findall(clause.lower())]
    found = {*words, *map(" ".join, pairwise(words)), f"={min(len(words) // 4, 5)}"}
    found.update(f"^{at} {word}" for at, word in enumerate(words[:2]))
    found.update(("=?",) if sentence.endswith("?") else (), ("=part",) if clause != sentence else ())
    found.update(("=name",) if _NAMED.search(clause) else ())
    return found | _rules(without_lead(clause).strip())


def _rules(text: str) -> set[str]:
    """The phrases and the grammar of the rules that a clause has."""
    words = grammar.words_of(text)
    found = {f"={name}" for name in _BEGINNINGS if getattr(phrases, name).match(text)}
    found.update(f"={name}" for name in _PHRASES if getattr(phrases, name).search(text))
    found.update(f"={name}" for name in _GRAMMAR if words and getattr(grammar, name)(words))
    found.update(("=SUPPOSITION",) if SUPPOSITION.search(text) else ())
    found.update(("=is_state",) if words and grammar.is_state(text) else ())
    found.update(("=is_label",) if words and grammar.is_label(text) else ())
    return found | ({"=is_choice"} if words and grammar.is_choice(text) else set())


@cache
def _lines() -> list[str]:
    """A feature, a tab, and its weights: against lasting, and for each kind; sorted, after a line that is a comment."""
    return FILE.read_text("utf-8").splitlines()[1:]


def _weights(lines: list[str], feature: str) -> list[int]:
    start = f"{feature}\t"
    at = bisect_left(lines, start)
    line = lines[at] if at < len(lines) else ""
    return [int(each) for each in line[len(start) :].split()] if line.startswith(start) else []
