"""Items: what segments state, as memories of the namespace, filed as `remember` files them.

An item is stored verbatim, with its kind, what it names, when it happened if the text says so, and a link to its
segment. Rules file it, and add it to what is at its path, because two items at one path may both be true.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.layers.derived import (
    Origin,
    add_item,
    derived_records,
    is_stale,
    link_of,
    marked_stale,
    review,
    with_numbers,
)  # fmt: skip
from memoir.layers.drafts import Draft, drafts
from memoir.layers.segments import Part, place_of
from memoir.layers.turns import shown
from memoir.memory.read import records
from memoir.memory.record import Memory, Record, encode
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import Address, LookAlike, check_new

if TYPE_CHECKING:
    from memoir.filing.decision import Decision
    from memoir.filing.filer import Filer

RULES, NONE = "rules", "none"
MAKERS = (RULES, NONE)
"""What may make items."""
SURE = 0.8
"""The confidence of an item that rules made: what somebody stored himself counts more."""


class Item(NamedTuple):
    """An item, and where it is filed."""

    memory: Memory
    places: tuple[Address, ...]


class Revision(NamedTuple):
    """The segments of a source before and after it was read again, by their numbers, and its new parts."""

    source: str
    before: Mapping[str, Memory]
    after: Mapping[str, Memory]
    parts: Mapping[str, Part]

    def touched(self) -> list[str]:
        """The numbers of segments that are gone, or have other words."""
        return [number for number, old in self.before.items() if self._words(number) != old.content]

    def unread(self, maker: str) -> list[str]:
        """The numbers of segments that are new, have other words, or of which another maker made the items."""
        return [number for number in self.after if not self._read(number, maker)]

    def _read(self, number: str, maker: str) -> bool:
        old = self.before.get(number)
        return old is not None and old.content == self._words(number) and old.metadata.get("items") == maker

    def _words(self, number: str) -> str | None:
        return self.after[number].content if number in self.after else None


class Derivation(NamedTuple):
    """What a revision does to items: the values to write, the new items, and how many became stale."""

    edits: Mapping[bytes, bytes]
    items: Sequence[Item]
    stale: int


class ItemMaker:
    """Makes the items of a source and files them; what was decided once is decided for good."""

    def __init__(
        self,
        store: Store,
        namespace: str,
        branch: str | None = None,
        *,
        name: str = RULES,
        read: Callable[[Part], Iterable[Draft]] | None = drafts,
    ) -> None:
        """Take what reads a segment and the name of that; None makes no items."""
        self.name = name if read else ""
        self._read = read
        self._store = store
        self._namespace = namespace
        self._branch = branch
        self._drafts: dict[Part, tuple[Draft, ...]] = {}
        self._decisions: dict[str, Decision] = {}

    def derive(self, head: Snapshot, revision: Revision, moment: datetime) -> Derivation:
        """What the items of a source become when it is revised."""
        working = self._reviewed(head, revision)
        stale = sum(is_stale(new) and not is_stale(old) for old, new in _pairs(working))
        unread = revision.unread(self.name) if self._read else []
        fresh = [item for number in unread for item in self._items(revision, number, moment)]
        places = dict.fromkeys(place for item in fresh for place in item.places)
        stored = {**records(head, places), **{place: new for place, (_, new) in working.items()}}
        changed = {place: new for place, (old, new) in working.items() if old != new}
        made: list[Item] = []
        for item in fresh:
            for place in item.places:
                record = add_item(stored.get(place), item.memory)
                if record != stored.get(place):
                    stored[place] = changed[place] = record
                    made.append(Item(item.memory, (place,)))
        return Derivation({place.key: encode(record) for place, record in changed.items()}, made, stale)

    def _reviewed(self, head: Snapshot, revision: Revision) -> dict[Address, tuple[Record, Record]]:
        """The records with items of segments that changed, before and after their links and marks are put right."""
        touched = revision.touched()
        if not touched:
            return {}
        origin = Origin.of(self._namespace, revision.source)
        reviewer = _Reviewer(origin, frozenset(touched), revision.after)
        found = derived_records(head, self._namespace, origin)
        return {place: (record, review(record, reviewer.revised)) for place, record in found.items()}

    def _items(self, revision: Revision, number: str, moment: datetime) -> list[Item]:
        """The items of a segment, but those that it stated when its items were made before."""
        old, part = revision.before.get(number), revision.parts[number]
        known = _flat(old.content) if old and old.metadata.get("items") == self.name else ""
        target = place_of(self._namespace, revision.source, number)
        return [self._item(draft, target, moment) for draft in self._drafted(part) if _flat(draft.content) not in known]

    def _drafted(self, part: Part) -> tuple[Draft, ...]:
        if part not in self._drafts:
            self._drafts[part] = tuple(self._read(part)) if self._read else ()
        return self._drafts[part]

    def _item(self, draft: Draft, target: Address, moment: datetime) -> Item:
        decision = self._decided(draft.content)
        memory = Memory.of(
            draft.content,
            confidence=SURE,
            timestamp=shown(draft.time or moment),
            metadata=_metadata(draft),
        )
        places = decision.addresses(draft.content, self._namespace)
        return Item(link_of(self._filer.marked(memory, decision), target), tuple(map(self._safe, places)))

    def _decided(self, content: str) -> "Decision":
        if content not in self._decisions:
            self._decisions[content] = self._filer.decide(content, self._namespace, self._branch)
        return self._decisions[content]

    def _safe(self, place: Address) -> Address:
        """A place, or that in the inbox if its path, made of the text, could be taken for another."""
        try:
            return check_new(place)
        except LookAlike:
            from memoir.filing.decision import INBOX
            from memoir.store.digest import sha1

            return Address(place.namespace, f"{INBOX}.m{sha1(place.path.encode()).hex()[:12]}")

    @cached_property
    def _filer(self) -> "Filer":
        from memoir.filing.filer import Filer

        return Filer(self._store, classifier=RULES)


def maker_of(name: str, store: Store, namespace: str, branch: str | None) -> ItemMaker:
    """What makes items: `rules`, or `none`.

    Raises:
        InvalidInput: there is no such maker.
    """
    if name not in MAKERS:
        raise InvalidInput(f"items must be {' or '.join(MAKERS)}, not {name!r}")
    return ItemMaker(store, namespace, branch, read=drafts if name == RULES else None)


class _Reviewer:
    """Puts the items of a source right whose segments have changed."""

    def __init__(self, origin: Origin, touched: frozenset[str], after: Mapping[str, Memory]) -> None:
        self._origin = origin
        self._touched = touched
        self._texts = {number: _flat(memory.content) for number, memory in after.items()}

    def revised(self, item: Memory) -> Memory:
        """An item that leads to where its words stand now; it is stale if they stand nowhere in the source."""
        own = self._origin.numbers(item)
        if self._touched.isdisjoint(own):
            return item
        words = _flat(item.content)
        lost = [number for number in own if number in self._touched and words not in self._texts.get(number, "")]
        if not lost:
            return marked_stale(item, False)
        now = next((number for number, text in self._texts.items() if words in text), None)
        if now is None:
            return marked_stale(item, len(lost) == len(own))
        return marked_stale(with_numbers(item, self._origin, dict.fromkeys(lost, now)), False)


def _pairs(working: Mapping[Address, tuple[Record, Record]]) -> "Sequence[tuple[Memory, Memory]]":
    return [pair for old, new in working.values() for pair in zip(old, new, strict=True)]


def _metadata(draft: Draft) -> dict[str, Any]:
    found: dict[str, Any] = {ITEM_KIND: draft.kind}
    if draft.occurred_at:
        found["occurred_at"] = draft.occurred_at
    if draft.entities:
        found["entities"] = list(draft.entities)
    if draft.person:
        found["person"] = draft.person
    return found


def _flat(text: str) -> str:
    """A text on one line, to find a sentence in it that was broken into lines."""
    return " ".join(text.split())
