"""The last level of a path: a word or some of the memory, after what it is about, or an aspect of its category.

What makes a good name is fitted to the names that people gave to the facts of many trades: where its words stand, how
they are spelt, and how near their meaning is to that of the whole memory. An aspect is what facts of a category are
often about, though they do not say the word: `answers`, `deployment`. `scripts/fit_naming.py` writes the weights.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import hypot
from operator import mul
from pathlib import Path
from typing import NamedTuple

from memoir.english.lexicon.own_words import NONE, OwnWords
from memoir.filing.form import MINILM, STATIC, Meaning
from memoir.filing.name_candidates import compose
from memoir.filing.name_features import NameFeatures, Reading
from memoir.filing.regression import Row
from memoir.index.embedders.static import StaticEmbedder
from memoir.taxonomy.paths import look_alike

FILE = Path(__file__).with_name("naming.txt")
_READ_CHARACTERS = 500
"""Characters of a text in which a name is looked for."""
ASPECT, UNSAID, LIKENESS, UNSAID_LIKENESS = "aspect", "unsaid", "likeness", "unsaid_likeness"
"""Features: the name is an aspect, which the memory says or does not say; how near it is to the meaning."""
_EMBEDDERS = (STATIC, MINILM)


class Naming(NamedTuple):
    """What is fitted.

    Attributes:
        aspects: For a second level the names that many give to facts in it.
        weights: The weight of each feature of a name, by the embedder of the memory's meaning.
        projection: A row for each component of `static`, of weights for those of a vector of MiniLM.
    """

    aspects: Mapping[str, Sequence[str]]
    weights: Mapping[str, Mapping[str, float]]
    projection: Sequence[Row]

    @classmethod
    def loads(cls, text: str) -> "Naming":
        """Read what `dumps` wrote."""
        aspects, weights, projection = (part.splitlines() for part in text.split("\n\n"))
        by_feature = {name: list(map(float, numbers)) for name, *numbers in map(str.split, weights)}
        return cls(
            {second: names for second, *names in map(str.split, aspects)},
            {its: {name: numbers[at] for name, numbers in by_feature.items()} for at, its in enumerate(_EMBEDDERS)},
            [Row.loads(line) for line in projection],
        )

    def dumps(self) -> str:
        """The text of the file."""
        parts = (
            (" ".join([second, *names]) for second, names in self.aspects.items()),
            (
                f"{name} {' '.join(f'{self.weights[its][name]:.2f}' for its in _EMBEDDERS)}"
                for name in self.weights[STATIC]
            ),
            map(str, self.projection),
        )
        return "\n\n".join("\n".join(part) for part in parts) + "\n"


class Namer:
    """The names that one memory may have."""

    def __init__(self, text: str, meaning: Meaning, own: OwnWords = NONE, fitted: Naming | None = None) -> None:
        """Take the memory, its meaning, a store's own words, and what is fitted; by default what is shipped."""
        self._text = text
        self._meaning = meaning
        self._own = own
        self._fitted = fitted or naming()

    def best(self, second: str) -> str:
        """The best name at a second level; empty if no word of the memory is one."""
        weights = self._fitted.weights[self._meaning.embedder]
        merits = {
            slug: sum(weights.get(name, 0.0) * value for name, value in its.items()) for slug, its in self.names(second)
        }
        return max(merits, key=merits.__getitem__, default="")

    def names(self, second: str) -> Iterator[tuple[str, NameFeatures]]:
        """The names at a second level, each with its features."""
        aspects = self._fitted.aspects.get(second, ())
        words = {each.slug: each for each in self._reading.words.candidates()}
        slugs = [slug for slug in dict.fromkeys((*words, *aspects)) if not look_alike(f"{second}.{slug}")]
        for slug, likeness in zip(slugs, map(self._likeness, _vectors(slugs)), strict=True):
            if slug in words:
                of_words = self._reading.features(words[slug], second.partition(".")[0])
                yield slug, of_words | ({ASPECT: 1.0} if slug in aspects else {}) | {LIKENESS: likeness}
            else:
                yield slug, {UNSAID: 1.0, LIKENESS: likeness, UNSAID_LIKENESS: likeness}

    @cached_property
    def _reading(self) -> Reading:
        return Reading(compose(self._text[:_READ_CHARACTERS]), self._own)

    @cached_property
    def _direction(self) -> Sequence[float]:
        """The direction of the memory's meaning among the vectors of `static`, those of its words."""
        if self._meaning.embedder == MINILM:
            return _unit([row.times(self._meaning.vector) for row in self._fitted.projection])
        return _unit(self._meaning.vector)

    def _likeness(self, vector: Sequence[float]) -> float:
        return float(sum(map(mul, self._direction, _unit(vector))))


@cache
def naming() -> Naming:
    """What is fitted to the names that people gave."""
    return Naming.loads(FILE.read_text(encoding="utf-8"))


def _vectors(slugs: Sequence[str]) -> Sequence[Sequence[float]]:
    return StaticEmbedder().embed([slug.replace("_", " ") for slug in slugs])


def _unit(vector: Sequence[float]) -> Sequence[float]:
    length = hypot(*vector) or 1.0
    return [component / length for component in vector]
