"""Moves records, single memories or prefixes to other paths, and replaces one memory by another."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.memory.facets import active_positions, find, id_at, refuse_passages, split
from memoir.memory.read import require, require_record, under_prefix
from memoir.memory.write import refuse_in_layers, refuse_own, write_change
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message, subject
from memoir.records.damage import read_record
from memoir.records.metadata import note_correction
from memoir.records.policy import Outcome, combine_records, replace_one, said_again
from memoir.records.record import Memory, Record, active_facets, decode, encode
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
    """The old and new address of each record or memory; the new one has an id if others are at its path."""


class _Move(NamedTuple):
    """One move: the source, the new path, the stored bytes, and what stays at the old path (None: nothing)."""

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

    With `append`, memories are added to those at an occupied path. Memories that memoir filed note their old path,
    because the move corrects the filing (`memoir.records.metadata`).
    """
    _refuse_bad_move(source, target, prefix, options)
    done: list[_Move] = []
    arrived: list[MemoryAddress] = []

    def change(head: Snapshot) -> Change:
        addresses = under_prefix(head, source.place) if prefix else [source.place]
        values = require(head, addresses, prefixed=True)
        pairs = [
            (each, address(target.path + each.path.removeprefix(source.path), target.namespace)) for each in addresses
        ]
        apart = {old for old, _ in pairs}.isdisjoint(new for _, new in pairs)
        done[:] = [_plan_move(source._replace(place=old), new, values[old], apart) for old, new in pairs]
        refuse_in_layers(head, [each for pair in pairs for each in pair])
        edits = {each.source.place.key: each.rest for each in done}
        arrivals = _arrivals(head, done, None if append else _append_hint(source, target, prefix))
        arrived[:] = [_new_address(each, arrivals[each.new.key]) for each in done]
        edits |= arrivals
        moves = tuple((each.source.place.key, each.new.key) for each in done if each.rest is None)
        return Change(edits.items(), options.message or _message(done), moves)

    commit = write_change(store, change, options, lambda: _message(done))
    return MoveResult(commit, [(each.source, new) for each, new in zip(done, arrived, strict=True)])


def _refuse_bad_move(source: MemoryAddress, target: Address, prefix: bool, options: WriteOptions) -> None:
    if not options.allow_secrets:
        from memoir.secrets.secrets import check_around

        check_around(options.message, [target])
    if source.place == target:
        raise InvalidInput("the old and the new path are the same")
    if source.id and prefix:
        raise InvalidInput(f"{source.short_key} names one memory, but --prefix is for many", "leave out one of them")
    refuse_own([source.place, target])


def _plan_move(source: MemoryAddress, new: Address, data: bytes, apart: bool) -> _Move:
    """Plan one move. With `apart`, no new path is an old one; otherwise blame follows a move only by equal values."""
    if not source.id:
        return _Move(source, new, note_correction(data, source.place) if apart else data, None)
    chosen, rest, (name,) = split(read_record(source.place, data), [source])
    value = note_correction(encode(chosen), source.place)
    return _Move(name, new, value, encode(rest) if rest else None)


def _arrivals(head: Snapshot, moves: Sequence[_Move], refusal: str | None) -> dict[bytes, bytes]:
    """The records at the new paths, added to those already there; with a `refusal`, an occupied path is an error."""
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


def _new_address(move: _Move, data: bytes) -> MemoryAddress:
    """The new address of a move, with an id if a single memory moved to an occupied path."""
    if data == move.value:
        return MemoryAddress(move.new)
    record, moved = read_record(move.new, data), active_facets(read_record(move.new, move.value))
    return MemoryAddress(move.new, id_at(record, record.index(moved[0])) if len(moved) == 1 else "")


def _append_hint(source: MemoryAddress, target: Address, prefix: bool) -> str:
    """The hint with the command that adds the memories to those at an occupied path."""
    options = "--prefix --append" if prefix else "--append"
    return f"'memoir mv {options} {source.short_key} {target.short_key}' adds to what is there"


def _message(moves: Sequence[_Move]) -> str:
    first = moves[0]
    return f"mv {first.source.label} {first.new.path}" + (f" and {len(moves) - 1} more" if len(moves) > 1 else "")


class Replacement(NamedTuple):
    """The result of a replacement."""

    commit: Commit | None
    """None in a dry run."""
    old: MemoryAddress
    """The address of the old memory, which stays there as superseded."""
    new: MemoryAddress
    """The former address of the new memory, which is at the old one's path now."""
    outcome: Outcome
    """The outcome for the record there."""


def replace(
    store: Store,
    old: MemoryAddress,
    new: MemoryAddress,
    options: WriteOptions = DEFAULTS,
    *,
    again: Memory | None = None,
) -> Replacement:
    """Replace one memory by another: the new one moves to the path of the old one and supersedes it.

    `again`, if given, repeats the new memory and confirms it.

    Other memories at the two paths are unchanged. History and blame keep the old memory and the former path of the new
    one.
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
        done[:] = [Replacement(None, _with_whole_id(old, target, loser), _with_whole_id(new, source, winner), outcome)]
        text = options.message or subject(deed, outcome.superseded[0].content)
        return Change([(address.key, encode(record) if record else None) for address, record in edits.items()], text)

    commit = write_change(store, change, options, deed)
    return done[0]._replace(commit=commit)


_Place = tuple[Address, Record, int]
"""A path, the record there, and the index of a memory in it."""


def _replace(old: _Place, new: _Place) -> tuple[dict[Address, Record], Outcome]:
    """The resulting records, empty where none is left, and the outcome at the old memory's path."""
    (address, target, loser), (former, source, winner) = old, new
    rest = source[:winner] + source[winner + 1 :]
    if address == former:
        if loser == winner:
            raise InvalidInput("a memory cannot replace itself", "name the old memory, then the new one")
        outcome = replace_one(rest, target[loser], source[winner])
        return {address: outcome.record}, outcome
    # A move away from a path that memoir chose teaches filing.
    (moved,) = decode(note_correction(encode((source[winner],)), former))
    outcome = replace_one(target, target[loser], moved)
    return {address: outcome.record, former: rest if any(each.active for each in rest) else ()}, outcome


def _with_whole_id(target: MemoryAddress, record: Record, at: int) -> MemoryAddress:
    """The address of a memory with its whole id, if it needs one."""
    return target._replace(id=id_at(record, at))


def require_active(record: Record, target: MemoryAddress) -> int:
    """The index of the active memory that an address names.

    Raises:
        NotFound: no memory has that id. InvalidInput: it is superseded, or the address names several memories.
    """
    positions = active_positions(record)
    if not target.id and len(positions) > 1:
        raise InvalidInput(
            f"{target.short_key} holds {len(positions)} memories",
            f"name one of them by its id: 'memoir get {target.short_key}' shows the ids",
        )
    refuse_passages([target])
    at = find(record, target) if target.id else positions[0]
    if not record[at].active:
        raise InvalidInput(f"{target.short_key} is superseded already", f"'memoir blame {target.path}' shows by what")
    return at
