"""`static`: MiniLM as a table of word pieces; nothing to install, no model to run.

The row of a piece is what all-MiniLM-L6-v2 makes of that piece alone, reduced to 128 numbers (`scripts/distil.py`
writes the table). A vector is a weighted sum of rows: it knows what words mean, and nothing of their order. A row's
weight is the logarithm of the piece's number in BERT's vocabulary, which begins with the most frequent pieces. In a
query, each word also counts by its idf in the store.
"""

import mmap
import os.path
import sys
import unicodedata
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from struct import Struct, error

from memoir.embedders.embedder import Embedder, Idf, Vector
from memoir.english.stopwords import STOP_WORDS
from memoir.errors import EmbedderUnavailable

MAGIC = b"memoir static 1\n"
HEADER = Struct("<16sIII")
"""The magic, the number of pieces, the components of a row, and the bytes of all pieces together."""
_WEIGHT = Struct("<I")
_LANE = 8
"""Bytes for a number: the sum of a text of 20,000 characters cannot overflow them."""


class Lanes:
    """Rows of small numbers as whole numbers, with 64 bits for each.

    So a sum of rows, or a row times a number, is one operation of Python's, which computes all of a row at once in C.
    """

    def __init__(self, count: int) -> None:
        """Take how many numbers a row has."""
        self._format = Struct(f"<{count}q")
        self._middle = self._number(bytes([128]) * count)
        self._signs = self._middle << 8 * (_LANE - 1)

    def row(self, numbers: bytes) -> int:
        """A row; a byte is 128 more than its number."""
        return self._number(numbers) - self._middle

    def numbers(self, total: int) -> tuple[int, ...]:
        """The numbers of a sum of rows."""
        # Each lane in two's complement: the addition makes it positive, and the exclusive or turns its sign bit.
        lanes = (total + self._signs) ^ self._signs
        return self._format.unpack(lanes.to_bytes(self._format.size, "little"))

    def _number(self, numbers: bytes) -> int:
        lanes = bytearray(self._format.size)
        lanes[::_LANE] = numbers
        return int.from_bytes(lanes, "little")


class Table:
    """The rows of a sorted vocabulary's pieces, by their places in it, read in place from a file mapped into memory.

    The file is little-endian: a header; the weight of each row (unsigned); where each piece begins, and where the last
    one ends (unsigned); the pieces, one after another; the rows, a byte a component, which is 128 more than the
    component. A row counts times its weight.
    """

    def __init__(self, data: "mmap.mmap | bytes") -> None:
        """Read the header.

        Raises:
            EmbedderUnavailable: the data is not a table, or not all of one.
        """
        try:
            magic, count, self._dimensions, length = HEADER.unpack_from(data)
        except error:
            raise _damage("it is too short") from None
        if magic != MAGIC:
            raise _damage("its header is wrong")
        bounds = HEADER.size + count * _WEIGHT.size
        text = bounds + (count + 1) * _WEIGHT.size
        self._rows = text + length
        if len(data) != self._rows + count * self._dimensions:
            raise _damage("its size differs from the one in its header")
        self._data = data
        self._lanes, self._floats = Lanes(self._dimensions), Struct(f"{self._dimensions}f")
        self.pieces: Sequence[bytes] = _Pieces(data[text : self._rows], data[bounds:text])

    def row(self, place: int) -> int:
        """The row of the piece at a place of the vocabulary, times its weight, as `Lanes` have it."""
        (weight,) = _WEIGHT.unpack_from(self._data, HEADER.size + place * _WEIGHT.size)
        start = self._rows + place * self._dimensions
        return int(weight) * self._lanes.row(self._data[start : start + self._dimensions])

    def vector(self, total: int) -> Vector:
        """The components of a sum of rows."""
        return array("f", self._floats.pack(*self._lanes.numbers(total)))


class _Pieces(Sequence[bytes]):
    """The vocabulary, by the bounds of its pieces."""

    def __init__(self, text: bytes, bounds: bytes) -> None:
        self._text, self._bounds = text, array("I", bounds)
        if sys.byteorder == "big":
            self._bounds.byteswap()

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, place: int) -> bytes:  # type: ignore[override]
        return self._text[self._bounds[place] : self._bounds[place + 1]]


def open_table(file: Path) -> Table:
    """The table of a file.

    Raises:
        EmbedderUnavailable: the file is missing or damaged.
    """
    try:
        with file.open("rb") as source:
            return Table(mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as reason:  # an empty file cannot be mapped
        raise _damage(str(reason)) from reason


def _damage(reason: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"the table of the embedder static cannot be used: {reason}", "install memoir again")


LONGEST_WORD = 100
"""Characters; a longer word has no pieces."""
_IDEOGRAPHS = (
    range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2CEB0), range(0x2F800, 0x2FA20),
)  # fmt: skip
"""Code points of Chinese characters: each is a word."""
_CONTINUES = b"##"


def words(text: str) -> list[str]:
    """The words of a text, in lower case and without accents; a Chinese character is a word."""
    return text.translate(_PLAIN).split()


def cut(word: str, pieces: Sequence[bytes]) -> list[int]:
    """The places of a word's pieces in a sorted vocabulary; none if no pieces make the word up.

    They are cut as for BERT's uncased vocabulary: the longest piece first, from the left; one that continues a word is
    written `##ing` (Wu et al., "Google's Neural Machine Translation System", 2016, section 4.1). Unlike BERT's
    tokenizer, this one leaves out punctuation, symbols and words that no pieces make up.
    """
    rest, mark = word.encode(), b""
    piece_places: list[int] = []
    while rest and len(word) <= LONGEST_WORD:
        place = _longest(mark + rest, len(mark), pieces)
        if place is None:
            return []
        piece_places.append(place)
        rest, mark = rest[len(pieces[place]) - len(mark) :], _CONTINUES
    return piece_places


def _longest(text: bytes, least: int, pieces: Sequence[bytes]) -> int | None:
    """The place of the longest piece that a text begins with, if it has more than `least` bytes.

    That piece is the last one up to the text in the vocabulary's order, or else it begins that last one, too.
    """
    while len(text) > least:
        place = bisect_right(pieces, text) - 1
        piece = pieces[place] if place >= 0 else b""
        if text.startswith(piece):
            return place if len(piece) > least else None
        text = text[: len(os.path.commonprefix([text, piece]))]  # noqa: RUF071 - bytes, not paths
    return None


class _Plain(dict[int, str]):
    """What a character becomes, by its code point; filled as characters come up."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


_PLAIN = _Plain()


def _plain(char: str) -> str:
    if char.isascii() and char.isalnum():  # as most are
        return char.lower()
    if char.isspace() or unicodedata.category(char)[0] in "PSZ":
        return " "
    if unicodedata.category(char)[0] == "C":
        return ""
    parts = unicodedata.normalize("NFD", char.lower())
    plain = "".join(part for part in parts if unicodedata.category(part) != "Mn")
    return f" {plain} " if any(ord(char) in block for block in _IDEOGRAPHS) else plain


FILE = Path(__file__).with_name("static.bin")
_READ_CHARACTERS = 20_000
"""Characters of a text that are looked at."""
_MOST_WORDS = 20_000
"""Words whose sums are kept, about 1 KB each."""
_IDF_UNIT = 1024
"""An idf of 1, as a whole number."""


class StaticEmbedder(Embedder):
    """The embedder that needs nothing and knows what words mean."""

    name = "static-1"
    learned = False
    trust = unknown_trust = 0.5
    floor = 0.4

    def __init__(self, degraded: str | None = None) -> None:
        """Take why it is used instead of another embedder, if it is."""
        self.degraded = degraded

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; zeros for a text of stop words or unknown ones."""
        return [_of_document(text) for text in texts]

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, in which each word counts by its idf."""
        rows = ((word, count * _of_word(word)) for word, count in Counter(words(query[:_READ_CHARACTERS])).items())
        return _table().vector(sum(row * round(_IDF_UNIT * idf(word)) for word, row in rows if row))


def is_word(word: str) -> bool:
    """Whether a word in small letters is in the vocabulary as a whole."""
    return len(cut(word, _table().pieces)) == 1


def _of_document(text: str) -> Vector:
    sums = map(_of_word, words(text[:_READ_CHARACTERS]))
    return _table().vector(sum(filter(None, sums)))  # half of the words are zeros


@lru_cache(maxsize=_MOST_WORDS)
def _of_word(word: str) -> int:
    """The sum of the rows of a word's pieces; 0 for a stop word."""
    if word in STOP_WORDS:
        return 0
    return sum(map(_row, cut(word, _table().pieces)))


@lru_cache(maxsize=_MOST_WORDS // 4)
def _row(place: int) -> int:
    """The row of a piece: the parts of rare words come up again and again."""
    return _table().row(place)


@cache
def _table() -> Table:
    return open_table(FILE)
