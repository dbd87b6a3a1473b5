"""The evidence for a category: its cues, and the words of its examples and description, found in a memory.

Parsing the taxonomy takes longer than filing one memory. So the evidence has a compact form: one sorted line for each
first word of a phrase, and only the lines for a memory's words are read. The default taxonomy's is
`evidence_default.txt`: `scripts/fit_filing.py` fits its weights, `scripts/generate.py` adds new phrases.
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
"""Marks for cues: the beginning of a memory, a first verb in the past tense, and another person whose name begins the
memory."""
CUE = (1.0, 1.5, 2.0)
"""The weight of a cue of one word, of two, and of three or more."""
EXAMPLE, PAIR, ABOUT = 0.5, 0.6, 0.35
"""The weight of a word of an example, of two words in sequence, and of a word of a description."""
PART = 0.5
"""The factor of a phrase inside a longer one that matched: "I am" in "I am going to"."""
LEAD, LEAD_END = 0.8, 6
"""An opening phrase weighs more by the share LEAD, falling to nothing at word LEAD_END, because the beginning of a fact
mostly shows its kind ("I prefer", "My sister", "Every Monday")."""

DEFAULT_FILE = Path(__file__).with_name("evidence_default.txt")
"""The evidence of the default taxonomy."""
_READ_CHARACTERS = 2_000
"""Characters of a memory that are read: its beginning shows its topic."""
_OPENING_CHARACTERS = 80
"""Characters that are searched for the first verb."""
_Weights = Mapping[str, float]
Match: TypeAlias = tuple[range, _Weights]
"""The position of a phrase in a memory, and its weights by category."""


class Scores(NamedTuple):
    """A memory's evidence by category and by first level.

    The votes of similar memories are added to it.
    """

    categories: defaultdict[str, float]
    first_levels: defaultdict[str, float]


class _Phrases:
    """The phrases that begin with one word: the length of the longest, and weights by the following words.

    Each following word ends in a space; weights are parsed when needed.
    """

    def __init__(self, longest: int, weights: Mapping[str, str]) -> None:
        self.longest, self.weights = longest, weights


_NO_PHRASES = _Phrases(0, {})


class CategoryEvidence:
    """The phrases that are evidence for the categories of a taxonomy, by their stems."""

    def __init__(self, paths: Sequence[str] = (), lines: Sequence[str] = ()) -> None:
        """Take sorted lines: a first word, then entries after tabs: following words, `=`, weights by path number."""
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
        """Parse the output of `dumps`."""
        paths, *lines = text.splitlines()
        return cls(paths.split(), lines)

    def dumps(self) -> str:
        """The compact form."""
        return "\n".join([" ".join(self.paths), *self._lines]) + "\n"

    def children(self, first: str) -> Sequence[str]:
        """The paths of the second levels below a first level."""
        return self._children.get(first, ())

    def matches(self, words: Sequence[str]) -> list[Match]:
        """The phrases found in a memory: the first position of each, and its weights by category."""
        phrases: dict[tuple[str, str], tuple[range, _Weights]] = {}
        for place, word in enumerate(words):
            known, rest = self._phrases(word), ""
            for end in range(place + 1, min(place + known.longest, len(words)) + 1):
                if rest in known.weights and (word, rest) not in phrases:
                    phrases[word, rest] = (range(place, end), self._weights(known.weights[rest]))
                rest += " ".join([*words[end : end + 1], ""])
        return list(phrases.values())

    def weights(self, phrase: str) -> _Weights:
        """The weights of a phrase by category; empty if it is no evidence."""
        first, space, rest = phrase.partition(" ")
        known = self._phrases(first).weights.get(rest + space)
        return self._weights(known) if known else {}

    def plus(self, paths: Sequence[str], weights: "WeightsByPhrase") -> "CategoryEvidence":
        """Return this evidence together with that for more categories."""
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
    """The evidence of a catalogue; if it only extends the default taxonomy, just the additions are compiled."""
    from memoir.taxonomy.catalogue import Catalogue, default

    shipped = default()
    if any(catalogue.get(path) != category for path, category in shipped.items()):
        return compiled(catalogue)
    added = Catalogue(category for path, category in catalogue.items() if path not in shipped)
    return default_evidence().plus(tuple(added), usual_weights(added))


def compiled(catalogue: "Catalogue") -> CategoryEvidence:
    """Compile the evidence of a catalogue, with the default taxonomy's fitted weights where it has the same phrase.

    This takes about 90 ms.
    """
    fitted, by_phrase = default_evidence(), usual_weights(catalogue)
    for phrase, weights in by_phrase.items():
        known = fitted.weights(" ".join(phrase))
        weights.update((path, known[path]) for path in weights if path in known)
    return CategoryEvidence().plus(tuple(catalogue), by_phrase)


WeightsByPhrase: TypeAlias = dict[tuple[str, ...], dict[str, float]]
"""The weights of phrases by category."""


def usual_weights(catalogue: "Catalogue") -> WeightsByPhrase:
    """The phrases of a catalogue with the unfitted weights of their kinds."""
    by_phrase: WeightsByPhrase = defaultdict(dict)
    for path, category in catalogue.items():
        for phrase, weight in _phrases_of(category):
            if phrase:  # punctuation alone has no stem
                by_phrase[phrase][path] = max(weight, by_phrase[phrase].get(path, 0.0))
    return by_phrase


def stems_with_marks(text: str, *, about_person: bool = False) -> list[str]:
    """The stems of a memory, preceded by `START`, and followed by `PAST` if its first verb is in the past tense.

    If the memory is about the person it begins with, `PERSON` replaces the name.
    """
    words = stems(text[:_READ_CHARACTERS])
    return [
        START,
        *([PERSON, *words[1:]] if about_person else words),
        *([PAST] if _is_past(text[:_OPENING_CHARACTERS]) else []),
    ]


def weigh(words: Sequence[str], evidence: CategoryEvidence) -> Scores:
    """Score a memory's words by a taxonomy's evidence."""
    return add_up(evidence.matches(words), evidence.first_levels)


def add_up(matches: Sequence[Match], first_levels: Sequence[str]) -> Scores:
    """Add up the weights of the phrases found in a memory.

    A phrase counts once for a category and once for its first level. It counts less, the more first levels share it
    (inverse document frequency over first levels, scaled to 0..1: Spärck Jones, "A Statistical Interpretation of Term
    Specificity", 1972), and less inside a longer phrase that matched.
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
    """The factor for a phrase's position: higher at the beginning of the memory, lower inside a longer phrase."""
    lead = 1 + LEAD * max(0.0, 1 - place.start / LEAD_END)
    inside = any(o.start <= place.start and place.stop <= o.stop and len(o) > len(place) for o in others)
    return lead * (PART if inside else 1.0)


def _phrases_of(category: "Category") -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the phrases of a category, as stems, with their weights."""
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
    """Whether a pair of words is not just two stop words, or begins with "I" or "my"."""
    return first in ("i", "my") or not (first in STOP_WORDS and second in STOP_WORDS)


def _is_past(beginning: str) -> bool:
    """Whether a memory begins with a past act: "(we) (recently) moved"."""
    words = spell_out(beginning).casefold().split()
    if words[:2] == ["the", "team"]:
        words = words[2:]
    elif words and words[0] in AUTHORS:
        words = words[1:]
    if words and words[0] in LATELY:
        words = words[1:]
    verb = re.match(r"\w*", words[0]) if words else None
    return verb is not None and (verb[0] in IRREGULAR_PAST or (len(verb[0]) > 3 and verb[0].endswith("ed")))
