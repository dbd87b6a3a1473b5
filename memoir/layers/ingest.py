"""Ingesting: a source becomes segments, in one commit; ingesting it again changes only what changed in it."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.layers.alignment import Stored, align
from memoir.layers.reading import Source, other_name
from memoir.layers.segments import memory_of, place_of, stored_segments, stored_source
from memoir.memory.layers import RAW, mark
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.record import Memory, encode
from memoir.memory.secrets import Finding, check_around
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address
from memoir.times import now


class Counts(NamedTuple):
    """How many segments of a source are new, changed, gone, and as they were."""

    added: int
    changed: int
    removed: int
    unchanged: int

    @property
    def total(self) -> int:
        """How many segments the source has."""
        return self.added + self.changed + self.unchanged

    def __str__(self) -> str:
        words = ("added", "changed", "removed")
        said = [f"{count:,} {word}" for count, word in zip(self, words, strict=False) if count]
        return ", ".join(said) or "nothing changed"


class Ingested(NamedTuple):
    """What became of a source: its name, namespace, origin and kind, its segments, what was struck out, the commit."""

    name: str
    namespace: str
    origin: str
    kind: str
    segments: Counts
    struck: Sequence[Finding]
    commit: Commit | None


def ingest(store: Store, source: Source, namespace: str, options: WriteOptions = DEFAULTS) -> Ingested:
    """Store a source's segments; those that are gone from it are forgotten.

    Raises:
        InvalidInput: the message, the origin or the namespace is refused.
        Conflict: the namespace of the segments holds memories of its own.
    """
    check_message(options)
    if not options.allow_secrets:
        check_around(source.origin, [Address(namespace, source.name)])
    done: list[tuple[str, Counts]] = []

    def change(head: Snapshot) -> Change:
        named = _named(head, source, namespace)
        edits, counts = _edits(head, named, namespace)
        done[:] = [(named.name, counts)]
        return Change(edits.items(), options.message or f"ingest {source.origin}: {counts}")

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"ingest {source.origin}")
    ((name, counts),) = done
    return Ingested(name, namespace, source.origin, source.kind, counts, source.struck, commit)


def _named(head: Snapshot, source: Source, namespace: str) -> Source:
    """The source, under another name if its own is that of a source from elsewhere."""
    known = stored_source(head, namespace, source.name)
    if known is None or known.origin == source.origin:
        return source
    return source._replace(name=other_name(source.name, source.origin))


def _edits(head: Snapshot, source: Source, namespace: str) -> tuple[dict[bytes, bytes | None], Counts]:
    """What to write, and how many segments that is."""
    before = stored_segments(head, namespace, source.name)
    aligned = align([Stored(number, memory.content) for number, memory in before.items()], _texts(source))
    moment = now()
    after = {
        number: memory_of(source, part, number, moment)
        for number, part in zip(aligned.numbers, source.parts, strict=True)
    }
    fresh = {number: memory for number, memory in after.items() if not _same(before.get(number), memory)}
    edits: dict[bytes, bytes | None] = {**mark(head, RAW, namespace)}
    edits |= {place_of(namespace, source.name, number).key: None for number in aligned.gone}
    edits |= {place_of(namespace, source.name, number).key: encode([memory]) for number, memory in fresh.items()}
    added = sum(number not in before for number in fresh)
    return edits, Counts(added, len(fresh) - added, len(aligned.gone), len(after) - len(fresh))


def _texts(source: Source) -> list[str]:
    return [part.text for part in source.parts]


def _same(stored: Memory | None, memory: Memory) -> bool:
    """Whether a segment is stored already; when it was stored does not count."""
    return stored is not None and (stored.content, stored.metadata) == (memory.content, memory.metadata)
