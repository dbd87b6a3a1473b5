"""Score the categories of a taxonomy by evidence of words, votes of similar memories, and the regression.

The score of a second level is the regression's score plus the weighted evidence of its words. The score of a first
level combines those of all its second levels with the evidence for itself: the shares of first levels are those of a
softmax over second levels.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, inf, log
from typing import TYPE_CHECKING

from memoir.english.people import is_about_person, is_about_private_life, is_about_somebody_close, subject
from memoir.filing.evidence import CategoryEvidence, Scores, stems_with_marks, weigh
from memoir.filing.labelled import BY_MEANING, BY_WORDS, labelled_facts, labelled_meanings
from memoir.filing.regression import (
    MINILM,
    NO_MEMORY,
    STATIC,
    Meaning,
    Regression,
    features,
    regression_of,
    static_meaning,
)

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour


GENERAL = "general"
"""The name of a level without any other."""
VOTE = 4.0
"""The weight of a neighbour's vote at relevance 1, for its category and its first level, on the scale of word evidence.
It falls with the square of the relevance, because less similar memories mislead."""
VOTERS = 5
"""How many of the most similar memories vote."""
PREFERENCES, _PROFILE, _SETTINGS, _PROJECT = "preferences", "profile", "settings", "project"
RELATIONSHIPS = "relationships"
_OWN = (PREFERENCES, _PROFILE)
"""First levels for the user alone; the same facts about another person belong to relationships."""
CODING, _COLLEAGUES, _PETS = "preferences.coding", "relationships.colleagues", "relationships.pets"


class Features:
    """A memory as the rules see it: text, stems with marks, the other person it is about (if any), meaning."""

    def __init__(self, text: str, stems: Sequence[str], person: str | None, meaning: Meaning) -> None:
        self.text, self.stems, self.person, self.meaning = text, stems, person, meaning


class LevelScore:
    """A first level, its best second level's path, its score, and its share (0 to 1) among first levels.

    `no_memory` is the share for not being a memory.
    """

    def __init__(self, name: str, second: str, score: float, share: float, no_memory: float) -> None:
        self.name, self.second, self.score = name, second, score
        self.share, self.no_memory = share, no_memory


def read(text: str, meaning: Meaning | None = None, *, person_is_known: bool = False) -> Features:
    """Read a memory; without a meaning, `static` computes it.

    `person_is_known` means that its `subject` is a person in the store.
    """
    person = subject(text) if is_about_person(text, known=person_is_known) else None
    stems = stems_with_marks(text, about_person=person is not None)
    return Features(text, stems, person, meaning or static_meaning(text))


def weigh_words(memory: Features, evidence: CategoryEvidence, neighbours: "Sequence[Neighbour]" = ()) -> Scores:
    """Add up the evidence of a memory's words and the votes of its neighbours."""
    scores = weigh(memory.stems, evidence)
    _add_votes(scores, neighbours, evidence)
    if memory.person:
        leave_to_relationships(scores)
    return scores


BESIDE = 0.35
"""The weight of the regression of `static` beside that of MiniLM: the vector of a sentence loses in part what its words
mean by themselves."""


def is_default(evidence: CategoryEvidence) -> bool:
    """Whether a taxonomy has all first levels of the default one, so that the regression is used."""
    return {*regression_of(STATIC).first_levels} - {NO_MEMORY} <= {*evidence.first_levels}


def weigh_by_regression(memory: Features, evidence: CategoryEvidence) -> Mapping[str, float]:
    """Score the second levels, and not being a memory, by a memory's form and meaning.

    Labelled facts that are like the memory vote, too. The result is empty if the taxonomy lacks a first level of the
    default one, because the others then mean something else.
    """
    if not is_default(evidence):
        return {}
    regression = regression_of(memory.meaning.embedder)
    form, classes, facts = features(memory.text, memory.stems), regression.classes, labelled_facts()
    parts = [(1.0, facts.votes(facts.nearest(memory.stems), BY_WORDS, classes))]
    scores = regression.scores(form, memory.meaning.vector)
    if memory.meaning.embedder == MINILM:
        beside = regression_of(STATIC).scores(form, static_meaning(memory.text).vector)
        by_meaning = facts.votes(labelled_meanings().nearest(memory.meaning.vector), BY_MEANING, classes)
        parts += [(1 - BESIDE, scores), (BESIDE, beside), (1.0, by_meaning)]
    else:
        parts.append((1.0, scores))
    return {name: sum(share * its[name] for share, its in parts) for name in classes}


def best_levels(memory: Features, evidence: CategoryEvidence, words: Scores) -> list[LevelScore]:
    """The best first level, and the next one if it has evidence, each with its best second level."""
    by_class = dict(weigh_by_regression(memory, evidence))
    no_memory = by_class.pop(NO_MEMORY, 0.0)
    if memory.person and not words.categories.get(_PETS):
        by_class.pop(_PETS, None)  # people are no pets
    if _COLLEAGUES in by_class and is_about_somebody_close(memory.text, kin=True):
        by_class[_COLLEAGUES] = -inf
    if memory.person:
        _add_own_to_relationships(by_class)
    levels = _levels(regression_of(memory.meaning.embedder), by_class, evidence, words)
    for level in _ruled_out(memory):
        levels.pop(level, None)
    first, *others = sorted(levels.items(), key=lambda level: -level[1].score)
    scores = [first[1].score, *(other.score for _, other in others)]
    no_share = _shares([_sum_up(scores), no_memory])[1]
    best = [first, *(other for other in others[:1] if by_class or other[1].score > 0)]
    return [
        LevelScore(name, its.second, its.score, share, no_share)
        for share, (name, its) in zip(_shares(scores), best, strict=False)
    ]


def _ruled_out(memory: Features) -> Sequence[str]:
    """The first levels ruled out for a memory about another person; nobody's birthday is a project date."""
    private = [_PROJECT] if is_about_private_life(memory.text) else []
    is_of_another = memory.person or is_about_somebody_close(memory.text)
    return [*_OWN, _SETTINGS, *private] if is_of_another else private


def _add_own_to_relationships(by_class: dict[str, float]) -> None:
    """Count what speaks for the user's own first levels for relationships; each kind keeps its share of them."""
    own = [by_class.pop(path) for path in [*by_class] if path.startswith(_OWN)]
    kinds = {path: score for path, score in by_class.items() if path.startswith(RELATIONSHIPS)}
    if own and kinds:
        known = _sum_up(kinds.values())
        gain = _sum_up([*own, known]) - known
        by_class.update((path, score + gain) for path, score in kinds.items())


class _ScoredLevel:
    """The best second level of a first level, and the first level's score."""

    def __init__(self, second: str, score: float) -> None:
        self.second, self.score = second, score


def _levels(
    regression: Regression, by_class: Mapping[str, float], evidence: CategoryEvidence, words: Scores
) -> dict[str, _ScoredLevel]:
    """The best second level and the score of each first level.

    The regression does not know levels that a store has added: one with evidence of words also gets the regression's
    best score. Without the regression, words alone decide.
    """
    of_first, of_second = regression.constants[:2] if by_class else (1.0, 1.0)
    best_known = max((_sum_up(group) for group in _by_first_level(by_class).values()), default=0.0)
    levels = {}
    for first in evidence.first_levels:
        known = {path: by_class[path] for path in evidence.children(first) if path in by_class}
        others = [path for path in _second_levels(first, evidence, words) if path not in known]
        base = max(known.values(), default=0.0)
        scores = {path: score + of_second * words.categories.get(path, 0.0) for path, score in known.items()}
        named = {path: base + of_second * words.categories[path] for path in others if path in words.categories}
        second = max([*scores, *named] or others, key=lambda path: (scores | named).get(path, 0.0))
        own = words.first_levels.get(first, 0.0)
        inner = _sum_up([*scores.values(), *named.values()]) if scores else best_known if own else 0.0
        levels[first] = _ScoredLevel(second, of_first * own + inner)
    return levels


def _second_levels(first: str, evidence: CategoryEvidence, words: Scores) -> list[str]:
    """The second levels of a first level: the taxonomy's, those known only from neighbours, or the general one."""
    children = evidence.children(first)
    voted = [path for path in words.categories if path.startswith(first + ".") and path not in children]
    return [*children, *voted] or [f"{first}.{GENERAL}"]


def _by_first_level(by_class: Mapping[str, float]) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = defaultdict(list)
    for path, score in by_class.items():
        groups[path.partition(".")[0]].append(score)
    return groups


def _sum_up(scores: Iterable[float]) -> float:
    """The logarithm of the sum of exponentials of the scores."""
    values = list(scores)
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


def _shares(scores: Iterable[float]) -> list[float]:
    """The softmax of the scores."""
    values = list(scores)
    most = max(values, default=0.0)
    powers = [exp(value - most) for value in values]
    total = sum(powers)
    return [power / total for power in powers]


def _add_votes(scores: Scores, neighbours: "Sequence[Neighbour]", evidence: CategoryEvidence) -> None:
    """Add the votes of the most similar memories, by the square of their relevance."""
    for near in sorted(neighbours, key=lambda near: -near.relevance)[:VOTERS]:
        first, _, rest = near.path.partition(".")
        if first in evidence.first_levels:
            second, deeper, _ = rest.partition(".")
            category = f"{first}.{second}" if deeper else first
            scores.categories[category] += VOTE * near.relevance**2
            scores.first_levels[first] += VOTE * near.relevance**2


def leave_to_relationships(scores: Scores) -> None:
    """Drop the user's own categories: what another has or likes counts as a relationship, and settings are dropped.

    If a taxonomy has no relationships, all are dropped.
    """
    for sums in scores:
        own = sum(sums.pop(name, 0.0) for name in _OWN)
        sums.pop(_SETTINGS, None)
        if RELATIONSHIPS in sums:
            sums[RELATIONSHIPS] += own
