"""Memories and their canonical bytes.

A path holds one record: a list of memories (facets), oldest first. Its canonical form is one JSON
object in UTF-8 without insignificant white space, fields in the order below, metadata keys sorted,
times in UTC: equal records are equal bytes, and so have equal ids.

    {"memories":[{"content":"...","confidence":1.0,"timestamp":"...","status":"active","metadata":{...}}]}
"""

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import DamagedStore, InvalidInput
from memoir.git.objects import MAX_VALUE_BYTES, Unread

if TYPE_CHECKING:
    from datetime import datetime


ABOUT = "about"
"""The field of the metadata with the files of the project that a memory is about (`memoir.records.anchor`)."""
_TOKEN = rb'"[^"]*+"|[\[\]{},]'
_MOST_TOKENS = 1 << 20
"""The most JSON tokens in one memory; valid metadata has fewer bytes than that."""
_LIST_DEPTH = 2
"""The nesting level of the list of memories, which is inside an object."""


def holds_more(data: bytes, most: int) -> bool:
    """Whether a record has more than `most` memories, or a memory with too many tokens.

    Decoding a large record can take many times its size in memory, so this is checked before. The check ends at the
    first such memory. The decoder reports malformed JSON.
    """
    if data.count(b",") < most:
        return False
    depth = memories = tokens = 0
    plain = data.replace(rb"\\", b"").replace(rb"\"", b"")  # so that the next quotation mark ends a string
    for match in re.finditer(_TOKEN, plain):
        mark = plain[match.start()]
        if mark in b"[{":
            depth += 1
        elif mark in b"]}":
            depth -= 1
        elif mark == ord(",") and depth == _LIST_DEPTH:
            memories, tokens = memories + 1, 0
        tokens += 1
        if memories >= most or tokens > _MOST_TOKENS:
            return True
    return False


ACTIVE_STATUS, SUPERSEDED_STATUS = "active", "superseded"
MAX_CONTENT_BYTES = 16 << 20
MAX_METADATA_BYTES = 1 << 20
"""The most bytes that the metadata of one memory may take as JSON."""
MAX_DEPTH = 64
"""The most levels of nesting in metadata."""
MAX_ACTIVE = 1000
"""The most active memories that one path keeps; history has the rest."""
MAX_SUPERSEDED = 8
"""The most superseded memories that one path keeps beside the active ones; history has the rest."""

MAX_FACETS = MAX_ACTIVE + MAX_SUPERSEDED
_LARGE = 1 << 20
"""The size in bytes from which a record is checked before it is decoded; see `holds_more`."""


class Memory(NamedTuple):
    """One memory: content, confidence, timestamp, status and metadata."""

    content: str
    """Its words."""
    confidence: float
    """Its certainty, from 0 to 1."""
    timestamp: str
    """The time from which it is true, as RFC 3339 in UTC."""
    status: str = ACTIVE_STATUS
    """`active`, or `superseded` once another memory has taken its place."""
    metadata: Mapping[str, Any] = {}
    """Other fields, as JSON."""

    @classmethod
    def of(
        cls,
        content: Any,
        *,
        confidence: Any = 1.0,
        timestamp: "datetime | str | None" = None,
        status: Any = ACTIVE_STATUS,
        metadata: Any = None,
    ) -> "Memory":
        """Check the values of a memory and bring them into canonical form; the default timestamp is now.

        A timestamp is a date as text, by default in UTC, or a datetime with a time zone.

        Raises:
            InvalidInput: a value has the wrong type or range; the error names the field.
        """
        if status not in (ACTIVE_STATUS, SUPERSEDED_STATUS):
            raise InvalidInput(f"status must be '{ACTIVE_STATUS}' or '{SUPERSEDED_STATUS}', not {status!r}")
        return cls(_content(content), _confidence(confidence), _instant(timestamp), status, _metadata(metadata))

    @property
    def active(self) -> bool:
        """Whether it has not been superseded."""
        return self.status == ACTIVE_STATUS

    @property
    def instant(self) -> "datetime":
        """The timestamp, for comparisons.

        Raises:
            DamagedStore: the timestamp is not a date; `decode` refuses such memories.
        """
        from memoir.times import parse_instant

        try:
            return parse_instant(self.timestamp)
        except InvalidInput as error:
            raise DamagedRecord(error.message) from error

    def superseded(self) -> "Memory":
        """A copy of the memory that is no longer active."""
        return self._replace(status=SUPERSEDED_STATUS)

    def as_dict(self) -> dict[str, Any]:
        """The memory as a dictionary of JSON's fields, always with metadata."""
        return {**self._asdict(), "metadata": dict(self.metadata)}


Record = tuple[Memory, ...]
"""The memories of one path, oldest first; never empty in a store."""
Name = tuple[str, str]
"""The words and the time of a memory, which identify it."""


def name_of(memory: Memory) -> Name:
    """The content and the timestamp, which identify a memory."""
    return memory.content, memory.timestamp


def _content(content: Any) -> str:
    if not isinstance(content, str):
        raise InvalidInput("a memory needs a text as its content", "write at least one word")
    if not content.strip():
        raise InvalidInput("a memory's content must not be blank", "write at least one word")
    try:
        size = len(content.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput("a memory's content must be valid UTF-8 text", "convert it first") from error
    if size > MAX_CONTENT_BYTES:
        most = MAX_CONTENT_BYTES >> 20
        raise InvalidInput(f"a memory's content may take {most} MiB at most", "split it, or store a reference to it")
    return content


def _confidence(confidence: Any) -> float:
    if type(confidence) is float and 0 <= confidence <= 1:  # the usual case
        return confidence
    from memoir.setting import SHARE

    SHARE.check(confidence, "confidence")
    return float(confidence)


def _instant(timestamp: Any) -> str:
    from memoir.times import format_instant, now

    if timestamp is None:
        return format_instant(now())
    if isinstance(timestamp, str):
        return _canonical_instant(timestamp)
    from memoir.times import from_datetime

    return from_datetime(timestamp)


@lru_cache(maxsize=64)
def _canonical_instant(text: str) -> str:
    from memoir.times import canonical_instant

    return canonical_instant(text)


def _metadata(metadata: Any) -> Mapping[str, Any]:
    if metadata is None or metadata == {}:
        return {}
    if not isinstance(metadata, dict) or not all(isinstance(key, str) for key in metadata):
        raise InvalidInput("metadata must be an object whose keys are strings")
    if _deeper_than(metadata, MAX_DEPTH):
        raise InvalidInput(f"metadata may be nested {MAX_DEPTH} levels deep at most")
    if metadata and not fits(metadata):
        most = MAX_METADATA_BYTES >> 20
        raise InvalidInput(f"a memory's metadata may take {most} MiB at most", "put long text into the content")
    return metadata


def fits(metadata: Mapping[str, Any]) -> bool:
    """Whether metadata are within the limit of size."""
    return len(_as_json(metadata)) <= MAX_METADATA_BYTES


def _deeper_than(value: Any, levels: int) -> bool:
    """Whether JSON is nested deeper than `levels`; never recurses deeper than that itself."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return bool(inner) and (levels == 0 or any(_deeper_than(item, levels - 1) for item in inner))


def without(metadata: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
    """Metadata without some of its fields."""
    return {name: value for name, value in metadata.items() if name not in names}


def encode(record: Iterable[Memory]) -> bytes:
    """The canonical bytes of a record.

    Raises:
        InvalidInput: JSON cannot hold the metadata, or the record is larger than a path may hold.
    """
    data = _as_json({"memories": [_encodable(facet) for facet in record]})
    if len(data) > MAX_VALUE_BYTES:
        most = MAX_VALUE_BYTES >> 20
        raise InvalidInput(f"the memories of a path may take {most} MiB at most", "put this one at another path")
    return data


def _as_json(value: Any) -> bytes:
    import orjson

    try:
        return bytes(memoryview(orjson.dumps(value)))  # orjson's bytes object keeps 4 KB, however short the text is
    except TypeError as error:
        raise InvalidInput(f"metadata cannot be written as JSON: {error}") from error


def _encodable(facet: Memory) -> dict[str, Any]:
    content, confidence, timestamp, status, metadata = facet
    fields = {"content": content, "confidence": confidence, "timestamp": timestamp, "status": status}
    return {**fields, "metadata": _sort_keys(metadata)} if metadata else fields


def _sort_keys(value: Any) -> Any:
    """Sort the keys of all objects; used for metadata only, which `OPT_SORT_KEYS` cannot do."""
    if isinstance(value, Mapping):
        return {key: _sort_keys(value[key]) for key in sorted(value)}
    return [_sort_keys(item) for item in value] if isinstance(value, list) else value


class DamagedRecord(DamagedStore):
    """The error for bytes that are not a record, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"a stored memory cannot be read: {reason}", "run 'memoir fsck'")
        self.reason = reason


def decode(data: bytes) -> Record:
    """Read a record.

    Raises:
        DamagedRecord: the bytes are not a record, or a memory in it is not valid.
    """
    import orjson

    if isinstance(data, Unread):
        raise DamagedRecord(data.reason)
    if len(data) > _LARGE and holds_more(data, MAX_FACETS):
        raise DamagedRecord(f"it holds more than {MAX_FACETS:,} memories, or one that is too large")
    try:
        facets = orjson.loads(data)["memories"]
        if len(facets) > MAX_FACETS:
            raise DamagedRecord(f"it holds {len(facets):,} memories, {MAX_FACETS:,} are allowed")
        record = tuple(Memory(**facet) for facet in facets)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise DamagedRecord("it is not a list of memories") from error
    for facet in record:
        if not _is_readable(facet):
            raise DamagedRecord(_reason(facet))
    if not record:
        raise DamagedRecord("it holds no memory")
    return record


def _is_readable(facet: Memory) -> bool:
    """Whether every field is valid; anyone with git may have written the record."""
    content, confidence, timestamp, status, metadata = facet
    return (
        isinstance(content, str)
        and not content.isspace()
        and content != ""
        and (type(confidence) is float or type(confidence) is int)
        and 0 <= confidence <= 1
        and status in (ACTIVE_STATUS, SUPERSEDED_STATUS)
        and isinstance(metadata, dict)
        and not (metadata and _deeper_than(metadata, MAX_DEPTH))
        and isinstance(timestamp, str)
        and _has_instant(facet)
    )


def _has_instant(facet: Memory) -> bool:
    try:
        return bool(facet.instant)
    except DamagedRecord:
        return False


def _reason(facet: Memory) -> str:
    """The fault of a facet that cannot be read."""
    try:
        Memory.of(**facet._asdict())
    except InvalidInput as error:
        return error.message
    return "a field is null"


def active_facets(record: Record) -> Record:
    """The active memories; if none is active, the last one."""
    return tuple(facet for facet in record if facet.active) or record[-1:]


def projection(record: Record) -> str:
    """The contents of the active memories as one string, with a line break between them."""
    return "\n".join(facet.content for facet in active_facets(record))


def last_updated(record: Record) -> str:
    """The newest timestamp of the active memories."""
    return max(active_facets(record), key=lambda facet: facet.instant).timestamp


def trim(record: Record) -> Record:
    """The record with its newest `MAX_ACTIVE` and `MAX_SUPERSEDED` memories; history has the older ones."""
    surplus = {
        ACTIVE_STATUS: sum(facet.active for facet in record) - MAX_ACTIVE,
        SUPERSEDED_STATUS: sum(not facet.active for facet in record) - MAX_SUPERSEDED,
    }
    facets = []
    for facet in record:
        surplus[facet.status] -= 1
        if surplus[facet.status] < 0:
            facets.append(facet)
    return tuple(facets)
