"""`static`: MiniLM as a table of word pieces; nothing to install, no model to run.

The row of a piece is its vector by all-MiniLM-L6-v2, reduced to 128 numbers (`scripts/distil.py` writes the table). A
text's vector is a weighted sum of rows: it captures the meaning of words, but not their order. A row's weight is the
logarithm of the piece's index in BERT's vocabulary, which begins with the most frequent pieces. In a query, each word
also counts by its idf in the store.
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
"""The magic, the number of pieces, the components of a row, and the total bytes of the pieces."""
_WEIGHT = Struct("<I")
_LANE = 8
"""Bytes per number: sums of a text of 20,000 characters cannot overflow them."""


class Lanes:
    """Rows of small numbers packed into Python integers, with 64 bits for each.

    A sum of rows, or a row times a number, is then one integer operation in C.
    """

    def __init__(self, count: int) -> None:
        """Take the number of components of a row."""
        self._format = Struct(f"<{count}q")
        self._middle = self._number(bytes([128]) * count)
        self._signs = self._middle << 8 * (_LANE - 1)

    def row(self, numbers: bytes) -> int:
        """Pack a row of bytes; each byte is 128 more than its number."""
        return self._number(numbers) - self._middle

    def numbers(self, total: int) -> tuple[int, ...]:
        """Unpack a sum of rows."""
        # Two's complement in each lane: the addition makes it positive, the exclusive or restores its sign bit.
        lanes = (total + self._signs) ^ self._signs
        return self._format.unpack(lanes.to_bytes(self._format.size, "little"))

    def _number(self, numbers: bytes) -> int:
        lanes = bytearray(self._format.size)
        lanes[::_LANE] = numbers
        return int.from_bytes(lanes, "little")


class Table:
    """The rows of a sorted vocabulary's pieces, read in place from a memory-mapped file.

    The file is little-endian: a header; the weight of each row (unsigned); the start of each piece, and the end of the
    last (unsigned); the concatenated pieces; the rows, with one byte per component, which is 128 more than it. A row is
    multiplied by its weight.
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

    def row(self, index: int) -> int:
        """The weighted row of the piece at an index of the vocabulary, packed by `Lanes`."""
        (weight,) = _WEIGHT.unpack_from(self._data, HEADER.size + index * _WEIGHT.size)
        start = self._rows + index * self._dimensions
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

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._text[self._bounds[index] : self._bounds[index + 1]]


def open_table(file: Path) -> Table:
    """Open the table in a file.

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
"""The most characters of a word; a longer one has no pieces."""
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
    """The indexes of a word's pieces in a sorted vocabulary; empty if it is not made of pieces.

    Words are split as for BERT's uncased vocabulary: the longest piece first, from the left; a continuing piece is
    written `##ing` (Wu et al., "Google's Neural Machine Translation System", 2016, section 4.1). Unlike BERT's
    tokenizer, this one drops punctuation, symbols and unknown words.
    """
    rest, mark = word.encode(), b""
    rows: list[int] = []
    while rest and len(word) <= LONGEST_WORD:
        index = _longest(mark + rest, len(mark), pieces)
        if index is None:
            return []
        rows.append(index)
        rest, mark = rest[len(pieces[index]) - len(mark) :], _CONTINUES
    return rows


def _longest(text: bytes, least: int, pieces: Sequence[bytes]) -> int | None:
    """The index of the longest piece that a text begins with, if it has more than `least` bytes.

    It is the last piece up to the text in the vocabulary's order, or else a prefix of that piece, too.
    """
    while len(text) > least:
        index = bisect_right(pieces, text) - 1
        piece = pieces[index] if index >= 0 else b""
        if text.startswith(piece):
            return index if len(piece) > least else None
        text = text[: len(os.path.commonprefix([text, piece]))]  # noqa: RUF071 - bytes, not paths
    return None


class _Plain(dict[int, str]):
    """The replacement of a character, by code point; filled on demand."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


_PLAIN = _Plain()


def _plain(char: str) -> str:
    if char.isascii() and char.isalnum():  # the usual case
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
"""Characters of a text that are read."""
_MOST_WORDS = 20_000
"""The most words whose sums are cached, about 1 KB each."""
_IDF_UNIT = 1024
"""The integer for an idf of 1."""


class StaticEmbedder(Embedder):
    """An embedder of word meanings that needs no model."""

    name = "static-1"
    learned = False
    trust = unknown_trust = 0.5
    floor = 0.4

    def __init__(self, degraded: str | None = None) -> None:
        """Take the reason why it replaces another embedder, if it does."""
        self.degraded = degraded

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; zeros for a text of stop words or unknown ones."""
        return [_of_document(text) for text in texts]

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, with words weighted by idf."""
        rows = ((word, count * _of_word(word)) for word, count in Counter(words(query[:_READ_CHARACTERS])).items())
        return _table().vector(sum(row * round(_IDF_UNIT * idf(word)) for word, row in rows if row))


def is_word(word: str) -> bool:
    """Whether a lower-case word is in the vocabulary as a whole."""
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
def _row(index: int) -> int:
    """The row of a piece; cached because the pieces of rare words recur."""
    return _table().row(index)


@cache
def _table() -> Table:
    return open_table(FILE)
