"""The evidence for each first level of a taxonomy: evidence of words, votes of similar memories, and the regression."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from memoir.english.people import is_about_person, subject
from memoir.filing.evidence import CategoryEvidence, Scores, stems_with_marks, weigh
from memoir.filing.features import features, meaning
from memoir.filing.regression import NO_MEMORY, default_regression

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour

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
