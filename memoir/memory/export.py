"""Export: the memories of a snapshot as JSON lines, one facet a line."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, NamedTuple

from memoir.errors import MemoirError
from memoir.memory.read import key_range, namespaces, select_namespaces
from memoir.records.damage import readable
from memoir.records.json_lines import format_line
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import from_key

# Writing lines to a file that appears whole or not at all.


def write_lines(path: str, lines: Iterable[bytes]) -> int:
    """Write lines to a file and return how many there were; a device or pipe is written to as it is.

    Raises:
        MemoirError: the folder does not exist. OSError: the file cannot be written.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            return _copy(lines, file)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise MemoirError(f"{path}: there is no folder {folder}")
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".memoir-", delete=False) as draft:
        try:
            count = _copy(lines, draft)
            draft.flush()
            os.chmod(draft.name, 0o666 & ~_umask())
            os.replace(draft.name, target)
            return count
        except BaseException:
            os.unlink(draft.name)
            raise


def _copy(lines: Iterable[bytes], file: IO[bytes]) -> int:
    count = 0
    for line in lines:
        file.write(line)
        count += 1
    return count


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class ExportCount(NamedTuple):
    """How many memories were exported, and at how many paths they are."""

    memories: int
    paths: int


def export_lines(snapshot: Snapshot, names: Sequence[str] = (), globs: Sequence[str] = ()) -> Iterator[bytes]:
    """Return every memory as one JSON line, in key order; an empty store that imports them gets the same root."""
    return chain.from_iterable(_lines_by_path(snapshot, names, globs))


def export_file(snapshot: Snapshot, file: str, names: Sequence[str] = (), globs: Sequence[str] = ()) -> ExportCount:
    """Write every memory to a file as one JSON line; see `memoir.memory.export.write_lines`."""
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
