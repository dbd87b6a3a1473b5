"""The third level of a path: taken over from a similar memory, or named after what the text is about."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memoir.english.stopwords import NAMELESS, STOP_WORDS
from memoir.english.words import stems
from memoir.filing.evidence import Evidence
from memoir.taxonomy.paths import look_alike

GENERAL = "general"
"""The third level when the text has no word to name it after."""
ALIKE = 0.6
"""Relevance (0..1) from which a filed memory is so similar that its third level is taken over."""
_LONGEST = 32
"""Characters of a third level."""


class Neighbour(NamedTuple):
    """A memory that is already filed, and how relevant (0..1) the recall index finds it for the new one."""

    path: str
    relevance: float


def third_level(text: str, second: str, filed: Sequence[Neighbour], evidence: Evidence) -> str:
    """Name the third level below the second level's path.

    Args:
        text: The memory.
        second: The path of the second level.
        filed: The most similar memories.
        evidence: That of the taxonomy: a cue of the second level is a good name, and the same for the next such fact.
    """
    inside = [near for near in filed if near.relevance >= ALIKE and near.path.startswith(second + ".")]
    if inside:
        return max(inside, key=lambda near: near.relevance).path.split(".")[2]
    return _salient(text, second, evidence) or GENERAL


def _salient(text: str, second: str, evidence: Evidence) -> str:
    """The word that is most like a name or a cue, or else the longest; of equals the first."""
    tokens = re.findall(r"[^\W_][\w+#]*", _composed(text[:500]))
    best, rank = "", (0, 0)
    for place, token in enumerate(tokens):
        slug = _slug(token)
        if _tells(slug) and not look_alike(f"{second}.{slug}"):
            named = not token.islower() and (place > 0 or not token.istitle())
            merit = 2 * named + 2 * evidence.has_cue(second, token) - 2 * (slug in second.split("."))
            if not best or (merit, min(len(slug), 9)) > rank:
                best, rank = slug, (merit, min(len(slug), 9))
    return best


def _tells(slug: str) -> bool:
    dull = slug in STOP_WORDS or slug in NAMELESS or slug.isdigit() or len(slug) < 3
    return not dull and stems(slug.title())[:1] not in (["{day}"], ["{month}"])


def _slug(token: str) -> str:
    """What of a token may stand in a path: letters, marks, digits and `_`, in the composed form."""
    if token.isascii():
        return "".join(char for char in token.casefold() if char == "_" or char.isalnum())[:_LONGEST].strip("_")
    import unicodedata

    kept = "".join(
        char for char in token.casefold() if char == "_" or unicodedata.category(char)[0] in "LM" or char.isdecimal()
    )
    slug = unicodedata.normalize("NFC", kept)[:_LONGEST].strip("_")
    return "" if slug and unicodedata.category(slug[0])[0] == "M" else slug


def _composed(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)
