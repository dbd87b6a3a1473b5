"""The words of a memory that may name it: nouns, and sequences of up to three words that end in one."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from memoir.english.foreign import COMMON, is_foreign
from memoir.english.nouns import AFTER_PHRASES, NUMERALS, OPENERS, UNITS, is_adjective, is_verb, may_be_noun
from memoir.english.proper_names import given_names
from memoir.english.stopwords import NAMELESS, STOP_WORDS
from memoir.english.words import stems

LONGEST = 32
"""The most characters of a name."""
_MOST_WORDS = 3
_SHORTEST, _SHORTEST_SURE = 3, 2
"""The fewest characters of a name, and of an acronym or one chosen over another: "CI", "uv, not pip"."""
_TOKEN = re.compile(r"[^\W_][\w+#]*")
_JOINS = (" ", "-", " & ")
_SENTENCE_ENDS = re.compile(r"[.;!?:]\s")
_CLAUSE_ENDS = re.compile(r"[.;!?:,]\s|\s[-(]|\s–|\s—")
_ZONE = r"""(?xi)
    \b(?:atlantic|central|eastern|greenwich|mountain|pacific|western)
    (?:\s(?:american|australian|daylight|european|mean|standard|summer))*\s time\b
    | \b(?:africa|america|antarctica|asia|atlantic|australia|europe|indian|pacific)/\w+
"""
"""A time zone by its name of several words, or by its name in the time zone database."""
_INSTEAD = ("instead of", "rather than")
_NAME = r"(?P<name>[A-Z][\w+#]*)"
_REJECTED = (
    (
        "against instead away",
        rf"\b(?i:(?:decid|vot|advis|opt)ed against|decision against|chose against|instead of|away from) {_NAME}",
    ),
    ("not", rf"\b(?i:not) {_NAME} but\b"),
    ("not", rf", not {_NAME}"),
    (
        "drop ditch abandon replace swap",
        rf"\b(?i:dropp?(?:ed)?|ditch(?:ed)?|abandon(?:ed)?|replaced?|swapp?(?:ed)?) {_NAME} (?:for|with|by)\b",
    ),
)
"""Phrases that reject a name; for `over` and `rather than` see `_is_passed_over`.

Before each pattern are words: a text without any cannot match, and the pattern is not compiled for it.
"""


class Candidate(NamedTuple):
    """A name, and the positions of its first and last word in the text."""

    slug: str
    first: int
    last: int


class Words:
    """The words of a text, and the gaps between them."""

    def __init__(self, text: str) -> None:
        """Split a text in its composed form."""
        matches = list(_TOKEN.finditer(text))
        self.tokens: Sequence[str] = [match.group() for match in matches]
        lower = text.lower()
        may_name_zone = "time" in lower or "/" in text
        zones = [each.span() for each in re.finditer(_ZONE, text)] if may_name_zone else []
        self._zones = {
            place for place, match in enumerate(matches) if any(start <= match.start() < end for start, end in zones)
        }
        forms = [form for words, form in _REJECTED if any(word in lower for word in words.split())]
        rejected = {match.start("name") for form in forms for match in re.finditer(form, text)}
        self._rejected = {place for place, match in enumerate(matches) if match.start() in rejected}
        self._common = COMMON if is_foreign(text) else frozenset[str]()
        self.lower: Sequence[str] = [token.casefold() for token in self.tokens]
        self.gaps: Sequence[str] = [
            *(text[one.end() : two.start()] for one, two in pairwise(matches)),
            text[matches[-1].end() :] if matches else "",
        ]
        self.may_name: list[bool] = []
        for place in range(len(matches)):
            self.may_name.append(self._may_name(place))
        others = [may and not self._is_owner(place) for place, may in enumerate(self.may_name)]
        self.may_name = others if any(others) else self.may_name

    def candidates(self) -> Iterator[Candidate]:
        """Yield the possible names, each at its first position."""
        seen = set[str]()
        for first in range(len(self.tokens)):
            for last in range(first, min(first + _MOST_WORDS, len(self.tokens))):
                if last > first and not self.joins(last - 1):
                    break
                slug = "_".join(map(name_slug, self.tokens[first : last + 1]))
                if slug not in seen and len(slug) <= LONGEST and self._may_be_name(first, last):
                    seen.add(slug)
                    yield Candidate(slug, first, last)

    def joins(self, place: int) -> bool:
        """Whether a word and the next may belong to one name."""
        return 0 <= place < len(self.tokens) - 1 and self.gaps[place] in _JOINS

    def begins_sentence(self, place: int) -> bool:
        """Whether a word begins a sentence, so that its capital means nothing."""
        return place == 0 or bool(_SENTENCE_ENDS.search(self.gaps[place - 1]))

    def is_proper(self, place: int) -> bool:
        """Whether a word has a capital that is not due to the beginning of a sentence."""
        token = self.tokens[place]
        return token[0].isupper() and not (self.begins_sentence(place) and token.istitle())

    def is_verb_in_s(self, place: int) -> bool:
        """Whether a word may be a third-person verb: "the cache needs more"."""
        is_last = self.gaps[place] != " " or place + 1 == len(self.tokens)
        return self.tokens[place].endswith("s") and not is_last and self.tokens[place + 1] not in AFTER_PHRASES

    def is_verb(self, place: int) -> bool:
        """Whether a word is probably a verb; False beyond the end of the text."""
        return place < len(self.tokens) and is_verb(self.tokens, place)

    def clause_of(self, place: int) -> int:
        """How many clauses end before a word."""
        return sum(bool(_CLAUSE_ENDS.search(gap)) for gap in self.gaps[:place])

    def is_in_lead(self, place: int) -> bool:
        """Whether a word is in an introductory clause, before its comma."""
        while not self.begins_sentence(place):
            if "," in self.gaps[place - 1]:
                return False
            place -= 1
        return self.lower[place] in OPENERS

    def _may_be_name(self, first: int, last: int) -> bool:
        if first == last:
            return self.may_name[first]
        places = range(first, last + 1)
        return not (self.tokens[first].isdigit() or self._is_cut_off(first, last)) and all(
            self.may_name[place]
            or (place > first and (self.gaps[place - 1] == "-" or self._is_number(place, last)))
            or (place < last and (self.gaps[place] == "-" or is_adjective(self.lower[place])))
            for place in places
        )

    def _is_cut_off(self, first: int, last: int) -> bool:
        """Whether the name is cut off between its adjective and a later noun: "flaky login" of "flaky login test"."""
        goes_on = self.joins(last) and self.tokens[last + 1].islower() and self.may_name[last + 1]
        return goes_on and is_adjective(self.lower[first])

    def _is_number(self, place: int, last: int) -> bool:
        """Whether a word numbers the thing before it: "exit code 137", "Solvency II"."""
        token = self.tokens[place]
        is_numeral = place == last and len(token) < _SHORTEST and token.isupper() and self.lower[place] != "i"
        return token.isdigit() or is_numeral

    def _may_name(self, place: int) -> bool:
        """Whether a word is a distinctive noun, and not a unit of an amount."""
        token, slug = self.tokens[place], name_slug(self.tokens[place])
        before = self.lower[place - 1] if place else ""
        return (
            _is_telling(slug, _SHORTEST_SURE if token.isupper() or self._is_chosen(place) else _SHORTEST)
            and slug not in self._common
            and place not in self._zones
            and not self._is_passed_over(place)
            and may_be_noun(self.tokens, place)
            and not is_adjective(token if place else token.casefold())
            and not (slug in UNITS and (before[:1].isdigit() or before in NUMERALS))
        )

    def _is_owner(self, place: int) -> bool:
        """Whether a word is a person who owns or does something, not the topic itself.

        Such is Priya in "the queue is owned by Priya's team".
        """
        is_genitive = self.gaps[place] in ("'", "’") and self.lower[place + 1 : place + 2] == ["s"]
        owns = is_genitive and place + 2 < len(self.tokens) and may_be_noun(self.tokens, place + 2)
        does = self.lower[max(place - 1, 0) : place] == ["by"]
        return (owns or does) and self.tokens[place][0].isupper() and self.lower[place] in given_names()

    def _is_chosen(self, place: int) -> bool:
        """Whether a word is chosen over the next: it is before "not", "over" or the like."""
        after = self.lower[place + 1 : place + 3]
        return after[:1] in (["not"], ["over"]) or " ".join(after) in _INSTEAD

    def _is_passed_over(self, place: int) -> bool:
        """Whether a word is the rejected alternative: `MySQL` of "Postgres over MySQL".

        Also one after a noun and `not`, or after `instead of`, in any spelling: `npm` of "pnpm not npm". A rejected
        name without another name beside it is the text's topic.
        """
        if place in self._rejected and any(
            self.is_proper(other) for other in range(len(self.tokens)) if other not in self._rejected
        ):
            return True
        one, two = ("", "", *self.lower[:place])[-2:]
        if two == "not" and place > 1 and self.may_name[place - 2]:
            return True
        has_capital = self.tokens[place][0].isupper()
        if f"{one} {two}" in _INSTEAD and any(self.may_name) and (has_capital or two == "of"):
            return True
        others = (token for token in self.tokens[: max(place - 1, 0)] if token.casefold() not in STOP_WORDS)
        return two == "over" and has_capital and any(token[0].isupper() for token in others)


def _is_telling(slug: str, shortest: int) -> bool:
    dull = slug in STOP_WORDS or slug in NAMELESS or slug.isdigit() or len(slug) < shortest
    return not dull and stems(slug.title())[:1] not in (["{day}"], ["{month}"])


def name_slug(token: str) -> str:
    """The characters of a token that are allowed in a path: letters, marks, digits and `_`, in NFC."""
    if token.isascii():
        return "".join(char for char in token.casefold() if char == "_" or char.isalnum())[:LONGEST].strip("_")
    import unicodedata

    chars = "".join(
        char for char in token.casefold() if char == "_" or unicodedata.category(char)[0] in "LM" or char.isdecimal()
    )
    slug = compose(chars)[:LONGEST].strip("_")
    return "" if slug and unicodedata.category(slug[0])[0] == "M" else slug


def compose(text: str) -> str:
    """Normalise a text to NFC, the composed form."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)
