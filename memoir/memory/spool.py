"""More than fits into memory, put aside and read back in the order of its keys."""

import heapq
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import IO, NamedTuple


class Place(NamedTuple):
    """Where a text lies, and the line it came from; places sort by key, those of one key in the order they came."""

    key: bytes
    offset: int
    length: int
    line: int


class Spool:
    """Texts by key, in temporary files that vanish with it.

    Places wait in memory up to `RUN` of them, are sorted, and go into a file of their own; reading merges the files.
    """

    RUN = 50_000

    def __init__(self) -> None:
        self._files = ExitStack()
        self._texts = self._temporary()
        self._end = 0
        self._runs: list[IO[bytes]] = []
        self._places: list[Place] = []

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._files.close()

    def add(self, key: bytes, data: bytes, line: int) -> None:
        """Put a text aside; a key holds no tab and no line break."""
        self._places.append(Place(key, self._end, len(data), line))
        self._end += self._texts.write(data)
        if len(self._places) >= self.RUN:
            run = self._temporary()
            run.writelines(b"%b\t%d\t%d\t%d\n" % place for place in sorted(self._places))
            self._runs.append(run)
            self._places.clear()

    def groups(self) -> Iterator[tuple[bytes, list[Place]]]:
        """Each key with the places of its texts in the order they came, by key. It may be asked for again."""
        self._texts.flush()
        self._places.sort()
        merged = heapq.merge(self._places, *map(_places, self._runs)) if self._runs else iter(self._places)
        for key, places in groupby(merged, itemgetter(0)):
            yield key, list(places)

    def read(self, place: Place) -> bytes:
        """The text at a place."""
        return os.pread(self._texts.fileno(), place.length, place.offset)

    def _temporary(self) -> IO[bytes]:
        return self._files.enter_context(tempfile.TemporaryFile())


def _places(run: IO[bytes]) -> Iterator[Place]:
    run.seek(0)
    for line in run:
        key, offset, length, number = line.split(b"\t")
        yield Place(key, int(offset), int(length), int(number))
