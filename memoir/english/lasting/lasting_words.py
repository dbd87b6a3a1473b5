"""The likelihood that a clause of a turn lasts, and of each kind, by its words: a multinomial logistic regression.

The features of a clause are its words and their endings, word pairs, its frame (the common words in order, with
placeholders between), its beginning, the lengths of it and its turn, whether a rule takes it for one about the moment,
and the beginnings of the neighbouring clauses. `scripts/fit_lasting.py` fits the weights to labelled turns and writes
them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import NamedTuple

from memoir.english.lasting import grammar
from memoir.english.lasting.lasting_clauses import LastingClause, is_passing, lasting_part, split_clauses
from memoir.english.patterns import word_set
from memoir.english.sentences import without_lead
from memoir.english.sorted_lines import value_of
from memoir.english.stopwords import NAMELESS, STOP_WORDS
from memoir.taxonomy.kinds import DIRECTIVE, FACT, PREFERENCE

KINDS = (DIRECTIVE, PREFERENCE, FACT)
"""The kinds of lasting clauses, in the order of the weights; the first weight is for "does not last"."""
UNIT = 100
"""The file's number for a weight of 1."""
FILE = Path(__file__).with_name("lasting_words.txt")
_WORD = re.compile(r"[a-z][a-z'’]*|\d[\d.,:]*|[?!:`%$€£]")
_NAMED = re.compile(r"[a-z] [A-Z]")
_ENDINGS = ("ed", "ing", "ly", "s", "n't", "'s", "'m", "'d", "'ll", "'ve", "er", "est")
_OF_OPENINGS = ("ed", "ing", "ly", "s")
_OF_FRAMES = ("ing", "ed", "ly", "s")
_OTHER = "*"
"""The placeholder for uncommon words."""
_COMMON = STOP_WORDS | NAMELESS
_SIZES = (1, 2, 3, 5, 8)
"""The numbers of clauses at which the size feature of a turn changes."""


class SaidClause(NamedTuple):
    """A clause, its features, and its lasting part by the rules, if any."""

    text: str
    features: set[str]
    rule: LastingClause | None


class Verdict(NamedTuple):
    """The likelihoods computed from a clause's features."""

    share: float
    """The likelihood that it lasts, from 0 to 1."""
    kinds: dict[str, float]
    """The likelihood of each lasting kind."""


def clauses_of(sentences: Sequence[str]) -> Iterator[list[SaidClause]]:
    """Yield the clauses of each sentence of a turn."""
    parts = [split_clauses(sentence) for sentence in sentences]
    openings = [_words(clause)[:2] for each in parts for clause in each]
    size = f"#{bisect_right(_SIZES, len(openings))}"
    neighbours = zip([[], *openings], [*openings[1:], []], strict=False)
    positions = iter(_positions(len(openings)))
    for sentence, clauses in zip(sentences, parts, strict=True):
        features = [
            {size, *_features(each, sentence, *next(neighbours)), *shape(each, next(positions))} for each in clauses
        ]
        rules = [lasting_part(each, sentence) for each in clauses]
        yield [*map(SaidClause, clauses, features, rules)]


def judge(features: set[str]) -> Verdict:
    """The likelihood that a clause with these features lasts, and of each kind."""
    lines = _lines()
    sums = [0.0] * (1 + len(KINDS))
    for feature in ("", *sorted(features)):
        for at, weight in enumerate(map(int, value_of(lines, feature).split())):
            sums[at] += weight / UNIT
    powers = [exp(each - max(sums)) for each in sums]
    shares = {kind: power / sum(powers) for kind, power in zip(KINDS, powers[1:], strict=True)}
    return Verdict(sum(shares.values()), shares)


def _positions(size: int) -> list[str]:
    """The position of each clause in its turn."""
    return ["both"] if size == 1 else ["first", *["neither"] * (size - 2), "last"] if size else []


def _features(clause: str, sentence: str, before: list[str], after: list[str]) -> set[str]:
    """The features of a clause; `before` and `after` are the first words of its neighbours."""
    words = _words(clause)
    found = {*words, *map(" ".join, pairwise(words)), f"={min(len(words) // 4, 5)}"}
    found.update(f"^{at} {word}" for at, word in enumerate(words[:2]))
    found.update(("=?",) if sentence.endswith("?") else (), ("=part",) if clause != sentence else ())
    found.update(("=name",) if _NAMED.search(clause) else (), ("=passing",) if is_passing(clause) else ())
    found.update(f"-{end}" for end in _ENDINGS for word in words if word.endswith(end) and len(word) > len(end) + 1)
    found.update(f"^{at}-{end}" for at, word in enumerate(words[:2]) for end in _OF_OPENINGS if word.endswith(end))
    return found.union(map("<{}".format, before), map(">{}".format, after), _frames(words))


def _words(clause: str) -> list[str]:
    return ["0" if word[0].isdigit() else word.replace("’", "'") for word in _WORD.findall(clause.lower())]


def _frames(words: list[str]) -> Iterator[str]:
    """Word trigrams, with uncommon words as placeholders; bigrams that contain a placeholder."""
    frame = ["^", *map(_framed, words), "$"]
    frame = [each for before, each in pairwise(["", *frame]) if not before == each == _OTHER]
    yield from (f"~{one} {other}" for one, other in pairwise(frame) if _OTHER in one + other)
    yield from map("~{} {} {}".format, frame, frame[1:], frame[2:])


def _framed(word: str) -> str:
    """A common word, a number or a mark unchanged; another word as a placeholder with its ending."""
    if word in _COMMON or not word[0].isalpha() or "'" in word:
        return word
    return _OTHER + next((end for end in _OF_FRAMES if word.endswith(end) and len(word) > len(end) + 2), "")


@cache
def _lines() -> list[str]:
    """The sorted lines of the file: a feature, a tab, and its weights for "does not last" and for each kind."""
    return FILE.read_text("utf-8").splitlines()[1:]


_CONDITIONS = word_set(
    """
    when whenever where wherever if once before after unless while until should for in on at with without every as
    """
)
"""Words that begin a condition or a place before an order."""
_GENERIC = word_set(
    """
    every each any all anything everything whatever whichever whenever wherever whoever no never always nothing nobody
    only anyone everyone none
    """
)
_OF_THIS = word_set(
    """
    this that these those it them here now today tomorrow tonight yesterday above below attached instead again first
    next then following
    """
)
"""Words that point at the current task."""
_DUTIES = word_set("must should shall has have needs need")
_TO_BE = re.compile(r"\b(?:is|are|has|have|ought|needs?) to be \w")
_PASSIVE = re.compile(r"\b(?:gets?|is|are|be) \w+(?:ed|en|wn|pt|ut|et)\b")
_KNOWN = ("the", "my")
"""Words before something already known."""


def shape(clause: str, position: str) -> Iterator[str]:
    """Features of a clause's form: an order, a state or a fragment; about things in general or this one.

    Rules speak of things in general ("every alert has a runbook", "when you move a pin, update the table"), single
    requests of one ("make this shorter"). `position` is the clause's in its turn: "first", "last", "both" or
    "neither".
    """
    plain = without_lead(clause)
    words = grammar.words_of(plain)
    if not words:
        return
    kind, said = _form(words, plain), " ".join(words)
    generic, of_this = (not known.isdisjoint(words) for known in (_GENERIC, _OF_THIS))
    begins_plural = any(map(grammar.is_plural, words[: 1 if words[0] in _KNOWN else 2]))
    has_plural = any(map(grammar.is_plural, words[1:6]))
    yield from (f"@{kind}", f"@{kind} {position}", f"@{kind} the{min(sum(map(words.count, _KNOWN)), 2)}")
    for name, is_so in (("general", generic), ("plural", has_plural), ("plurals", begins_plural)):
        yield f"@{kind} {name} {int(of_this)}{int(is_so)}"
    marks = {"@general": generic, "@this": of_this, "@duty": not _DUTIES.isdisjoint(words)}
    marks |= {"@to be": _TO_BE.search(said) is not None, "@passive": _PASSIVE.search(said) is not None}
    yield from (mark for mark, is_so in marks.items() if is_so)


def _form(words: list[str], plain: str) -> str:
    """The form of a clause: an order, an order with a condition, a fragment without a verb, a state, or another."""
    _, _, main = plain.partition(", ")
    if words[0] in _CONDITIONS and main and grammar.is_order(grammar.words_of(main)):
        return "case"
    if grammar.is_order(words):
        return "order"
    if grammar.is_fragment(words):
        return "fragment"
    return "state" if grammar.is_state(plain) else "other"
