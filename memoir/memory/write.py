"""Writing memories: each function is one commit, or none if nothing changes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoir.errors import Conflict, MemoirError
from memoir.memory import policy as policies
from memoir.memory.damage import read_record
from memoir.memory.read import records, require
from memoir.memory.record import Memory, Record, encode, projection, trimmed
from memoir.memory.soundness import refuse_faults
from memoir.memory.subject import subject
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import default_policy
from memoir.taxonomy.paths import Address, address, check_new, from_key


class Remembered(NamedTuple):
    """The commit (None if nothing changed) and what the memory met at each path."""

    commit: Commit | None
    outcomes: dict[Address, policies.Outcome]


def remember(
    store: Store,
    new: Memory,
    addresses: Sequence[Address],
    *,
    policy: str | None = None,
    message: str | None = None,
    branch: str | None = None,
    outcome: Callable[[Address, Record | None], policies.Outcome] | None = None,
    dry_run: bool = False,
) -> Remembered:
    """Store one memory at one or more addresses in one commit; with `dry_run` say what would become of it.

    Without a policy, the kind of memory that each path's first segment names decides; and a memory that is there
    already is confirmed and not stored twice. `outcome` decides instead of all that.

    Raises:
        InvalidInput: no such policy, or a new path could be taken for another.
        Conflict: the policy is `reject` and a path is occupied.
    """
    if policy is not None:
        policies.check(policy)
    outcomes: dict[Address, policies.Outcome] = {}
    deed = f"remember {_list(addresses)}"
    text = message or subject(deed, new.content)

    def usual(place: Address, record: Record | None) -> policies.Outcome:
        if policy is None:
            return policies.confirmed_or(default_policy(place.path), record, new)
        return policies.combine(policy, record, new)

    def change(head: Snapshot) -> Change:
        stored = records(head, addresses)
        outcomes.clear()
        for place in addresses:
            record = stored.get(place)
            if record is None:
                check_new(place)
            outcomes[place] = (outcome or usual)(place, record)
        edits = [(place.key, encode(outcome.record)) for place, outcome in outcomes.items()]
        return Change(edits, text)

    if dry_run:
        change(store.head(branch))
        return Remembered(None, outcomes)
    return Remembered(write(store, change, branch=branch, reason=deed), outcomes)


def forget(
    store: Store, addresses: Sequence[Address], *, message: str | None = None, branch: str | None = None
) -> Commit | None:
    """Forget the records at all the given addresses in one commit.

    Raises:
        NotFound: one of them holds nothing; then nothing is forgotten.
    """

    def change(head: Snapshot) -> Change:
        require(head, addresses, prefixed=True)
        return Change([(place.key, None) for place in addresses], message or f"forget {_list(addresses)}")

    return write(store, change, branch=branch, reason=f"forget {_list(addresses)}")


def move(
    store: Store,
    plan: Callable[[Snapshot], Sequence[tuple[Address, Address]]],
    *,
    message: str | None = None,
    branch: str | None = None,
) -> tuple[Commit | None, list[tuple[Address, Address]]]:
    """Move records, each (old, new) pair that `plan` makes of the head, in one commit.

    Raises:
        NotFound: there is nothing at an old address. Conflict: a new one is occupied.
        InvalidInput: a new one could be taken for another.
    """
    done: list[tuple[Address, Address]] = []

    def change(head: Snapshot) -> Change:
        done[:] = plan(head)
        sources = {old.key for old, _ in done}
        taken = head.tree.get(new.key for _, new in done).keys() - sources
        if taken:
            raise Conflict(f"{from_key(min(taken)).full_key} is occupied", "forget it first, or choose another path")
        for _, new in done:
            check_new(new)
        values = head.read(sources)
        edits: dict[bytes, bytes | None] = {old.key: None for old, _ in done}
        edits |= {new.key: values[old.key] for old, new in done}
        moves = tuple((old.key, new.key) for old, new in done)
        return Change(edits.items(), message or _move_message(done), moves)

    return write(store, change, branch=branch, reason=lambda: _move_message(done)), done


def _move_message(pairs: Sequence[tuple[Address, Address]]) -> str:
    old, new = pairs[0]
    return f"mv {old.path} {new.path}" + (f" and {len(pairs) - 1} more" if len(pairs) > 1 else "")


def edit(
    store: Store,
    place: Address,
    revise: Callable[[Record], Sequence[Memory]],
    *,
    message: str | None = None,
    branch: str | None = None,
) -> Commit | None:
    """Replace a record by what `revise` makes of it; an empty result forgets the path.

    `revise` is asked once, so an editor opens once. If the record changed meanwhile, nothing is written.

    Raises:
        NotFound: there is nothing to edit. Conflict: someone else changed it meanwhile.
    """
    before = require(store.head(branch), [place])[place]
    after = trimmed(tuple(revise(read_record(place, before))))
    text = message or subject(f"edit {place.path}", projection(after) if after else "")

    def change(head: Snapshot) -> Change:
        if head.read([place.key]).get(place.key) != before:
            raise Conflict(f"{place.full_key} changed while it was being edited", "edit it again")
        return Change([(place.key, encode(after) if after else None)], text)

    return write(store, change, branch=branch, reason=f"edit {place.path}")


def restore(
    store: Store, places: Sequence[Address], source: Snapshot, *, message: str | None = None, branch: str | None = None
) -> Commit | None:
    """Bring records back as they were in another snapshot.

    Raises:
        NotFound: one of them did not exist there. DamagedStore: one of them was damaged there.
    """
    values = require(source, places)
    refuse_faults(values)
    at = source.commit.id[:12] if source.commit else ""

    def change(head: Snapshot) -> Change:
        edits = [(place.key, values[place]) for place in places]
        return Change(edits, message or f"restore {_list(places)} from {at}")

    return write(store, change, branch=branch, reason=f"restore {_list(places)}")


def rebase(place: Address, old: Address, new: Address) -> Address:
    """A path under `old` as it reads under `new`."""
    return address(new.path + place.path.removeprefix(old.path), new.namespace)


def _list(addresses: Sequence[Address]) -> str:
    """Paths for a commit message: the first few by name."""
    if not addresses:
        raise MemoirError("no path given")
    shown = ", ".join(place.path for place in addresses[:3])
    return shown + (f" and {len(addresses) - 3} more" if len(addresses) > 3 else "")
