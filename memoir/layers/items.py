"""Items: memories made of the statements in segments, filed as `remember` files them.

An item has a kind, the names in it, the date of its event if the text gives one, and a link to its segment. Rules file
it. Its kind decides how it is merged at its path: events are appended, for other kinds the newest is active.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.english.lasting.project_documents import holds
from memoir.english.words import flat
from memoir.errors import InvalidInput
from memoir.layers.derivations import (
    STALE,
    Origin,
    Reviewer,
    add_item,
    has_source,
    is_stale,
    link_of,
    records_of,
    review,
)
from memoir.layers.item_options import MODEL, READERS, RULES, ItemOptions
from memoir.layers.reader import Draft, Reader, Reading, RulesReader
from memoir.layers.segments import place_of, with_sources
from memoir.memory.read import key_range, records
from memoir.progress import Progress, tell_nobody
from memoir.records.damage import readable
from memoir.records.origins import DOCUMENT, ORIGIN
from memoir.records.record import Memory, Record, encode
from memoir.sources.cutting import DocumentSection, Part
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import INBOX, Address, LookAlike, check_new, from_key
from memoir.times import format_instant

if TYPE_CHECKING:
    from memoir.filing.decision import Decision
    from memoir.filing.filer import Filer

_TOGETHER = 20
"""How many segments are read and filed between two reports of progress."""
_LATEST = datetime.max.replace(tzinfo=UTC)
SURE = 0.8
"""The confidence of an item: memories that somebody stored themselves count more."""


class Item(NamedTuple):
    """An item, and the addresses where it is filed."""

    memory: Memory
    places: tuple[Address, ...]


class Revision(NamedTuple):
    """The numbered segments of a source before and after it is ingested again, and the parts still to be read."""

    source: str
    before: Mapping[str, Memory]
    after: Mapping[str, Memory]
    unread: Mapping[str, Part]

    def changes(self) -> list[str]:
        """The numbers of segments that vanished or changed."""
        return [number for number, old in self.before.items() if self._words(number) != old.content]

    def _words(self, number: str) -> str | None:
        return self.after[number].content if number in self.after else None


class Derivation(NamedTuple):
    """The effect of a revision on items: the values to write, the new items, and the newly stale ones."""

    edits: Mapping[bytes, bytes]
    items: Sequence[Item]
    stale: Sequence[Item]


class ItemMaker:
    """Makes and files the items of a source; a decision on a path is made only once."""

    def __init__(self, store: Store, namespace: str, branch: str | None = None, reader: Reader | None = None) -> None:
        """Take a reader of segments; without one no items are made."""
        self.reader = reader or Reader()
        self.progress: Progress = tell_nobody
        """Called with the number of segments read, and the total."""
        self._store = store
        self._namespace = namespace
        self._branch = branch
        self._readings: dict[Part, Reading] = {}
        self._decisions: dict[str, Decision] = {}

    def read(self, parts: Iterable[Part]) -> None:
        """Read segments and file their items in advance, so that it is not done under a lock."""
        fresh = [part for part in dict.fromkeys(parts) if part not in self._readings]
        for start in range(0, len(fresh), _TOGETHER):
            batch = fresh[start : start + _TOGETHER]
            self._decide([draft.content for part in batch for draft in self.read_part(part).drafts])
            self.progress(start + len(batch), len(fresh))

    def read_part(self, part: Part) -> Reading:
        """The reader's drafts of a segment; each segment is read once."""
        if part not in self._readings:
            self._readings[part] = self.reader.read(part)
        return self._readings[part]

    def derive(self, head: Snapshot, revision: Revision, moment: datetime) -> Derivation:
        """Derive the items of a revised source, and correct the records of its earlier items."""
        reviews = self._review(head, revision)
        fresh = _spread_times([item for number in revision.unread for item in self._items(revision, number, moment)])
        addresses = dict.fromkeys(address for item in fresh for address in item.places)
        by_address = {**records(head, addresses), **{address: new for address, (_, new) in reviews.items()}}
        changes = {address: new for address, (old, new) in reviews.items() if old != new}
        items: dict[tuple[Address, str], Item] = {}
        for item in fresh:
            for address in item.places:
                record = add_item(by_address.get(address), item.memory)
                if record != by_address.get(address):
                    by_address[address] = changes[address] = record
                    items.setdefault((address, item.memory.content), Item(item.memory, (address,)))
        stale = [
            Item(new, (address,))
            for address, old, new in _pairs(reviews)
            if is_stale(new) and not is_stale(old) and new in by_address[address]  # and no new item replaced it
        ]
        edits = {address.key: encode(record) for address, record in changes.items()}
        return Derivation(edits, [*items.values()], stale)

    def _review(self, head: Snapshot, revision: Revision) -> dict[Address, tuple[Record, Record]]:
        """The records with items of changed segments, before and after correcting links and marks."""
        numbers = revision.changes()
        if not numbers:
            return {}
        origin = Origin.of(self._namespace, revision.source)
        reviewer = Reviewer(origin, frozenset(numbers), revision.after)
        entries = records_of(head, self._namespace, origin)
        return {address: (record, review(record, reviewer.revise)) for address, record in entries.items()}

    def _items(self, revision: Revision, number: str, moment: datetime) -> list[Item]:
        """The items of a segment, without those that its earlier text already stated."""
        old, reading = revision.before.get(number), self.read_part(revision.unread[number])
        old_text = flat(old.content) if old and old.metadata.get("items") == reading.by == RULES else ""
        target, part = place_of(self._namespace, revision.source, number), revision.unread[number]
        drafts = [draft for draft in reading.drafts if flat(draft.content) not in old_text]
        self._decide(draft.content for draft in drafts)
        if isinstance(part, DocumentSection) and reading.by == RULES:
            drafts = [draft for draft in drafts if _holds(draft, self._decisions[draft.content])]
        return [self._item(draft, target, moment) for draft in drafts]

    def _item(self, draft: Draft, target: Address, moment: datetime) -> Item:
        decision = self._decisions[draft.content]
        memory = Memory.of(
            draft.content,
            confidence=SURE,
            timestamp=format_instant(draft.time or moment),
            metadata=_metadata(draft),
        )
        addresses = decision.addresses(draft.content, self._namespace)
        return Item(link_of(self._filer.annotate(memory, decision), target), tuple(map(self._safe_address, addresses)))

    def _decide(self, contents: Iterable[str]) -> None:
        """Decide on the paths of items that have none yet."""
        if new := [content for content in dict.fromkeys(contents) if content not in self._decisions]:
            decisions = self._filer.decide_by_rules(new, self._namespace, self._branch)
            kept = (each._replace(near=None, offers=()) for each in decisions)  # a source may have thousands
            self._decisions |= dict(zip(new, kept, strict=True))

    def _safe_address(self, address: Address) -> Address:
        """The address, or one in the inbox if its path looks like another one."""
        try:
            return check_new(address)
        except LookAlike:
            from memoir.git.objects import sha1

            return Address(address.namespace, f"{INBOX}.m{sha1(address.path.encode()).hex()[:12]}")

    @cached_property
    def _filer(self) -> "Filer":
        from memoir.filing.filer import Filer

        return Filer(self._store, classifier=RULES)


def stale_items(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[Item]:
    """The active items of the namespaces (all, if empty) that their sources no longer state: O(n)."""
    return [
        Item(memory, (from_key(key),))
        for name in with_sources(snapshot, namespaces)
        for key, value in snapshot.scan(*key_range(name))
        if STALE.encode() in value
        for memory in readable(snapshot, key, value) or ()
        if memory.active and is_stale(memory) and has_source(memory)
    ]


def choose_reader(store: Store, options: ItemOptions, *, dry_run: bool = False) -> Reader:
    """The reader of segments: rules, a model within a budget, or none. A dry run asks no model.

    Raises:
        InvalidInput: there is no such reader, or a budget without a model. LlmUnavailable: no model is configured.
    """
    name, *budget = options
    if name not in READERS:
        raise InvalidInput(f"items must be {', '.join(READERS[:-1])} or {READERS[-1]}, not {name!r}")
    if name != MODEL:
        if budget != [None, None]:
            raise InvalidInput("--llm-calls and --llm-tokens are for a model, and none is asked", "add --items model")
        return RulesReader() if name == RULES else Reader()
    from memoir.layers.items_by_model import CostReader, model_reader

    return CostReader() if dry_run else model_reader(store.config, options)


def _holds(draft: Draft, decision: "Decision") -> bool:
    """Whether a document's sentence has a path and states what holds in a project; otherwise its passage is enough."""
    return bool(decision.placements) and holds(draft.content, draft.kind, decision.placements[0].path)


def _spread_times(items: Iterable[Item]) -> list[Item]:
    """Give items with equal times increasing ones, in the order in which they were said.

    Each is later by a microsecond, so that of two contradicting items the later one is newer.
    """
    counts, later = Counter[datetime](), list[Item]()
    for item in items:
        time, memory = item.memory.instant, item.memory
        instant = format_instant(time + min(timedelta(microseconds=counts[time]), _LATEST - time))
        later.append(item._replace(memory=memory._replace(timestamp=instant)))
        counts[time] += 1
    return later


def _pairs(reviews: Mapping[Address, tuple[Record, Record]]) -> Iterator[tuple[Address, Memory, Memory]]:
    for address, (old, new) in reviews.items():
        yield from ((address, *pair) for pair in zip(old, new, strict=True))


def _metadata(draft: Draft) -> dict[str, Any]:
    fields: dict[str, Any] = {ITEM_KIND: draft.kind, ORIGIN: [DOCUMENT]}
    if draft.occurred_at:
        fields["occurred_at"] = draft.occurred_at
    if draft.entities:
        fields["entities"] = list(draft.entities)
    if draft.person:
        fields["person"] = draft.person
    elif draft.speaker:
        fields["speaker"] = draft.speaker
    return fields
