"""Writing memories: each function is one commit, or none if nothing changes."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from memoir.errors import Conflict, InvalidInput, MemoirError
from memoir.memory.correction import correct
from memoir.memory.damage import read_record
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.policy import Outcome, check_policy, combine, confirm_or_combine
from memoir.memory.private import refuse_private
from memoir.memory.read import records, require, under_prefix
from memoir.memory.record import Memory, Record, encode, projection, trim
from memoir.memory.soundness import refuse_faults
from memoir.memory.subject import subject
from memoir.named_tuple import NamedTuple
from memoir.store.commit import Commit
from memoir.store.lock import require_lock
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import ITEM_KIND, default_policy
from memoir.taxonomy.paths import LAYERS_NAMESPACE, TAXONOMY_NAMESPACE, Address, address, check_new, from_key

if TYPE_CHECKING:
    from memoir.memory.changes import MoveResult

Combine = Callable[[Address, Record | None], Outcome]
"""Given an address and the record there, the outcome of remembering a memory there."""


class CommitResult(NamedTuple):
    """The commit (None if nothing changed) and what became of the record at each path."""

    commit: Commit | None
    outcomes: dict[Address, Outcome]


def remember(
    store: Store,
    new: Memory,
    addresses: Sequence[Address],
    *,
    policy: str | None = None,
    outcome: Combine | None = None,
    options: WriteOptions = DEFAULTS,
) -> CommitResult:
    """Store one memory at one or more addresses in one commit.

    Without a policy, the memory's kind decides, else the kind that each path's first segment names, and a memory that
    is there already is confirmed, not stored twice. `outcome`, if given, replaces the policy. What the memory links to
    gets an id, if it has none.

    Raises:
        InvalidInput: no such policy, a path that could be taken for another or is in a layer, or a refusal of
            `refuse_unfit`.
        Conflict: the policy is `reject` and a path is occupied.
    """
    refuse_unfit(new, addresses, options)
    decide = outcome or _by_policy(policy, new)
    outcomes: dict[Address, Outcome] = {}
    deed = f"remember {_list(addresses)}"
    text = options.message or subject(deed, new.content)

    def change(head: Snapshot) -> Change:
        _refuse_layers(head, addresses)
        old_records = records(head, addresses)
        for place in addresses:
            if place not in old_records:
                check_new(place)
            outcomes[place] = decide(place, old_records.get(place))
        values = {place.key: encode(outcomes[place].record) for place in outcomes}
        return Change({**_ids_minted(head, new), **values}.items(), text)

    return CommitResult(_write(store, change, options, deed), outcomes)


def _ids_minted(head: Snapshot, new: Memory) -> dict[bytes, bytes]:
    """The records that a memory links to and that get an id by that."""
    if "links" not in new.metadata:
        return {}
    from memoir.memory.ids import mint_targets

    return {place.key: encode(record) for place, record in mint_targets(head, new).items()}


def _by_policy(policy: str | None, new: Memory) -> Combine:
    """How a memory joins what is at a path: by one policy, or without one by its kind, or that which the path names.

    Raises:
        InvalidInput: there is no such policy.
    """
    if policy is None:
        kind = new.metadata.get(ITEM_KIND)
        return lambda place, record: confirm_or_combine(default_policy(place.path, kind), record, new)
    check_policy(policy)
    return lambda place, record: combine(policy, record, new)


def refuse_unfit(new: Memory, places: Iterable[Address], options: WriteOptions) -> None:
    """Refuse a memory that may not be stored at some places.

    Raises:
        InvalidInput: a place is in the namespace of the taxonomy; the memory has a private passage; or the memory, a
            place or the message looks like a credential and `options` does not allow that.
    """
    places = list(places)
    _refuse_own(places)
    refuse_private(new)
    if not options.allow_secrets:
        from memoir.memory.secrets import check_memory

        check_memory(new, places, options.message)


def _refuse_own(places: Iterable[Address]) -> None:
    if any(place.namespace == TAXONOMY_NAMESPACE for place in places):
        raise InvalidInput(
            f"{TAXONOMY_NAMESPACE} is for categories, not for memories",
            "change them with 'memoir taxonomy add', 'load' or 'reset'",
        )
    if any(place.namespace == LAYERS_NAMESPACE for place in places):
        raise InvalidInput(f"{LAYERS_NAMESPACE} is memoir's own, not for memories", "choose another namespace")


def _refuse_layers(head: Snapshot, places: Sequence[Address]) -> None:
    """Refuse places in layers; the name of a layer has a colon.

    Raises:
        InvalidInput: one is in a layer.
    """
    if any(":" in place.namespace for place in places):
        from memoir.memory.layers import refuse_layers

        refuse_layers(head, places)


def forget(store: Store, addresses: Sequence[Address], options: WriteOptions = DEFAULTS) -> Commit | None:
    """Forget the records at all the given addresses in one commit.

    Raises:
        NotFound: one of them holds nothing; then nothing is forgotten.
        InvalidInput: the message looks like a credential, or an address is in the namespace of the taxonomy.
    """
    check_message(options)
    _refuse_own(addresses)
    deed = f"forget {_list(addresses)}"

    def change(head: Snapshot) -> Change:
        require(head, addresses, prefixed=True)
        return Change([(place.key, None) for place in addresses], options.message or deed)

    return _write(store, change, options, deed)


def move(
    store: Store, source: Address, target: Address, *, prefix: bool = False, options: WriteOptions = DEFAULTS
) -> "MoveResult":
    """Move a record, or with `prefix` every record at or under an address, in one commit.

    Memories that memoir filed note where they were, because the move corrects the filing (`memoir.memory.correction`).

    Raises:
        NotFound: there is nothing at the old address. Conflict: a new one is occupied.
        InvalidInput: both are the same, one is in a layer or in a namespace of memoir's own, a new one could be taken
            for another, or the new address or the message looks like a credential.
    """
    if not options.allow_secrets:
        from memoir.memory.secrets import check_around

        check_around(options.message, [target])
    if source == target:
        raise InvalidInput("the old and the new path are the same")
    _refuse_own([source, target])
    done: list[tuple[Address, Address]] = []

    def change(head: Snapshot) -> Change:
        places = under_prefix(head, source) if prefix else [source]
        require(head, places, prefixed=True)
        done[:] = [(place, _rebase(place, source, target)) for place in places]
        _refuse_targets(head, done)
        _refuse_layers(head, [place for pair in done for place in pair])
        values = head.read([old.key for old, _ in done])
        edits: dict[bytes, bytes | None] = dict.fromkeys(values)
        apart = edits.keys().isdisjoint(new.key for _, new in done)  # else blame follows a move by equal values alone
        edits |= {new.key: correct(values[old.key], old) if apart else values[old.key] for old, new in done}
        moves = tuple((old.key, new.key) for old, new in done)
        return Change(edits.items(), options.message or _move_message(done), moves)

    from memoir.memory.changes import MoveResult

    return MoveResult(_write(store, change, options, lambda: _move_message(done)), done)


def _refuse_targets(head: Snapshot, pairs: Sequence[tuple[Address, Address]]) -> None:
    """Refuse new addresses of a move that are occupied or could be taken for others.

    Raises:
        Conflict: one is occupied, and not by a memory that moves too. InvalidInput: one could be taken for another.
    """
    keys = head.tree.get(new.key for _, new in pairs).keys() - {old.key for old, _ in pairs}
    if keys:
        raise Conflict(f"{from_key(min(keys)).full_key} is occupied", "forget it first, or choose another path")
    for _, new in pairs:
        check_new(new)


def _move_message(pairs: Sequence[tuple[Address, Address]]) -> str:
    old, new = pairs[0]
    return f"mv {old.path} {new.path}" + (f" and {len(pairs) - 1} more" if len(pairs) > 1 else "")


def edit(
    store: Store,
    place: Address,
    revise: Callable[[Record], Sequence[Memory]],
    options: WriteOptions = DEFAULTS,
) -> Commit | None:
    """Replace a record by what `revise` makes of it; an empty result forgets the path.

    `revise` is called once, so an editor opens once, and only if the store can be written. If the record changed
    meanwhile, nothing is written. Only memories that `revise` changed are scanned for credentials.

    Raises:
        NotFound: there is nothing to edit. Conflict: another process changed it meanwhile.
        InvalidInput: the message or a changed memory looks like a credential and `options` does not allow that, a
            changed memory has a private passage, or the record is a category of the taxonomy or in a layer.
        ReadOnlyStore, StoreBusy: the store cannot be written.
    """
    from memoir.memory.secrets import check_around, check_memory

    _refuse_own([place])
    if not options.allow_secrets:
        check_around(options.message, [])
    require_lock(store.git_dir)
    head = store.head(options.branch)
    _refuse_layers(head, [place])
    before = require(head, [place])[place]
    record = read_record(place, before)
    memories = tuple(revise(record))
    for memory in (memory for memory in memories if memory not in record):
        refuse_private(memory)
        if not options.allow_secrets:
            check_memory(memory)
    after = trim(memories)
    text = options.message or subject(f"edit {place.path}", projection(after) if after else "")

    def change(head: Snapshot) -> Change:
        if head.read([place.key]).get(place.key) != before:
            raise Conflict(f"{place.full_key} changed while it was being edited", "edit it again")
        return Change([(place.key, encode(after) if after else None)], text)

    return _write(store, change, options, f"edit {place.path}")


def restore(
    store: Store, places: Sequence[Address], source: Snapshot, options: WriteOptions = DEFAULTS
) -> Commit | None:
    """Bring records back as they were in another snapshot.

    Raises:
        NotFound: one of them did not exist there. DamagedStore: one of them was damaged there.
        InvalidInput: the message looks like a credential, or a place is in the namespace of the taxonomy.
    """
    check_message(options)
    _refuse_own(places)
    values = require(source, places)
    refuse_faults(values)
    at = f"{source.commit.id:.12}" if source.commit else ""

    def change(head: Snapshot) -> Change:
        edits = [(place.key, values[place]) for place in places]
        return Change(edits, options.message or f"restore {_list(places)} from {at}")

    return _write(store, change, options, f"restore {_list(places)}")


def _write(
    store: Store, change: Callable[[Snapshot], Change], options: WriteOptions, reason: str | Callable[[], str]
) -> Commit | None:
    return write(store, change, branch=options.branch, dry_run=options.dry_run, reason=reason)


def _rebase(place: Address, old: Address, new: Address) -> Address:
    """The address under `new` that corresponds to an address under `old`."""
    return address(new.path + place.path.removeprefix(old.path), new.namespace)


def _list(addresses: Sequence[Address]) -> str:
    """Paths for a commit message: the first few by name."""
    if not addresses:
        raise MemoirError("no path given")
    names = ", ".join(place.path for place in addresses[:3])
    return names + (f" and {len(addresses) - 3} more" if len(addresses) > 3 else "")
