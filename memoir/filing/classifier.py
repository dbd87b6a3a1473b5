"""Where in the taxonomy a memory belongs, found without a model.

The evidence is what the memory shares with the descriptions, examples and cues of a category, and where the most
similar memories are filed; with the default taxonomy a regression on the memory's form and meaning adds to it. Nothing
is random: the same text, taxonomy and neighbours give the same verdict.
"""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from memoir.filing.evidence import CategoryEvidence, default_evidence, evidence_of
from memoir.filing.levels import RELATIONSHIPS, LevelScore, best_levels, read, weigh_words
from memoir.filing.naming import GENERAL, name_slug, third_level

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour
    from memoir.taxonomy.catalogue import Catalogue

RIVAL_LEAD = 0.1
"""A second first level is given too if the best one's score leads by this at most: of 12 such facts among the labelled
ones 5 belong to both, at 0.3 only 12 of 36."""
BIAS, OF_ODDS, OF_WORDS, MANY = -0.99, 0.53, 0.47, 6
"""The logistic regression of the confidence on the log-odds of the first level, and on the words that it matched (up
to MANY). It is fitted by maximum likelihood (Platt, "Probabilistic Outputs for Support Vector Machines", 1999) to facts
that neither the taxonomy nor the regression has seen, and, at 20 % of their weight, to texts that are not memories:
gibberish, random words with a technical one among them, fragments, questions, log lines, other languages
(`scripts/fit_filing.py`)."""
_LEAST_SHARE = 1e-6


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
    taxonomy: "Catalogue | CategoryEvidence | None" = None,
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
    memory = read(text, person_is_known=person_is_known)
    words = weigh_words(memory, evidence, neighbours)
    if not words.first_levels or (is_one_word(text) and not neighbours):
        return Verdict((), None, "there is no evidence for any category")
    levels = best_levels(memory, evidence, words)
    placements = [
        Placement(
            _path(text, level.name, words.categories, evidence, neighbours, memory.person),
            _confidence(level, words.match_counts.get(level.name, 0.0)),
        )
        for level in levels
    ]
    best, *others = placements
    rivals = [_cap(rival, best.confidence) for rival in others]
    if rivals and limit > 1 and levels[0].score - levels[1].score <= RIVAL_LEAD:
        return Verdict((best, *rivals), None, _reason(levels))
    return Verdict((best,), _cap(rivals[0], 1 - best.confidence) if rivals else None, _reason(levels))


def is_question(text: str) -> bool:
    """Whether a text is a question, which is never filed."""
    return text.rstrip().endswith("?")


def is_one_word(text: str) -> bool:
    """Whether a text is a single word, which states nothing; only similar memories tell where it belongs."""
    return len(text.split(maxsplit=1)) == 1


def _evidence(taxonomy: "Catalogue | CategoryEvidence | None") -> CategoryEvidence:
    if taxonomy is None:
        return default_evidence()
    return taxonomy if isinstance(taxonomy, CategoryEvidence) else evidence_of(taxonomy)


def _path(
    text: str,
    first: str,
    weights: Mapping[str, float],
    evidence: CategoryEvidence,
    neighbours: "Sequence[Neighbour]",
    person: str | None,
) -> str:
    """The full path below a first level: the second level with the most evidence, or the first in the taxonomy."""
    children = evidence.children(first)
    other_paths = [path for path in weights if path.startswith(first + ".") and path not in children]
    second = max([*children, *other_paths], key=lambda path: weights.get(path, 0.0), default=f"{first}.{GENERAL}")
    if person and first == RELATIONSHIPS:
        return f"{second}.{name_slug(person)}"
    return f"{second}.{third_level(text, second, neighbours, evidence)}"


def _confidence(level: LevelScore, match_count: float) -> float:
    """The confidence in a first level, by its share and the words that it matched.

    One word with a strong cue is weak evidence, however far it leads.
    """
    share = min(max(level.share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return 1 / (1 + exp(-BIAS - OF_ODDS * log(share / (1 - share)) - OF_WORDS * min(match_count, MANY)))


def _cap(placement: Placement, confidence: float) -> Placement:
    """A placement with a confidence of at most this: a rival has matched more words at times, and is still second."""
    return placement._replace(confidence=min(placement.confidence, confidence))


def _reason(levels: Sequence[LevelScore]) -> str:
    best = f"the evidence for {levels[0].name} is {levels[0].score:.1f}"
    return f"{best}, for {levels[1].name} {levels[1].score:.1f}" if len(levels) > 1 else f"{best}, for others none"
