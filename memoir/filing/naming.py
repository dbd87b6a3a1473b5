"""The third level of a path: taken from a similar memory, or named after what the text is about."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoir.english.nouns import is_adjective, may_be_noun
from memoir.english.stopwords import NAMELESS, STOP_WORDS
from memoir.english.words import stems
from memoir.filing.evidence import CategoryEvidence
from memoir.taxonomy.paths import look_alike

if TYPE_CHECKING:
    from memoir.filing.voters import Neighbour

GENERAL = "general"
"""The third level if the text has no word to name it after."""
ALIKE = 0.6
"""The relevance (0 to 1) from which a filed memory is so similar that its third level is taken."""
_READ_CHARACTERS = 500
"""Characters of a text in which a name is looked for."""
_LONGEST = 32
"""Characters of a third level."""


def third_level(text: str, second: str, neighbours: "Sequence[Neighbour]", evidence: CategoryEvidence) -> str:
    """Name the third level below the path of a second level.

    Args:
        text: The memory.
        second: The path of the second level.
        neighbours: The most similar memories that are filed.
        evidence: The evidence of the taxonomy: a cue of the second level is a good name, which similar facts get too.
    """
    inside = [near for near in neighbours if near.relevance >= ALIKE and near.path.startswith(second + ".")]
    if inside:
        return max(inside, key=lambda near: near.relevance).path.split(".")[2]
    return _best_name(text, second, evidence) or GENERAL


def _best_name(text: str, second: str, evidence: CategoryEvidence) -> str:
    """The word that is a name or a cue, else the longest word; the first of equals; empty if there is none."""
    tokens = re.findall(r"[^\W_][\w+#]*", _compose(text[:_READ_CHARACTERS]))
    best, rank = "", (0, 0)
    for place, token in enumerate(tokens):
        slug = name_slug(token)
        if _is_telling(slug) and _is_noun(tokens, place) and not look_alike(f"{second}.{slug}"):
            is_name = not token.islower() and (place > 0 or not token.istitle())
            merit = 2 * is_name + 2 * evidence.has_cue(second, token) - 2 * (slug in second.split("."))
            worth = (merit, min(len(slug), 9))
            if not best or worth > rank:
                best, rank = slug, worth
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
