"""Who vouches for a memory: the field `origin` of its metadata, a list of words in the order in which they came.

The door by which a memory comes writes it, and never the caller: one that is remembered again or edited gets the word
of that door too. Memories of older versions have none. A segment of a source has a text there: where the source is
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
"""The field with what an imported memory says itself of its origin, which nobody has checked."""
USER, AGENT, CAPTURE, IMPORT, DOCUMENT = "user", "agent", "capture", "import", "document"
AUTHOR = "origin_author"
"""The field that a memory from a remote is shown with: an `AuthorName`, because anything may be stored there."""
UNKNOWN = "unknown"
"""What is said of a memory that has none."""
ORIGINS = (USER, CAPTURE, AGENT, UNKNOWN, IMPORT, DOCUMENT)
"""All of them, the one that counts most first: what somebody typed, reviewed, found out; then what was only read in."""
_STORED = frozenset(ORIGINS) - {UNKNOWN}


class AuthorName(str):
    """`Name <email>` of who wrote a memory that came from a remote; only `memoir.memory.authors` makes one."""


def author_of(metadata: Metadata) -> str | None:
    """Who wrote a memory that came from a remote, if it is marked with that."""
    author = metadata.get(AUTHOR)
    return author if isinstance(author, AuthorName) else None


def origins_of(metadata: Metadata) -> tuple[str, ...]:
    """Who vouches for a memory; `unknown` alone if it does not say."""
    return _stored(metadata) or (UNKNOWN,)


def vouchers(namespace: str, metadata: Metadata) -> tuple[str, ...]:
    """Who vouches for what is shown of a namespace; nobody for what a source says, nor for an insight."""
    return () if namespace.endswith((RAW_SUFFIX, INSIGHTS_SUFFIX)) else origins_of(metadata)


def voucher_note(namespace: str, metadata: Metadata, quote: Callable[[str], str] = str) -> str:
    """Who vouches for what is shown of a namespace, and who wrote it if that came from a remote, in words.

    `quote` writes a name, which anybody may have chosen.
    """
    words = ", ".join(vouchers(namespace, metadata))
    author = author_of(metadata)
    return f"{words} by {quote(author.partition(' <')[0])}" if words and author else words


def remark(namespace: str, metadata: Metadata) -> str:
    """Who vouches for a memory of a list, in words; nothing for an agent's alone, as most are, and a source's."""
    note = voucher_note(namespace, metadata)
    return "" if note == AGENT else note


def _stored(metadata: Metadata) -> tuple[str, ...]:
    """Who vouches for a memory, as memoir has written it; nobody if something else stands there."""
    words = metadata.get(ORIGIN)
    is_written = isinstance(words, list) and all(isinstance(word, str) and word in _STORED for word in words)
    return tuple(dict.fromkeys(words)) if isinstance(words, list) and is_written else ()


def best_of(metadata: Metadata) -> str:
    """The one of a memory's origins that counts most."""
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
    """Metadata without who vouches for the memory and who wrote it, as answers have it, which name that beside it."""
    hidden = {ORIGIN if _stored(metadata) else "", AUTHOR if author_of(metadata) else ""}
    return without(metadata, hidden)


def came_by(new: Memory, origin: str) -> Memory:
    """A new memory that came by a door. What its metadata say of another store's door goes.

    Raises:
        InvalidInput: the caller's metadata have a field of this name, or there is no such origin.
    """
    if ORIGIN in new.metadata and not _stored(new.metadata):
        raise InvalidInput(f"the metadata {ORIGIN!r} says who vouches for a memory; memoir sets it", "use another name")
    return new._replace(metadata={**new.metadata, ORIGIN: [storable(origin)]})


def edited_by(after: Memory, before: Record, origin: str) -> Memory:
    """A memory that an edit has made of a record: with other words it gets the editor's origin beside its own.

    Of the origins that it claims, it keeps those that the record had.
    """
    same = next((facet for facet in before if facet.content == after.content), None)
    if same is not None:
        return after._replace(metadata=_with(after.metadata, _stored(same.metadata)))
    known = {word for facet in before for word in _stored(facet.metadata)}
    claimed = [word for word in _stored(after.metadata) if word in known]
    return after._replace(metadata=_with(after.metadata, [*claimed, storable(origin)]))


def brought_in(new: Memory) -> Memory:
    """A memory of an import. What it says itself of its origin is kept as a claim, beside the import's."""
    rest = without(new.metadata, (ORIGIN,))
    claim = new.metadata.get(ORIGIN)
    claims = {CLAIM: claim} if claim not in (None, [IMPORT]) else {}
    return new._replace(metadata={**rest, **claims, ORIGIN: [IMPORT]})


def as_there(new: Memory, record: Sequence[Memory]) -> Memory:
    """The memory of a record that an imported one is the same as, but for who vouches for it; else the imported one."""
    return next((each for each in record if _unvouched(each) == _unvouched(new)), new)


def _unvouched(memory: Memory) -> Memory:
    return memory._replace(metadata=without(memory.metadata, (ORIGIN, CLAIM)))


def join_origins(old: Metadata, new: Metadata) -> dict[str, Any]:
    """The new metadata of a memory, with the origins that the old and the new ones have."""
    return _with(new, (*_stored(old), *_stored(new)))


def _with(metadata: Metadata, words: Sequence[str]) -> dict[str, Any]:
    rest = own_metadata(metadata)
    if words and ORIGIN in rest:  # what somebody kept there before the field was memoir's
        rest = {**rest, CLAIM: rest[ORIGIN]}
    return {**rest, ORIGIN: list(dict.fromkeys(words))} if words else rest


def storable(origin: str) -> str:
    """Return the name of an origin that a memory can get.

    Raises:
        InvalidInput: there is no such origin, or it is that of a memory which says none.
    """
    if check_origin(origin) == UNKNOWN:
        raise InvalidInput(f"{UNKNOWN} is what is said of a memory without an origin", "leave it out")
    return origin
