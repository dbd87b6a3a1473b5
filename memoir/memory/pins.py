"""Pinned memories, which every session begins with.

A memory is pinned if its metadata has `"pinned": true`, JSON's true and nothing that only looks like it.
`memoir.primer.standing_memories` finds them again.
"""

from collections.abc import Collection, Sequence

from memoir.errors import InvalidInput
from memoir.memory.facets import active_places, by_place, has_whole, locate
from memoir.memory.read import require
from memoir.memory.write_options import DEFAULTS, WriteOptions, WriteResult, check_message, first_few
from memoir.records.damage import read_record
from memoir.records.metadata import PIN
from memoir.records.record import Memory, Record, encode
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.taxonomy.paths import LAYERS_NAMESPACE, TAXONOMY_NAMESPACE


def is_pinned(memory: Memory) -> bool:
    """Whether a memory is active and pinned."""
    return memory.active and memory.metadata.get(PIN) is True


def set_pins(
    store: Store, targets: Sequence[MemoryAddress], pinned: bool, options: WriteOptions = DEFAULTS
) -> WriteResult:
    """Pin or unpin the active memories at some addresses, in one commit; none is made if all were so already.

    Raises:
        InvalidInput: an address is in a layer or in a namespace of memoir's own, an id could be of several memories or
            is of a superseded one, or the message looks like a credential.
    """
    from memoir.memory.layer_namespaces import refuse_layers
    from memoir.store.transaction import Change, write

    check_message(options)
    groups = by_place(targets)
    if any(place.namespace in (TAXONOMY_NAMESPACE, LAYERS_NAMESPACE) for place in groups):
        raise InvalidInput("only memories can be pinned", "'memoir taxonomy' changes categories")
    done: list[MemoryAddress] = []

    def deed() -> str:
        return f"{'pin' if pinned else 'unpin'} {first_few([target.label for target in done])}"

    def change(head: Snapshot) -> Change:
        refuse_layers(head, list(groups))
        values = require(head, list(groups))
        done.clear()
        edits = {}
        for place, group in groups.items():
            record, names = _mark(read_record(place, values[place]), group, pinned)
            done.extend(names)
            edits[place.key] = encode(record)
        return Change(edits.items(), options.message or deed())

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=deed)
    return WriteResult(done, commit)


def _mark(record: Record, targets: Sequence[MemoryAddress], pinned: bool) -> tuple[Record, Collection[MemoryAddress]]:
    """A record with the active memories that some addresses of its path name pinned or not, and their whole ids."""
    active = active_places(record)
    marks = {} if has_whole(targets) else locate(record, targets)
    for target, at in marks.items():
        if pinned and at not in active:
            raise InvalidInput(f"{target.short_key} is superseded, and only what holds can be pinned")
    places = set(marks.values()) or active
    marked = (_mark_facet(facet, pinned) if at in places else facet for at, facet in enumerate(record))
    return tuple(marked), marks or [MemoryAddress(targets[0].place)]


def _mark_facet(facet: Memory, pinned: bool) -> Memory:
    rest = {name: value for name, value in facet.metadata.items() if name != PIN}
    return facet._replace(metadata={**rest, PIN: True} if pinned else rest)
