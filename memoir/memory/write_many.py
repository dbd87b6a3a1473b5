"""Writes many memories in one commit, or none if one of them is refused."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.memory.other_case import refuse_other_case
from memoir.memory.read import records
from memoir.memory.write import by_policy, linked_records, refuse_in_layers, refuse_own, write_change
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.records.origins import came_by
from memoir.records.policy import CONFIRMED_POLICY, LLM_MERGE, Outcome
from memoir.records.record import Memory, Record, encode, name_of
from memoir.secrets.secrets import check_around, refusals, refuse_private
from memoir.settings import MERGE_POLICY
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.taxonomy.paths import Address, check_new
from memoir.taxonomy.paths import address as read_address

Entry = tuple[Memory, Address]


class RememberManyResult(NamedTuple):
    """The result for a list of memories."""

    commit: Commit | None
    """The commit; None if nothing changed."""
    outcomes: list[tuple[Address, Outcome]]
    """The address and the outcome of each memory, in the order of the list."""


def remember_many(
    store: Store,
    pairs: Iterable[tuple[Memory | str, str]],
    namespace: str,
    origin: str,
    *,
    policy: str | None = None,
    options: WriteOptions = DEFAULTS,
) -> RememberManyResult:
    """Store memories or texts with their keys, each as `write.remember` would after the ones before it.

    They get the given origin. Without a policy, `memoir.remember.mergePolicy` decides.
    """
    entries = _entries(pairs, namespace, origin)
    policy = policy or MERGE_POLICY.read_if_set(store.config)
    if policy == LLM_MERGE:
        hint = "remember them one by one, or name another policy"
        raise InvalidInput(f"the policy '{LLM_MERGE}' decides on one memory at a time, not on a list", hint)
    _refuse_unfit(entries, options)
    outcomes: list[tuple[Address, Outcome]] = []
    addresses = list(dict.fromkeys(address for _, address in entries))

    def change(head: Snapshot) -> Change:
        refuse_in_layers(head, addresses)
        refuse_other_case(head, addresses)
        state = {**records(head, addresses), **linked_records(head, (new for new, _ in entries))}
        outcomes[:] = _outcomes(state, entries, policy)
        _refuse_dropped(state, entries, outcomes)
        return Change({address.key: encode(record) for address, record in state.items()}.items(), text)

    deed = f"remember {len(entries)} {'memory' if len(entries) == 1 else 'memories'}"
    text = options.message or deed
    return RememberManyResult(write_change(store, change, options, deed) if entries else None, outcomes)


def _entries(pairs: Iterable[tuple[Memory | str, str]], namespace: str, origin: str) -> list[Entry]:
    entries = []
    for number, pair in enumerate(pairs, 1):
        with _numbering_errors(number):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:  # a dict of two fields would unpack, too
                raise InvalidInput("it has to be a pair, a text and its key", 'say ("Use pytest.", "a.b")')
            new, key = pair
            memory = came_by(new if isinstance(new, Memory) else Memory.of(new), origin)
            entries.append((memory, read_address(key, namespace)))
    return entries


def _refuse_unfit(entries: Sequence[Entry], options: WriteOptions) -> None:
    """Refuse memories as `write.refuse_unfit` does, but scan all together."""
    for number, (new, address) in enumerate(entries, 1):
        with _numbering_errors(number):
            refuse_own([address])
            refuse_private(new)
    if not options.allow_secrets:
        check_around(options.message, [])
        for position, refusal in refusals(entries):
            with _numbering_errors(position + 1):
                raise refusal


def _outcomes(
    state: dict[Address, Record], entries: Sequence[Entry], policy: str | None
) -> list[tuple[Address, Outcome]]:
    """Add each memory to the records of `state`; return the outcomes."""
    outcomes = []
    for number, (new, address) in enumerate(entries, 1):
        with _numbering_errors(number):
            if address not in state:
                check_new(address)
            outcome = by_policy(policy, new)(address, state.get(address))
        state[address] = outcome.record
        outcomes.append((address, outcome))
    return outcomes


def _refuse_dropped(
    state: dict[Address, Record], entries: Sequence[Entry], outcomes: Sequence[tuple[Address, Outcome]]
) -> None:
    """Refuse a list with more memories than a record can keep: no commit would have the dropped ones."""
    kept = {address: {*map(name_of, record)} for address, record in state.items()}
    for number, ((new, address), (_, outcome)) in enumerate(zip(entries, outcomes, strict=True), 1):
        if outcome.policy != CONFIRMED_POLICY and name_of(new) not in kept[address]:
            with _numbering_errors(number):
                hint = "remember them in several lists, so that history has each, or with the policy 'append'"
                raise InvalidInput(f"{address.full_key} cannot keep so many memories of one list", hint)


@contextmanager
def _numbering_errors(number: int) -> Iterator[None]:
    """Add the number of a memory in the list, from 1, to errors about it."""
    try:
        yield
    except (InvalidInput, Conflict) as error:
        error.message = f"memory {number} of the list: {error.message}"
        error.args = (error.message,)
        raise
