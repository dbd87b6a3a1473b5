"""Import and export: JSON lines in, JSON lines out, one facet a line.

An import is one commit, all or nothing. It reads its input once, so a pipe can be imported; it checks every line before
it writes any, and keeps them in temporary files, so the memory it needs does not grow with their number.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from memoir.errors import Conflict, InvalidInput
from memoir.memory.damage import read_record, readable
from memoir.memory.options import DEFAULTS, WriteOptions
from memoir.memory.policy import check_policy, combine_records
from memoir.memory.read import key_range, namespaces, select_namespaces
from memoir.memory.record import (
    ACTIVE,
    MAX_ACTIVE,
    MAX_SUPERSEDED,
    SUPERSEDED,
    Memory,
    Record,
    decode,
    encode,
)  # fmt: skip
from memoir.memory.secrets import check_around, find, refusals
from memoir.memory.spool import Spool, SpoolPlace
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import (
    DEFAULT_NAMESPACE,
    TAXONOMY_NAMESPACE,
    Address,
    LookAlike,
    address,
    check_new,
    from_key,
)
from memoir.times import format_instant, now

if TYPE_CHECKING:
    from memoir.error_fields import BadLine

_FIELDS = ("namespace", "path", "content", "timestamp", "confidence", "status", "metadata")
_BATCH, _BATCH_BYTES = 500, 1 << 20
"""How many records, or bytes of lines, are checked together."""
_NAMED = 3


class Imported(NamedTuple):
    """The commit (None if nothing changed), the number of lines, and the number of paths they named."""

    commit: Commit | None
    lines: int
    paths: int


def import_lines(
    store: Store,
    lines: Iterable[bytes],
    *,
    policy: str = "replace",
    namespace: str = DEFAULT_NAMESPACE,
    progress: Callable[[int], None] = lambda done: None,
    allow_look_alikes: bool = False,
    options: WriteOptions = DEFAULTS,
) -> Imported:
    """Import JSON lines `{namespace, path, content, timestamp, confidence, status, metadata}` in one commit.

    Lines that name the same path are the memories of that path, in order. Only `path` and `content` are required.

    Args:
        store: The store to write to.
        lines: The lines, which are read once.
        policy: The merge policy at paths that hold a memory already.
        namespace: The namespace of lines that name none.
        progress: Called with how many records are written.
        allow_look_alikes: Accept new paths that could be taken for others, which an export may contain.
        options: How to write; without `allow_secrets`, lines that look like credentials are bad.

    Raises:
        InvalidInput: bad lines, each named with its reason in `details["lines"]`; nothing was imported.
        Conflict: the policy is `reject` and a path is occupied.
    """
    check_policy(policy)
    if not options.allow_secrets:
        check_around(options.message, [Address(namespace, "")])
    with Spool() as spool:
        head = None if allow_look_alikes else store.head(options.branch)
        count = _Intake(spool, head, options.allow_secrets).fill(lines, namespace)
        return _write(store, spool, count, policy, progress, options)


def _write(
    store: Store, spool: Spool, count: int, policy: str, progress: Callable[[int], None], options: WriteOptions
) -> Imported:
    """Commit the memories in a spool, which came from `count` lines."""
    found = _Paths()
    text = options.message or f"import {count} {'memory' if count == 1 else 'memories'}"
    commit = write(
        store,
        lambda head: Change(_edits(head, spool, found.listed(spool), policy, progress), text),
        branch=options.branch,
        dry_run=options.dry_run,
        reason=lambda: f"import {count}: {found}",
    )
    return Imported(commit, count, found.count)


class _Paths:
    """The number of paths in an import, and the first few of them, for the log of the branch."""

    def __init__(self) -> None:
        self.count = 0
        self._first: list[str] = []

    def listed(self, spool: Spool) -> Iterator[tuple[bytes, list[SpoolPlace]]]:
        """The paths of a spool with the places of their values; counts them on the way."""
        self.count, self._first = 0, []
        for key, kept in spool.groups():
            self.count += 1
            if self.count <= _NAMED:
                self._first.append(from_key(key).path)
            yield key, kept

    def __str__(self) -> str:
        named = ", ".join(self._first)
        return f"{named} and {self.count - _NAMED} more" if self.count > _NAMED else named


class _Intake:
    """Checks lines and adds their memories to a spool, in batches that are scanned for credentials together.

    With a head, a path that is not in it must not look like another.
    """

    def __init__(self, spool: Spool, head: Snapshot | None, allow_secrets: bool) -> None:
        self._spool = spool
        self._head = head
        self._allow_secrets = allow_secrets
        self._bad: dict[int, str] = {}
        self._ways: set[str] = set()
        self._batch: list[tuple[int, Memory, Address]] = []
        self._size = 0

    def fill(self, lines: Iterable[bytes], namespace: str) -> int:
        """Check and store every line; returns how many there were.

        Raises:
            InvalidInput: bad lines, each named with its reason.
        """
        default_time = format_instant(now())
        count = 0
        for number, line in enumerate(lines, 1):
            if line.strip():
                count += 1
                try:
                    self._take(number, *_parse(line.removeprefix(b"\xef\xbb\xbf"), namespace, default_time))
                except InvalidInput as error:
                    self._refuse(number, error)
                self._size += len(line)
                if len(self._batch) >= _BATCH or self._size >= _BATCH_BYTES:
                    self._scan()
        self._scan()
        if self._bad:
            raise _not_importable(self._bad, sorted(self._ways))
        return count

    def _take(self, number: int, place: Address, facet: Memory) -> None:
        key = place.key
        if self._head and not key.isascii() and not self._head.tree.get([key]):
            check_new(place)
        self._spool.add(key, encode([facet]), number)
        if not self._allow_secrets:
            self._batch.append((number, facet, place))

    def _scan(self) -> None:
        for position, refusal in refusals([(facet, place) for _, facet, place in self._batch]):
            self._refuse(self._batch[position][0], refusal)
        self._batch.clear()
        self._size = 0

    def _refuse(self, number: int, error: InvalidInput) -> None:
        self._bad[number] = _quotable(error.message)
        if "rule" in error.details:
            self._ways.add("a credential needs --allow-secret")
        if isinstance(error, LookAlike):
            self._ways.add("a path that could be taken for another needs --allow-look-alike")


def _not_importable(bad: Mapping[int, str], ways: Sequence[str] = ()) -> InvalidInput:
    lines_are = "1 line is" if len(bad) == 1 else f"{len(bad)} lines are"
    hint = "; ".join(["fix these lines and import again", *ways])
    lines: list[BadLine] = [{"line": number, "message": bad[number]} for number in sorted(bad)]
    return InvalidInput(f"{lines_are} not importable; nothing was imported", hint, lines=lines)


def _quotable(message: str) -> str:
    """The message about a line, or one that does not quote it if it looks like a credential."""
    found = find(message)
    return f"it is malformed, and looks like a credential (rule: {found.rule})" if found else message


def _parse(line: bytes, namespace: str, default_time: str) -> tuple[Address, Memory]:
    """Read one line.

    Raises:
        InvalidInput: it is malformed.
    """
    fields = _fields(line)
    place = _place(fields.pop("path", None), fields.pop("namespace", None) or namespace)
    given = {name: value for name, value in fields.items() if value is not None}
    return place, Memory.of(**{"content": None, "timestamp": default_time, **given})


def _fields(line: bytes) -> dict[str, Any]:
    try:
        fields = orjson.loads(line)
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise InvalidInput("not a JSON object")
    if re.search(rb"[0-9]{19}", line) and _has_large_integer(line):
        raise InvalidInput("an integer needs more than 64 bits; write it as a string")
    if unknown := sorted(fields.keys() - set(_FIELDS)):
        raise InvalidInput(f"unknown field {unknown[0]!r}; put your own fields into 'metadata'")
    if "path" not in fields:
        raise InvalidInput("'path' is missing")
    return fields


def _place(path: object, namespace: object) -> Address:
    if not isinstance(namespace, str):
        raise InvalidInput("'namespace' must be a string")
    if not isinstance(path, str):
        raise InvalidInput("'path' must be a string")
    if ":" in path:
        raise InvalidInput(f"not a path: {path!r}: a segment cannot hold ':'")
    found = address(path, namespace)
    if found.namespace == TAXONOMY_NAMESPACE and found.path.count(".") > 1:
        raise InvalidInput(f"{TAXONOMY_NAMESPACE} is for categories, and a category has two levels at most")
    return found


def _has_large_integer(line: bytes) -> bool:
    """Whether JSON has an integer of more than 64 bits, which orjson would change to the nearest float."""
    import json

    integers: list[int] = []
    json.loads(line, parse_int=lambda digits: integers.append(int(digits)))
    return any(not -(2**63) <= number < 2**64 for number in integers)


def _edits(
    head: Snapshot,
    spool: Spool,
    groups: Iterator[tuple[bytes, list[SpoolPlace]]],
    policy: str,
    progress: Callable[[int], None],
) -> Iterator[tuple[bytes, bytes | None]]:
    done = 0
    while batch := list(islice(groups, _BATCH)):
        stored = head.read([key for key, _ in batch])
        for key, places in batch:
            if len(places) == 1 and key not in stored:
                yield key, spool.read(places[0])
            else:
                old = read_record(from_key(key), stored[key]) if key in stored else ()
                yield key, encode(_combine(policy, from_key(key), old, _record(spool, places)))
        done += len(batch)
        progress(done)


def _record(spool: Spool, places: Sequence[SpoolPlace]) -> Record:
    """The memories of a path, in input order.

    Raises:
        InvalidInput: there are more than a path may hold.
    """
    record = tuple(decode(spool.read(place))[0] for place in places)
    for status, most in ((ACTIVE, MAX_ACTIVE), (SUPERSEDED, MAX_SUPERSEDED)):
        lines = [place.line for place, facet in zip(places, record, strict=True) if facet.status == status]
        if len(lines) > most:
            raise _not_importable(dict.fromkeys(lines[most:], f"a path holds {most} {status} memories at most"))
    return record


def _combine(policy: str, place: Address, old: Record, new: Record) -> Record:
    try:
        return combine_records(policy, old, new) if old else new
    except Conflict as error:
        raise Conflict(f"{place.full_key} is occupied, and the policy is '{policy}'", "nothing was imported") from error


def export_lines(snapshot: Snapshot, names: Sequence[str] = (), globs: Sequence[str] = ()) -> Iterator[bytes]:
    """Return every memory as one JSON line, in key order; an empty store that imports them gets the same root."""
    matches = matcher(globs)
    for name in sorted(
        select_namespaces(snapshot, names) if names else namespaces(snapshot), key=lambda name: name + "="
    ):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            place = from_key(key)
            if matches(place.path):
                for facet in readable(snapshot, key, value) or ():
                    fields = facet.as_dict() | {"namespace": place.namespace, "path": place.path}
                    yield orjson.dumps({field: fields[field] for field in _FIELDS}) + b"\n"
