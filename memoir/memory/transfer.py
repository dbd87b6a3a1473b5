"""Import and export: JSON lines in, JSON lines out, one facet a line.

An import is one commit, all or nothing. It reads its input once (a pipe will do), checks every
line before it writes any, and keeps only keys and positions in memory: contents wait in a
temporary file.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any, NamedTuple

import orjson

from memoir.errors import Conflict, InvalidInput
from memoir.memory.policy import check
from memoir.memory.read import chosen_namespaces, key_range
from memoir.memory.record import MAX_ACTIVE, MAX_SUPERSEDED, Memory, Record, decode, encode, in_force, trimmed
from memoir.memory.secrets import check_around, check_memory, find
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, TAXONOMY_NAMESPACE, Address, address, from_key
from memoir.times import format_instant, now

_FIELDS = ("namespace", "path", "content", "timestamp", "confidence", "status", "metadata")
_BATCH = 500


class Imported(NamedTuple):
    """The commit (None if nothing changed), the lines read, and the paths they named."""

    commit: Commit | None
    lines: int
    paths: int


def import_lines(
    store: Store,
    lines: Iterable[bytes],
    *,
    policy: str = "replace",
    namespace: str = DEFAULT_NAMESPACE,
    message: str | None = None,
    branch: str | None = None,
    progress: Callable[[int], None] = lambda done: None,
    allow_secrets: bool = False,
) -> Imported:
    """Import JSON lines `{namespace, path, content, timestamp, confidence, status, metadata}` in one commit.

    Lines that name the same path are that path's facets, in order. Only `path` and `content` are
    required; `namespace` is the default for lines without one. `progress` is told how many records are written.
    A line that looks like a credential is bad, unless `allow_secrets`.

    Raises:
        InvalidInput: bad lines, each named with its reason in `details["lines"]`; nothing was imported.
        Conflict: the policy is `reject` and a path is occupied.
    """
    check(policy)
    if not allow_secrets:
        check_around(message, [Address(namespace, "")])
    with tempfile.TemporaryFile() as file:
        spool = _Spool(file, allow_secrets=allow_secrets)
        count = spool.fill(lines, namespace)
        text = message or f"import {count} memories"
        commit = write(
            store,
            lambda head: Change(_edits(head, spool, policy, progress), text),
            branch=branch,
            reason=f"import {count}: {_first_of(spool.places)}",
        )
        return Imported(commit, count, len(spool.places))


def _first_of(keys: Collection[bytes]) -> str:
    """The first few paths, for a branch's log."""
    named = ", ".join(from_key(key).path for key in islice(keys, 3))
    return f"{named} and {len(keys) - 3} more" if len(keys) > 3 else named


class _Spool:
    """Facets on disk, and where each key's lie: [(offset, length), …]."""

    def __init__(self, file: IO[bytes], *, allow_secrets: bool) -> None:
        self.file = file
        self._allow_secrets = allow_secrets
        self.places: dict[bytes, list[tuple[int, int]]] = {}
        self._crowded: Counter[tuple[bytes, str]] = Counter()

    def fill(self, lines: Iterable[bytes], namespace: str) -> int:
        """Check and store every line; returns how many there were."""
        default_time = format_instant(now())
        offset = count = 0
        bad: list[dict[str, Any]] = []
        secrets = False
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                key, facet = _parse(line.removeprefix(b"\xef\xbb\xbf"), namespace, default_time)
                if not self._allow_secrets:
                    check_memory(facet, [from_key(key)])
                data = encode([facet])
                self._count(key, facet)
            except InvalidInput as error:
                bad.append({"line": number, "message": _quotable(error.message)})
                secrets |= "rule" in error.details
                continue
            places = self.places.setdefault(key, [])
            places.append((offset, len(data)))
            offset += self.file.write(data)
            count += 1
        if bad:
            lines_are = "1 line is" if len(bad) == 1 else f"{len(bad)} lines are"
            hint = "mend them, then import" + ("; a credential needs --allow-secret" if secrets else "")
            raise InvalidInput(f"{lines_are} not importable; nothing was imported", hint, lines=bad)
        return count

    def _count(self, key: bytes, facet: Memory) -> None:
        most = MAX_ACTIVE if facet.active else MAX_SUPERSEDED
        self._crowded[key, facet.status] += 1
        if self._crowded[key, facet.status] > most:
            raise InvalidInput(f"a path holds {most} {facet.status} memories at most")

    def record(self, key: bytes) -> Record:
        """The facets of a key, in the order they came."""
        facets: list[Memory] = []
        for offset, length in self.places[key]:
            self.file.seek(offset)
            facets += decode(self.file.read(length))
        return tuple(facets)


def _quotable(message: str) -> str:
    """What is wrong with a line, unless saying it would repeat a credential."""
    found = find(message)
    return f"it is malformed where it looks like a credential (rule: {found.rule})" if found else message


def _parse(line: bytes, namespace: str, default_time: str) -> tuple[bytes, Memory]:
    try:
        fields = orjson.loads(line)
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InvalidInput("not a JSON object")
    if re.search(rb"[0-9]{19}", line) and _has_large_integer(line):
        raise InvalidInput("an integer needs more than 64 bits; write it as a text")
    if unknown := sorted(fields.keys() - set(_FIELDS)):
        raise InvalidInput(f"unknown field {unknown[0]!r}; put what is your own into 'metadata'")
    if "path" not in fields:
        raise InvalidInput("'path' is missing")
    place = [fields.pop("path", None), fields.pop("namespace", None) or namespace]
    if not all(isinstance(part, str) for part in place):
        raise InvalidInput("'path' must be a text" if isinstance(place[1], str) else "'namespace' must be a text")
    if ":" in place[0]:
        raise InvalidInput(f"not a path: {place[0]!r}: ':' cannot stand in a segment")
    found = address(*place)
    if found.namespace == TAXONOMY_NAMESPACE and found.path.count(".") > 1:
        raise InvalidInput(f"{TAXONOMY_NAMESPACE} holds categories, and those have two levels at most")
    given = {name: value for name, value in fields.items() if value is not None}
    return found.key, Memory.of(**{"content": None, "timestamp": default_time, **given})


def _has_large_integer(line: bytes) -> bool:
    """The JSON parser above would turn such an integer into the nearest float; the standard one is slower and exact."""
    import json

    integers: list[int] = []
    json.loads(line, parse_int=lambda digits: integers.append(int(digits)))
    return any(not -(2**63) <= number < 2**64 for number in integers)


def _edits(
    head: Snapshot, spool: _Spool, policy: str, progress: Callable[[int], None]
) -> Iterator[tuple[bytes, bytes | None]]:
    done, keys = 0, iter(sorted(spool.places))
    while batch := list(islice(keys, _BATCH)):
        stored = head.read(batch)
        for key in batch:
            new = spool.record(key)
            yield key, encode(_combined(policy, key, decode(stored[key]) if key in stored else (), new))
        done += len(batch)
        progress(done)


def _combined(policy: str, key: bytes, old: Record, new: Record) -> Record:
    """A path's record after an import. Importing the same lines twice changes nothing."""
    if not old or old == new or (policy != "append" and in_force(old) == new):
        return old or new
    if policy == "reject":
        raise Conflict(f"{from_key(key).full_key} is occupied, and the policy is 'reject'", "nothing was imported")
    if policy == "append":
        return trimmed((*old, *(facet for facet in new if facet not in old)))
    if policy == "confidence_gated" and _surest(new) < _surest(old):
        return trimmed((*(facet.superseded() for facet in new), *old))
    return trimmed((*(facet.superseded() for facet in old), *new))


def _surest(record: Record) -> float:
    return max((facet.confidence for facet in record if facet.active), default=0.0)


def export_lines(snapshot: Snapshot, names: Sequence[str] = (), globs: Sequence[str] = ()) -> Iterator[bytes]:
    """Every facet as one JSON line, in key order; importing them into an empty store gives the same root."""
    matches = matcher(globs)
    for name in sorted(chosen_namespaces(snapshot, names), key=lambda name: name + "="):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            place = from_key(key)
            if matches(place.path):
                for facet in decode(value):
                    fields = facet.as_dict() | {"namespace": place.namespace, "path": place.path}
                    yield orjson.dumps({field: fields[field] for field in _FIELDS}) + b"\n"
