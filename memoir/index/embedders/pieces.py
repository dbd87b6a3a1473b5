"""Word pieces as BERT's uncased vocabulary cuts them: the longest piece first, from the left.

Wu et al., "Google's Neural Machine Translation System" (2016), section 4.1. A piece that continues a word is written
`##ing`. Unlike BERT's tokenizer, this one leaves out punctuation, symbols and words that no pieces make up.
"""

import os.path
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence

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


def cut(word: str, pieces: Sequence[bytes], places: Mapping[bytes, int] | None = None) -> list[int]:
    """The places of a word's pieces in a sorted vocabulary; none if no pieces make the word up.

    With `places`, which has the place of every piece, it takes less time.
    """
    rest, mark = word.encode(), b""
    piece_places: list[int] = []
    while rest and len(word) <= LONGEST_WORD:
        text, least = mark + rest, len(mark)
        place = _longest(text, least, pieces) if places is None else _look_up(text, least, places)
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


def _look_up(text: bytes, least: int, places: Mapping[bytes, int]) -> int | None:
    """What `_longest` finds, by looking every beginning of the text up."""
    beginnings = (text[:end] for end in range(len(text), least, -1))
    return next((places[piece] for piece in beginnings if piece in places), None)


class _Plain(dict[int, str]):
    """What a character becomes, by its code point; filled as characters come up."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


_PLAIN = _Plain()


def _plain(char: str) -> str:
    if char.isspace() or unicodedata.category(char)[0] in "PSZ":
        return " "
    if unicodedata.category(char)[0] == "C":
        return ""
    parts = unicodedata.normalize("NFD", char.lower())
    plain = "".join(part for part in parts if unicodedata.category(part) != "Mn")
    return f" {plain} " if any(ord(char) in block for block in _IDEOGRAPHS) else plain
