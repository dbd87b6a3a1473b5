"""Removing a source: its segments, and what was derived from it alone, are forgotten; history keeps them."""

from typing import NamedTuple

from memoir.errors import NotFound
from memoir.layers.derivations import Origin, has_source, records_of, review, revive, with_numbers
from memoir.layers.segments import StoredSource, find_source, place_of, read_segments, sources_in
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.record import Memory, encode
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write


class Removal(NamedTuple):
    """A source that was removed.

    Attributes:
        source: What it was.
        items: How many memories were derived from it alone, and are gone with it.
        kept: How many were derived from something else as well, and stay.
        commit: None in a dry run.
    """

    source: StoredSource
    items: int
    kept: int
    commit: Commit | None


def remove_source(store: Store, name: str, namespace: str, options: WriteOptions = DEFAULTS) -> Removal:
    """Forget the segments of a source, and the memories that were derived from it alone."""
    check_message(options)
    done: list[Removal] = []

    def change(head: Snapshot) -> Change:
        source = _require(head, namespace, name)
        numbers = read_segments(head, namespace, name)
        edits: dict[bytes, bytes | None] = {place_of(namespace, name, number).key: None for number in numbers}
        items, orphan_count, other_count = _without_source(head, namespace, name)
        done[:] = [Removal(source, orphan_count, other_count, None)]
        return Change({**edits, **items}.items(), options.message or f"remove source {name}")

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"remove source {name}")
    return done[0]._replace(commit=commit)


def _without_source(head: Snapshot, namespace: str, name: str) -> tuple[dict[bytes, bytes | None], int, int]:
    """The records with items of a source as they are without it, and how many items that removes and keeps."""
    origin = Origin.of(namespace, name)
    orphans, others = list[Memory](), list[Memory]()

    def unlink(item: Memory) -> Memory | None:
        if not (own := origin.numbers(item)):
            return item
        rest = with_numbers(item, origin, dict.fromkeys(own))
        (others if has_source(rest) else orphans).append(item)
        return rest if has_source(rest) else None

    entries = records_of(head, namespace, origin)
    after = {place: revive(review(record, unlink), record) for place, record in entries.items()}
    edits = {place.key: encode(record) if record else None for place, record in after.items()}
    return edits, len(orphans), len(others)


def _require(head: Snapshot, namespace: str, name: str) -> StoredSource:
    from difflib import get_close_matches

    if match := find_source(head, namespace, name):
        return match
    close = get_close_matches(name, [source.name for source in sources_in(head, namespace)], 1)
    raise NotFound(f"no source {name!r}", f"did you mean {close[0]!r}?" if close else "'memoir sources' lists them")
