"""Objects as a pack holds them: their ids, headers and compressed data."""

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from memoir.git.objects import Oid

if TYPE_CHECKING:
    from typing import IO

LARGE, _QUICK = 1 << 20, 1
"""From what size on an object is compressed quickly, at which level; and prepared while no other writer waits."""
_SMALL = 4096
"""Bytes of an object up to which its window for compression is as small as itself."""
_LEAST_WINDOW = 9
"""The logarithm of the smallest window that zlib has."""
_MEMORY_BELOW = 6
"""What zlib's level of memory is below that logarithm: an object is one block, with one table of codes."""
_PACK_TYPES = {"commit": 1, "tree": 2, "blob": 3}


class PreparedBlobs:
    """Large blobs, compressed before a `PackWriter` adds them; in a temporary file, so they take little memory."""

    def __init__(self, hasher: Callable[[bytes], bytes]) -> None:
        self._hash = hasher
        self._files = ExitStack()
        self._places: dict[Oid, tuple[int, int]] = {}

    def __enter__(self) -> "PreparedBlobs":
        return self

    def __exit__(self, *exc: object) -> None:
        self._files.close()

    def __bool__(self) -> bool:
        return bool(self._places)

    def add(self, blobs: Iterable[bytes]) -> None:
        """Compress blobs."""
        for data in blobs:
            entry = pack_entry("blob", data)
            self._places[object_id(self._hash, "blob", data)] = self._file.tell(), len(entry)
            self._file.write(entry)
            self._file.flush()

    def entry(self, oid: Oid) -> bytes | None:
        """A blob as a pack holds it, if it is here."""
        if oid not in self._places:
            return None
        offset, length = self._places[oid]
        return os.pread(self._file.fileno(), length, offset)

    @cached_property
    def _file(self) -> "IO[bytes]":
        from tempfile import TemporaryFile

        return self._files.enter_context(TemporaryFile())


def object_id(hasher: Callable[[bytes], bytes], kind: str, data: bytes) -> Oid:
    """The id of an object."""
    return Oid(hasher(b"%s %d\0" % (kind.encode(), len(data)) + data))


def pack_entry(kind: str, data: bytes) -> bytes:
    """An object as a pack holds it."""
    return _pack_header(kind, len(data)) + _deflate(data)


def _pack_header(kind: str, size: int) -> bytes:
    """Type and size of a pack entry, as gitformat-pack(5) has it: 4 bits of size, then 7 at a time."""
    byte = _PACK_TYPES[kind] << 4 | size & 15
    size >>= 4
    header = bytearray()
    while size:
        header.append(byte | 0x80)
        byte = size & 0x7F
        size >>= 7
    header.append(byte)
    return bytes(header)


def _deflate(data: bytes) -> bytes:
    """Compress an object; a small one in a window of its own size, because preparing a full one takes longest."""
    import zlib

    if len(data) > _SMALL:
        return zlib.compress(data, _QUICK if len(data) > LARGE else zlib.Z_DEFAULT_COMPRESSION)
    window = max(len(data).bit_length(), _LEAST_WINDOW)
    deflater = zlib.compressobj(wbits=window, memLevel=window - _MEMORY_BELOW)
    return deflater.compress(data) + deflater.flush()
