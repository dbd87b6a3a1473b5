"""Pinned memories, which every session begins with.

A memory is pinned if its metadata has `"pinned": true`, JSON's true and nothing that only looks like it.
`memoir.memory.standing` finds them again.
"""

from collections.abc import Sequence

from memoir.errors import InvalidInput
from memoir.memory.damage import read_record
from memoir.memory.metadata import PIN
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.read import require
from memoir.memory.record import Memory, Record, active_facets, encode
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import LAYERS_NAMESPACE, TAXONOMY_NAMESPACE, Address


def is_pinned(memory: Memory) -> bool:
    """Whether a memory is active and pinned."""
    return memory.active and memory.metadata.get(PIN) is True


def set_pins(store: Store, places: Sequence[Address], pinned: bool, options: WriteOptions = DEFAULTS) -> Commit | None:
    """Pin or unpin the active memories at some addresses, in one commit; None if all were so already.

    Raises:
        NotFound: one of them holds nothing. DamagedStore: a record cannot be read.
        InvalidInput: an address is in a layer or in a namespace of memoir's own, or the message looks like a
            credential.
    """
    from memoir.memory.layers import refuse_layers
    from memoir.store.transaction import Change, write

    check_message(options)
    if any(place.namespace in (TAXONOMY_NAMESPACE, LAYERS_NAMESPACE) for place in places):
        raise InvalidInput("only memories can be pinned", "'memoir taxonomy' changes categories")
    deed = f"{'pin' if pinned else 'unpin'} {', '.join(place.path for place in places)}"

    def change(head: Snapshot) -> Change:
        refuse_layers(head, places)
        values = require(head, places)
        records = {place: _mark(read_record(place, data), pinned) for place, data in values.items()}
        edits = [(place.key, data) for place, record in records.items() if (data := encode(record)) != values[place]]
        return Change(edits, options.message or deed)

    return write(store, change, branch=options.branch, dry_run=options.dry_run, reason=deed)


def _mark(record: Record, pinned: bool) -> Record:
    active = {id(facet) for facet in active_facets(record)}
    return tuple(_mark_facet(facet, pinned) if id(facet) in active else facet for facet in record)


def _mark_facet(facet: Memory, pinned: bool) -> Memory:
    rest = {name: value for name, value in facet.metadata.items() if name != PIN}
    return facet._replace(metadata={**rest, PIN: True} if pinned else rest)
