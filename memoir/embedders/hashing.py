"""`hash`: words and pieces of words, hashed into 256 dimensions; nothing to install, nothing learned.

It finds texts that share words or parts of words (an inflection, a typo, a compound), not meanings. Each word and each
of its 3- to 5-grams adds to one dimension, with a sign, both chosen by CRC-32 (feature hashing: Weinberger et al.,
"Feature Hashing for Large Scale Multitask Learning", ICML 2009). Longer words count more, as a substitute for rarity;
repeated ones by the square root of their number.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from memoir.embedders.embedder import Embedder, Vector
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words

DIMENSIONS = 256
_GRAMS = (3, 4, 5)
_LONG = 8
"""Letters from which a word counts fully."""
_READ_CHARACTERS = 20_000
"""Characters of a text that are read."""


class HashEmbedder(Embedder):
    """An embedder of spellings, not of meanings."""

    name = "hash-1"
    learned = False
    trust = 0.01  # it finds the same as BM25, less well, ...
    unknown_trust = 0.1  # ... except for words in another spelling
    floor = 0.3

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; a text of stop words only gives zeros."""
        return [_vector(text) for text in texts]


def _vector(text: str) -> Vector:
    vector = [0.0] * DIMENSIONS
    for word, count in Counter(plain_words(text[:_READ_CHARACTERS])).items():
        if word not in STOP_WORDS:
            times = count**0.5
            for dimension, value in _of_word(word):
                vector[dimension] += times * value
    return array("f", vector)


@lru_cache(maxsize=50_000)
def _of_word(word: str) -> list[tuple[int, float]]:
    """The addition of a word, by dimension."""
    weight = min(len(word), _LONG) / _LONG
    frame = f"^{word[:64]}$"
    grams = [frame[at : at + size] for size in _GRAMS for at in range(len(frame) - size + 1)]
    features = [_feature("w" + word, weight)]
    return features + [_feature(gram, weight / len(grams) ** 0.5) for gram in grams]


def _feature(feature: str, weight: float) -> tuple[int, float]:
    # CRC-32 alone is linear; the multiplication (Knuth's golden ratio) mixes its bits.
    bits = crc32(feature.encode("utf-8", "replace")) * 0x9E3779B1 & 0xFFFFFFFF
    return (bits >> 8) % DIMENSIONS, weight**0.5 if bits & 1 else -(weight**0.5)
