"""The metadata of memories: the fields that memoir reads, and joining the metadata of two memories.

One rule (`agree`) tells whether the metadata of two memories with the same words contradict each other. It is used when
a memory is remembered again, and when both sides of a merge confirmed one.

The metadata of an insight have its level, its writer, and digests of all its sources and of those it cites:

    {"insight": {"level": "leaf", "by": "claude-opus-4-5", "terms": [...], "size": 3, "sources": "5f0c...",
                 "cited": "5f0c..."},
     "links": {"derives_from": ["default:project.apollo", ...]}}

`filing` says how memoir chose the path of a memory. After the memory is moved, it says where memoir had put it: a
correction that filing learns from. It is versioned, merged and pushed with the memory.

`expires` is the instant in UTC from which recall and the primer leave a memory out. The memory is not deleted: surveys
count it, history keeps it, and a new date brings it back.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from memoir.errors import InvalidInput
from memoir.git.objects import blake2b
from memoir.records.record import ABOUT, DamagedRecord, Memory, decode, encode, without
from memoir.taxonomy.paths import Address
from memoir.times import format_instant, now, parse_date, read_instant

Metadata = Mapping[str, Any]

PIN = "pinned"
"""The field of memories that are shown at the start of every session."""
LINKS = "links"
"""The field with the links of a memory to others, by their edges (`memoir.memory.links`)."""
EDGES = ("derives_from", "causes", "calls", "imports", "supersedes")
"""The meanings of a link."""
CONFIRMATION = "last_confirmed"
"""The field that says when a memory was last confirmed."""
FILING = "filing"
"""The field that says how a memory was filed."""
EXPIRES = "expires"
"""The field with the expiry of a memory. Of two dates the later is kept."""
OF_THE_WORDS = (CONFIRMATION, FILING)
"""Fields that memoir itself writes. Differences in them are no contradiction. They describe a memory's words, so a
memory loses them when its words change."""
IMPORTED = "imported"
"""The field with the origin of an imported memory: the kind of tool, the tool's id, and a digest of its text there
(`memoir.formats.matching`)."""
OF_MEMOIR = frozenset(
    (*OF_THE_WORDS, LINKS, ABOUT, EXPIRES, IMPORTED, "id", "session", "source", "superseded_by", "derived_from")
)
"""Fields in which memoir keeps ids, paths and dates; the scan for credentials ignores their names and paths."""
INSIGHT = "insight"
LEAF, BRANCH, ROOT = "leaf", "branch", "root"
"""The levels: a leaf rests on memories, a branch on leaves, the root on branches."""
DIGEST_BYTES = 8
BY, MOVE, FROM = "by", "move", "from"
_MENTION = f'"{FILING}"'.encode()


def agree(one: Metadata, other: Metadata) -> bool:
    """Whether no common field has contradicting values; fields that memoir itself writes do not count."""
    names = one.keys() & other.keys() - {*OF_THE_WORDS, EXPIRES}
    return not any(_contradict(one[name], other[name], name) for name in names)


def join_metadata(base: Metadata, extra: Metadata) -> dict[str, Any]:
    """Join metadata that agree: lists are united, and the later confirmation and expiry are kept."""
    both = _unite(base, extra)
    for name in (CONFIRMATION, EXPIRES):
        if when := latest(metadata.get(name) for metadata in (base, extra)):
            both[name] = when
    return both


def holds(whole: Metadata, part: Metadata) -> bool:
    """Whether `whole` has everything in `part`, apart from the fields that memoir itself writes."""
    return agree(whole, part) and without(_unite(whole, part), OF_THE_WORDS) == without(whole, OF_THE_WORDS)


def latest(values: Iterable[object]) -> str | None:
    """The latest date among the values, as written; None if no value is a date."""
    dates = ((when, str(value)) for value in values if (when := read_instant(value)))
    return max(dates, default=(None, None))[1]


def confirmed_at(metadata: Metadata) -> datetime:
    """When a memory was last confirmed; the beginning of time if it never was."""
    return read_instant(metadata.get(CONFIRMATION)) or datetime.min.replace(tzinfo=UTC)


def persons(metadata: Metadata) -> list[str]:
    """The people a memory is about, from `metadata.person`: a name or a list of them."""
    value = metadata.get("person")
    return [name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str) and name]


def _contradict(one: Any, other: Any, name: str = "") -> bool:
    """Whether joining two values would lose one. Lists can be joined, except lists of people."""
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
    """The digest of sources, each an address with a digest of its content."""
    lines = sorted(f"{address.full_key}\n".encode() + digest for address, digest in sources)
    return blake2b(b"\n\n".join(lines), size=DIGEST_BYTES).hex()


def note_correction(data: bytes, old: Address) -> bytes:
    """The bytes of a record moved away from an address, with the old path noted in memories that memoir filed.

    A damaged record is unchanged.
    """
    if _MENTION not in data:
        return data
    try:
        return encode(_correct(memory, old) for memory in decode(data))
    except DamagedRecord:
        return data


def first_path(metadata: Metadata) -> str | None:
    """The path at which memoir had filed a memory that was moved since; else None."""
    filing = metadata.get(FILING)
    if not isinstance(filing, Mapping) or filing.get(BY) != MOVE:
        return None
    path = filing.get(FROM)
    return path if isinstance(path, str) else None


def reworded(memory: Memory, content: str) -> Memory:
    """A memory with other words, dated now, without the metadata that describe the old words."""
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
"""The word with which people remove an expiry."""
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_SPAN = rf"([0-9]{{1,5}})([{''.join(_DAYS)}])"


def read_expiry(text: str) -> str | None:
    """Read the expiry of a memory; None for `never`.

    The text is a date, or a span from now: `12h`, `30d`, `2w`, `6m` or `1y`; a month is 30 days, a year 365.

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
    """The instant a number of days from now.

    Raises:
        InvalidInput: it is after the year 9999.
    """
    try:
        return format_instant(now() + timedelta(days=days))
    except OverflowError as error:
        raise InvalidInput(f"{days:g} days from now is after the year 9999", f"write {NEVER}") from error


def with_expiry(metadata: Mapping[str, Any], expires: str | None) -> dict[str, Any]:
    """Metadata with the given expiry; None removes it."""
    rest = without(metadata, (EXPIRES,))
    return rest if expires is None else {**rest, EXPIRES: expires}


def until(memory: Memory, end: str | None) -> Memory:
    """A memory with the given expiry, if it has none yet; None leaves it unchanged."""
    if end is None or EXPIRES in memory.metadata:
        return memory
    return memory._replace(metadata=with_expiry(memory.metadata, end))


def expiry_of(metadata: Mapping[str, Any]) -> datetime | None:
    """The expiry of a memory; None if it has none or a malformed one, which an import may bring."""
    return read_instant(metadata.get(EXPIRES))


def has_expired(metadata: Mapping[str, Any], when: datetime) -> bool:
    """Whether a memory has expired at the given time."""
    end = expiry_of(metadata) if EXPIRES in metadata else None
    return end is not None and end <= when
