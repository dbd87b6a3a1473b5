"""Export: the memories of a snapshot as JSON lines, one facet a line."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from memoir.memory.read import key_range, namespaces, select_namespaces
from memoir.memory.whole_file import write_lines
from memoir.records.damage import readable
from memoir.records.json_lines import format_line
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import from_key


class ExportCount(NamedTuple):
    """How many memories were exported, and at how many paths they are."""

    memories: int
    paths: int


def export_lines(snapshot: Snapshot, names: Sequence[str] = (), globs: Sequence[str] = ()) -> Iterator[bytes]:
    """Return every memory as one JSON line, in key order; an empty store that imports them gets the same root."""
    return chain.from_iterable(_lines_by_path(snapshot, names, globs))


def export_file(snapshot: Snapshot, file: str, names: Sequence[str] = (), globs: Sequence[str] = ()) -> ExportCount:
    """Write every memory to a file as one JSON line; see `memoir.memory.whole_file.write_lines`."""
    paths = 0

    def lines() -> Iterator[bytes]:
        nonlocal paths
        for lines_of_path in _lines_by_path(snapshot, names, globs):
            paths += 1
            yield from lines_of_path

    memories = write_lines(file, lines())
    return ExportCount(memories, paths)


def _lines_by_path(snapshot: Snapshot, names: Sequence[str], globs: Sequence[str]) -> Iterator[list[bytes]]:
    matches = matcher(globs)
    for name in sorted(
        select_namespaces(snapshot, names) if names else namespaces(snapshot), key=lambda name: name + "="
    ):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            place = from_key(key)
            if matches(place.path) and (record := readable(snapshot, key, value)):
                yield [format_line(place, facet) for facet in record]
