"""Ingest a source: store it as segments in one commit; ingesting it again writes only its changes."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from memoir.layers.items import Item, ItemMaker, Revision
from memoir.layers.reader import has_read
from memoir.layers.segments import between, find_source, place_of, read_records, value
from memoir.memory.layer_namespaces import RAW, mark
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.record import Memory, Record, encode
from memoir.secrets.secrets import CredentialFinding, PrivatePassage, check_around
from memoir.sources.chat_exports import UnsureDate
from memoir.sources.cutting import Part, Talk
from memoir.sources.json_conversations import SkippedLines
from memoir.sources.reading import SourceText, other_name
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address
from memoir.times import format_instant, now

MOVED_FROM = "moved_from"
"""The metadata field of a segment with the source's origin before its file moved."""


def _align(before: Mapping[str, Memory], texts: Sequence[str]) -> list[str]:
    """Number the new segments: an equal stored segment's number is kept, a replaced one's is reused."""
    slots: list[str | None] = [None] * len(texts)
    old_numbers = [*before]
    for old, new in _pairs([memory.content for memory in before.values()], texts):
        slots[new] = old_numbers[old]
    return _fill(slots)


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of positions, before and after, of segments that are equal or replace each other."""
    if list(before) == list(after):
        yield from zip(range(len(before)), range(len(after)), strict=True)
        return
    for _, low, high, start, stop in SequenceMatcher(None, before, after).get_opcodes():
        yield from zip(range(low, high), range(start, stop), strict=False)


def _fill(numbers: Sequence[str | None]) -> list[str]:
    """Fill the gaps with new numbers between the neighbours'."""
    result: list[str] = []
    at = 0
    while at < len(numbers):
        number = numbers[at]
        if number is not None:
            result.append(number)
            at += 1
            continue
        stop = next((position for position in range(at, len(numbers)) if numbers[position] is not None), len(numbers))
        high = numbers[stop] if stop < len(numbers) else None
        result += between(value(result[-1] if result else "0"), value(high) if high else None, stop - at)
        at = stop
    return result


class SegmentCounts(NamedTuple):
    """The numbers of added, changed, removed and unchanged segments of a source."""

    added: int
    changed: int
    removed: int
    unchanged: int

    @property
    def total(self) -> int:
        """The number of segments of the source."""
        return self.added + self.changed + self.unchanged

    def __str__(self) -> str:
        words = ("added", "changed", "removed")
        parts = [f"{count:,} {word}" for count, word in zip(self, words, strict=False) if count]
        return ", ".join(parts) or "nothing changed"


class Ingestion(NamedTuple):
    """The result of ingesting a source."""

    name: str
    """Its name."""
    namespace: str
    """The namespace whose layer holds the segments."""
    origin: str
    """The file or place that it comes from."""
    kind: str
    """Conversation or document."""
    segments: SegmentCounts
    """The numbers of its segments and changes."""
    findings: Sequence[CredentialFinding]
    """The credentials that were replaced."""
    items: Sequence[Item]
    """The new items."""
    stale: int
    """The number of items that became stale: the source no longer states them."""
    commit: Commit | None
    """None if nothing changed."""
    private: Sequence[PrivatePassage] = ()
    """The private passages that were left out."""
    skipped: SkippedLines | None = None
    """The lines that could not be parsed; None if all could."""
    repeated: int = 0
    """The number of messages left out because another source has them."""
    known_as: str | None = None
    """The already ingested source of these messages, if any."""
    taken_back: int = 0
    """The number of messages left out because the user replaced their prompt."""
    unsure: UnsureDate | None = None
    """A date with an unclear order of day and month; None without one."""
    stale_items: Sequence[Item] = ()
    """The items that became stale."""
    moved_from: str | None = None
    """Its origin before its file moved; None if it did not move."""

    def left_out(self) -> "Iterator[dict[str, object]]":
        """Yield a row for each credential and private passage left out of the stored source."""
        source = {"origin": self.origin, "name": self.name}
        yield from ({**source, "line": each.line, "rule": each.rule} for each in self.findings)
        yield from ({**source, "line": each.line, "private": True, "closed": each.closed} for each in self.private)

    def __str__(self) -> str:
        items = f"{len(self.items):,} item" + "s" * (len(self.items) != 1) if self.items else ""
        stale = f"{self.stale:,} stale" if self.stale else ""
        moved = f"moved from {self.moved_from}" if self.moved_from else ""
        return ", ".join(filter(None, (str(self.segments), items, stale, moved)))


def ingest(
    store: Store, source: SourceText, namespace: str, options: WriteOptions = DEFAULTS, maker: ItemMaker | None = None
) -> Ingestion:
    """Store a source's segments and their items; vanished segments are removed.

    Without a maker no items are made, and existing ones are marked if they became stale. Items are made before the
    store is locked.
    """
    change = plan(store, source, namespace, options, maker)
    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"ingest {source.origin}")
    return change.result._replace(commit=commit)


class IngestChange:
    """The change that ingests a source, as a function of the head; `result` belongs to its last call."""

    def __init__(self, source: SourceText, namespace: str, options: WriteOptions, maker: ItemMaker) -> None:
        self._source = source
        self._namespace = namespace
        self._message = options.message
        self._maker = maker
        self.result: Ingestion

    def __call__(self, head: Snapshot) -> Change:
        """Compute the change for a snapshot."""
        edits, self.result = _change(head, self._source, self._namespace, self._maker)
        return Change(edits.items(), self._message or f"ingest {self._source.origin}: {self.result}")


def plan(
    store: Store, source: SourceText, namespace: str, options: WriteOptions = DEFAULTS, maker: ItemMaker | None = None
) -> IngestChange:
    """Plan the ingestion of a source: make its items, and try the change on the head."""
    check_message(options)
    if not options.allow_secrets:
        check_around(source.origin, [Address(namespace, source.name)])
    change = IngestChange(source, namespace, options, maker or ItemMaker(store, namespace))
    change(store.head(options.branch))
    return change


def _change(
    head: Snapshot, source: SourceText, namespace: str, maker: ItemMaker
) -> tuple[dict[bytes, bytes | None], Ingestion]:
    """The edits for a source, and their result."""
    source, moment = _with_own_name(head, source, namespace), source.day or now()
    stored = read_records(head, namespace, source.name)
    before = {number: record[-1] for number, record in stored.items()}
    numbers = _align(before, [part.text for part in source.parts])
    parts: dict[str, Part] = dict(zip(numbers, source.parts, strict=True))
    unread = {number: part for number, part in parts.items() if not _is_read(maker, before.get(number), part)}
    maker.read(unread.values())
    after = {
        number: _memory_of(source, part, number, moment, _reader_of(maker, before.get(number), part, number in unread))
        for number, part in parts.items()
    }
    edits: dict[bytes, bytes | None] = {**mark(head, RAW, namespace)}
    segments, counts = _segments(stored, after, is_dated=source.day is not None)
    edits |= {place_of(namespace, source.name, number).key: value for number, value in segments.items()}
    derivation = maker.derive(head, Revision(source.name, before, after, unread), moment)
    edits |= derivation.edits
    fields = (source.name, namespace, source.origin, source.kind, counts, source.findings)
    losses = (source.private, source.skipped, source.repeated, source.known_as, source.taken_back, source.unsure)
    stale = derivation.stale
    moves = any(each.metadata.get("origin") != source.origin for each in before.values())
    moved_from = source.moved_from if moves else None
    return edits, Ingestion(*fields, derivation.items, len(stale), None, *losses, stale, moved_from)


def _with_own_name(head: Snapshot, source: SourceText, namespace: str) -> SourceText:
    """Rename a source if its name is taken by one of another origin."""
    other = find_source(head, namespace, source.name)
    if other is None or other.origin in (source.origin, source.moved_from):
        return source
    return source._replace(name=other_name(source.name, source.origin))


def _is_read(maker: ItemMaker, old: Memory | None, part: Part) -> bool:
    """Whether the items of a segment were made before."""
    return old is not None and old.content == part.text and has_read(maker.reader, old.metadata)


def _reader_of(maker: ItemMaker, old: Memory | None, part: Part, is_unread: bool) -> str | None:
    """The reader that made the items of a segment."""
    by = maker.read_part(part).by if is_unread else None
    return by or (old.metadata.get("items") if old and old.content == part.text else None)


def _segments(
    before: Mapping[str, Record], after: Mapping[str, Memory], *, is_dated: bool
) -> tuple[dict[str, bytes | None], SegmentCounts]:
    """The segments to write by number (None removes one), and the counts of changes."""
    fresh = {
        number: encode([memory])
        for number, memory in after.items()
        if not _is_stored(before.get(number), memory, is_dated=is_dated)
    }
    removals: dict[str, bytes | None] = dict.fromkeys(number for number in before if number not in after)
    additions = sum(number not in before for number in fresh)
    counts = SegmentCounts(additions, len(fresh) - additions, len(removals), len(after) - len(fresh))
    return {**removals, **fresh}, counts


def _is_stored(before: Record | None, memory: Memory, *, is_dated: bool) -> bool:
    """Whether the record holds just this segment; its time counts only if its source says of which day it is."""
    stored = [(each.content, each.metadata, is_dated and each.timestamp) for each in before or ()]
    return stored == [(memory.content, memory.metadata, is_dated and memory.timestamp)]


def _memory_of(source: SourceText, part: Part, number: str, moment: datetime, items: str | None) -> Memory:
    """Make the memory of a segment; `items` names the reader that made its items."""
    metadata: dict[str, Any] = {
        "caption": part.caption,
        "kind": source.kind,
        "origin": source.origin,
        "position": float(value(number)),
    }
    metadata |= {"items": items} if items else {}
    metadata |= {MOVED_FROM: source.moved_from} if source.moved_from else {}
    times: list[datetime] = []
    if isinstance(part, Talk):
        metadata["speakers"] = part.speakers
        metadata |= {"turns": offsets} if (offsets := part.offsets) is not None else {}
        times = part.times
        metadata |= {"began": format_instant(min(times)), "ended": format_instant(max(times))} if times else {}
    return Memory.of(part.text, timestamp=format_instant(min(times, default=moment)), metadata=metadata)
