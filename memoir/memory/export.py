"""Export: writes memories as JSON lines, one memory a line, and reads such a line back for imports."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson

from memoir.errors import InvalidInput, MemoirError
from memoir.git.fsync import replacing, settle
from memoir.memory.read import namespaces, scan, select_namespaces
from memoir.memory.survey import Size, Tally
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address
from memoir.taxonomy.paths import address as read_address

FIELDS = ("namespace", "path", "content", "timestamp", "confidence", "status", "metadata")
_KNOWN_FIELDS = frozenset(FIELDS)


def format_line(address: Address, facet: Memory) -> bytes:
    """Format a memory and its address as one JSON line."""
    fields = facet.as_dict() | {"namespace": address.namespace, "path": address.path}
    return orjson.dumps({field: fields[field] for field in FIELDS}) + b"\n"


NOT_JSON = "not JSON"
"""The beginning of the reason for a line that is not JSON."""


class NoJsonLines(InvalidInput):
    """No line of an import is JSON: people are shown only the first."""


def parse_line(line: bytes, namespace: str, default_time: str) -> tuple[Address, Memory]:
    """Read a line that `format_line` could have written; only `path` and `content` are required."""
    fields = _parse_fields(line)
    address = _address_of(fields.pop("path", None), fields.pop("namespace", None) or namespace)
    values = {name: value for name, value in fields.items() if value is not None}
    return address, Memory.of(**{"content": None, "timestamp": default_time, **values})


def _parse_fields(line: bytes) -> dict[str, Any]:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"{NOT_JSON}: {error.msg}: column {error.colno}") from error
    if not isinstance(fields, dict):
        raise InvalidInput("not a JSON object")
    if fields.get("metadata") and re.search(rb"[0-9]{19}", line) and _has_large_integer(line):
        raise InvalidInput("an integer needs more than 64 bits; write it as a string")
    if not fields.keys() <= _KNOWN_FIELDS:
        unknown = min(fields.keys() - _KNOWN_FIELDS)
        raise InvalidInput(f"unknown field {unknown!r}; put your own fields into 'metadata'")
    if "path" not in fields:
        raise InvalidInput("'path' is missing")
    return fields


def _address_of(path: object, namespace: object) -> Address:
    if not isinstance(namespace, str):
        raise InvalidInput("'namespace' must be a string")
    if not isinstance(path, str):
        raise InvalidInput("'path' must be a string")
    if ":" in path:
        raise InvalidInput(f"not a path: {path!r}: a segment cannot hold ':'")
    address = read_address(path, namespace)
    if address.namespace == TAXONOMY_NAMESPACE and address.path.count(".") > 1:
        raise InvalidInput(f"{TAXONOMY_NAMESPACE} is for categories, and a category has two levels at most")
    return address


def _has_large_integer(line: bytes) -> bool:
    """Whether JSON has an integer of more than 64 bits, which orjson would change to the nearest float."""
    import json

    integers: list[int] = []
    json.loads(line, parse_int=lambda digits: integers.append(int(digits)))
    return any(not -(2**63) <= number < 2**64 for number in integers)


class ExportCount(NamedTuple):
    """What an export wrote."""

    memories: int
    """The lines: all memories, also superseded ones, those in layers, categories and own words."""
    paths: int
    """The number of paths."""
    size: Size
    """The counts of each kind."""


def export_lines(snapshot: Snapshot, names: Sequence[str] = (), globs: Sequence[str] = ()) -> Iterator[bytes]:
    """Return every memory as a JSON line, in key order; importing the lines into an empty store gives the same root."""
    return (format_line(address, facet) for address, record in _records(snapshot, names, globs) for facet in record)


def export_file(snapshot: Snapshot, file: str, names: Sequence[str] = (), globs: Sequence[str] = ()) -> ExportCount:
    """Write every memory to a file as one JSON line; see `write_lines`."""
    tally, paths = Tally(snapshot, namespaces(snapshot)), 0

    def lines() -> Iterator[bytes]:
        nonlocal paths
        for address, record in _records(snapshot, names, globs):
            paths += 1
            tally.add(address.namespace, record)
            yield from (format_line(address, facet) for facet in record)

    memories = write_lines(file, lines())
    return ExportCount(memories, paths, tally.size)


def _records(snapshot: Snapshot, names: Sequence[str], globs: Sequence[str]) -> Iterator[tuple[Address, Record]]:
    return scan(snapshot, select_namespaces(snapshot, names) if names else namespaces(snapshot), globs)


def write_lines(path: str, lines: Iterable[bytes]) -> int:
    """Write lines to a file as `writing` does, and return how many there were."""
    count = 0
    with writing(path) as file:
        for line in lines:
            file.write(line)
            count += 1
    return count


@contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """A file that is written whole, at the end of the block, or not at all; a device or pipe is written to as it is.

    Raises:
        MemoirError: the folder does not exist. OSError: the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    if not target.parent.is_dir():
        raise MemoirError(f"{path}: there is no folder {target.parent}", "create it first, or name another file")
    with replacing(target) as file:
        yield file
    settle(target.parent)
