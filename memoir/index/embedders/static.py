"""`static`: MiniLM as a table of word pieces; nothing to install, no model to run.

The row of a piece is what all-MiniLM-L6-v2 makes of that piece alone, reduced to 128 numbers (`scripts/distil.py`
writes the table). A vector is a weighted sum of rows: it knows what words mean, and nothing of their order. A row's
weight is the logarithm of the piece's number in BERT's vocabulary, which begins with the most frequent pieces. In a
query, each word also counts by its idf in the store.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from memoir.english.stopwords import STOP_WORDS
from memoir.index.embedders.embedder import Idf, Vector
from memoir.index.embedders.pieces import cut, words
from memoir.index.embedders.table import Table, open_table

FILE = Path(__file__).with_name("static.bin")
_READ_CHARACTERS = 20_000
"""Characters of a text that are looked at."""
_MOST_WORDS = 20_000
"""Words whose sums are kept, about 1 KB each."""
_MANY = 1000
"""Words after which all pieces are read from the table, so that the next words are cut in less time."""
_IDF_UNIT = 1024
"""An idf of 1, as a whole number."""


class StaticEmbedder:
    """The embedder that needs nothing and knows what words mean."""

    name = "static-1"
    learned = False
    trust = unknown_trust = 0.5
    floor = 0.4

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; zeros for a text of stop words or unknown ones.

        Raises:
            EmbedderUnavailable: the table is missing or damaged.
        """
        return [_of_document(text) for text in texts]

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, in which each word counts by its idf.

        Raises:
            EmbedderUnavailable: the table is missing or damaged.
        """
        rows = ((word, count * _of_word(word)) for word, count in _count_words(query).items())
        return _table().vector(sum(row * round(_IDF_UNIT * idf(word)) for word, row in rows if row))


def is_word(word: str) -> bool:
    """Whether a word in small letters is in the vocabulary as a whole.

    Raises:
        EmbedderUnavailable: the table is missing or damaged.
    """
    return len(cut(word, _table().pieces)) == 1


def _of_document(text: str) -> Vector:
    sums = map(_of_word, words(text[:_READ_CHARACTERS]))
    return _table().vector(sum(filter(None, sums)))  # half of the words are zeros


def _count_words(text: str) -> Counter[str]:
    return Counter(words(text[:_READ_CHARACTERS]))


@lru_cache(maxsize=_MOST_WORDS)
def _of_word(word: str) -> int:
    """The sum of the rows of a word's pieces; 0 for a stop word."""
    if word in STOP_WORDS:
        return 0
    table = _table()
    places = table.places if _of_word.cache_info().misses > _MANY else None
    return sum(map(_row, cut(word, table.pieces, places)))


@lru_cache(maxsize=_MOST_WORDS // 4)
def _row(place: int) -> int:
    """The row of a piece: the parts of rare words come up again and again."""
    return _table().row(place)


@cache
def _table() -> Table:
    return open_table(FILE)
