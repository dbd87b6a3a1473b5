"""Where in the taxonomy a memory belongs, found without a model.

The evidence is what the memory shares with the descriptions, examples and cues of a category, and where the most
similar memories are filed. Nothing is learned or random: the same text, taxonomy and neighbours give the same verdict.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import TYPE_CHECKING

from memoir.english.people import is_about_person, subject
from memoir.filing.evidence import Evidence, Scores, default_evidence, evidence_of, stems_with_marks, weigh
from memoir.filing.naming import GENERAL, name_slug, third_level
from memoir.named_tuple import NamedTuple

if TYPE_CHECKING:
    from memoir.filing.neighbours import Neighbour
    from memoir.taxonomy.catalogue import Catalogue

VOTE = 1.5
"""The weight of a neighbour's vote at relevance 1: as much as a cue of two words."""
VOTE_WORDS = 2
"""Words of the memory that such a vote counts as."""
VOTERS = 5
"""How many of the most similar memories have a vote."""
RIVAL_SHARE = 0.95
"""A second first level is given too from this share of the first one's evidence: of 9 such facts among the labelled
ones 5 belonged to both, at a share of 0.8 only 15 of 34 (`benchmarks/filing_quality.py`)."""
_PROFILE, _SETTINGS, _RELATIONSHIPS = "profile", "settings", "relationships"
BIAS, OF_SCORE, ENOUGH, OF_LEAD, OF_WORDS, MANY = -3.55, 0.50, 8.0, 1.05, 0.90, 6
"""The logistic regression of the confidence on the evidence (up to ENOUGH), on the lead over the runner-up, and on the
words that the first level matched (up to MANY). It is fitted by maximum likelihood (Platt, "Probabilistic Outputs for
Support Vector Machines", 1999) to 252 facts that the taxonomy was not tuned on and, at 20 % of their weight, to texts
that are not memories: gibberish, random words with a technical one among them, questions, log lines, other languages
(`benchmarks/filing_fit.py`)."""


class Placement(NamedTuple):
    """A path of three levels, and the confidence (0 to 1) that its first level is right."""

    path: str
    confidence: float


class Verdict(NamedTuple):
    """Where a memory belongs, best first; the best path that was not chosen; and why, in words.

    `paths` is empty when there is no evidence for any category.
    """

    paths: tuple[Placement, ...]
    runner_up: Placement | None
    reason: str


def classify(
    text: str,
    taxonomy: "Catalogue | Evidence | None" = None,
    neighbours: "Sequence[Neighbour]" = (),
    limit: int = 1,
    *,
    person_is_known: bool = False,
) -> Verdict:
    """Find where a memory belongs.

    Args:
        text: The memory.
        taxonomy: The categories, or their evidence, which is quicker; None is the default taxonomy.
        neighbours: The most similar memories in the store.
        limit: The largest number of paths; a second one is given only when it has nearly as much evidence.
        person_is_known: Whether the word that the memory begins with is the name of a person whom the store knows.
    """
    if is_question(text):
        return Verdict((), None, "it is a question, not a statement")
    evidence = _evidence(taxonomy)
    person = subject(text) if is_about_person(text, known=person_is_known) else None
    scores = weigh(stems_with_marks(text, about_person=person is not None), evidence)
    _add_votes(scores, neighbours, evidence)
    if person:
        _leave_to_relationships(scores)
    firsts = sorted(scores.first_levels.items(), key=lambda first: -first[1])[:2]
    if not firsts:
        return Verdict((), None, "there is no evidence for any category")
    confidences = _confidences(firsts, scores.matched_words)
    placed = [
        Placement(_path(text, first, scores.categories, evidence, neighbours, person), confidence)
        for (first, _), confidence in zip(firsts, confidences, strict=True)
    ]
    if len(firsts) > 1 and limit > 1 and firsts[1][1] >= RIVAL_SHARE * firsts[0][1]:
        return Verdict(tuple(placed), None, _reason(firsts))
    rivals = [rival._replace(confidence=min(rival.confidence, 1 - confidences[0])) for rival in placed[1:]]
    return Verdict((placed[0],), rivals[0] if rivals else None, _reason(firsts))


def is_question(text: str) -> bool:
    """Whether a text is a question, which is never filed."""
    return text.rstrip().endswith("?")


def _evidence(taxonomy: "Catalogue | Evidence | None") -> Evidence:
    if taxonomy is None:
        return default_evidence()
    return taxonomy if isinstance(taxonomy, Evidence) else evidence_of(taxonomy)


def _add_votes(scores: Scores, neighbours: "Sequence[Neighbour]", evidence: Evidence) -> None:
    """Add the votes of the most similar memories: the cube of each relevance, since less similar ones mislead."""
    for near in sorted(neighbours, key=lambda near: -near.relevance)[:VOTERS]:
        first, _, rest = near.path.partition(".")
        if first in evidence.first_levels:
            second, deeper, _ = rest.partition(".")
            category = f"{first}.{second}" if deeper else first
            share = near.relevance**3
            _add(scores.categories, category, VOTE * share)
            _add(scores.first_levels, first, VOTE * share)
            _add(scores.matched_words, first, VOTE_WORDS * share)


def _leave_to_relationships(scores: Scores) -> None:
    """Rule out what is only the user's own: another's home or job is part of knowing them, another's settings are not.

    Where a taxonomy has no relationships, both are ruled out all the same.
    """
    for sums in scores:
        profile = sums.pop(_PROFILE, 0.0)
        sums.pop(_SETTINGS, None)
        if _RELATIONSHIPS in sums:
            sums[_RELATIONSHIPS] += profile


def _add(sums: dict[str, float], key: str, value: float) -> None:
    sums[key] = sums.get(key, 0.0) + value


def _path(
    text: str,
    first: str,
    weights: Mapping[str, float],
    evidence: Evidence,
    neighbours: "Sequence[Neighbour]",
    person: str | None,
) -> str:
    """The full path below a first level: the second level with the most evidence, or the first in the taxonomy."""
    children = evidence.children(first)
    voted = [path for path in weights if path.startswith(first + ".") and path not in children]
    second = max([*children, *voted], key=lambda path: weights.get(path, 0.0), default=f"{first}.{GENERAL}")
    if person and first == _RELATIONSHIPS:
        return f"{second}.{name_slug(person)}"
    return f"{second}.{third_level(text, second, neighbours, evidence)}"


def _confidences(firsts: Sequence[tuple[str, float]], matched_words: Mapping[str, float]) -> list[float]:
    """The confidence in each first level, by its evidence, its lead over the strongest rival, and its matched words.

    The lead is a share of all evidence. One word with a strong cue is weak evidence, however far it leads.
    """
    first, second = firsts[0][1], firsts[1][1] if len(firsts) > 1 else 0.0
    lead = (first - second) / (first + second + 1)
    return [
        _logistic(BIAS + OF_SCORE * min(score, ENOUGH) + OF_LEAD * ahead + OF_WORDS * min(matched_words[level], MANY))
        for (level, score), ahead in zip(firsts, (lead, -lead), strict=False)
    ]


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


def _reason(firsts: Sequence[tuple[str, float]]) -> str:
    best = f"{firsts[0][0]} has evidence of {firsts[0][1]:.1f}"
    return f"{best}, {firsts[1][0]} of {firsts[1][1]:.1f}" if len(firsts) > 1 else f"{best}, nothing else has any"
