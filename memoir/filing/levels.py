"""The scores of the categories of a taxonomy: evidence of words, votes of similar memories, and the regression.

The score of a second level is what the regression makes of the memory's form and meaning, and the evidence of its
words, each at its fitted weight. The score of a first level is that of all its second levels together, and the
evidence for itself: shares of first levels are those of a softmax over second levels.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from memoir.english.proper_names import is_about_person, is_about_private_life, subject
from memoir.filing.evidence import CategoryEvidence, Scores, stems_with_marks, weigh
from memoir.filing.regression import MINILM, NO_MEMORY, Meaning, Regression, features, regression_of, static_meaning

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour


GENERAL = "general"
"""The last level if nothing gives it a name."""
VOTE = 4.0
"""The weight of a neighbour's vote at relevance 1, for its category and for its first level, as evidence of words has
it. It falls with the square of the relevance, since less similar memories mislead."""
VOTERS = 5
"""How many of the most similar memories have a vote."""
_PROFILE, _SETTINGS, _PROJECT, RELATIONSHIPS = "profile", "settings", "project", "relationships"
_PETS = "relationships.pets"


class Features:
    """A memory as the rules read it: its stems and marks, the other person whom it is about, if any, its meaning."""

    def __init__(self, text: str, stems: Sequence[str], person: str | None, meaning: Meaning) -> None:
        self.text, self.stems, self.person, self.meaning = text, stems, person, meaning


class LevelScore:
    """A first level, the path of its best second level, its score, and its share (0 to 1) of what speaks for any.

    `no_memory` is the share of what speaks for no memory.
    """

    def __init__(self, name: str, second: str, score: float, share: float, no_memory: float) -> None:
        self.name, self.second, self.score = name, second, score
        self.share, self.no_memory = share, no_memory


def read(text: str, meaning: Meaning | None = None, *, person_is_known: bool = False) -> Features:
    """Read a memory; without its meaning, `static` finds that.

    `person_is_known` says whether its `subject` is the name of a person whom the store knows.
    """
    person = subject(text) if is_about_person(text, known=person_is_known) else None
    stems = stems_with_marks(text, about_person=person is not None)
    return Features(text, stems, person, meaning or static_meaning(text))


def weigh_words(memory: Features, evidence: CategoryEvidence, neighbours: "Sequence[Neighbour]" = ()) -> Scores:
    """The evidence of a memory's words, and the votes of its neighbours."""
    scores = weigh(memory.stems, evidence)
    _add_votes(scores, neighbours, evidence)
    if memory.person:
        leave_to_relationships(scores)
    return scores


def weigh_by_regression(memory: Features, evidence: CategoryEvidence) -> Mapping[str, float]:
    """The scores of the second levels, and of not being a memory, by the form and the meaning of a memory.

    MiniLM's meaning is compared with those of labelled facts, too. The scores are empty if the taxonomy lacks a first
    level of the default one: then the others mean something else.
    """
    regression = regression_of(memory.meaning.embedder)
    if not {*regression.first_levels} - {NO_MEMORY} <= {*evidence.first_levels}:
        return {}
    scores = regression.scores(features(memory.text, memory.stems), memory.meaning.vector)
    if memory.meaning.embedder != MINILM:
        return scores
    from memoir.filing.labelled import labelled_facts  # it takes MiniLM

    votes = labelled_facts().scores(memory.meaning.vector, regression.classes)
    return {name: score + votes[name] for name, score in scores.items()}


def best_levels(memory: Features, evidence: CategoryEvidence, words: Scores) -> list[LevelScore]:
    """The best first level, and the next one if anything speaks for it, each with its best second level."""
    by_class = dict(weigh_by_regression(memory, evidence))
    no_memory = by_class.pop(NO_MEMORY, 0.0)
    if memory.person and not words.categories.get(_PETS):
        by_class.pop(_PETS, None)  # people are none
    levels = _levels(regression_of(memory.meaning.embedder), by_class, evidence, words)
    for level in _not_of_others(memory):
        levels.pop(level, None)
    first, *others = sorted(levels.items(), key=lambda level: -level[1].score)
    scores = [first[1].score, *(other.score for _, other in others)]
    no_share = _shares([_sum_up(scores), no_memory])[1]
    best = [first, *(other for other in others[:1] if by_class or other[1].score > 0)]
    return [
        LevelScore(name, its.second, its.score, share, no_share)
        for share, (name, its) in zip(_shares(scores), best, strict=False)
    ]


def _not_of_others(memory: Features) -> Sequence[str]:
    """The first levels that a memory of another person is not about; their birthday is no date of a project either."""
    private = [_PROJECT] if is_about_private_life(memory.text) else []
    return [_PROFILE, _SETTINGS, *private] if memory.person else private


class _Level:
    """The best second level of a first one, and the score of the first."""

    def __init__(self, second: str, score: float) -> None:
        self.second, self.score = second, score


def _levels(
    regression: Regression, by_class: Mapping[str, float], evidence: CategoryEvidence, words: Scores
) -> dict[str, _Level]:
    """The best second level and the score of each first level.

    The fitted regression does not know a level that a store has added: if the words are evidence for it, it gets the
    best score of the regression, too. Without the regression, the words alone decide.
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
        levels[first] = _Level(second, of_first * own + inner)
    return levels


def _second_levels(first: str, evidence: CategoryEvidence, words: Scores) -> list[str]:
    """The second levels of a first one: those of the taxonomy, those of neighbours alone, or the general one."""
    children = evidence.children(first)
    voted = [path for path in words.categories if path.startswith(first + ".") and path not in children]
    return [*children, *voted] or [f"{first}.{GENERAL}"]


def _by_first_level(by_class: Mapping[str, float]) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = defaultdict(list)
    for path, score in by_class.items():
        groups[path.partition(".")[0]].append(score)
    return groups


def _sum_up(scores: Iterable[float]) -> float:
    """The logarithm of the sum of the powers of some scores."""
    values = list(scores)
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


def _shares(scores: Iterable[float]) -> list[float]:
    """The shares of some scores, by softmax."""
    values = list(scores)
    most = max(values, default=0.0)
    powers = [exp(value - most) for value in values]
    total = sum(powers)
    return [power / total for power in powers]


def _add_votes(scores: Scores, neighbours: "Sequence[Neighbour]", evidence: CategoryEvidence) -> None:
    """Add the votes of the most similar memories: the square of each relevance, since less similar ones mislead."""
    for near in sorted(neighbours, key=lambda near: -near.relevance)[:VOTERS]:
        first, _, rest = near.path.partition(".")
        if first in evidence.first_levels:
            second, deeper, _ = rest.partition(".")
            category = f"{first}.{second}" if deeper else first
            scores.categories[category] += VOTE * near.relevance**2
            scores.first_levels[first] += VOTE * near.relevance**2


def leave_to_relationships(scores: Scores) -> None:
    """Rule out what is only the user's own: another's home or job is part of knowing them, another's settings are not.

    Where a taxonomy has no relationships, both are ruled out all the same.
    """
    for sums in scores:
        profile = sums.pop(_PROFILE, 0.0)
        sums.pop(_SETTINGS, None)
        if RELATIONSHIPS in sums:
            sums[RELATIONSHIPS] += profile
