"""Where in the taxonomy a memory belongs, found without a model.

The evidence is what the memory shares with the descriptions, examples and cues of a category, and where the most
similar memories are filed; with the default taxonomy a regression on the memory's form and meaning adds to it. Nothing
is random: the same text, taxonomy and neighbours give the same verdict.

The third level of a path is taken from a similar memory, or named after what the text is about.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.english.lexicon.own_words import NONE, OwnWords
from memoir.english.lexicon.spotting import spot, with_own_words
from memoir.english.nouns import is_adjective, may_be_noun
from memoir.english.stopwords import NAMELESS, STOP_WORDS
from memoir.english.words import stems
from memoir.filing.evidence import CategoryEvidence, default_evidence, evidence_of
from memoir.filing.levels import GENERAL, RELATIONSHIPS, LevelScore, best_levels, read, weigh_words
from memoir.filing.regression import regression_of
from memoir.taxonomy.paths import look_alike

if TYPE_CHECKING:
    from memoir.filing.form import Meaning
    from memoir.filing.voters import Neighbour
    from memoir.taxonomy.catalogue import Catalogue


ALIKE = 0.6
"""The relevance (0 to 1) from which a filed memory is so similar that its third level is taken."""
_READ_CHARACTERS = 500
"""Characters of a text in which a name is looked for."""
_LONGEST = 32
"""Characters of a third level."""
_TOKEN = re.compile(r"[^\W_][\w+#]*")
_SENTENCE_END = re.compile(r"[.;!?:]\s")


def third_level(
    text: str, second: str, neighbours: "Sequence[Neighbour]", evidence: CategoryEvidence, own: OwnWords = NONE
) -> str:
    """Name the third level below the path of a second level.

    Args:
        text: The memory.
        second: The path of the second level.
        neighbours: The most similar memories that are filed.
        evidence: The evidence of the taxonomy: a cue of the second level is a good name, which similar facts get too.
        own: The store's own words: what they name is a good name, too.
    """
    inside = [near for near in neighbours if near.relevance >= ALIKE and near.path.startswith(second + ".")]
    if inside:
        return max(inside, key=lambda near: near.relevance).path.split(".")[2]
    return _best_name(text, second, evidence, own) or GENERAL


def _best_name(text: str, second: str, evidence: CategoryEvidence, own: OwnWords) -> str:
    """The best name among the words of a text: the subject mostly comes early; empty if no word is one.

    A name that the lexicon knows counts 2.5, any other proper name 2, a cue of the category 2, each letter 0.25 up to
    nine. Each word before it costs 0.2 (of 20 at most), a place behind the first sentence 1. Of equals it is the first.
    """
    composed = _compose(text[:_READ_CHARACTERS])
    known = {word for each in spot(composed, own) if each.is_term for word in each.words}
    sentence = len(_TOKEN.findall(_SENTENCE_END.split(composed, 1)[0]))
    tokens, best, most = _TOKEN.findall(composed), "", 0.0
    for place, token in enumerate(tokens):
        slug = name_slug(token)
        if _is_telling(slug) and _is_noun(tokens, place) and not look_alike(f"{second}.{slug}"):
            is_name = not token.islower() and (place > 0 or not token.istitle())
            merit = 2.5 if token.casefold() in known else 2.0 * is_name
            merit += 2 * evidence.has_cue(second, token) - 2 * (slug in second.split("."))
            merit += 0.25 * min(len(slug), 9) - 0.2 * min(place, 20) - (place >= sentence)
            if not best or merit > most:
                best, most = slug, merit
    return best


def _is_noun(tokens: Sequence[str], place: int) -> bool:
    return may_be_noun(tokens, place) and not is_adjective(tokens[place] if place else tokens[place].casefold())


def _is_telling(slug: str) -> bool:
    dull = slug in STOP_WORDS or slug in NAMELESS or slug.isdigit() or len(slug) < 3
    return not dull and stems(slug.title())[:1] not in (["{day}"], ["{month}"])


def name_slug(token: str) -> str:
    """The characters of a token that a path may hold: letters, marks, digits and `_`, in the composed form."""
    if token.isascii():
        return "".join(char for char in token.casefold() if char == "_" or char.isalnum())[:_LONGEST].strip("_")
    import unicodedata

    chars = "".join(
        char for char in token.casefold() if char == "_" or unicodedata.category(char)[0] in "LM" or char.isdecimal()
    )
    slug = _compose(chars)[:_LONGEST].strip("_")
    return "" if slug and unicodedata.category(slug[0])[0] == "M" else slug


def _compose(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


RIVAL_LEAD = 0.1
"""A second first level is given too if the best one's score leads by this at most: of 12 such facts among the labelled
ones 5 belong to both, at 0.3 only 12 of 36."""


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
    meaning: "Meaning | None" = None,
    person_is_known: bool = False,
    own: OwnWords = NONE,
) -> Verdict:
    """Find where a memory belongs.

    Args:
        text: The memory.
        taxonomy: The categories, or their evidence, which is quicker; None is the default taxonomy.
        neighbours: The most similar memories in the store.
        limit: The largest number of paths; a second one is given only when it has nearly as much evidence.
        meaning: The meaning of the text, if the caller has it; else that of the embedder `static`.
        person_is_known: Whether the word that the memory begins with is the name of a person whom the store knows.
        own: The store's own words: what it names is read as what that is.
    """
    if is_question(text):
        return Verdict((), None, "it is a question, not a statement")
    evidence = _evidence(taxonomy)
    memory = read(with_own_words(text, own), meaning, person_is_known=person_is_known)
    words = weigh_words(memory, evidence, neighbours)
    if not words.first_levels or (is_one_word(text) and not neighbours):
        return Verdict((), None, "there is no evidence for any category")
    levels = best_levels(memory, evidence, words)
    sure = regression_of(memory.meaning.embedder).confidence
    placements = [
        Placement(
            _path(text, level, evidence, neighbours, memory.person, own),
            sure(level.share, words.match_counts.get(level.name, 0.0)),
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
    level: LevelScore,
    evidence: CategoryEvidence,
    neighbours: "Sequence[Neighbour]",
    person: str | None,
    own: OwnWords,
) -> str:
    """The full path below the best second level of a first level."""
    if person and level.name == RELATIONSHIPS:
        return f"{level.second}.{name_slug(person)}"
    return f"{level.second}.{third_level(text, level.second, neighbours, evidence, own)}"


def _cap(placement: Placement, confidence: float) -> Placement:
    """A placement with a confidence of at most this: a rival has matched more words at times, and is still second."""
    return placement._replace(confidence=min(placement.confidence, confidence))


def _reason(levels: Sequence[LevelScore]) -> str:
    best = f"the evidence for {levels[0].name} is {levels[0].score:.1f}"
    return f"{best}, for {levels[1].name} {levels[1].score:.1f}" if len(levels) > 1 else f"{best}, for others none"
