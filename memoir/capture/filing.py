"""Filing accepted proposals, in one commit."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memoir.capture.proposals import Proposal
from memoir.capture.successors import not_stored, older_than, succeed
from memoir.english.words import same_as_written
from memoir.errors import InvalidInput
from memoir.filing.decision import RULES, Decision
from memoir.filing.filer import Filer
from memoir.memory.origin import CAPTURE, SOURCE
from memoir.memory.read import records
from memoir.memory.write_options import WriteOptions, subject
from memoir.records import origins
from memoir.records.policy import combine, confirm
from memoir.records.record import Memory, Record, encode
from memoir.secrets.secrets import refusals
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, check_new
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.store.commit import Commit

_CONFIDENCE = 0.6
"""How sure a captured memory is: less than one that somebody remembered on purpose."""
_NAMED = 3
"""How many paths a commit's message names."""


class Filing:
    """Files some proposals. What is there already in the very words is confirmed, all else is added to what is there.

    Attributes:
        done: The proposals that were filed.
        refused: Those that cannot be stored, each with the reason.
        after: The records that result.
        superseded: The memories that proposals replaced, by their numbers.
    """

    def __init__(
        self,
        store: Store,
        proposals: Sequence[Proposal],
        options: WriteOptions,
        about: Sequence[str],
        *,
        replace_similar: bool,
    ) -> None:
        self.done: list[Proposal] = []
        self.after: dict[Address, Record] = {}
        self.superseded: dict[int, Memory] = {}
        self.refused: list[tuple[Proposal, InvalidInput]] = []
        self._store = store
        self._options = options
        self._about = about
        self._memories = self._memories_of(proposals)
        memories = {each.number: not_stored(memory) for each, memory, _ in self._memories if replace_similar}
        older = older_than(store, store.head(options.branch), memories)
        self._old = {number: similar.facet for number, similar in older.items()}

    def write(self) -> "Commit | None":
        """Write them, in one commit; None if that changes nothing."""
        options, refused = self._options, self.refused

        def change(head: Snapshot) -> Change:
            self.done, self.refused = [], [*refused]
            return self._change(head)

        return write(self._store, change, branch=options.branch, dry_run=options.dry_run, reason=lambda: self._deed())

    def _memories_of(self, proposals: Sequence[Proposal]) -> list[tuple[Proposal, Memory, Sequence[Address]]]:
        """The memories that proposals become, and their places; a proposal that may not be stored is refused."""
        memories = list[tuple[Proposal, Memory, Sequence[Address]]]()
        for proposal in proposals:
            addresses = [Address(DEFAULT_NAMESPACE, path) for path in proposal.paths]
            try:
                memories.append((proposal, self._tied(memory_of(proposal)), addresses))
            except InvalidInput as error:
                self.refused.append((proposal, error))
        bad = dict(refusals([(memory, addresses[0]) for _, memory, addresses in memories]))
        self.refused += [(memories[at][0], error) for at, error in bad.items()]
        return [each for at, each in enumerate(memories) if at not in bad]

    def _tied(self, memory: Memory) -> Memory:
        if not self._about:
            return memory
        from memoir.anchors.change import with_files

        return with_files(self._store, memory, self._about)

    def _change(self, head: Snapshot) -> Change:
        self.after, self.superseded = {}, {}
        places = [address for _, _, addresses in self._memories for address in addresses]
        before = records(head, dict.fromkeys([*places, *(each.address for each in self._old.values())]))
        for proposal, memory, addresses in self._memories:
            if self._succeed(before, proposal, memory):
                continue
            try:
                for address in addresses:
                    if address not in before:
                        check_new(address)
            except InvalidInput as error:
                self.refused.append((proposal, error))
                continue
            for address in addresses:
                self.after[address] = _join(self.after.get(address, before.get(address)), memory)
            self.done.append(proposal)
        edits = {address.key: encode(record) for address, record in self.after.items()}
        text = subject(self._deed(), self.done[0].content if len(self.done) == 1 else "")
        return Change(edits.items(), self._options.message or text)

    def _succeed(self, before: Mapping[Address, Record], proposal: Proposal, memory: Memory) -> bool:
        """Put a memory in the place of the older one that it is similar to, if it shall replace that."""
        old = self._old.get(proposal.number)
        record = old and self.after.get(old.address, before.get(old.address))
        outcome = succeed(record, old.memory, memory) if old and record else None
        if not old or not outcome:
            return False
        self.after[old.address] = outcome.record
        self.superseded[proposal.number] = outcome.superseded[0]
        self.done.append(proposal._replace(paths=[old.address.path]))
        return True

    def _deed(self) -> str:
        paths = [*dict.fromkeys(str(each.path) for each in self.done)]
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        return f"accept {', '.join(paths[:_NAMED])}{more}"


def memory_of(proposal: Proposal) -> Memory:
    """The memory that a proposal becomes."""
    metadata = {SOURCE: f"{CAPTURE}{proposal.host}", "session": proposal.session, ITEM_KIND: proposal.kind}
    instant = from_epoch(int(proposal.time))
    memory = Memory.of(proposal.content, confidence=_CONFIDENCE, timestamp=instant, metadata=metadata)
    memory = origins.came_by(memory, origins.CAPTURE)
    return Filer.annotate(memory, Decision(RULES, (), proposal.confidence, proposal.reason))


def _join(record: Record | None, new: Memory) -> Record:
    """A record with a memory added; one that is there in the very words is confirmed, and is not from a session now."""
    for facet in record or ():
        if record and facet.active and same_as_written(facet.content, new.content):
            outcome = confirm(record, new._replace(metadata={})) if new.instant > facet.instant else None
            return outcome.record if outcome else record
    return combine("append", record, new).record
