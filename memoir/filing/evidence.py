"""The evidence for a category: which of its cues, and which words of its examples and description, a memory has.

Parsing the taxonomy takes longer than filing one memory by it. So its evidence has a compact form: a sorted line for
each first word of a phrase, of which only the lines for a memory's own words are read. That of the default taxonomy is
`evidence_default.txt`. Its weights are fitted by `scripts/fit_filing.py`; `scripts/generate.py` adds new phrases.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby, pairwise
from math import log
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from memoir.english.stopwords import AUTHORS, IRREGULAR_PAST, LATELY, STOP_WORDS
from memoir.english.words import spell_out, stems

if TYPE_CHECKING:
    from memoir.taxonomy.catalogue import Catalogue, Category

START, PAST, PERSON = "{start}", "{past}", "{person}"
"""Marks that cues may name: the beginning of a memory, a first verb that reports what was done, and another person,
whom the memory begins with."""
CUE = (1.0, 1.5, 2.0)
"""The weight of a cue of one word, of two, and of three or more."""
EXAMPLE, PAIR, ABOUT = 0.5, 0.6, 0.35
"""The weight of a word of an example, of two words in sequence, and of a word of a description."""
PART = 0.5
"""A phrase inside a longer one that matched keeps this share of its weight: "I am" in "I am going to"."""
LEAD, LEAD_END = 0.8, 6
"""A phrase that opens the memory weighs more by the share LEAD; this falls to nothing at the word number LEAD_END. The
beginning of a fact mostly says what kind it is of ("I prefer", "My sister", "Every Monday")."""

DEFAULT_FILE = Path(__file__).with_name("evidence_default.txt")
"""The evidence of the default taxonomy."""
_READ_CHARACTERS = 2_000
"""Characters of a memory that are read: its beginning says what it is about."""
_OPENING_CHARACTERS = 80
"""Characters in which the first verb is looked for."""
_Weights = Mapping[str, float]
Match: TypeAlias = tuple[range, _Weights]
"""Where a phrase is found in a memory, and its weights by category."""


class Scores(NamedTuple):
    """The evidence that a memory has: by category, and by first level.

    Votes of similar memories are added to it.
    """

    categories: defaultdict[str, float]
    first_levels: defaultdict[str, float]


class _Phrases:
    """Phrases that begin with one word: the words of the longest, and weights by the words that follow the first.

    Each of those words has a space behind it; the weights are parsed if they are needed.
    """

    def __init__(self, longest: int, weights: Mapping[str, str]) -> None:
        self.longest, self.weights = longest, weights


_NO_PHRASES = _Phrases(0, {})


class CategoryEvidence:
    """The phrases that are evidence for the categories of a taxonomy, by their stems."""

    def __init__(self, paths: Sequence[str] = (), lines: Sequence[str] = ()) -> None:
        """Take sorted lines: a first word; after each tab the words that follow it, `=`, and weights by path number."""
        self.paths = tuple(paths)
        self.first_levels = tuple(dict.fromkeys(path.partition(".")[0] for path in paths))
        self._lines = lines
        self._read: dict[int, _Phrases] = {}
        self._children: dict[str, list[str]] = {}
        for path in self.paths:
            first, dot, _ = path.partition(".")
            if dot:
                self._children.setdefault(first, []).append(path)

    @classmethod
    def loads(cls, text: str) -> "CategoryEvidence":
        """Read what `dumps` wrote."""
        paths, *lines = text.splitlines()
        return cls(paths.split(), lines)

    def dumps(self) -> str:
        """The compact form."""
        return "\n".join([" ".join(self.paths), *self._lines]) + "\n"

    def children(self, first: str) -> Sequence[str]:
        """The paths of the second levels below a first level."""
        return self._children.get(first, ())

    def matches(self, words: Sequence[str]) -> list[Match]:
        """The phrases found in a memory's words: where each is found first, and its weights by category."""
        phrases: dict[tuple[str, str], tuple[range, _Weights]] = {}
        for place, word in enumerate(words):
            known, rest = self._phrases(word), ""
            for end in range(place + 1, min(place + known.longest, len(words)) + 1):
                if rest in known.weights and (word, rest) not in phrases:
                    phrases[word, rest] = (range(place, end), self._weights(known.weights[rest]))
                rest += " ".join([*words[end : end + 1], ""])
        return list(phrases.values())

    def weights(self, phrase: str) -> _Weights:
        """The weights of a phrase by category; none for one that is no evidence."""
        first, space, rest = phrase.partition(" ")
        known = self._phrases(first).weights.get(rest + space)
        return self._weights(known) if known else {}

    def plus(self, paths: Sequence[str], weights: "WeightsByPhrase") -> "CategoryEvidence":
        """This evidence with that for more categories."""
        numbers = {path: number for number, path in enumerate(paths, len(self.paths))}
        lines = {line.partition("\t")[0]: line for line in self._lines}
        for word, phrases in groupby(sorted(weights), key=itemgetter(0)):
            entries = dict(entry.rsplit("=", 1) for entry in lines.get(word, word).split("\t")[1:])
            for phrase in phrases:
                rest = "".join(f"{each} " for each in phrase[1:])
                pairs = " ".join(f"{numbers[path]}:{weight:g}" for path, weight in weights[phrase].items())
                entries[rest] = f"{entries.get(rest, '')} {pairs}".lstrip()
            lines[word] = "\t".join([word, *(f"{rest}={pairs}" for rest, pairs in entries.items())])
        return CategoryEvidence((*self.paths, *paths), sorted(lines.values()))

    def _phrases(self, word: str) -> "_Phrases":
        """The phrases that begin with a word."""
        at = bisect_left(self._lines, f"{word}\t")
        if at == len(self._lines) or not self._lines[at].startswith(f"{word}\t"):
            return _NO_PHRASES
        if at not in self._read:
            parts = (entry.rpartition("=") for entry in self._lines[at].split("\t")[1:])
            weights = {rest: its for rest, _, its in parts}
            self._read[at] = _Phrases(1 + max(rest.count(" ") for rest in weights), weights)
        return self._read[at]

    def _weights(self, text: str) -> _Weights:
        pairs = (pair.split(":") for pair in text.split())
        return {self.paths[int(number)]: float(weight) for number, weight in pairs}


@cache
def default_evidence() -> CategoryEvidence:
    """The evidence of the default taxonomy."""
    return CategoryEvidence.loads(DEFAULT_FILE.read_text(encoding="utf-8"))


@lru_cache(maxsize=4)
def evidence_of(catalogue: "Catalogue") -> CategoryEvidence:
    """The evidence of a catalogue; of one that only adds to the default taxonomy, just what it adds is compiled."""
    from memoir.taxonomy.catalogue import Catalogue, default

    shipped = default()
    if any(catalogue.get(path) != category for path, category in shipped.items()):
        return compiled(catalogue)
    added = Catalogue(category for path, category in catalogue.items() if path not in shipped)
    return default_evidence().plus(tuple(added), usual_weights(added))


def compiled(catalogue: "Catalogue") -> CategoryEvidence:
    """The evidence of a catalogue, with the fitted weight of each phrase that the default taxonomy has there, too.

    This takes about 90 ms.
    """
    fitted, by_phrase = default_evidence(), usual_weights(catalogue)
    for phrase, weights in by_phrase.items():
        known = fitted.weights(" ".join(phrase))
        weights.update((path, known[path]) for path in weights if path in known)
    return CategoryEvidence().plus(tuple(catalogue), by_phrase)


WeightsByPhrase: TypeAlias = dict[tuple[str, ...], dict[str, float]]
"""For each phrase its weights by category."""


def usual_weights(catalogue: "Catalogue") -> WeightsByPhrase:
    """The phrases of a catalogue, each with the weight of its kind."""
    by_phrase: WeightsByPhrase = defaultdict(dict)
    for path, category in catalogue.items():
        for phrase, weight in _phrases_of(category):
            if phrase:  # punctuation alone has no stem
                by_phrase[phrase][path] = max(weight, by_phrase[phrase].get(path, 0.0))
    return by_phrase


def stems_with_marks(text: str, *, about_person: bool = False) -> list[str]:
    """The stems of a memory after the mark `START`; `PAST` follows them if its first verb reports what was done.

    If it is about another person, whom it begins with, `PERSON` stands for the name.
    """
    words = stems(text[:_READ_CHARACTERS])
    return [
        START,
        *([PERSON, *words[1:]] if about_person else words),
        *([PAST] if _is_past(text[:_OPENING_CHARACTERS]) else []),
    ]


def weigh(words: Sequence[str], evidence: CategoryEvidence) -> Scores:
    """Weigh what a memory's words share with a taxonomy."""
    return add_up(evidence.matches(words), evidence.first_levels)


def add_up(matches: Sequence[Match], first_levels: Sequence[str]) -> Scores:
    """Add up the weights of the phrases that a memory has.

    A phrase counts once for a category and once for its first level. It counts less, the more first levels have it
    (inverse document frequency over first levels, scaled to 0..1: Spärck Jones, "A Statistical Interpretation of
    Term Specificity", 1972), and less as a part of a longer phrase that matched.
    """
    levels = len(first_levels) + 0.5
    scores = Scores(defaultdict(float), defaultdict(float))
    places = [place for place, _ in matches]
    for place, by_path in matches:
        best = _best_by_first_level(by_path)
        factor = log(levels / len(best)) / log(levels) * _place_factor(place, places)
        for path, weight in by_path.items():
            scores.categories[path] += weight * factor
        for first, weight in best.items():
            scores.first_levels[first] += weight * factor
    return scores


def _best_by_first_level(by_path: _Weights) -> dict[str, float]:
    best: dict[str, float] = defaultdict(float)
    for path, weight in by_path.items():
        first = path.partition(".")[0]
        best[first] = max(weight, best[first])
    return best


def _place_factor(place: range, others: Sequence[range]) -> float:
    """The factor for a phrase's place: more at the beginning of the memory, less inside a longer phrase."""
    lead = 1 + LEAD * max(0.0, 1 - place.start / LEAD_END)
    inside = any(o.start <= place.start and place.stop <= o.stop and len(o) > len(place) for o in others)
    return lead * (PART if inside else 1.0)


def _phrases_of(category: "Category") -> Iterator[tuple[tuple[str, ...], float]]:
    """The phrases that are evidence for a category, as stems, with their weights."""
    for cue in category.cues:
        phrase = tuple(stems(cue))
        yield phrase, CUE[min(sum(word != START for word in phrase), 3) - 1]
    for example in category.examples:
        parts = spell_out(example).split()
        yield from ((tuple(stems(part)), EXAMPLE) for part in parts if part.lower() not in STOP_WORDS)
        for first, second in pairwise(parts):
            if _is_telling(first.lower(), second.lower()):
                yield tuple(stems(f"{first} {second}")), PAIR
    yield from ((tuple(stems(part)), ABOUT) for part in category.about.lower().split() if part not in STOP_WORDS)


def _is_telling(first: str, second: str) -> bool:
    """Whether two words in sequence are more than two stop words, or begin with "I" or "my"."""
    return first in ("i", "my") or not (first in STOP_WORDS and second in STOP_WORDS)


def _is_past(beginning: str) -> bool:
    """Whether a memory begins with a report of what was done: "(we) (recently) moved"."""
    words = spell_out(beginning).casefold().split()
    if words[:2] == ["the", "team"]:
        words = words[2:]
    elif words and words[0] in AUTHORS:
        words = words[1:]
    if words and words[0] in LATELY:
        words = words[1:]
    verb = re.match(r"\w*", words[0]) if words else None
    return verb is not None and (verb[0] in IRREGULAR_PAST or (len(verb[0]) > 3 and verb[0].endswith("ed")))
