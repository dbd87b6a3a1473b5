"""The items of a source: memories whose `derives_from` links point to its segments.

A link names a segment by its path. Links find items wherever somebody has moved them in the namespace. Removing a
source removes its segments and the items derived from it alone; history keeps them.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import time, timedelta
from typing import NamedTuple

from memoir.english.words import flat, same_as_written
from memoir.layers.segments import StoredSource, parts_of, place_of, read_segments, require_source
from memoir.memory.layer_namespaces import source_layers
from memoir.memory.read import key_range
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.damage import read_record, readable
from memoir.records.metadata import LINKS, agree, join_metadata
from memoir.records.policy import combine
from memoir.records.record import ACTIVE_STATUS, Memory, Record, encode, fits, trim, without
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import ITEM_KIND, has_happened, policy_of
from memoir.taxonomy.paths import Address, from_key

EDGE = "derives_from"
STALE = "stale"
"""The metadata field that marks an item which its source no longer states."""


class Origin(NamedTuple):
    """The source of links: the common prefix of its segments' keys."""

    prefix: str

    @classmethod
    def of(cls, namespace: str, source: str) -> "Origin":
        """The origin for a source's segments."""
        return cls(place_of(namespace, source, "0").full_key[:-1])

    def numbers(self, memory: Memory) -> list[str]:
        """The numbers of this source's segments that a memory derives from."""
        return [link.removeprefix(self.prefix) for link in _sources_of(memory) if link.startswith(self.prefix)]


def records_of(snapshot: Snapshot, namespace: str, origin: Origin) -> dict[Address, Record]:
    """The records of a namespace with an item of the source: O(n)."""
    needle = origin.prefix.encode()
    return {
        from_key(key): record
        for key, value in snapshot.scan(*key_range(namespace))
        if needle in value and (record := readable(snapshot, key, value))
        if any(origin.numbers(memory) for memory in record)
    }


def link_of(memory: Memory, target: Address) -> Memory:
    """Link a memory to the segment that it derives from."""
    return memory._replace(metadata={**memory.metadata, LINKS: {EDGE: [target.full_key]}})


def add_item(record: Record | None, item: Memory) -> Record:
    """Add an item to a record, merged by the policy of its kind; a memory in the same words is not stored twice.

    An existing item gets the link as well, and is no longer stale. A memory without a source stays unchanged, because
    it is somebody's own; a superseded one stays superseded. If the record has such a memory, the item is appended,
    whatever the confidences: a source never replaces what somebody remembered or accepted. Of two rival items the one
    that was said later holds, whichever was ingested first.
    """
    for at, facet in enumerate(record or ()):
        if record and same_as_written(facet.content, item.content):
            if not _sources_of(facet):
                return record
            if agree(facet.metadata, item.metadata) and fits(metadata := join_metadata(facet.metadata, item.metadata)):
                return (*record[:at], facet._replace(metadata=without(metadata, (STALE,))), *record[at + 1 :])
            if not facet.active:
                return record
    are_items = all(_sources_of(facet) for facet in record or () if facet.active)
    policy = policy_of(item.metadata.get(ITEM_KIND)) if are_items else None
    if record and policy not in (None, "append") and any(_is_later(facet, item) for facet in record):
        at = sum(facet.instant <= item.instant for facet in record)
        return trim((*record[:at], item.superseded(), *record[at:]))
    return combine(policy or "append", record, item).record


def _is_later(facet: Memory, item: Memory) -> bool:
    """Whether a memory still holds, was said later than an item, and would be replaced by the item's kind.

    A difference below a second only orders items of one text: see `memoir.layers.items`. An item of the first second of
    a day, such as one of a daily note, may have been said at any time of that day.
    """
    holds = facet.active and STALE not in facet.metadata and not has_happened(facet.metadata.get(ITEM_KIND))
    said = item.instant.replace(microsecond=0)
    span = timedelta(days=1) if said.time() == time.min else timedelta(seconds=1)
    return holds and facet.instant >= said + span


def review(record: Record, change: Callable[[Memory], Memory | None]) -> Record:
    """Change each memory of a record, or remove it if the function returns None; the record may become empty."""
    return tuple(new for facet in record if (new := change(facet)) is not None)


def revive(record: Record, before: Record) -> Record:
    """After a removal, reactivate the newest memory of a record if no active one is left."""
    if any(facet.active for facet in record) or not record or not any(facet.active for facet in before):
        return record
    return (*record[:-1], record[-1]._replace(status=ACTIVE_STATUS))


def with_numbers(memory: Memory, origin: Origin, numbers: Mapping[str, str | None]) -> Memory:
    """Point a memory's links from segments to others, or remove them (None)."""
    links = dict(memory.metadata.get(LINKS) or {})
    targets = list(_move_links(memory, origin, numbers))
    links = {**links, EDGE: targets} if targets else without(links, (EDGE,))
    metadata = {**memory.metadata, LINKS: links} if links else without(memory.metadata, (LINKS,))
    return memory._replace(metadata=metadata)


def has_source(memory: Memory) -> bool:
    """Whether a memory has any source."""
    return bool(_sources_of(memory))


def mark_stale(memory: Memory, stale: bool) -> Memory:
    """Set or remove the mark of a stale item."""
    plain = without(memory.metadata, (STALE,))
    return memory._replace(metadata={**plain, STALE: True} if stale else plain)


def is_stale(memory: Memory) -> bool:
    """Whether a memory is marked as no longer stated by its source."""
    return memory.metadata.get(STALE) is True


class Reviewer:
    """Corrects the items of changed segments of a source."""

    def __init__(self, origin: Origin, numbers: frozenset[str], after: Mapping[str, Memory]) -> None:
        self._origin = origin
        self._numbers = numbers
        self._texts = {number: flat(memory.content) for number, memory in after.items()}

    def revise(self, item: Memory) -> Memory:
        """Point an item's links to where its words are now; it becomes stale if the source no longer has them."""
        own = self._origin.numbers(item)
        if self._numbers.isdisjoint(own):
            return item
        words = flat(item.content)
        losses = [number for number in own if number in self._numbers and words not in self._texts.get(number, "")]
        if not losses:
            return mark_stale(item, False)
        now = next((number for number, text in self._texts.items() if words in text), None)
        if now is None:
            rest = with_numbers(item, self._origin, dict.fromkeys(losses))
            return mark_stale(rest, False) if has_source(rest) else mark_stale(item, True)
        return mark_stale(with_numbers(item, self._origin, dict.fromkeys(losses, now)), False)


def review_items(head: Snapshot, edits: dict[bytes, bytes | None]) -> None:
    """If edits remove or restore segments, add the corrections of their items to the edits."""
    addresses = [from_key(key) for key in edits]
    said = source_layers(head, {address.namespace for address in addresses})
    changed: dict[tuple[str, str], dict[str, Address]] = {}
    for address in (each for each in addresses if each.namespace in said):
        if parts := parts_of(address):
            namespace, source, number = parts
            changed.setdefault((namespace, source), {})[number] = address
    for (namespace, source), segments in changed.items():
        after = read_segments(head, namespace, source)
        for number, address in segments.items():
            after.pop(number, None)
            if value := edits[address.key]:
                after[number] = read_record(address, value)[-1]
        origin = Origin.of(namespace, source)
        reviewer = Reviewer(origin, frozenset(segments), after)
        for address, record in records_of(head, namespace, origin).items():
            if address.key in edits:
                edit = edits[address.key]
                record = read_record(address, edit) if edit else ()
            if (new := review(record, reviewer.revise)) != record:
                edits[address.key] = encode(new)


def _move_links(memory: Memory, origin: Origin, numbers: Mapping[str, str | None]) -> Iterator[str]:
    targets: set[str] = set()
    for link in _sources_of(memory):
        number = link.removeprefix(origin.prefix)
        target: str | None = link
        if link.startswith(origin.prefix) and number in numbers:
            target = f"{origin.prefix}{numbers[number]}" if numbers[number] else None
        if target and target not in targets:
            targets.add(target)
            yield target


def _sources_of(memory: Memory) -> list[str]:
    """The keys that a memory derives from, as in its metadata."""
    links = memory.metadata.get(LINKS)
    keys = links.get(EDGE) if isinstance(links, Mapping) else None
    return [link for link in (keys if isinstance(keys, list) else [keys]) if isinstance(link, str)]


class Removal(NamedTuple):
    """The result of removing a source."""

    source: StoredSource
    """The removed source."""
    items: int
    """The number of memories derived from it alone, removed as well."""
    kept: int
    """The number of memories with another source, too, which stay."""
    commit: Commit | None
    """None in a dry run."""


def remove_source(store: Store, name: str, namespace: str, options: WriteOptions = DEFAULTS) -> Removal:
    """Remove a source's segments and the memories derived from it alone."""
    check_message(options)
    done: list[Removal] = []

    def change(head: Snapshot) -> Change:
        source = require_source(head, namespace, name)
        numbers = read_segments(head, namespace, name)
        edits: dict[bytes, bytes | None] = {place_of(namespace, name, number).key: None for number in numbers}
        items, orphan_count, other_count = _without_source(head, namespace, name)
        done[:] = [Removal(source, orphan_count, other_count, None)]
        return Change({**edits, **items}.items(), options.message or f"remove source {name}")

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"remove source {name}")
    return done[0]._replace(commit=commit)


def _without_source(head: Snapshot, namespace: str, name: str) -> tuple[dict[bytes, bytes | None], int, int]:
    """The edits that unlink a source's items, and how many items are removed and kept."""
    origin = Origin.of(namespace, name)
    orphans, others = list[Memory](), list[Memory]()

    def unlink(item: Memory) -> Memory | None:
        if not (own := origin.numbers(item)):
            return item
        rest = with_numbers(item, origin, dict.fromkeys(own))
        (others if has_source(rest) else orphans).append(item)
        return rest if has_source(rest) else None

    entries = records_of(head, namespace, origin)
    after = {address: revive(review(record, unlink), record) for address, record in entries.items()}
    edits = {address.key: encode(record) if record else None for address, record in after.items()}
    return edits, len(orphans), len(others)
