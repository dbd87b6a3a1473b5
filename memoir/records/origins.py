"""Origins: the field `origin` of a memory's metadata lists, in order, the ways by which it came into the store.

The code that takes a memory in sets it, never the caller; remembering the memory again or editing it adds to the list.
Memories of older versions have no origin. In a segment of a source, the field is a text that says where the source is
from.

    {"origin": ["agent", "user"]}
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memoir.errors import InvalidInput
from memoir.records.record import Memory, Record, without
from memoir.taxonomy.paths import INSIGHTS_SUFFIX, RAW_SUFFIX

Metadata = Mapping[str, Any]

ORIGIN = "origin"
CLAIM = "claimed_origin"
"""The field with the origin that an imported memory claims itself, unchecked."""
USER, AGENT, CAPTURE, IMPORT, DOCUMENT = "user", "agent", "capture", "import", "document"
AUTHOR = "origin_author"
"""The field that marks a shown memory of a remote; only an `AuthorName` counts, since a store may hold anything."""
UNKNOWN = "unknown"
"""The origin of a memory that has none."""
ORIGINS = (USER, CAPTURE, AGENT, UNKNOWN, IMPORT, DOCUMENT)
"""All origins, the most trusted first: typed, reviewed or found out by someone, then those only read in."""
_STORED = frozenset(ORIGINS) - {UNKNOWN}


class AuthorName(str):
    """The author of a memory that came from a remote, `Name <email>`; only `memoir.memory.authors` makes one."""


def author_of(metadata: Metadata) -> str | None:
    """The author with which a memory from a remote is marked; None without a mark."""
    author = metadata.get(AUTHOR)
    return author if isinstance(author, AuthorName) else None


def origins_of(metadata: Metadata) -> tuple[str, ...]:
    """The origins of a memory; only `unknown` if it has none."""
    return _stored_origins(metadata) or (UNKNOWN,)


def vouchers(namespace: str, metadata: Metadata) -> tuple[str, ...]:
    """The origins to show for a memory; none for segments of sources and insights."""
    return () if namespace.endswith((RAW_SUFFIX, INSIGHTS_SUFFIX)) else origins_of(metadata)


def voucher_note(namespace: str, metadata: Metadata, quote: Callable[[str], str] = str) -> str:
    """The origins to show for a memory, and its author if it came from a remote, in words.

    `quote` makes the name safe to show: anyone may have chosen it.
    """
    words = ", ".join(vouchers(namespace, metadata))
    author = author_of(metadata)
    return f"{words} by {quote(author.partition(' <')[0])}" if words and author else words


def remark(namespace: str, metadata: Metadata) -> str:
    """As `voucher_note`, for lists: empty for memories with only the origin `agent`, as most have."""
    note = voucher_note(namespace, metadata)
    return "" if note == AGENT else note


def _stored_origins(metadata: Metadata) -> tuple[str, ...]:
    """The origins that memoir has written; none if the field holds anything else."""
    words = metadata.get(ORIGIN)
    is_written = isinstance(words, list) and all(isinstance(word, str) and word in _STORED for word in words)
    return tuple(dict.fromkeys(words)) if isinstance(words, list) and is_written else ()


def best_of(metadata: Metadata) -> str:
    """The most trusted origin of a memory."""
    return min(origins_of(metadata), key=ORIGINS.index)


def check_origin(origin: str) -> str:
    """Return the name of an origin.

    Raises:
        InvalidInput: there is no such origin.
    """
    if origin not in ORIGINS:
        raise InvalidInput(f"no origin named {origin!r}", f"there are: {', '.join(ORIGINS)}")
    return origin


def own_metadata(metadata: Metadata) -> dict[str, Any]:
    """Metadata without `origin` and the author, which answers print separately."""
    hidden = {ORIGIN if _stored_origins(metadata) else "", AUTHOR if author_of(metadata) else ""}
    return without(metadata, hidden)


def came_by(new: Memory, origin: str) -> Memory:
    """A new memory with the given origin in place of one from another store.

    Raises:
        InvalidInput: the caller's metadata have a field `origin` of their own, or there is no such origin.
    """
    if ORIGIN in new.metadata and not _stored_origins(new.metadata):
        raise InvalidInput(f"the metadata {ORIGIN!r} says who vouches for a memory; memoir sets it", "use another name")
    return new._replace(metadata={**new.metadata, ORIGIN: [storable(origin)]})


def edited_by(after: Memory, before: Record, origin: str) -> Memory:
    """The result of an edit: a memory with new words gets the editor's origin beside its own.

    It keeps only origins that the record had before.
    """
    same = next((facet for facet in before if facet.content == after.content), None)
    if same is not None:
        return after._replace(metadata=_with_origins(after.metadata, _stored_origins(same.metadata)))
    known = {word for facet in before for word in _stored_origins(facet.metadata)}
    claimed = [word for word in _stored_origins(after.metadata) if word in known]
    return after._replace(metadata=_with_origins(after.metadata, [*claimed, storable(origin)]))


def brought_in(new: Memory) -> Memory:
    """A memory of an import: it gets the origin `import`, and its own origin becomes a claim."""
    rest = without(new.metadata, (ORIGIN,))
    claim = new.metadata.get(ORIGIN)
    claims = {CLAIM: claim} if claim not in (None, [IMPORT]) else {}
    return new._replace(metadata={**rest, **claims, ORIGIN: [IMPORT]})


def as_there(new: Memory, record: Sequence[Memory]) -> Memory:
    """The stored memory that equals an imported one apart from origins; else the imported one."""
    return next((each for each in record if _without_origins(each) == _without_origins(new)), new)


def _without_origins(memory: Memory) -> Memory:
    return memory._replace(metadata=without(memory.metadata, (ORIGIN, CLAIM)))


def join_origins(old: Metadata, new: Metadata) -> dict[str, Any]:
    """The new metadata of a memory with the origins of the old and the new."""
    return _with_origins(new, (*_stored_origins(old), *_stored_origins(new)))


def _with_origins(metadata: Metadata, words: Sequence[str]) -> dict[str, Any]:
    rest = own_metadata(metadata)
    if words and ORIGIN in rest:  # stored there before memoir used the field
        rest = {**rest, CLAIM: rest[ORIGIN]}
    return {**rest, ORIGIN: list(dict.fromkeys(words))} if words else rest


def storable(origin: str) -> str:
    """Return the name of an origin that can be stored.

    Raises:
        InvalidInput: there is no such origin, or it is `unknown`.
    """
    if check_origin(origin) == UNKNOWN:
        raise InvalidInput(f"{UNKNOWN} is what is said of a memory without an origin", "leave it out")
    return origin
