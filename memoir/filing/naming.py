"""Choose the last level of a path: words of the memory for its topic, or an aspect of its category.

The choice is fitted to names that people gave to facts of many trades. Its features are the words' position and
spelling, and their similarity to the whole memory. An aspect is a frequent topic of a category that facts need not
mention: `answers`, `deployment`. `scripts/fit_naming.py` writes the weights.
"""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from math import hypot, log1p
from operator import mul
from pathlib import Path

from memoir.embedders.static import StaticEmbedder
from memoir.english.lexicon.own_words import NONE, OwnWords
from memoir.english.lexicon.spotting import spot
from memoir.english.nouns import ARTICLES, PREPOSITIONS, is_adjective
from memoir.english.proper_names import given_names
from memoir.english.stopwords import VAGUE_WORDS
from memoir.filing.name_candidates import Candidate, Words, compose
from memoir.filing.regression import MINILM, STATIC, Matrix, Meaning, Row
from memoir.taxonomy.paths import look_alike

_FAR, _LONG, _TENTH = 20, 9, 0.1
_CHOICE = ("over", "rather", "than")
_IDENTIFIER = re.compile(r"\d|_|[a-z][A-Z]")
_RELATIONSHIPS, _ENTITY = "relationships", "entity"
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
            "entity_subject": is_subject and first_level == _ENTITY,
            "relative": first_level == _RELATIONSHIPS and words.lower[name.last] in self._relatives,
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
            "person": is_person and first_level == _RELATIONSHIPS,
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


FILE = Path(__file__).with_name("naming.txt")
_READ_CHARACTERS = 500
"""Characters of a text that are searched for a name."""
ASPECT, UNSAID, LIKENESS, UNSAID_LIKENESS = "aspect", "unsaid", "likeness", "unsaid_likeness"
"""Features: the name is an aspect that the memory mentions or not; its similarity to the meaning."""
_EMBEDDERS = (STATIC, MINILM)


class Naming:
    """The fitted data of naming."""

    def __init__(
        self,
        aspects: Mapping[str, Sequence[str]],
        weights: Mapping[str, Mapping[str, float]],
        projection: Sequence[str],
    ) -> None:
        """Take aspects, weights and a projection.

        Args:
            aspects: For each second level, frequent names of facts in it that do not mention them.
            weights: The weight of each feature of a name, by the embedder of the memory's meaning.
            projection: Lines, parsed on first use: a `Row` for each component of `static`, with weights for those of a
                MiniLM vector.
        """
        self.aspects, self.weights, self._projection = aspects, weights, projection

    @cached_property
    def projection(self) -> Matrix:
        """The matrix from MiniLM vectors to `static` ones."""
        return Matrix(list(map(Row.loads, self._projection)))

    @classmethod
    def loads(cls, text: str) -> "Naming":
        """Parse the output of `dumps`."""
        aspects, weights, projection = (part.splitlines() for part in text.split("\n\n"))
        by_feature = {name: list(map(float, numbers)) for name, *numbers in map(str.split, weights)}
        return cls(
            {second: names for second, *names in map(str.split, aspects)},
            {its: {name: numbers[at] for name, numbers in by_feature.items()} for at, its in enumerate(_EMBEDDERS)},
            projection,
        )

    def dumps(self) -> str:
        """The text of the file."""
        parts = (
            (" ".join([second, *names]) for second, names in self.aspects.items()),
            (
                f"{name} {' '.join(f'{self.weights[its][name]:.2f}' for its in _EMBEDDERS)}"
                for name in self.weights[STATIC]
            ),
            self._projection,
        )
        return "\n\n".join("\n".join(part) for part in parts) + "\n"


class Namer:
    """The possible names of one memory."""

    def __init__(self, text: str, meaning: Meaning, own: OwnWords = NONE, fitted: Naming | None = None) -> None:
        """Take a memory, its meaning, a store's own words, and the fitted data (by default the bundled)."""
        self._text = text
        self._meaning = meaning
        self._own = own
        self._fitted = fitted or naming()
        self._of_words: dict[str, Mapping[str, NameFeatures]] = {}
        self._likenesses: dict[str, float] = {}

    def best(self, second: str) -> str:
        """The best name at a second level; empty if there is none."""
        weights = self._fitted.weights[self._meaning.embedder]
        merits = {
            slug: sum(weights.get(name, 0.0) * value for name, value in its.items()) for slug, its in self.names(second)
        }
        return max(merits, key=merits.__getitem__, default="")

    def names(self, second: str) -> Iterator[tuple[str, NameFeatures]]:
        """Yield the possible names at a second level with their features."""
        aspects = self._fitted.aspects.get(second, ())
        of_words = self._features_of_words(second.partition(".")[0])
        for slug in dict.fromkeys((*of_words, *aspects)):
            if look_alike(f"{second}.{slug}"):
                continue
            likeness = self._likeness(slug)
            if slug in of_words:
                yield slug, of_words[slug] | ({ASPECT: 1.0} if slug in aspects else {}) | {LIKENESS: likeness}
            else:
                yield slug, {UNSAID: 1.0, LIKENESS: likeness, UNSAID_LIKENESS: likeness}

    def _features_of_words(self, first_level: str) -> Mapping[str, NameFeatures]:
        """The features of names from the memory's words at a first level; most first levels share them."""
        special = first_level if first_level in (_ENTITY, _RELATIONSHIPS) else ""
        if special not in self._of_words:
            others = [each for each in self._candidates if not self._reading.is_bystander(each)]
            names = self._candidates if special == _RELATIONSHIPS else others or self._candidates
            self._of_words[special] = {each.slug: self._reading.features(each, special) for each in names}
        return self._of_words[special]

    def _likeness(self, slug: str) -> float:
        """The cosine of a name and the memory's meaning."""
        if slug not in self._likenesses:
            self._likenesses[slug] = float(sum(map(mul, self._direction, _direction_of(slug))))
        return self._likenesses[slug]

    @cached_property
    def _reading(self) -> Reading:
        return Reading(compose(self._text[:_READ_CHARACTERS]), self._own)

    @cached_property
    def _candidates(self) -> Sequence[Candidate]:
        return list(self._reading.words.candidates())

    @cached_property
    def _direction(self) -> Sequence[float]:
        """The unit vector of the memory's meaning in the space of `static`."""
        if self._meaning.embedder == MINILM:
            return _unit(self._fitted.projection.times(self._meaning.vector))
        return _unit(self._meaning.vector)


@cache
def naming() -> Naming:
    """The bundled fitted data."""
    return Naming.loads(FILE.read_text(encoding="utf-8"))


@lru_cache(maxsize=2_000)
def _direction_of(slug: str) -> Sequence[float]:
    """The unit vector of a name; cached because aspects recur with each memory of their category."""
    (vector,) = StaticEmbedder().embed([slug.replace("_", " ")])
    return array("d", _unit(vector))


def _unit(vector: Sequence[float]) -> Sequence[float]:
    length = hypot(*vector) or 1.0
    return [component / length for component in vector]
