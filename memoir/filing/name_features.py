"""What tells whether a name suits a memory: its position, spelling and neighbours, and the lexicon's entries in it."""

import re
from math import log1p

from memoir.english.lexicon.own_words import OwnWords
from memoir.english.lexicon.spotting import spot
from memoir.english.nouns import ARTICLES, PREPOSITIONS, is_adjective
from memoir.english.proper_names import given_names
from memoir.english.stopwords import VAGUE_WORDS
from memoir.filing.name_candidates import Candidate, Words

_FAR, _LONG, _TENTH = 20, 9, 0.1
_CHOICE = ("over", "rather", "than")
_IDENTIFIER = re.compile(r"\d|_|[a-z][A-Z]")
RELATIONSHIPS, ENTITY = "relationships", "entity"
_RELATIVES = frozenset(
    ("children", "grandparents", "in-laws", "line manager", "parents", "partner", "relatives", "roommate", "siblings")
)
"""Concepts of the lexicon whose words say who somebody is to the one who speaks."""

NameFeatures = dict[str, float]


class Reading:
    """The words of a memory, with the entries of the lexicon and the store in them."""

    def __init__(self, text: str, own: OwnWords) -> None:
        """Take a text in NFC, and a store's own words."""
        spots = spot(text, own)
        self.words = Words(text)
        self._terms = {word for each in spots if each.is_term for word in each.words}
        self._known = {word for each in spots for word in each.words}
        self._relatives = {word for each in spots if not _RELATIVES.isdisjoint(each.concepts) for word in each.words}
        self._phrases = {each.words for each in spots if len(each.words) > 1}
        places = range(1, len(self.words.tokens))
        self._verb = next(filter(self.words.is_verb, places), len(self.words.tokens))

    def features(self, name: Candidate, first_level: str) -> NameFeatures:
        """The features of a name of this text at a first level."""
        flags = {
            **self._of_place(name, first_level),
            **self._of_spelling(name, first_level),
            **self._of_neighbours(name),
            **self._of_lexicon(name),
        }
        numbers = {
            "place": min(self._position(name), _FAR) * _TENTH,
            "place_log": log1p(self._position(name)),
            "length": min(len(name.slug.rpartition("_")[2]), _LONG) * _TENTH,
        }
        return numbers | {flag: 1.0 for flag, has in flags.items() if has}

    def is_bystander(self, name: Candidate) -> bool:
        """Whether a name is a person's who is not the topic: Ana in "the invoices go to Ana"."""
        words, place = self.words, name.first
        is_subject = place < self._verb and self._governor(place - 1) not in PREPOSITIONS
        return not is_subject and words.is_proper(place) and words.lower[place] in given_names()

    def _of_place(self, name: Candidate, first_level: str) -> dict[str, bool]:
        words, first = self.words, self._position(name)
        is_subject = name.last < self._verb
        rank = sum(words.may_name[:first])
        return {
            f"noun_{min(rank, 3)}": True,
            f"clause_{min(words.clause_of(first), 3)}": True,
            "in_lead": words.is_in_lead(first),
            "after_verb": not is_subject,
            "entity_subject": is_subject and first_level == ENTITY,
            "relative": first_level == RELATIONSHIPS and words.lower[name.last] in self._relatives,
            "repeated": words.lower.count(words.lower[name.last]) > 1,
        }

    def _of_spelling(self, name: Candidate, first_level: str) -> dict[str, bool]:
        words, places = self.words, range(name.first, name.last + 1)
        capitals = [words.is_proper(place) for place in places]
        tokens = words.tokens[name.first : name.last + 1]
        is_long = len(tokens) > 1
        is_person = capitals[-1] and self._governor(name.first - 1) not in PREPOSITIONS
        return {
            f"words_{len(tokens)}": True,
            "proper": all(capitals),
            "plain": not any(capitals),
            "person": is_person and first_level == RELATIONSHIPS,
            "sentence_capital": tokens[0][0].isupper() and not capitals[0],
            "hyphens": is_long and all(words.gaps[place] == "-" for place in places[:-1]),
            "adjective": is_long and is_adjective(words.lower[name.first]),
            "number": is_long and any(token[0].isdigit() for token in tokens),
            "identifier": not is_long and bool(_IDENTIFIER.search(tokens[0])),
            "acronym": tokens[-1].isupper() and len(tokens[-1]) > 1,
        }

    def _of_neighbours(self, name: Candidate) -> dict[str, bool]:
        """Features of a name's neighbours, and of missing parts of the name."""
        words, before, after = self.words, name.first - 1, name.last + 1
        lower, gap = words.lower, words.gaps[name.last]
        joins, goes_on = words.joins(before), words.joins(name.last)
        follows = lower[after] if gap == " " and after < len(lower) else ""
        left, governor = lower[before] if before >= 0 else "", self._governor(before)
        has_noun, has_noun_after = joins and words.may_name[before], goes_on and words.may_name[after]
        return {
            "lacks_proper_before": has_noun and words.tokens[before][0].isupper(),
            "lacks_noun_before": has_noun and words.tokens[before].islower(),
            "lacks_proper_after": has_noun_after and words.tokens[after][0].isupper(),
            "lacks_noun_after": has_noun_after and words.tokens[after].islower() and not words.is_verb_in_s(after),
            "hyphen_before": joins and words.gaps[before] == "-",
            "hyphen_after": goes_on and gap == "-",
            "after_no": left == "no",
            "at": governor == "at",
            "from": governor == "from",
            "before_verb": gap == " " and words.is_verb(after),
            "before_preposition": follows in PREPOSITIONS and follows not in _CHOICE,
            "ends_phrase": gap != " " and self._position(name) == name.first,
        }

    def _position(self, name: Candidate) -> int:
        """The position of a name; both sides of a choice have that of the first, so a change of mind keeps the name."""
        words, place = self.words, name.first
        while words.joins(place - 1) and words.lower[place - 1] in _CHOICE:
            place -= 1
        has_rival = place < name.first and words.joins(place - 1) and words.may_name[place - 1]
        return place - 1 if has_rival else name.first

    def _governor(self, place: int) -> str:
        """The word before a name that ends at a position, skipping its article and adjectives."""
        words = self.words
        while words.joins(place) and (
            words.may_name[place] or words.lower[place] in ARTICLES or is_adjective(words.lower[place])
        ):
            place -= 1
        return words.lower[place] if words.joins(place) else ""

    def _of_lexicon(self, name: Candidate) -> dict[str, bool]:
        head = self.words.lower[name.last]
        return {
            "term": head in self._terms,
            "known": head in self._known and head not in self._terms,
            "phrase": tuple(self.words.lower[name.first : name.last + 1]) in self._phrases,
            "vague": head in VAGUE_WORDS,
        }
