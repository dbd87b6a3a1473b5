"""Where in the taxonomy a memory belongs, found without a model.

The evidence is what the catalogue's descriptions, examples and cues share with the text, and where the most similar
memories are filed. Nothing is learned or random: the same text, catalogue and memories give the same verdict.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from memoir.filing import evidence as evidences
from memoir.filing.evidence import Evidence
from memoir.filing.evidence_naming import GENERAL, Neighbour, third_level
from memoir.filing.opening import of_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memoir.taxonomy.catalogue import Catalogue

__all__ = ["Neighbour", "Placement", "Verdict", "classify"]

"""Confidence below which a memory is better left in the inbox. Of 400 labelled facts that the taxonomy was not tuned on
9 stay below it, of 298 texts that are no memories nine of ten (`benchmarks/filing_quality.py`)."""
VOTE = 1.5
"""What a memory of relevance 1 weighs for the category it is filed under: as much as a cue of two words."""
VOTE_WORDS = 2
"""And for how many words of the text it stands."""
VOTERS = 5
"""How many of the most similar memories have a vote."""
ALSO = 0.95
"""A second first level is apt too when it has this share of the first one's evidence: of 9 such facts in the labelled
ones 5 were, of 34 at a share of 0.8 only 15 (`benchmarks/filing_quality.py`)."""
BIAS, OF_SCORE, ENOUGH, OF_LEAD, OF_WORDS, MANY = -4.37, 0.60, 5.0, 1.14, 1.26, 4
"""The confidence's logistic regression on the evidence (up to ENOUGH), the lead, and how many words speak for the first
level (up to MANY). Fitted by maximum likelihood (Platt, "Probabilistic Outputs for Support Vector Machines", 1999) to
300 facts that the taxonomy was not tuned on and, at 15 % of their weight, to texts that are no memories: gibberish,
words at random with one of the trade among them, questions, log lines, other languages (`benchmarks/filing_fit.py`)."""


class Placement(NamedTuple):
    """A path of three levels and how sure (0..1) it is that its first level is right."""

    path: str
    confidence: float


class Verdict(NamedTuple):
    """Where a memory belongs, best first; what else came into question; and why, in words.

    `paths` is empty when nothing speaks for any category.
    """

    paths: tuple[Placement, ...]
    runner_up: Placement | None
    reason: str


def classify(
    text: str, taxonomy: "Catalogue | Evidence | None" = None, filed: Sequence[Neighbour] = (), limit: int = 2
) -> Verdict:
    """Find where a memory belongs.

    Args:
        text: The memory.
        taxonomy: The categories there are, or the evidence of them (quicker); None is the default taxonomy.
        filed: The most similar memories in the store, as recall ranks them.
        limit: The largest number of paths; a second one is given only when it is clearly apt too.
    """
    if text.rstrip().endswith("?"):
        return Verdict((), None, "it asks, and says nothing that could be remembered")
    evidence = _evidence(taxonomy)
    weights, by_first, heard = evidences.weigh(of_memory(text), evidence)
    _add_votes(weights, by_first, heard, filed, evidence)
    firsts = sorted(by_first.items(), key=lambda first: -first[1])[:2]
    if not firsts:
        return Verdict((), None, "nothing in it speaks for a category")
    sure = _confidences(firsts, heard)
    placed = [
        Placement(_path(text, first, weights, evidence, filed), p) for (first, _), p in zip(firsts, sure, strict=True)
    ]
    if len(firsts) > 1 and limit > 1 and firsts[1][1] >= ALSO * firsts[0][1]:
        return Verdict(tuple(placed), None, _reason(firsts))
    rivals = [rival._replace(confidence=min(rival.confidence, 1 - sure[0])) for rival in placed[1:]]
    return Verdict((placed[0],), rivals[0] if rivals else None, _reason(firsts))


def _evidence(taxonomy: "Catalogue | Evidence | None") -> Evidence:
    if taxonomy is None:
        return evidences.default()
    return taxonomy if isinstance(taxonomy, Evidence) else evidences.of_catalogue(taxonomy)


def _add_votes(
    weights: dict[str, float],
    by_first: dict[str, float],
    heard: dict[str, float],
    filed: Sequence[Neighbour],
    evidence: Evidence,
) -> None:
    """Add what the most similar memories say: the cube of the relevance each: others mislead."""
    for near in sorted(filed, key=lambda near: -near.relevance)[:VOTERS]:
        first, _, rest = near.path.partition(".")
        if first in evidence.first_levels:
            second, deeper, _ = rest.partition(".")
            category = f"{first}.{second}" if deeper else first
            share = near.relevance**3
            vote = VOTE * share
            weights[category] = weights.get(category, 0.0) + vote
            by_first[first] = by_first.get(first, 0.0) + vote
            heard[first] = heard.get(first, 0.0) + VOTE_WORDS * share


def _path(text: str, first: str, weights: Mapping[str, float], evidence: Evidence, filed: Sequence[Neighbour]) -> str:
    """The full path below a first level: the second level with the most evidence, or the first in the taxonomy."""
    children = evidence.children(first)
    voted = [path for path in weights if path.startswith(first + ".") and path not in children]
    second = max([*children, *voted], key=lambda path: weights.get(path, 0.0), default=f"{first}.{GENERAL}")
    return f"{second}.{third_level(text, second, filed, evidence)}"


def _confidences(firsts: Sequence[tuple[str, float]], heard: Mapping[str, float]) -> list[float]:
    """The logistic of each first level's evidence, lead over its strongest rival, and words.

    The lead is a share of all evidence. One word with a strong cue is little to go by, however far it leads.
    """
    first, second = firsts[0][1], firsts[1][1] if len(firsts) > 1 else 0.0
    lead = (first - second) / (first + second + 1)
    return [
        1 / (1 + exp(-(BIAS + OF_SCORE * min(score, ENOUGH) + OF_LEAD * ahead + OF_WORDS * min(heard[level], MANY))))
        for (level, score), ahead in zip(firsts, (lead, -lead), strict=False)
    ]


def _reason(firsts: Sequence[tuple[str, float]]) -> str:
    best = f"{firsts[0][0]} has evidence of {firsts[0][1]:.1f}"
    return f"{best}, {firsts[1][0]} of {firsts[1][1]:.1f}" if len(firsts) > 1 else f"{best}, nothing else has any"
