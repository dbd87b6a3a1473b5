"""External sort: temporary files hold more data than fits into memory, and are read in key order."""

import heapq
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import IO, NamedTuple


class SpoolPlace(NamedTuple):
    """The position of a value in the file of values, and its input line; sorts by key, then by input order."""

    key: bytes
    offset: int
    length: int
    line: int


class ValueSpool:
    """Values by key, in temporary files that are removed on exit.

    Each `run` places are sorted and written to a file; reading merges these files.
    """

    def __init__(self, run: int = 50_000) -> None:
        self._most_places = run
        self._files = ExitStack()
        self._values = self._temporary()
        self._end = 0
        self._runs: list[IO[bytes]] = []
        self._places: list[SpoolPlace] = []
        self.largest = 0
        """The size of the largest value, in bytes."""

    def __enter__(self) -> "ValueSpool":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._files.close()

    def add(self, key: bytes, data: bytes, line: int) -> None:
        """Add a value; its key must not contain a tab or a line break."""
        self._places.append(SpoolPlace(key, self._end, len(data), line))
        self._end += self._values.write(data)
        self.largest = max(self.largest, len(data))
        if len(self._places) >= self._most_places:
            run = self._temporary()
            run.writelines(b"%b\t%d\t%d\t%d\n" % place for place in sorted(self._places))
            self._runs.append(run)
            self._places.clear()

    def groups(self) -> Iterator[tuple[bytes, list[SpoolPlace]]]:
        """Each key in order, with the places of its values in input order; may be called again."""
        self._values.flush()
        self._places.sort()
        entries = heapq.merge(self._places, *map(_places, self._runs)) if self._runs else iter(self._places)
        for key, places in groupby(entries, itemgetter(0)):
            yield key, list(places)

    def read(self, place: SpoolPlace) -> bytes:
        """The value at a place."""
        return os.pread(self._values.fileno(), place.length, place.offset)

    def _temporary(self) -> IO[bytes]:
        return self._files.enter_context(tempfile.TemporaryFile())


def _places(run: IO[bytes]) -> Iterator[SpoolPlace]:
    run.seek(0)
    for line in run:
        key, offset, length, number = line.split(b"\t")
        yield SpoolPlace(key, int(offset), int(length), int(number))
