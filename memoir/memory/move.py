"""Moving memories to other paths: a record, one memory of it, or all records under a prefix."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.memory.facets import id_at, split
from memoir.memory.read import require, under_prefix
from memoir.memory.write import refuse_in_layers, refuse_own, write_change
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.records.damage import read_record
from memoir.records.metadata import note_correction
from memoir.records.policy import combine_records
from memoir.records.record import active_facets, encode
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.taxonomy.paths import Address, MemoryAddress, address, check_new


class MoveResult(NamedTuple):
    """The result of a move."""

    commit: Commit | None
    """The commit; None if nothing changed."""
    pairs: list[tuple[MemoryAddress, MemoryAddress]]
    """The old and the new address of each record or memory; the new one has an id where it has neighbours."""


class _Move(NamedTuple):
    """What moves: from where to where, as it is stored, and what stays at the old path (None: nothing)."""

    source: MemoryAddress
    new: Address
    value: bytes
    rest: bytes | None


def move(
    store: Store,
    source: MemoryAddress,
    target: Address,
    *,
    prefix: bool = False,
    append: bool = False,
    options: WriteOptions = DEFAULTS,
) -> MoveResult:
    """Move a record, one memory of it, or with `prefix` every record at or under an address, in one commit.

    With `append`, memories are added to those at an occupied path. Memories that memoir filed note where they were,
    because the move corrects the filing (`memoir.records.metadata`).
    """
    _refuse(source, target, prefix, options)
    done: list[_Move] = []
    arrived: list[MemoryAddress] = []

    def change(head: Snapshot) -> Change:
        addresses = under_prefix(head, source.place) if prefix else [source.place]
        values = require(head, addresses, prefixed=True)
        pairs = [
            (each, address(target.path + each.path.removeprefix(source.path), target.namespace)) for each in addresses
        ]
        apart = {old for old, _ in pairs}.isdisjoint(new for _, new in pairs)
        done[:] = [_plan(source._replace(place=old), new, values[old], apart) for old, new in pairs]
        refuse_in_layers(head, [each for pair in pairs for each in pair])
        edits = {each.source.place.key: each.rest for each in done}
        arrivals = _arrivals(head, done, None if append else _typed(source, target, prefix))
        arrived[:] = [_arrived(each, arrivals[each.new.key]) for each in done]
        edits |= arrivals
        moves = tuple((each.source.place.key, each.new.key) for each in done if each.rest is None)
        return Change(edits.items(), options.message or _message(done), moves)

    commit = write_change(store, change, options, lambda: _message(done))
    return MoveResult(commit, [(each.source, new) for each, new in zip(done, arrived, strict=True)])


def _refuse(source: MemoryAddress, target: Address, prefix: bool, options: WriteOptions) -> None:
    if not options.allow_secrets:
        from memoir.secrets.secrets import check_around

        check_around(options.message, [target])
    if source.place == target:
        raise InvalidInput("the old and the new path are the same")
    if source.id and prefix:
        raise InvalidInput(f"{source.short_key} names one memory, --prefix many", "leave out one of them")
    refuse_own([source.place, target])


def _plan(source: MemoryAddress, new: Address, data: bytes, apart: bool) -> _Move:
    """One move. `apart` says that no new path is an old one: else blame follows a move by equal values alone."""
    if not source.id:
        return _Move(source, new, note_correction(data, source.place) if apart else data, None)
    chosen, rest, (name,) = split(read_record(source.place, data), [source])
    value = note_correction(encode(chosen), source.place)
    return _Move(name, new, value, encode(rest) if rest else None)


def _arrivals(head: Snapshot, moves: Sequence[_Move], refusal: str | None) -> dict[bytes, bytes]:
    """The records at the new paths; what is there already stays, unless a refusal says that it may not."""
    gone = {each.source.place.key for each in moves if each.rest is None}
    occupied = head.read([each.new.key for each in moves if each.new.key not in gone])
    arrivals = {}
    for each in moves:
        check_new(each.new)
        if (there := occupied.get(each.new.key)) is None:
            arrivals[each.new.key] = each.value
        elif refusal:
            raise Conflict(f"{each.new.full_key} is occupied", refusal)
        else:
            records = [
                read_record(address, data) for address, data in ((each.new, there), (each.source.place, each.value))
            ]
            arrivals[each.new.key] = encode(combine_records("append", *records))
    return arrivals


def _arrived(move: _Move, data: bytes) -> MemoryAddress:
    """The new address of what moved: with the id of a single memory that has neighbours there."""
    if data == move.value:
        return MemoryAddress(move.new)
    record, moved = read_record(move.new, data), active_facets(read_record(move.new, move.value))
    return MemoryAddress(move.new, id_at(record, record.index(moved[0])) if len(moved) == 1 else "")


def _typed(source: MemoryAddress, target: Address, prefix: bool) -> str:
    """The hint of what to type to add memories to those at an occupied path."""
    options = "--prefix --append" if prefix else "--append"
    return f"'memoir mv {options} {source.short_key} {target.short_key}' adds to what is there"


def _message(moves: Sequence[_Move]) -> str:
    first = moves[0]
    return f"mv {first.source.label} {first.new.path}" + (f" and {len(moves) - 1} more" if len(moves) > 1 else "")
