"""Replacing one memory by another that is in the store already: the newer one takes the older one's path."""

from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.memory.facets import active_places, find, id_at, refuse_passages
from memoir.memory.read import require_record
from memoir.memory.write import refuse_in_layers, refuse_own, write_change
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message, subject
from memoir.records.metadata import note_correction
from memoir.records.policy import Outcome, replace_one, said_again
from memoir.records.record import Memory, Record, decode, encode
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.taxonomy.paths import Address, MemoryAddress


class Replacement(NamedTuple):
    """What was replaced."""

    commit: Commit | None
    """None in a dry run."""
    old: MemoryAddress
    """The address of the old memory, which stays there as superseded."""
    new: MemoryAddress
    """Where the new memory was. It is at the old one's path now."""
    outcome: Outcome
    """What became of the record there."""


def replace(
    store: Store,
    old: MemoryAddress,
    new: MemoryAddress,
    options: WriteOptions = DEFAULTS,
    *,
    again: Memory | None = None,
) -> Replacement:
    """Let one memory take the place of another: it moves to the other's path, where that becomes superseded.

    `again`, if given, says the new memory once more, and confirms it.

    What else is at the two paths stays as it is. History and blame keep the old memory, and where the new one was.
    """
    check_message(options)
    addresses = [old.place, new.place]
    refuse_own(addresses)
    deed = f"replace {old.label} by {new.label}"
    done: list[Replacement] = []

    def change(head: Snapshot) -> Change:
        refuse_in_layers(head, addresses)
        target, source = (require_record(head, each.place, prefixed=True) for each in (old, new))
        loser, winner = require_active(target, old), require_active(source, new)
        if again:
            source = (*source[:winner], said_again(source[winner], again), *source[winner + 1 :])
        edits, outcome = _replace((old.place, target, loser), (new.place, source, winner))
        done[:] = [Replacement(None, _named(old, target, loser), _named(new, source, winner), outcome)]
        text = options.message or subject(deed, outcome.superseded[0].content)
        return Change([(address.key, encode(record) if record else None) for address, record in edits.items()], text)

    commit = write_change(store, change, options, deed)
    return done[0]._replace(commit=commit)


_Place = tuple[Address, Record, int]
"""A path, the record there, and where a memory is in it."""


def _replace(old: _Place, new: _Place) -> tuple[dict[Address, Record], Outcome]:
    """The records that result, an empty one where none is left, and the outcome at the old memory's path."""
    (address, target, loser), (former, source, winner) = old, new
    rest = source[:winner] + source[winner + 1 :]
    if address == former:
        if loser == winner:
            raise InvalidInput("a memory cannot replace itself", "name the old memory, then the new one")
        outcome = replace_one(rest, target[loser], source[winner])
        return {address: outcome.record}, outcome
    # The move away from a path teaches filing, if memoir had filed it there.
    (moved,) = decode(note_correction(encode((source[winner],)), former))
    outcome = replace_one(target, target[loser], moved)
    return {address: outcome.record, former: rest if any(each.active for each in rest) else ()}, outcome


def _named(target: MemoryAddress, record: Record, at: int) -> MemoryAddress:
    """The address of a memory with its whole id, if it needs one."""
    return target._replace(id=id_at(record, at))


def require_active(record: Record, target: MemoryAddress) -> int:
    """Where the active memory that an address names is in its record.

    Raises:
        NotFound: no memory has that id. InvalidInput: it is superseded, or the address is of several memories.
    """
    places = active_places(record)
    if not target.id and len(places) > 1:
        raise InvalidInput(
            f"{target.short_key} holds {len(places)} memories",
            f"name one of them by its id: 'memoir get {target.short_key}' shows the ids",
        )
    refuse_passages([target])
    at = find(record, target) if target.id else places[0]
    if not record[at].active:
        raise InvalidInput(f"{target.short_key} is superseded already", f"'memoir blame {target.path}' shows by what")
    return at
