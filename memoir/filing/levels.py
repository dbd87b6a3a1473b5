"""The evidence for each first level of a taxonomy: evidence of words, votes of similar memories, and the regression.

The regression (multinomial, logistic) tells what kind of fact a memory is by its form and meaning. It adds to the
evidence of the words that the taxonomy names, which knows nothing of a trade it has never heard of. It knows the first
levels of the default taxonomy, and one class more: texts that are not memories. `scripts/fit_filing.py` fits it to
labelled facts, and writes its weights to `regression.txt`, in hundredths.

The form of a memory is its words, the shapes of its words, and each two shapes in sequence. A common word is its own
shape ("the", "before"); of another word the shape says whether it is a name, a number, a path or an identifier, or how
it ends. So words that no list has still help: "A -s from a _" is mostly a cause, whatever it was that failed. The
meaning of a memory is its vector of the embedder `static`, which knows words that no labelled fact has.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import exp, hypot
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memoir.english.people import is_about_person, subject
from memoir.english.stopwords import SIGNPOSTS, STOP_WORDS
from memoir.english.words import spell_out
from memoir.filing.evidence import CategoryEvidence, Scores, stems_with_marks, weigh
from memoir.index.embedders.static import StaticEmbedder

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour


START, WORD = "^", "_"
"""The shape before the first word, which is a feature of every memory; and the shape of a word like most."""
_READ_CHARACTERS = 400
"""Characters of a memory that are looked at: facts are shorter, and the beginning says what kind one is."""
_LENGTH = 4.0
"""The length that a meaning comes near to, the longer its memory is."""
_HALF_LENGTH = 4e8
"""The length of a vector of `static`, usual for five words, of which the meaning has half of `_LENGTH`."""
_ENDINGS = ("ing", "ed", "ly", "s")
_MARKS = ".,;:!?()[]{}<>\"'“”‘’`…*–—-"
"""Punctuation around words."""
_BY_MARK = (("=", "ASSIGNMENT"), ("/", "PATH"), (".", "DOTTED"), ("_", "SNAKE"))


def features(text: str, stems: Sequence[str]) -> frozenset[str]:
    """The features of a memory's form.

    Args:
        text: The memory.
        stems: Its stems, classes and marks (`memoir.filing.evidence.stems_with_marks`).
    """
    shapes = [START, *_shapes(text)]
    return frozenset((*stems, *shapes, *map(" ".join, pairwise(shapes))))


def meaning(text: str) -> Sequence[float]:
    """The meaning of a memory, as a vector; the fewer words a memory has, the shorter is its vector."""
    (vector,) = StaticEmbedder().embed([text[:_READ_CHARACTERS]])
    factor = _LENGTH / (_HALF_LENGTH + hypot(*vector))
    return [factor * component for component in vector]


def _shapes(text: str) -> Iterator[str]:
    words = filter(None, (chunk.strip(_MARKS) for chunk in spell_out(text[:_READ_CHARACTERS]).split()))
    for place, word in enumerate(words):
        lower = word.casefold()
        if lower in STOP_WORDS or lower in SIGNPOSTS:
            yield lower
        else:
            yield (_shape_of_letters if word.isalpha() else _shape_of_marks)(word) or (
                "NAME" if place and word[0].isupper() else _ending(lower)
            )


def _shape_of_letters(word: str) -> str:
    """CAPITALS or CAMEL for a word of letters that has a capital inside; empty for others."""
    if word[1:].islower() or len(word) == 1:
        return ""
    return "CAPITALS" if word.isupper() else "CAMEL"


def _shape_of_marks(word: str) -> str:
    """The shape of a word that is not all letters; empty if only capitals and endings tell."""
    if word[0].isdigit():
        return "NUMBER" if word.replace(".", "").replace(",", "").isdigit() else "AMOUNT"
    if word[0] == "#":
        return "CHANNEL"
    mark_shape = next((shape for mark, shape in _BY_MARK if mark in word), "")
    if word.isupper():
        return "CONSTANT" if mark_shape == "SNAKE" else mark_shape or "CAPITALS"
    return mark_shape or ("COMPOUND" if "-" in word and word[0].islower() else "")


def _ending(lower: str) -> str:
    return next((f"-{end}" for end in _ENDINGS if lower.endswith(end) and len(lower) > len(end) + 2), WORD)


FILE = Path(__file__).with_name("regression.txt")
NO_MEMORY = "inbox"
"""The class of texts that are not memories."""
UNIT = 100
"""A weight of 1 in the file."""


class Regression:
    """The weights of features and of meanings for classes."""

    def __init__(self, classes: Sequence[str], by_class: Sequence[str], by_feature: Sequence[str]) -> None:
        """Take the weights as lines of text, which are parsed when they are needed.

        Args:
            classes: The names of the classes.
            by_class: A line for each class: its weights for the components of a meaning.
            by_feature: Sorted lines: a feature, a tab, and its weight for each class.
        """
        self.classes = tuple(classes)
        self._by_class = by_class
        self._by_feature = by_feature

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Read a comment, the classes, their weights for a meaning, and the weights by feature."""
        _, names, *lines = text.splitlines()
        classes = names.split()
        return cls(classes, lines[: len(classes)], lines[len(classes) :])

    def scores(self, features: Iterable[str], meaning: Sequence[float]) -> Mapping[str, float]:
        """The score of each class: the sum of the features' weights, and of the meaning's components times theirs."""
        rows = filter(None, map(self._weights, features))
        sums = [sum(map(mul, meaning, map(int, line.split()))) for line in self._by_class]
        return {name: sum(column) / UNIT for name, *column in zip(self.classes, sums, *rows, strict=True)}

    def _weights(self, feature: str) -> list[int]:
        start = f"{feature}\t"
        at = bisect_left(self._by_feature, start)
        line = self._by_feature[at] if at < len(self._by_feature) else ""
        return list(map(int, line[len(start) :].split())) if line.startswith(start) else []


@cache
def default_regression() -> Regression:
    """The regression for the default taxonomy."""
    return Regression.loads(FILE.read_text(encoding="utf-8"))


VOTE = 5.0
"""The weight of a neighbour's vote at relevance 1. It falls with the square of the relevance, since less similar
memories mislead; between 3 and 6 it makes no difference for facts beside 1,800 others."""
VOTE_WORDS = 2
"""Words of the memory that such a vote counts as."""
VOTERS = 5
"""How many of the most similar memories have a vote."""
_PROFILE, _SETTINGS, RELATIONSHIPS = "profile", "settings", "relationships"


class Features(NamedTuple):
    """A memory as the rules read it: its stems and marks, and the other person whom it is about, if any."""

    text: str
    stems: Sequence[str]
    person: str | None


class LevelScore(NamedTuple):
    """A first level, its score, and its share (0 to 1) of what speaks for any of them."""

    name: str
    score: float
    share: float


def read(text: str, *, person_is_known: bool = False) -> Features:
    """Read a memory.

    Args:
        text: The memory.
        person_is_known: Whether its `subject` is the name of a person whom the store knows.
    """
    person = subject(text) if is_about_person(text, known=person_is_known) else None
    return Features(text, stems_with_marks(text, about_person=person is not None), person)


def weigh_words(memory: Features, evidence: CategoryEvidence, neighbours: "Sequence[Neighbour]" = ()) -> Scores:
    """The evidence of a memory's words, and the votes of its neighbours."""
    scores = weigh(memory.stems, evidence)
    _add_votes(scores, neighbours, evidence)
    if memory.person:
        _leave_to_relationships(scores)
    return scores


def weigh_by_regression(memory: Features, evidence: CategoryEvidence) -> Mapping[str, float]:
    """The scores of the first levels, and of not being a memory, by the form and the meaning of a memory.

    They are empty if the taxonomy lacks a first level of the default one: then the others mean something else.
    """
    regression = default_regression()
    if not {*regression.classes} - {NO_MEMORY} <= {*evidence.first_levels}:
        return {}
    return regression.scores(features(memory.text, memory.stems), meaning(memory.text))


def best_levels(memory: Features, evidence: CategoryEvidence, words: Scores) -> list[LevelScore]:
    """The best first level, and the next one if anything speaks for it.

    A share is that of a multinomial logistic regression (softmax), in which the evidence of the words is one term. The
    fitted regression does not know a level that a store has added: if the words are evidence for it, it gets the best
    score of the regression, too.
    """
    by_level = dict(weigh_by_regression(memory, evidence))
    no_memory = by_level.pop(NO_MEMORY, 0.0)
    new_levels = dict.fromkeys(words.first_levels.keys() - by_level.keys(), max(by_level.values(), default=0.0))
    scores = {level: words.first_levels.get(level, 0.0) for level in evidence.first_levels}
    for level, score in (*by_level.items(), *new_levels.items()):
        scores[level] += score
    for level in (_PROFILE, _SETTINGS) if memory.person else ():
        scores.pop(level, None)
    first, *others = sorted(scores.items(), key=lambda level: -level[1])
    total = sum(exp(score - first[1]) for score in (*scores.values(), no_memory))
    best = [first, *(other for other in others[:1] if other[1] > 0)]
    return [LevelScore(name, score, exp(score - first[1]) / total) for name, score in best]


def _add_votes(scores: Scores, neighbours: "Sequence[Neighbour]", evidence: CategoryEvidence) -> None:
    """Add the votes of the most similar memories: the square of each relevance, since less similar ones mislead."""
    for near in sorted(neighbours, key=lambda near: -near.relevance)[:VOTERS]:
        first, _, rest = near.path.partition(".")
        if first in evidence.first_levels:
            second, deeper, _ = rest.partition(".")
            category = f"{first}.{second}" if deeper else first
            share = near.relevance**2
            _add(scores.categories, category, VOTE * share)
            _add(scores.first_levels, first, VOTE * share)
            _add(scores.match_counts, first, VOTE_WORDS * share)


def _leave_to_relationships(scores: Scores) -> None:
    """Rule out what is only the user's own: another's home or job is part of knowing them, another's settings are not.

    Where a taxonomy has no relationships, both are ruled out all the same.
    """
    for sums in scores:
        profile = sums.pop(_PROFILE, 0.0)
        sums.pop(_SETTINGS, None)
        if RELATIONSHIPS in sums:
            sums[RELATIONSHIPS] += profile


def _add(sums: dict[str, float], key: str, value: float) -> None:
    sums[key] = sums.get(key, 0.0) + value
