"""Writes memories: each function makes one commit, or none if nothing changes."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.git.lock import require_lock
from memoir.git.objects import sha1
from memoir.memory.facets import active_positions, by_place, has_whole, ids_of, locate, split
from memoir.memory.other_case import refuse_other_case
from memoir.memory.read import records, require
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message, first_few, subject
from memoir.records.damage import read_record
from memoir.records.metadata import note_correction
from memoir.records.policy import Outcome, check_policy, combine, confirm, confirm_or_combine
from memoir.records.record import Memory, Record, decode, encode, projection, trim
from memoir.secrets.secrets import check_around, check_memory, refuse_private
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import ITEM_KIND, default_policy
from memoir.taxonomy.paths import (
    INBOX,
    LAYERS_NAMESPACE,
    LEXICON_NAMESPACE,
    TAXONOMY_NAMESPACE,
    Address,
    MemoryAddress,
    check_new,
)
from memoir.taxonomy.paths import address as address_of

Combine = Callable[[Address, Record | None], Outcome]
"""A function of an address and the record there that returns the outcome of remembering a memory."""


Follow = Callable[[Snapshot, dict[bytes, bytes | None]], None]
"""A function that adds consequences to the edits of a snapshot."""


class WriteResult(NamedTuple):
    """The result of a write."""

    addresses: list[MemoryAddress]
    """The addresses that were written, with whole ids."""
    commit: Commit | None
    """The commit; None if nothing changed."""


class CommitResult(NamedTuple):
    """The commit (None if nothing changed) and the outcome at each path."""

    commit: Commit | None
    outcomes: dict[Address, Outcome]
    moved_from: MemoryAddress | None = None
    """The former address of the memory, if it was stored already and has moved."""


def inbox_address(content: str, namespace: str) -> Address:
    """The address in the inbox where a memory with this content waits for a path; always the same."""
    return address_of(f"{INBOX}.m{sha1(content.encode()).hex()[:12]}", namespace)


def remember(
    store: Store,
    new: Memory,
    addresses: Sequence[Address],
    *,
    policy: str | None = None,
    outcome: Combine | None = None,
    filed: bool = False,
    waiting: Address | None = None,
    options: WriteOptions = DEFAULTS,
) -> CommitResult:
    """Store one memory at one or more addresses in one commit.

    Without a policy, the memory's kind decides, else the kind that each path's first segment names, and a memory that
    is already there is confirmed, not stored twice. `outcome`, if given, replaces the policy. Records that the memory
    links to get an id if they have none. With `filed`, memoir chose the addresses, and they may differ only in capitals
    from stored ones. If the same memory is at the address `waiting`, it moves from there.
    """
    refuse_unfit(new, addresses, options)
    outcomes: dict[Address, Outcome] = {}
    left: list[Address] = []
    deed = f"remember {first_few([address.path for address in addresses])}"
    text = options.message or subject(deed, new.content)

    def change(head: Snapshot) -> Change:
        refuse_in_layers(head, addresses)
        old_records = records(head, addresses)
        if not filed:
            refuse_other_case(head, addresses)
        found = _take_from_inbox(head, waiting, new) if waiting and waiting not in addresses else None
        left[:] = [waiting] if waiting and found else []
        decide = outcome or by_policy(policy, found or new)
        for address in addresses:
            if address not in old_records:
                check_new(address)
            outcomes[address] = decide(address, old_records.get(address))
        state = linked_records(head, [new]) | {address: outcome.record for address, outcome in outcomes.items()}
        edits = {address.key: encode(record) for address, record in state.items()}
        moves = tuple((old.key, address.key) for old in left for address in addresses)
        return Change({**edits, **{old.key: None for old in left}}.items(), text, moves)

    commit = write_change(store, change, options, deed)
    return CommitResult(commit, outcomes, MemoryAddress(left[0]) if left else None)


def _take_from_inbox(head: Snapshot, waiting: Address, new: Memory) -> Memory | None:
    """The memory that waits at an address, confirmed by an identical new one; None if there is no such memory."""
    record = records(head, [waiting], listed=True).get(waiting, ())
    if len(record) != 1:
        return None
    (moved,) = decode(note_correction(encode(record), waiting))  # teaches filing, like other moves
    confirmed = confirm((moved,), new)
    if confirmed is None:
        return None
    # The policy must compare the new time and confidence: in the inbox, confidence is mostly a default.
    return confirmed.record[0]._replace(timestamp=new.timestamp, confidence=new.confidence)


def linked_records(head: Snapshot, memories: Iterable[Memory]) -> dict[Address, Record]:
    """The records that the memories link to and that get an id for it."""
    minted: dict[Address, Record] = {}
    for new in memories:
        if "links" in new.metadata:
            from memoir.memory.links import mint_targets  # few memories have links

            minted |= mint_targets(head, new)
    return minted


def by_policy(policy: str | None, new: Memory) -> Combine:
    """Combine by the given policy, or without one by the memory's kind, else by the kind that the path names."""
    if policy is None:
        kind = new.metadata.get(ITEM_KIND)
        return lambda address, record: confirm_or_combine(default_policy(address.path, kind), record, new)
    check_policy(policy)
    return lambda address, record: combine(policy, record, new)


def refuse_unfit(new: Memory, addresses: Iterable[Address], options: WriteOptions) -> None:
    """Refuse a memory that may not be stored at the addresses."""
    addresses = list(addresses)
    refuse_own(addresses)
    refuse_private(new)
    if not options.allow_secrets:
        check_memory(new, addresses, options.message)


_OWN = {
    TAXONOMY_NAMESPACE: ("for categories", "change them with 'memoir taxonomy add', 'load' or 'reset'"),
    LEXICON_NAMESPACE: ("for the store's own words", "change them with 'memoir lexicon add' or 'remove'"),
    LAYERS_NAMESPACE: ("memoir's own", "choose another namespace"),
}
"""The purpose of memoir's own namespaces, and what to do instead of writing there."""


def refuse_own(addresses: Iterable[Address]) -> None:
    """Refuse addresses in memoir's own namespaces."""
    names = {address.namespace for address in addresses}
    for name, (use, hint) in _OWN.items():
        if name in names:
            raise InvalidInput(f"{name} is {use}, not for memories", hint)


def refuse_in_layers(head: Snapshot, addresses: Sequence[Address]) -> None:
    """Refuse addresses in layers; names without a colon are never layers."""
    if any(":" in address.namespace for address in addresses):
        from memoir.memory.layer_namespaces import refuse_layers

        refuse_layers(head, addresses)


def forget(
    store: Store, targets: Sequence[MemoryAddress], options: WriteOptions = DEFAULTS, follow: Follow | None = None
) -> WriteResult:
    """Forget the memories at the addresses in one commit, with the edits that `follow` adds."""
    check_message(options)
    groups = by_place(targets)
    refuse_own(address for address in groups if address.namespace not in (LAYERS_NAMESPACE, LEXICON_NAMESPACE))
    done: list[MemoryAddress] = []

    def change(head: Snapshot) -> Change:
        values = require(head, list(groups), prefixed=True)
        refuse_own(address for address, value in values.items() if _is_mark(address, value))
        done.clear()
        edits: dict[bytes, bytes | None] = {}
        for address, group in groups.items():
            edits[address.key], names = _forget_in(values[address], group)
            done.extend(names)
        if follow:
            follow(head, edits)
        return Change(edits.items(), options.message or message())

    def message() -> str:
        return f"forget {first_few([target.label for target in done])}"

    return WriteResult(done, write_change(store, change, options, message))


def _is_mark(address: Address, value: bytes) -> bool:
    """Whether a record is the mark of a layer; other records among the marks may be forgotten."""
    if address.namespace != LAYERS_NAMESPACE:
        return False
    from memoir.memory.layer_namespaces import mark_problem

    return mark_problem(address, value) is None


def _forget_in(data: bytes, targets: Sequence[MemoryAddress]) -> tuple[bytes | None, Iterable[MemoryAddress]]:
    """The stored bytes of a record without the targets, None if nothing is left; and the forgotten addresses.

    A record that is forgotten whole is not read, so that a damaged one can be forgotten.
    """
    address = targets[0].place
    if has_whole(targets):
        return None, [MemoryAddress(address)]
    _, rest, names = split(read_record(address, data), targets)
    return encode(rest) if rest else None, names


def edit(
    store: Store,
    target: MemoryAddress,
    revise: Callable[[Record], Sequence[Memory]],
    options: WriteOptions = DEFAULTS,
) -> WriteResult:
    """Replace a record, or one memory of it, by the result of `revise`; an empty result forgets it.

    The returned address has the new id of an edited memory.

    `revise` is called once, so an editor opens once, and only if the store can be written. If the record changed
    meanwhile, nothing is written. Only memories that `revise` changed are scanned for credentials.

    Raises:
        NotFound: there is nothing to edit. Conflict: another process changed it meanwhile.
    """
    address = target.place
    refuse_own([address])
    if not options.allow_secrets:
        check_around(options.message, [])
    require_lock(store.git_dir)
    head = store.head(options.branch)
    refuse_in_layers(head, [address])
    before = require(head, [address])[address]
    record = read_record(address, before)
    name, memories, after = _revise(record, target, revise)
    for memory in (memory for memory in memories if memory not in record):
        refuse_private(memory)
        if not options.allow_secrets:
            check_memory(memory)
    text = options.message or subject(f"edit {name.label}", projection(memories) if memories else "")

    def change(head: Snapshot) -> Change:
        if head.read([address.key]).get(address.key) != before:
            raise Conflict(f"{address.full_key} changed while it was being edited", "edit it again")
        return Change([(address.key, encode(trim(after)) if after else None)], text)

    return WriteResult([name], write_change(store, change, options, f"edit {name.label}"))


def reword(record: Record, content: str) -> Record:
    """A record with new words for its only active memory; for `edit`.

    Raises:
        InvalidInput: there are several, or none, because it was superseded since somebody read it.
    """
    from memoir.records.metadata import reworded

    positions = active_positions(record)
    if not record[positions[0]].active:
        hint = "read its path again: edit what is active there, or remember the new words"
        raise InvalidInput("the memory is superseded, and nobody would find new words for it", hint)
    if len(positions) > 1:
        raise InvalidInput(f"{len(positions)} memories are at this path", "name one of them, as KEY#id")
    at = positions[0]
    return record if record[at].content == content else (*record[:at], reworded(record[at], content), *record[at + 1 :])


def _revise(
    record: Record, target: MemoryAddress, revise: Callable[[Record], Sequence[Memory]]
) -> tuple[MemoryAddress, Record, Record]:
    """Revise a record, or one memory of it: return its address, the revised memories, and the whole record after it."""
    if not target.id:
        memories = tuple(revise(record))
        return target, memories, memories
    ((name, at),) = locate(record, [target]).items()
    memories = tuple(revise((record[at],)))
    after = (*record[:at], *memories, *record[at + 1 :]) if memories else split(record, [name])[1]
    return name._replace(id=ids_of(after)[at]) if len(memories) == 1 else name, memories, after


def restore(
    store: Store,
    targets: Sequence[MemoryAddress],
    source: Snapshot,
    options: WriteOptions = DEFAULTS,
    follow: Follow | None = None,
) -> WriteResult:
    """Restore records, or single memories of them, as they were in another snapshot.

    Other memories at the path of a single one stay as they are. The commit has the edits that `follow` adds.
    """
    from memoir.memory.soundness import refuse_faults

    check_message(options)
    groups = by_place(targets)
    refuse_own(groups)
    values = require(source, list(groups))
    refuse_faults(values)
    past = {address: read_record(address, values[address]) for address, group in groups.items() if not has_whole(group)}
    done = [
        name
        for address, group in groups.items()
        for name in (locate(past[address], group) if address in past else [MemoryAddress(address)])
    ]
    deed = f"restore {first_few([target.label for target in done])}"
    at = f"{source.commit.id:.12}" if source.commit else ""

    def change(head: Snapshot) -> Change:
        edits: dict[bytes, bytes | None] = {address.key: values[address] for address in groups}
        today = records(head, past)
        for address, record in past.items():
            wanted = {target.id for target in done if target.place == address}
            edits[address.key] = encode(trim(_put_back(today.get(address, ()), record, wanted)))
        if follow:
            follow(head, edits)
        text = options.message or f"{deed} from {at}"
        return Change(edits.items(), text, sources=(source.commit.id,) if source.commit else ())

    return WriteResult(done, write_change(store, change, options, deed))


def _put_back(now: Record, past: Record, wanted: Collection[str]) -> Record:
    """Put memories of a past record back: each where it is now, else after the memory that it followed."""
    result, ids, past_ids = list(now), ids_of(now), ids_of(past)
    for at, identity in enumerate(past_ids):
        if identity in wanted and identity in ids:
            result[ids.index(identity)] = past[at]
        elif identity in wanted:
            position = next((ids.index(before) + 1 for before in reversed(past_ids[:at]) if before in ids), 0)
            result.insert(position, past[at])
            ids.insert(position, identity)
    return tuple(result)


def write_change(
    store: Store, change: Callable[[Snapshot], Change], options: WriteOptions, reason: str | Callable[[], str]
) -> Commit | None:
    """Write a change as the options say; None if it changes nothing."""
    return write(store, change, branch=options.branch, dry_run=options.dry_run, reason=reason)
