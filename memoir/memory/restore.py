"""Bringing records, or single memories of them, back as they were."""

from collections.abc import Collection, Sequence

from memoir.memory.facets import by_place, has_whole, ids_of, locate
from memoir.memory.read import records, require
from memoir.memory.soundness import refuse_faults
from memoir.memory.write import refuse_own, write_change
from memoir.memory.write_options import DEFAULTS, WriteOptions, WriteResult, check_message, first_few
from memoir.records.damage import read_record
from memoir.records.record import Record, encode, trim
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.taxonomy.memory_address import MemoryAddress


def restore(
    store: Store, targets: Sequence[MemoryAddress], source: Snapshot, options: WriteOptions = DEFAULTS
) -> WriteResult:
    """Bring records back as they were in another snapshot; of one memory, its neighbours stay as they are now."""
    check_message(options)
    groups = by_place(targets)
    refuse_own(groups)
    values = require(source, list(groups))
    refuse_faults(values)
    past = {place: read_record(place, values[place]) for place, group in groups.items() if not has_whole(group)}
    done = [name for place, group in groups.items() for name in _whole(past.get(place), group)]
    deed = f"restore {first_few([target.label for target in done])}"
    at = f"{source.commit.id:.12}" if source.commit else ""

    def change(head: Snapshot) -> Change:
        edits = {place.key: values[place] for place in groups}
        today = records(head, past)
        for place, record in past.items():
            wanted = {target.id for target in done if target.place == place}
            edits[place.key] = encode(trim(_put_back(today.get(place, ()), record, wanted)))
        return Change(edits.items(), options.message or f"{deed} from {at}")

    return WriteResult(done, write_change(store, change, options, deed))


def _whole(record: Record | None, targets: Sequence[MemoryAddress]) -> Sequence[MemoryAddress]:
    """The addresses of one path with whole ids; without its record, the whole path is meant."""
    return list(locate(record, targets)) if record else [MemoryAddress(targets[0].place)]


def _put_back(now: Record, past: Record, wanted: Collection[str]) -> Record:
    """A record with memories of an earlier state of it: each takes its own place, or comes after what it came after."""
    result, ids, past_ids = list(now), ids_of(now), ids_of(past)
    for at, identity in enumerate(past_ids):
        if identity in wanted and identity in ids:
            result[ids.index(identity)] = past[at]
        elif identity in wanted:
            place = next((ids.index(before) + 1 for before in reversed(past_ids[:at]) if before in ids), 0)
            result.insert(place, past[at])
            ids.insert(place, identity)
    return tuple(result)
