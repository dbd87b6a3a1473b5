"""The file of `static`: a sorted vocabulary and a row of numbers for each piece, mapped into memory and read in place.

It is little-endian: a header; the weight of each row (unsigned); where each piece begins, and where the last one ends
(unsigned); the pieces, one after another; the rows, a byte a component, which is 128 more than the component. A row
counts times its weight.

A row is handed out as one whole number, with 64 bits for each component. So a sum of rows, or a row times a number, is
one operation of Python's, which computes all components at once in C.
"""

import mmap
from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from struct import Struct, error

from memoir.errors import EmbedderUnavailable
from memoir.index.embedders.embedder import Vector

MAGIC = b"memoir static 1\n"
HEADER = Struct("<16sIII")
"""The magic, the number of pieces, the components of a row, and the bytes of all pieces together."""
_WEIGHT = Struct("<I")
_BOUNDS = Struct("<II")
_LANE = 8
"""Bytes for a component: the sum of a text of 20,000 characters cannot overflow them."""


class Table:
    """The rows of a vocabulary's pieces, by their places in it."""

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
        self._lanes = Struct(f"<{self._dimensions}q")
        self._middle = self._number(bytes([128]) * self._dimensions)
        self._signs = self._middle << 8 * (_LANE - 1)
        self.pieces: Sequence[bytes] = _Pieces(data, bounds, text, count)

    @cached_property
    def places(self) -> Mapping[bytes, int]:
        """The place of every piece; it takes as long as looking some hundred words up in `pieces`."""
        return {piece: place for place, piece in enumerate(self.pieces)}

    def row(self, place: int) -> int:
        """The row of the piece at a place of the vocabulary, times its weight."""
        (weight,) = _WEIGHT.unpack_from(self._data, HEADER.size + place * _WEIGHT.size)
        start = self._rows + place * self._dimensions
        return int(weight) * (self._number(self._data[start : start + self._dimensions]) - self._middle)

    def vector(self, total: int) -> Vector:
        """The components of a sum of rows."""
        # Each lane in two's complement: the addition makes it positive, and the exclusive or turns its sign bit.
        lanes = (total + self._signs) ^ self._signs
        return array("f", self._lanes.unpack(lanes.to_bytes(self._lanes.size, "little")))

    def _number(self, components: bytes) -> int:
        lanes = bytearray(self._lanes.size)
        lanes[::_LANE] = components
        return int.from_bytes(lanes, "little")


class _Pieces(Sequence[bytes]):
    """The vocabulary, by the bounds of its pieces in the file."""

    def __init__(self, data: "mmap.mmap | bytes", bounds: int, text: int, count: int) -> None:
        self._data, self._bounds, self._text, self._count = data, bounds, text, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int) -> bytes:  # type: ignore[override]
        if not 0 <= place < self._count:
            raise IndexError(place)
        start, end = _BOUNDS.unpack_from(self._data, self._bounds + place * _WEIGHT.size)
        return self._data[self._text + start : self._text + end]


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
