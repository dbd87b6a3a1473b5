"""Reading a great many blobs, for whoever wants every one of them.

Through a pipe git hands over one at a time, and to take them one by one costs more than to check them. So git writes
some thousands into a nameless file. The kernel ends it where that gets large: a small pack may hold a huge blob.
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
"""How many blobs are read at once, and how many bytes git may write."""
_MANY = 500
"""From how many blobs on a process of their own is worth it."""
_HEADER = re.compile(rb"([0-9a-f]+) blob ([0-9]+)\n")


def contents(reader: ObjectReader, pairs: Iterable[tuple[bytes, Oid]]) -> Iterator[tuple[tuple[bytes, Oid], bytes]]:
    """Pairs of a key and the id of a blob, each with the blob's content."""
    rest = iter(pairs)
    while batch := list(islice(rest, _BATCH)):
        while batch:
            ids = [oid for _, oid in batch]
            found = _read(reader, ids) or reader.read_some(ids, "blob", _BYTES)
            yield from zip(batch, found, strict=False)
            batch = batch[len(found) :]


def _read(reader: ObjectReader, ids: Sequence[Oid]) -> list[bytes]:
    """The contents of the first of many blobs, until one is missing, of another kind, or no longer fits."""
    if len(ids) < _MANY or sys.platform != "linux":
        return []
    names = [oid.hex().encode() for oid in ids]
    with suppress(OSError), TemporaryFile() as file:
        process = reader.git.start("cat-file", "--batch", "--buffer", stdout=file.fileno(), stderr=subprocess.DEVNULL)
        try:
            _limit(process.pid)  # it waits for its questions
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
    place = 0
    for name in names:
        header = _HEADER.match(answers, place)
        if header is None or header[1] != name:
            return
        start, place = header.end(), header.end() + int(header[2]) + 1
        if place > len(answers):
            return
        yield answers[start : place - 1]
