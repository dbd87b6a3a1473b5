"""The metadata of memories: the fields that memoir reads, and how the metadata of two memories are joined.

One rule tells whether two memories that say the same contradict each other in their metadata. It serves a memory that
is remembered again, and one that both sides of a merge confirmed.

An insight has its level, its writer, and digests of all its sources and of those that it cites:

    {"insight": {"level": "leaf", "by": "claude-opus-4-5", "terms": [...], "size": 3, "sources": "5f0c...",
                 "cited": "5f0c..."},
     "links": {"derives_from": ["default:project.apollo", ...]}}

`filing` says how memoir chose the path of a memory, or, once somebody has moved it, where memoir had put it: a
correction that filing learns from. It is versioned, merged and pushed with the memory.

`expires` is the instant in UTC from which a memory is out of recall and of the primer. Nothing deletes it: surveys
count it, history keeps it, and another date brings it back.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from memoir.errors import InvalidInput
from memoir.git.objects import blake2b
from memoir.records.record import ABOUT, DamagedRecord, Memory, decode, encode, without
from memoir.taxonomy.paths import Address
from memoir.times import format_instant, now, parse_date, read_instant

Metadata = Mapping[str, Any]

PIN = "pinned"
"""The field of a memory that every session begins with."""
LINKS = "links"
"""The field with the links of a memory to others, by their edges (`memoir.memory.links`)."""
EDGES = ("derives_from", "causes", "calls", "imports", "supersedes")
"""The meanings of a link."""
CONFIRMATION = "last_confirmed"
"""The field that says when a memory was last confirmed."""
FILING = "filing"
"""The field that says how a memory was filed."""
EXPIRES = "expires"
"""The field that says until when a memory holds. Of two dates the later one is kept."""
OF_THE_WORDS = (CONFIRMATION, FILING)
"""Fields that memoir itself writes. In these no two memories contradict each other. They describe a memory's words, so
a memory whose words change does not keep them."""
IMPORTED = "imported"
"""The field that says what a memory was imported from: the kind of tool, the tool's id, and a digest of what it said
(`memoir.formats.matching`)."""
OF_MEMOIR = frozenset(
    (*OF_THE_WORDS, LINKS, ABOUT, EXPIRES, IMPORTED, "id", "session", "source", "superseded_by", "derived_from")
)
"""Fields in which memoir keeps ids, paths and dates; neither their names nor paths in them point at a credential."""
INSIGHT = "insight"
LEAF, BRANCH, ROOT = "leaf", "branch", "root"
"""The levels: a leaf rests on memories, a branch on leaves, the root on branches."""
DIGEST_BYTES = 8
BY, MOVE, FROM = "by", "move", "from"
_MENTION = f'"{FILING}"'.encode()


def agree(one: Metadata, other: Metadata) -> bool:
    """Whether no field that both have contradicts the other's; fields that memoir itself writes never do."""
    names = one.keys() & other.keys() - {*OF_THE_WORDS, EXPIRES}
    return not any(_contradict(one[name], other[name], name) for name in names)


def join_metadata(base: Metadata, extra: Metadata) -> dict[str, Any]:
    """Join metadata that agrees: lists get the items of both, and the later of two confirmations is kept."""
    both = _unite(base, extra)
    for name in (CONFIRMATION, EXPIRES):
        if when := latest(metadata.get(name) for metadata in (base, extra)):
            both[name] = when
    return both


def holds(whole: Metadata, part: Metadata) -> bool:
    """Whether one metadata has everything that the other has, apart from the fields that memoir itself writes."""
    return agree(whole, part) and without(_unite(whole, part), OF_THE_WORDS) == without(whole, OF_THE_WORDS)


def latest(values: Iterable[object]) -> str | None:
    """The latest of the values that are dates, as it is written; None if no value is a date."""
    dates = ((when, str(value)) for value in values if (when := read_instant(value)))
    return max(dates, default=(None, None))[1]


def persons(metadata: Metadata) -> list[str]:
    """The people a memory is about, from `metadata.person`: a name or a list of them."""
    value = metadata.get("person")
    return [name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str) and name]


def _contradict(one: Any, other: Any, name: str = "") -> bool:
    """Whether joining two values would lose one of them. Lists can be joined, except a list of people."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return any(_contradict(one[name], other[name], name) for name in one.keys() & other.keys())
    are_lists = isinstance(one, list) and isinstance(other, list) and name != "person"
    return (one != other or isinstance(one, bool) != isinstance(other, bool)) and not are_lists


def _unite(base: Metadata, extra: Metadata) -> dict[str, Any]:
    both = {**extra, **base}
    for name in extra.keys() & base.keys():
        one, other = base[name], extra[name]
        if isinstance(one, list) and isinstance(other, list):
            both[name] = [*one, *(item for item in other if item not in one)]
        elif isinstance(one, Mapping) and isinstance(other, Mapping) and name not in OF_THE_WORDS:
            both[name] = _unite(one, other)
    return both


def insight_fields(memory: Memory) -> Mapping[str, Any] | None:
    """The facts in an insight's metadata; None for a memory that is not an insight."""
    fields = memory.metadata.get(INSIGHT)
    return fields if isinstance(fields, Mapping) else None


def digest_of(sources: Iterable[tuple[Address, bytes]]) -> str:
    """The digest of some sources, each with a digest of its content."""
    lines = sorted(f"{address.full_key}\n".encode() + digest for address, digest in sources)
    return blake2b(b"\n\n".join(lines), size=DIGEST_BYTES).hex()


def note_correction(data: bytes, old: Address) -> bytes:
    """A record that is moved away from an address, as it is stored: its memories that memoir filed say so.

    A record that cannot be read is moved as it is.
    """
    if _MENTION not in data:
        return data
    try:
        return encode(_correct(memory, old) for memory in decode(data))
    except DamagedRecord:
        return data


def first_path(metadata: Metadata) -> str | None:
    """The path that memoir filed a memory at, if somebody has moved it since; else None."""
    filing = metadata.get(FILING)
    if not isinstance(filing, Mapping) or filing.get(BY) != MOVE:
        return None
    path = filing.get(FROM)
    return path if isinstance(path, str) else None


def reworded(memory: Memory, content: str) -> Memory:
    """A memory with other words, known since now; what its metadata say of the words alone goes."""
    metadata = without(memory.metadata, OF_THE_WORDS)
    return Memory.of(content, confidence=memory.confidence, status=memory.status, metadata=metadata)


def _correct(memory: Memory, old: Address) -> Memory:
    if FILING not in memory.metadata:
        return memory
    filing = {BY: MOVE, FROM: first_path(memory.metadata) or old.path}
    return memory._replace(metadata={**memory.metadata, FILING: filing})


def strings_of(value: Any) -> Iterator[str]:
    """Every string in metadata, the names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield name
            yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)


NEVER = "never"
"""What people write to take a date away."""
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_SPAN = rf"([0-9]{{1,5}})([{''.join(_DAYS)}])"


def read_expiry(text: str) -> str | None:
    """The instant from which a memory no longer holds; None for `never`.

    The text is a date, or a span from now: `12h`, `30d`, `2w`, `6m` or `1y`; a month counts 30 days, a year 365.

    Raises:
        InvalidInput: it is neither.
    """
    if text == NEVER:
        return None
    if match := re.fullmatch(_SPAN, text):
        return expiry_after(int(match[1]) * _DAYS[match[2]])
    try:
        return format_instant(parse_date(text))
    except InvalidInput as error:
        raise InvalidInput(f"not a date or a span: {text!r}", f"write 2026-12-31, 30d, 2w or {NEVER}") from error


def expiry_after(days: float) -> str:
    """The instant so many days from now.

    Raises:
        InvalidInput: it is after the year 9999.
    """
    try:
        return format_instant(now() + timedelta(days=days))
    except OverflowError as error:
        raise InvalidInput(f"{days:g} days from now is after the year 9999", f"write {NEVER}") from error


def with_expiry(metadata: Mapping[str, Any], expires: str | None) -> dict[str, Any]:
    """Metadata of a memory that holds until an instant; None: for good."""
    rest = without(metadata, (EXPIRES,))
    return rest if expires is None else {**rest, EXPIRES: expires}


def until(memory: Memory, end: str | None) -> Memory:
    """A memory that holds until an instant, unless it names a date itself; None: it stays as it is."""
    if end is None or EXPIRES in memory.metadata:
        return memory
    return memory._replace(metadata=with_expiry(memory.metadata, end))


def expiry_of(metadata: Mapping[str, Any]) -> datetime | None:
    """When a memory expires; None if it never does, or if the field is not a date: an import may bring anything."""
    return read_instant(metadata.get(EXPIRES))


def has_expired(metadata: Mapping[str, Any], when: datetime) -> bool:
    """Whether a memory no longer holds at a time."""
    end = expiry_of(metadata) if EXPIRES in metadata else None
    return end is not None and end <= when
