"""What speaks for a category: which of its cues, and which words of its examples, a text has.

Reading the taxonomy takes longer than filing one memory by it. So its evidence has a compact form, a sorted line for
each first word of a phrase, of which only those that a text asks for are read. The default taxonomy's is
`evidence_default.txt`, which `scripts/generate.py` writes.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import spell_out, stems
from memoir.filing.opening import START

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

DEFAULT_FILE = Path(__file__).with_name("evidence_default.txt")
_Weights = Mapping[str, float]


class Evidence:
    """The phrases that speak for the categories of a taxonomy."""

    def __init__(self, paths: Sequence[str], lines: Sequence[str]) -> None:
        """`lines` are sorted: a first word, and after each tab what follows (a space after each word), `=`, weights."""
        self.paths = tuple(paths)
        self.first_levels = tuple(dict.fromkeys(path.partition(".")[0] for path in paths))
        self._lines = lines

    @classmethod
    def loads(cls, text: str) -> "Evidence":
        """Read what `dumps` wrote."""
        paths, *lines = text.splitlines()
        return cls(paths.split(), lines)

    def dumps(self) -> str:
        """The compact form."""
        return "\n".join([" ".join(self.paths), *self._lines]) + "\n"

    def children(self, first: str) -> list[str]:
        """The paths of a first level's second levels."""
        return [path for path in self.paths if path.startswith(first + ".")]

    def has_cue(self, path: str, word: str) -> bool:
        """Whether a word, in any inflection, is by itself a cue of a category."""
        first, *others = stems(word) or [""]
        phrase = "".join(f"{other} " for other in others)
        weights = next((weights for rest, weights in self._phrases(first) if rest == phrase), "")
        return self._weights(weights).get(path, 0.0) >= CUE[0]

    def matches(self, text: Sequence[str]) -> list[tuple[range, _Weights]]:
        """The phrases that a text has: where it first has them, and what they weigh by category."""
        found: dict[tuple[str, str], tuple[range, _Weights]] = {}
        for place, word in enumerate(text):
            following = " ".join([*text[place + 1 :], ""])
            for rest, weights in self._phrases(word):
                if following.startswith(rest) and (word, rest) not in found:
                    found[word, rest] = (range(place, place + 1 + rest.count(" ")), self._weights(weights))
        return list(found.values())

    def _phrases(self, word: str) -> Iterator[tuple[str, str]]:
        """The phrases that begin with a word, as what follows it and the weights, which few callers read."""
        at = bisect_left(self._lines, f"{word}\t")
        found, *entries = self._lines[at].split("\t") if at < len(self._lines) else [""]
        if found == word:
            for entry in entries:
                rest, _, weights = entry.rpartition("=")
                yield rest, weights

    def _weights(self, text: str) -> _Weights:
        pairs = (pair.split(":") for pair in text.split())
        return {self.paths[int(number)]: float(weight) for number, weight in pairs}


@cache
def default() -> Evidence:
    """The evidence of the default taxonomy."""
    return Evidence.loads(DEFAULT_FILE.read_text(encoding="utf-8"))


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
        lines[phrase[0]].append("".join(f"{word} " for word in phrase[1:]) + f"={pairs}")
    return Evidence(tuple(catalogue), sorted("\t".join([word, *entries]) for word, entries in lines.items()))


def weigh(text: Sequence[str], evidence: Evidence) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Weigh what a text shares with a taxonomy.

    The result is the weight by category, the weight by first level, and how many of the text's words speak for each
    first level.

    A phrase counts once for a category and once for its first level; the less, the more first levels know it
    (inverse document frequency over first levels, scaled to 0..1: Spärck Jones, "A Statistical Interpretation of
    Term Specificity", 1972); and the less, if it is only a part of a longer phrase.
    """
    matches = evidence.matches(text)
    levels = len(evidence.first_levels) + 0.5
    categories: dict[str, float] = defaultdict(float)
    first_levels: dict[str, float] = defaultdict(float)
    heard: dict[str, set[int]] = defaultdict(set)
    places = [place for place, _ in matches]
    for place, by_path in matches:
        best: dict[str, float] = defaultdict(float)
        for path, weight in by_path.items():
            first = path.partition(".")[0]
            best[first] = max(weight, best[first])
        factor = log(levels / len(best)) / log(levels) * _place(place, places)
        for path, weight in by_path.items():
            categories[path] += weight * factor
        for first, weight in best.items():
            first_levels[first] += weight * factor
            heard[first].update(number for number in place if text[number] != START)
    return categories, first_levels, {first: float(len(numbers)) for first, numbers in heard.items()}


def _place(place: range, others: Sequence[range]) -> float:
    """What a phrase's place adds or takes: more at the beginning of the text, less inside a longer phrase."""
    lead = 1 + LEAD * max(0.0, 1 - place.start / LEADING)
    inside = any(o.start <= place.start and place.stop <= o.stop and len(o) > len(place) for o in others)
    return lead * (PART if inside else 1.0)


def _of_category(category: "Category") -> Iterator[tuple[tuple[str, ...], float]]:
    """What speaks for a category, as words, with its weight; punctuation alone is no word."""
    return ((phrase, weight) for phrase, weight in _phrases_of(category) if phrase)


def _phrases_of(category: "Category") -> Iterator[tuple[tuple[str, ...], float]]:
    for cue in category.cues:
        phrase = tuple(stems(cue))
        yield phrase, CUE[min(sum(word != START for word in phrase), 3) - 1]
    for example in category.examples:
        parts = spell_out(example).split()
        yield from ((tuple(stems(part)), EXAMPLE) for part in parts if part.lower() not in STOP_WORDS)
        for first, second in pairwise(parts):
            if _telling(first.lower(), second.lower()):
                yield tuple(stems(f"{first} {second}")), PAIR
    yield from ((tuple(stems(part)), ABOUT) for part in category.about.lower().split() if part not in STOP_WORDS)


def _telling(first: str, second: str) -> bool:
    """Whether two words in sequence say something: not two function words, unless it is like "I am"."""
    return first in ("i", "my") or not (first in STOP_WORDS and second in STOP_WORDS)
