"""Find a memory's place in the taxonomy without a model.

The evidence is the words that the memory shares with the descriptions, examples and cues of a category, and the paths
of the most similar memories; for the default taxonomy, a regression on the memory's form and meaning is added. The
result is deterministic: the same text, taxonomy and neighbours give the same verdict.

The third level of a path comes from a similar memory, or from the text's subject.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.english.claims.claims import may_agree
from memoir.english.first_person import in_first_person
from memoir.english.foreign import is_foreign
from memoir.english.lexicon.own_words import NONE, OwnWords
from memoir.english.lexicon.spotting import with_own_words
from memoir.english.people import is_taste_of_namesake
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import stems
from memoir.filing.evidence import CategoryEvidence, Scores, default_evidence, evidence_of
from memoir.filing.levels import (
    CODING,
    GENERAL,
    PREFERENCES,
    RELATIONSHIPS,
    LevelScore,
    best_levels,
    is_default,
    read,
    weigh_words,
)
from memoir.filing.name_candidates import name_slug
from memoir.filing.naming import Namer
from memoir.filing.regression import Meaning, regression_of

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour
    from memoir.taxonomy.catalogue import Catalogue


_POINTING = frozenset(("it", "that", "them", "these", "this", "those"))
"""Pronouns for things that the text itself does not name."""
ALIKE = 0.6
"""The relevance (0 to 1) from which a filed memory gives its third level to a new one."""


def third_level(namer: Namer, second: str, text: str, neighbours: "Sequence[Neighbour]" = ()) -> str:
    """Choose the third level below a second one: that of the most similar memory there, else the text's own subject.

    `neighbours` are the most similar filed memories. A neighbour's name is not taken if it is that memory's own
    subject: a fact about MySQL does not belong at `postgresql`.
    """
    inside = [near for near in neighbours if near.relevance >= ALIKE and near.path.startswith(second + ".")]
    for near in sorted(inside, key=lambda near: -near.relevance):
        if not _names_another(name := near.path.split(".")[2], near.content, text):
            return name
    return namer.best(second) or GENERAL


def _names_another(name: str, content: str, text: str) -> bool:
    """Whether a memory's third level is named after words of that memory which the text lacks."""
    subject = stems(name.replace("_", " "))
    if not set(subject).issubset(stems(content)):
        return False
    said = [word for word in stems(text) if word not in STOP_WORDS]
    return not all(any(may_agree(word, part) for word in said) for part in subject)


RIVAL_LEAD = 0.1
"""The largest lead of the best first level at which a second one is given, too: of 12 such labelled facts 5 belong to
both; at a lead of 0.3, only 12 of 36 do."""


class Placement(NamedTuple):
    """A path of three levels, and the confidence (0 to 1) that its first level is right."""

    path: str
    confidence: float


class Verdict(NamedTuple):
    """The paths of a memory, best first, the best path not chosen, and the reason in words.

    Without evidence for any category, `paths` is empty, and `offers` has the paths nearest in meaning.
    """

    paths: tuple[Placement, ...]
    runner_up: Placement | None
    reason: str
    offers: tuple[Placement, ...] = ()


def classify(
    text: str,
    taxonomy: "Catalogue | CategoryEvidence | None" = None,
    neighbours: "Sequence[Neighbour]" = (),
    limit: int = 1,
    *,
    meaning: "Meaning | None" = None,
    person_is_known: bool = False,
    own: OwnWords = NONE,
) -> Verdict:
    """Find at most `limit` paths for a memory; a second one only if its evidence is nearly as strong.

    `taxonomy` is a catalogue or, faster, its evidence; None means the default. `neighbours` are the most similar
    memories in the store. Without `meaning`, the embedder `static` computes it. `person_is_known` means that the memory
    begins with the name of a person in the store. Names in the store's `own` words are read as what they mean, and a
    text that begins with "the user" as if in the first person.
    """
    evidence, text = _evidence(taxonomy), in_first_person(text)
    told = with_own_words(text, own)
    memory = read(told, meaning, person_is_known=person_is_known)
    words = weigh_words(memory, evidence, neighbours)
    knows_form = any(map(str.isalnum, text)) and is_default(evidence)
    why_not = _why_not(text, words, neighbours, knows_form=knows_form)
    if why_not and not knows_form and not _has_evidence(text, words, neighbours):
        return Verdict((), None, why_not)
    levels = best_levels(memory, evidence, words)
    if not memory.person and is_taste_of_namesake(text) and _tells_taste_of_person(levels[0]):
        memory = read(told, memory.meaning, person_is_known=True)
        levels = best_levels(memory, evidence, weigh_words(memory, evidence, neighbours))
    sure = regression_of(memory.meaning.embedder).confidence
    namer = Namer(text, memory.meaning, own)
    placements = [
        Placement(
            _path(text, memory.person, level, neighbours, namer),
            sure(level.share, level.no_memory, len(text.split())),
        )
        for level in levels
    ]
    if why_not:
        return Verdict((), None, why_not, offers=tuple(placements))
    best, *others = placements
    rivals = [_capped(rival, best.confidence) for rival in others]
    if rivals and limit > 1 and levels[0].score - levels[1].score <= RIVAL_LEAD:
        return Verdict((best, *rivals), None, _reason(levels))
    return Verdict((best,), _capped(rivals[0], 1 - best.confidence) if rivals else None, _reason(levels))


def _tells_taste_of_person(level: LevelScore) -> bool:
    """Whether a taste at this level is a person's rather than a language's, which is one of style."""
    return level.name in (PREFERENCES, RELATIONSHIPS) and level.second != CODING


def confidence(text: str) -> float:
    """The confidence of `classify` in the best path of a text, without naming it; 0 if no word is evidence."""
    text = in_first_person(text)
    evidence, memory = default_evidence(), read(text)
    words = weigh_words(memory, evidence)
    if _why_not(text, words, (), knows_form=False):
        return 0.0
    best = best_levels(memory, evidence, words)[0]
    return regression_of(memory.meaning.embedder).confidence(best.share, best.no_memory, len(text.split()))


def _why_not(text: str, words: Scores, neighbours: "Sequence[Neighbour]", *, knows_form: bool) -> str | None:
    """The reason why a text is not filed; None if it is."""
    if is_question(text):
        return "it is a question, not a statement"
    has_form = knows_form and not words.first_levels and _says_two_things(text) and not is_foreign(text)
    return None if has_form or _has_evidence(text, words, neighbours) else "there is no evidence for any category"


def _has_evidence(text: str, words: Scores, neighbours: "Sequence[Neighbour]") -> bool:
    return bool(words.first_levels) and (bool(neighbours) or not is_one_word(text))


def _says_two_things(text: str) -> bool:
    """Whether a text has two telling words at least, so that its form and meaning say something."""
    return sum(word.strip(".,;:!").casefold() not in STOP_WORDS for word in text.split()) > 1


def is_question(text: str) -> bool:
    """Whether a text is a question; questions are never filed."""
    return text.rstrip().endswith("?")


def is_one_word(text: str) -> bool:
    """Whether a text is a single word, apart from pronouns, which states nothing: "deploy it".

    Only similar memories can place it.
    """
    return sum(word.strip(".,;:!").casefold() not in _POINTING for word in text.split()) <= 1


def _evidence(taxonomy: "Catalogue | CategoryEvidence | None") -> CategoryEvidence:
    if taxonomy is None:
        return default_evidence()
    return taxonomy if isinstance(taxonomy, CategoryEvidence) else evidence_of(taxonomy)


def _path(text: str, person: str | None, level: LevelScore, neighbours: "Sequence[Neighbour]", namer: Namer) -> str:
    """The full path below the best second level of a first level."""
    if person and level.name == RELATIONSHIPS:
        return f"{level.second}.{name_slug(person)}"
    return f"{level.second}.{third_level(namer, level.second, text, neighbours)}"


def _capped(placement: Placement, confidence: float) -> Placement:
    """Cap a placement's confidence, since the runner-up may have matched more words."""
    return placement._replace(confidence=min(placement.confidence, confidence))


def _reason(levels: Sequence[LevelScore]) -> str:
    best = f"the evidence for {levels[0].name} is {levels[0].score:.1f}"
    return f"{best}, for {levels[1].name} {levels[1].score:.1f}" if len(levels) > 1 else f"{best}, for others none"
