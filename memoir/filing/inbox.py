"""Sorting the inbox: memories that waited for a path are moved to one, with their history."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memoir.filing.decision import INBOX, Decision
from memoir.filing.filing import Filer, joined
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.read import chosen_namespaces, keys, records
from memoir.memory.record import Memory, Record, encode, projection, trimmed
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address


class Sorted(NamedTuple):
    """What became of one place in the inbox: where it goes (nowhere: it stays), and by whose decision."""

    place: Address
    content: str
    decision: Decision

    @property
    def targets(self) -> list[Address]:
        """The paths it goes to; none if it stays."""
        placed = self.decision.placements
        return [Address(self.place.namespace, placement.path) for placement in placed]


def sort(
    filer: Filer,
    *,
    namespaces: Sequence[str] = (),
    options: WriteOptions = DEFAULTS,
) -> tuple[list[Sorted], Commit | None]:
    """Decide for everything in the inbox, and move in one commit what a classifier is sure enough of.

    A memory that changed meanwhile stays. On an occupied path it joins what is there, and what is there already
    is confirmed; nothing is lost.

    Raises:
        InvalidInput: the message looks like a credential.
    """
    check_message(options)
    head = filer.store.head(options.branch)
    found = list(_decided(filer, _waiting(head, namespaces), options.branch))
    moving = [item for item in found if item.targets]
    if options.dry_run or not moving:
        return found, None

    def change(now: Snapshot) -> Change:
        places = {place: None for item in moving for place in (item.place, *item.targets)}
        changed = records(now, places)
        moves: list[tuple[bytes, bytes]] = []
        for item in moving:
            if item.place in changed and projection(changed[item.place]) == item.content:
                _move(filer, changed, item)
                moves += [(item.place.key, target.key) for target in item.targets]
        gone: dict[bytes, None] = dict.fromkeys(old for old, _ in moves)
        edits = {place.key: encode(record) for place, record in changed.items() if place.key not in gone}
        text = options.message or f"classify {len(gone)} from the inbox"
        return Change({**edits, **gone}.items(), text, tuple(moves))

    return found, write(filer.store, change, branch=options.branch, reason="classify")


def _waiting(head: Snapshot, namespaces: Sequence[str]) -> list[tuple[Address, Record]]:
    """What is in the inbox, the oldest first: where several go to one path, they join it in this order."""
    names = [name for name in chosen_namespaces(head, namespaces) if name != TAXONOMY_NAMESPACE]
    waiting = records(head, keys(head, names, prefix=INBOX), listed=True)
    return sorted(waiting.items(), key=lambda found: (found[1][0].timestamp, found[0]))


def _decided(filer: Filer, waiting: Iterable[tuple[Address, Record]], branch: str | None) -> Iterator[Sorted]:
    """What becomes of each; once a model gives no answer, it is not asked again."""
    silent: Decision | None = None
    for place, record in waiting:
        content = projection(record)
        decision = silent or filer.decide(content, place.namespace, branch)
        if decision.unanswered:
            silent = decision
        yield Sorted(place, content, decision)


def _move(filer: Filer, changed: dict[Address, Record], item: Sorted) -> None:
    """Bring every memory of a place to its targets; the superseded ones go along."""
    for target in item.targets:
        for memory in changed[item.place]:
            new = filer.marked(memory, item.decision)
            changed[target] = _joined(changed.get(target), new)


def _joined(record: Record | None, new: Memory) -> Record:
    if record is None:
        return (new,)
    return joined(record, new).record if new.active else trimmed((new, *record))
