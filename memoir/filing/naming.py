"""The last level of a path: a word or two of the memory, after what it is about."""

import re
from collections.abc import Sequence
from itertools import pairwise

from memoir.english.lexicon.own_words import OwnWords
from memoir.english.lexicon.spotting import spot
from memoir.english.nouns import AFTER_PHRASES, is_adjective, may_be_noun
from memoir.english.stopwords import NAMELESS, STOP_WORDS
from memoir.english.words import stems
from memoir.filing.evidence import CategoryEvidence
from memoir.taxonomy.paths import look_alike

_READ_CHARACTERS = 500
"""Characters of a text in which a name is looked for."""
_LONGEST = 32
"""Characters of a name."""
_MOST_PROPER = 3
"""Words of a proper name that are taken together."""
_TOKEN = re.compile(r"[^\W_][\w+#]*")
_SENTENCE_END = re.compile(r"[.;!?:]\s")
_JOINS, _JOINS_PROPER = (" ", "-"), (" ", "-", " & ")


def best_name(text: str, second: str, evidence: CategoryEvidence, own: OwnWords) -> str:
    """The best name among the words of a text: the subject mostly comes early; empty if no word is one.

    A name that the lexicon or the store knows counts 2, any other proper name 1, a cue of the category 2, each letter
    0.3 up to nine. Each word before it costs 0.25 (of 20 at most), a place behind the first sentence 1. Of equals it is
    the first. Then the rest of a proper name joins it (`apple_pay`), or the noun that follows it or comes before it
    (`waiting_list`).
    """
    composed = _compose(text[:_READ_CHARACTERS])
    known = {word for each in spot(composed, own) if each.is_term for word in each.words}
    sentence = len(_TOKEN.findall(_SENTENCE_END.split(composed, 1)[0]))
    words = _Words(composed)
    best, most = None, 0.0
    for place, token in enumerate(words.tokens):
        slug = name_slug(token)
        if words.may_name(place) and not look_alike(f"{second}.{slug}"):
            merit = 2.0 if token.casefold() in known else float(words.is_proper(place))
            merit += 2 * evidence.has_cue(second, token) - 2 * (slug in second.split("."))
            merit += 0.3 * min(len(slug), 9) - 0.25 * min(place, 20) - (place >= sentence)
            if best is None or merit > most:
                best, most = place, merit
    return words.name_around(best) if best is not None else ""


class _Words:
    """The words of a text, and what stands between them."""

    def __init__(self, text: str) -> None:
        matches = list(_TOKEN.finditer(text))
        self.tokens: Sequence[str] = [match.group() for match in matches]
        self._gaps = [text[one.end() : two.start()] for one, two in pairwise(matches)]

    def is_proper(self, place: int) -> bool:
        """Whether a word has a capital that the beginning of the text does not explain."""
        token = self.tokens[place]
        return not token.islower() and (place > 0 or not token.istitle())

    def may_name(self, place: int) -> bool:
        """Whether a word is a noun that tells something."""
        token, slug = self.tokens[place], name_slug(self.tokens[place])
        return (
            _is_telling(slug)
            and may_be_noun(self.tokens, place)
            and not is_adjective(token if place else token.casefold())
        )

    def name_around(self, place: int) -> str:
        """The name that a word is part of."""
        first, last = self._proper_name(place) if self._has_capital(place) else self._compound(place)
        slug = "_".join(name_slug(token) for token in self.tokens[first : last + 1])
        return slug if len(slug) <= _LONGEST and not look_alike(slug) else name_slug(self.tokens[place])

    def _proper_name(self, place: int) -> tuple[int, int]:
        first = last = place
        while last - first < _MOST_PROPER - 1 and self._joins(last, _JOINS_PROPER) and self._has_capital(last + 1):
            last += 1
        while (
            last - first < _MOST_PROPER - 1 and self._joins(first - 1, _JOINS_PROPER) and self._has_capital(first - 1)
        ):
            first -= 1
        return first, last

    def _compound(self, place: int) -> tuple[int, int]:
        """A word with the noun after it, unless that may be a verb in the third person; else with that before it."""
        after = place + 1
        if self._joins(place, _JOINS) and self.tokens[after].islower() and not self._may_be_verb(after):
            return place, after
        before = self.tokens[place - 1]
        if self._joins(place - 1, _JOINS) and (before.islower() or before.isupper()):
            return place - 1, place
        return place, place

    def _may_be_verb(self, place: int) -> bool:
        """Whether a word may be what something does: "the cache needs more"."""
        is_last = place >= len(self._gaps) or self._gaps[place] != " "
        return self.tokens[place].endswith("s") and not is_last and self.tokens[place + 1] not in AFTER_PHRASES

    def _has_capital(self, place: int) -> bool:
        return self.tokens[place][0].isupper()

    def _joins(self, place: int, gaps: Sequence[str]) -> bool:
        """Whether a word and the next one may be parts of one name."""
        return (
            0 <= place < len(self._gaps)
            and self._gaps[place] in gaps
            and all(self.may_name(each) for each in (place, place + 1))
        )


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
