"""Choose the last level of a path: words of the memory for its topic, or an aspect of its category.

The choice is fitted to names that people gave to facts of many trades. Its features are the words' position and
spelling, and their similarity to the whole memory. An aspect is a frequent topic of a category that facts need not
mention: `answers`, `deployment`. `scripts/fit_naming.py` writes the weights.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from math import hypot
from operator import mul
from pathlib import Path

from memoir.embedders.static import StaticEmbedder
from memoir.english.lexicon.own_words import NONE, OwnWords
from memoir.filing.name_candidates import Candidate, compose
from memoir.filing.name_features import ENTITY, RELATIONSHIPS, NameFeatures, Reading
from memoir.filing.regression import MINILM, STATIC, Matrix, Meaning, Row
from memoir.taxonomy.paths import look_alike

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
        special = first_level if first_level in (ENTITY, RELATIONSHIPS) else ""
        if special not in self._of_words:
            others = [each for each in self._candidates if not self._reading.is_bystander(each)]
            names = self._candidates if special == RELATIONSHIPS else others or self._candidates
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
