"""What speaks for a category: which of its cues, and which words of its examples, a text has.

Reading the taxonomy takes longer than filing one memory by it. So its evidence has a compact form, a line for each
first word of a phrase, of which only the lines that a text asks for are read. The default taxonomy's is
`evidence_default.txt`; `python -m memoir.filing.evidence` writes it anew.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from pathlib import Path
from typing import NamedTuple

from memoir.filing.evidence_words import START, spelt_out, words
from memoir.index.stopwords import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memoir.taxonomy.catalogue import Catalogue, Category

CUE = (1.0, 1.5, 2.0)
"""What a cue of one, two, three and more words weighs."""
EXAMPLE, PAIR, ABOUT = 0.5, 0.6, 0.35
"""What a word of an example, two words in sequence, and a word of a description weigh."""
PART = 0.5
"""What is left of a phrase's weight inside a longer one: "I am" in "I am going to"."""
LEAD, LEADING = 0.8, 6
"""By how much more a phrase weighs that opens the text, and from which word on nothing is added: a fact mostly says
what kind it is of at its beginning ("I prefer", "My sister", "Every Monday")."""

_DEFAULT = Path(__file__).with_name("evidence_default.txt")
_Weights = Mapping[str, float]


class Weights(NamedTuple):
    """How much evidence a text has, by path: of each category, and of each first level as a whole."""

    categories: dict[str, float]
    first_levels: dict[str, float]


class _Match(NamedTuple):
    """Where a text first has a phrase, up to where it goes, and what it weighs for each category that knows it."""

    start: int
    end: int
    by_path: _Weights


class Evidence:
    """The phrases that speak for the categories of a taxonomy."""

    def __init__(self, paths: Sequence[str], lines: Mapping[str, str]) -> None:
        self.paths = tuple(paths)
        self.first_levels = tuple(dict.fromkeys(path.partition(".")[0] for path in paths))
        self._lines = lines
        self._read: dict[str, list[tuple[tuple[str, ...], _Weights]]] = {}

    @classmethod
    def loads(cls, text: str) -> "Evidence":
        """Read what `dumps` wrote."""
        paths, *lines = text.splitlines()
        return cls(paths.split(), dict(line.split("\t", 1) for line in lines))

    def dumps(self) -> str:
        """The compact form."""
        return "\n".join([" ".join(self.paths), *(f"{word}\t{line}" for word, line in self._lines.items())]) + "\n"

    def children(self, first: str) -> list[str]:
        """The paths of a first level's second levels."""
        return [path for path in self.paths if path.startswith(first + ".")]

    def has_cue(self, path: str, word: str) -> bool:
        """Whether a word, in any inflection, is by itself a cue of a category."""
        parts = tuple(words(word))
        return bool(parts) and any(
            phrase == parts and by_path.get(path, 0.0) >= CUE[0] for phrase, by_path in self._phrases(parts[0])
        )

    def matches(self, text: Sequence[str]) -> list[_Match]:
        """The phrases that a text has, each where it first has it."""
        found: dict[tuple[str, ...], _Match] = {}
        for place, word in enumerate(text):
            for phrase, by_path in self._phrases(word):
                end = place + len(phrase)
                if phrase not in found and tuple(text[place:end]) == phrase:
                    found[phrase] = _Match(place, end, by_path)
        return list(found.values())

    def _phrases(self, word: str) -> list[tuple[tuple[str, ...], _Weights]]:
        """The phrases that begin with a word: `rest of the phrase=number:weight number:weight`, tabs between them."""
        if word not in self._read:
            line = self._lines.get(word)
            self._read[word] = [self._phrase(word, entry) for entry in line.split("\t")] if line else []
        return self._read[word]

    def _phrase(self, word: str, entry: str) -> tuple[tuple[str, ...], _Weights]:
        rest, _, weights = entry.rpartition("=")
        pairs = (pair.split(":") for pair in weights.split())
        return (word, *rest.split()), {self.paths[int(number)]: float(weight) for number, weight in pairs}


@cache
def default() -> Evidence:
    """The evidence of the default taxonomy."""
    return Evidence.loads(_DEFAULT.read_text(encoding="utf-8"))


@lru_cache(maxsize=4)
def of_catalogue(catalogue: "Catalogue") -> Evidence:
    """The evidence of a catalogue; takes some 30 ms, so keep `dumps` of it if it is needed once a process."""
    by_phrase: dict[tuple[str, ...], dict[int, float]] = defaultdict(dict)
    for number, category in enumerate(catalogue.values()):
        for phrase, weight in _of_category(category):
            by_phrase[phrase][number] = max(weight, by_phrase[phrase].get(number, 0.0))
    lines: dict[str, list[str]] = defaultdict(list)
    for phrase, weights in sorted(by_phrase.items()):
        pairs = " ".join(f"{number}:{weight:g}" for number, weight in weights.items())
        lines[phrase[0]].append(f"{' '.join(phrase[1:])}={pairs}")
    return Evidence(tuple(catalogue), {word: "\t".join(entries) for word, entries in lines.items()})


def weigh(text: Sequence[str], evidence: Evidence) -> Weights:
    """Weigh what a text shares with a taxonomy.

    A phrase counts once for a category and once for its first level; the less, the more first levels know it
    (inverse document frequency over first levels, scaled to 0..1: Spärck Jones, "A Statistical Interpretation of
    Term Specificity", 1972); and the less, if it is only a part of a longer phrase.
    """
    matches = evidence.matches(text)
    levels = len(evidence.first_levels) + 0.5
    weights = Weights(defaultdict(float), defaultdict(float))
    for match in matches:
        best: dict[str, float] = defaultdict(float)
        for path, weight in match.by_path.items():
            first = path.partition(".")[0]
            best[first] = max(weight, best[first])
        factor = log(levels / len(best)) / log(levels) * _place(match, matches)
        for path, weight in match.by_path.items():
            weights.categories[path] += weight * factor
        for first, weight in best.items():
            weights.first_levels[first] += weight * factor
    return weights


def _place(match: _Match, matches: Sequence[_Match]) -> float:
    """What a phrase's place adds or takes: more at the beginning of the text, less inside a longer phrase."""
    lead = 1 + LEAD * max(0.0, 1 - match.start / LEADING)
    length = match.end - match.start
    inside = any(m.start <= match.start and match.end <= m.end and m.end - m.start > length for m in matches)
    return lead * (PART if inside else 1.0)


def _of_category(category: "Category") -> Iterator[tuple[tuple[str, ...], float]]:
    """What speaks for a category, as words, with its weight."""
    for cue in category.cues:
        if phrase := tuple(words(cue)):
            yield phrase, CUE[min(sum(word != START for word in phrase), 3) - 1]
    for example in category.examples:
        parts = spelt_out(example).split()
        yield from (
            (word, EXAMPLE) for part in parts if part.lower() not in STOP_WORDS and (word := tuple(words(part)))
        )
        for first, second in pairwise(parts):
            if _telling(first.lower(), second.lower()):
                yield tuple(words(f"{first} {second}")), PAIR
    yield from ((tuple(words(part)), ABOUT) for part in category.about.lower().split() if part not in STOP_WORDS)


def _telling(first: str, second: str) -> bool:
    """Whether two words in sequence say something: not two function words, unless it is like "I am"."""
    return first in ("i", "my") or not (first in STOP_WORDS and second in STOP_WORDS)


if __name__ == "__main__":
    from memoir.taxonomy import catalogue

    _DEFAULT.write_text(of_catalogue(catalogue.default()).dumps(), encoding="utf-8")
