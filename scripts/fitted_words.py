"""What each phrase of the taxonomy counts as evidence: its weight, times how often it is right among labelled facts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memoir.filing.evidence import CategoryEvidence, Match, Scores, add_up, usual_weights
from memoir.filing.levels import Features, leave_to_relationships
from memoir.taxonomy import catalogue

_PATHS, _USUAL_WEIGHTS = tuple(catalogue.default()), usual_weights(catalogue.default())
UNFITTED = CategoryEvidence().plus(_PATHS, _USUAL_WEIGHTS)
USUAL = 0.3
"""How often a phrase is right of which nothing is known; what is known counts as much more, as there are facts."""
MOST, LEAST = 2.0, 0.01
"""The most by which a weight is multiplied, and the least that is left of one."""


class Words(NamedTuple):
    """A fact's words: the phrases found in them, whether it is about another person, and its labels, if any."""

    stems: Sequence[str]
    matches: Sequence[Match]
    about_person: bool
    labels: Sequence[str]

    @classmethod
    def of(cls, memory: Features, labels: Sequence[str]) -> "Words":
        """Find the phrases of a memory."""
        return cls(memory.stems, UNFITTED.matches(memory.stems), memory.person is not None, labels)

    def phrase(self, place: range) -> str:
        """The phrase at a place."""
        return " ".join(self.stems[place.start : place.stop])

    def names(self, path: str) -> bool:
        """Whether a label says that a category is right."""
        return any(path in (label, label.partition(".")[0]) or path.startswith(f"{label}.") for label in self.labels)


class Precisions:
    """How often each phrase is right as evidence for each category, among some facts."""

    def __init__(self, facts: Iterable[Words]) -> None:
        """Count."""
        self._all, self._right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for fact in facts:
            for place, weights in fact.matches if fact.labels else ():
                keys = [(fact.phrase(place), path) for path in weights]
                self._all.update(keys)
                self._right.update(key for key in keys if fact.names(key[1]))

    def scores(self, words: Words, *, known: bool) -> Scores:
        """The evidence of a fact's words; one that is known is not judged by itself."""
        own = words if known and words.labels else None
        matches = [
            (place, {path: weight * self._factor(words.phrase(place), path, own) for path, weight in weights.items()})
            for place, weights in words.matches
        ]
        scores = add_up(matches, UNFITTED.first_levels)
        if words.about_person:
            leave_to_relationships(scores)
        return scores

    def evidence(self) -> CategoryEvidence:
        """The evidence with the fitted weights."""
        fitted = {phrase: self._fitted(" ".join(phrase), weights) for phrase, weights in _USUAL_WEIGHTS.items()}
        return CategoryEvidence().plus(_PATHS, fitted)

    def _fitted(self, phrase: str, weights: Mapping[str, float]) -> dict[str, float]:
        return {path: max(LEAST, round(weight * self._factor(phrase, path), 2)) for path, weight in weights.items()}

    def _factor(self, phrase: str, path: str, own: Words | None = None) -> float:
        right, every = self._right[phrase, path], self._all[phrase, path]
        if own:
            right, every = right - own.names(path), every - 1
        return min(MOST, (right + USUAL) / (every + 1) / USUAL)
