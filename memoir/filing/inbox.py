"""Sort the inbox: move memories that wait for a path to one, with their history."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memoir.english.lexicon.own_words import OwnLine
from memoir.filing.decision import Decision
from memoir.filing.filer import Filer, confirm_or_merge
from memoir.memory.layer_namespaces import memories_of
from memoir.memory.read import keys, records, select_namespaces
from memoir.memory.store_lexicon import find_offers
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.record import Memory, Record, encode, projection, trim
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import INBOX, Address


class InboxItem(NamedTuple):
    """A place in the inbox, the content there, and the decision about it."""

    place: Address
    content: str
    decision: Decision
    own_lines: tuple[OwnLine, ...] = ()
    """The project's names for things that it defines, for 'memoir lexicon add'."""

    @property
    def targets(self) -> list[Address]:
        """The addresses that the item is moved to; none if it stays."""
        return [Address(self.place.namespace, placement.path) for placement in self.decision.placements]


def sort_inbox(
    filer: Filer,
    *,
    namespaces: Sequence[str] = (),
    options: WriteOptions = DEFAULTS,
) -> tuple[list[InboxItem], Commit | None]:
    """Decide about all memories in the inbox, and move those that get a path in one commit.

    A memory that changed meanwhile stays. At an occupied path, a memory that is there already is confirmed, and any
    other is added, so nothing is lost.
    """
    check_message(options)
    head = filer.store.head(options.branch)
    decided = _decide(filer, _inbox_records(head, namespaces), options.branch)
    items = [each._replace(own_lines=tuple(find_offers(head, [each.content]))) for each in decided]
    ready_items = [item for item in items if item.targets]
    if options.dry_run or not ready_items:
        return items, None

    def change(now: Snapshot) -> Change:
        by_address = records(now, {address: None for item in ready_items for address in (item.place, *item.targets)})
        moves: list[tuple[bytes, bytes]] = []
        for item in ready_items:
            if item.place in by_address and projection(by_address[item.place]) == item.content:
                _move(filer, by_address, item)
                moves += [(item.place.key, target.key) for target in item.targets]
        removals: dict[bytes, None] = dict.fromkeys(old for old, _ in moves)
        edits = {address.key: encode(record) for address, record in by_address.items() if address.key not in removals}
        message = options.message or f"classify {len(removals)} from the inbox"
        return Change({**edits, **removals}.items(), message, tuple(moves))

    return items, write(filer.store, change, branch=options.branch, reason="classify")


def _inbox_records(head: Snapshot, namespaces: Sequence[str]) -> list[tuple[Address, Record]]:
    """The records in the inbox, oldest first, as they are added to a path."""
    names = memories_of(head, select_namespaces(head, namespaces))
    inbox = records(head, keys(head, names, prefix=INBOX), listed=True)
    return sorted(inbox.items(), key=lambda item: (item[1][0].timestamp, item[0]))


def _decide(filer: Filer, items: Iterable[tuple[Address, Record]], branch: str | None) -> Iterator[InboxItem]:
    """Decide about each record; a model that fails to answer is not asked again."""
    silent: Decision | None = None
    for address, record in items:
        content = projection(record)
        decision = silent or filer.decide(content, address.namespace, branch)
        if decision.unanswered:
            silent = decision
        yield InboxItem(address, content, decision)


def _move(filer: Filer, changes: dict[Address, Record], item: InboxItem) -> None:
    """Move every memory of an item to its targets, superseded ones included."""
    for target in item.targets:
        for memory in changes[item.place]:
            changes[target] = _record_with(changes.get(target), filer.annotate(memory, item.decision))


def _record_with(record: Record | None, new: Memory) -> Record:
    if record is None:
        return (new,)
    return confirm_or_merge(record, new).record if new.active else trim((new, *record))
