"""Reads a great many blobs quickly.

Through a pipe git sends blobs one by one, and receiving them costs more than checking them. So git writes some
thousands into an unnamed file. The kernel ends git if the file gets too large: a small pack may contain a huge blob.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from tempfile import TemporaryFile

from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid

_BATCH, _BYTES = 10_000, 16 << 20
"""The most blobs that are read at once, and the most bytes that git may write."""
_MANY = 500
"""The fewest blobs that are worth a separate process."""
_HEADER = re.compile(rb"([0-9a-f]+) blob ([0-9]+)\n")


def contents(reader: ObjectReader, pairs: Iterable[tuple[bytes, Oid]]) -> Iterator[tuple[tuple[bytes, Oid], bytes]]:
    """Add its content to each pair of a key and a blob's id."""
    rest = iter(pairs)
    while batch := list(islice(rest, _BATCH)):
        while batch:
            ids = [oid for _, oid in batch]
            found = _read_first(reader, ids) or reader.read_some(ids, "blob", _BYTES)
            yield from zip(batch, found, strict=False)
            batch = batch[len(found) :]


def _read_first(reader: ObjectReader, ids: Sequence[Oid]) -> list[bytes]:
    """The contents of the first blobs, until one is missing, is no blob, or no longer fits."""
    if len(ids) < _MANY or sys.platform != "linux":
        return []
    names = [oid.hex().encode() for oid in ids]
    with suppress(OSError), TemporaryFile() as file:
        process = reader.git.start("cat-file", "--batch", "--buffer", stdout=file.fileno(), stderr=subprocess.DEVNULL)
        try:
            _limit(process.pid)  # git waits for input until then
            process.communicate(b"\n".join(names) + b"\n")
        finally:
            reader.git.reap(process)
        file.seek(0)
        return list(_split(file.read(), names))
    return []


def _limit(process: int) -> None:
    from resource import RLIM_INFINITY, RLIMIT_CORE, RLIMIT_FSIZE, prlimit

    for kind, most in ((RLIMIT_FSIZE, _BYTES), (RLIMIT_CORE, 0)):
        soft, hard = prlimit(process, kind)
        prlimit(process, kind, (most if soft == RLIM_INFINITY else min(most, soft), hard))


def _split(answers: bytes, names: Iterable[bytes]) -> Iterator[bytes]:
    position = 0
    for name in names:
        header = _HEADER.match(answers, position)
        if header is None or header[1] != name:
            return
        start, position = header.end(), header.end() + int(header[2]) + 1
        if position > len(answers):
            return
        yield answers[start : position - 1]
