"""File accepted proposals, in one commit, and find the memories that they contradict or are near to.

These may be older memories, which the proposals may succeed, or newer ones.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.capture.proposals import Proposal
from memoir.english.words import same_as_written
from memoir.errors import InvalidInput
from memoir.filing.decision import RULES, Decision
from memoir.filing.filer import Filer
from memoir.memory.active import Facet, facets
from memoir.memory.read import records
from memoir.memory.speaker import CAPTURE, SOURCE
from memoir.memory.write import write_change
from memoir.memory.write_options import WriteOptions, first_few, subject
from memoir.records import origins
from memoir.records.policy import Outcome, combine, confirm, replace_one
from memoir.records.record import Memory, Record, encode
from memoir.secrets.secrets import refusals
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, MemoryAddress, check_new
from memoir.times import format_instant, instant_at

if TYPE_CHECKING:
    from memoir.filing.similar import SimilarMemory
    from memoir.store.commit import Commit

_CONFIDENCE = 0.6
"""The confidence of a captured memory: lower than that of one remembered on purpose."""


class FiledProposal(NamedTuple):
    """The result of an accepted proposal."""

    target: MemoryAddress
    """Where the memory is, with an id if several memories are there."""
    superseded: Memory | None = None
    """The memory that it replaced."""
    similar: "Sequence[SimilarMemory]" = ()
    """The memories that stay active beside it, each with the command that makes the newer one the successor."""


class Filing:
    """Files proposals. A memory with the same words is confirmed; any other proposal is added to the path."""

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
        """The proposals that were filed."""
        self.after: dict[Address, Record] = {}
        """The resulting records."""
        self.superseded: dict[int, Memory] = {}
        """The memories that proposals replaced, by their numbers."""
        self.refused: list[tuple[Proposal, InvalidInput]] = []
        """The proposals that cannot be stored, each with the reason."""
        self._store = store
        self._options = options
        self._about = about
        self._memories = self._memories_of(proposals)
        self._unfit = self.refused
        memories = {each.number: not_stored(memory) for each, memory, _ in self._memories if replace_similar}
        found = similar_to(store, store.head(options.branch), memories)
        self._old = {number: similar[0].facet for number, similar in found.items() if not similar[0].is_newer}

    def write(self) -> "Commit | None":
        """Write the proposals in one commit; None if nothing changes."""
        return write_change(self._store, self._change, self._options, self._deed)

    def _memories_of(self, proposals: Sequence[Proposal]) -> list[tuple[Proposal, Memory, Sequence[Address]]]:
        """The memories of the proposals, with their addresses; a proposal that may not be stored is refused."""
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
        self.done, self.after, self.superseded, self.refused = [], {}, {}, [*self._unfit]
        targets = [address for _, _, addresses in self._memories for address in addresses]
        before = records(head, dict.fromkeys([*targets, *(each.address for each in self._old.values())]))
        for proposal, memory, addresses in self._memories:
            if not self._succeed(before, proposal, memory):
                self._add(before, proposal, memory, addresses)
        edits = {address.key: encode(record) for address, record in self.after.items()}
        text = subject(self._deed(), self.done[0].content if len(self.done) == 1 else "")
        return Change(edits.items(), self._options.message or text)

    def _succeed(self, before: Mapping[Address, Record], proposal: Proposal, memory: Memory) -> bool:
        """Replace the similar older memory, if the options ask for that; return whether it was replaced."""
        old = self._old.get(proposal.number)
        record = old and self.after.get(old.address, before.get(old.address))
        outcome = succeed(record, old.memory, memory) if old and record else None
        if not old or not outcome:
            return False
        self.after[old.address] = outcome.record
        self.superseded[proposal.number] = outcome.superseded[0]
        self.done.append(proposal._replace(paths=[old.address.path]))
        return True

    def _add(
        self, before: Mapping[Address, Record], proposal: Proposal, memory: Memory, addresses: Sequence[Address]
    ) -> None:
        """Add a memory at its proposed paths, unless a new path could be mistaken for another."""
        try:
            for address in (each for each in addresses if each not in before):
                check_new(address)
        except InvalidInput as error:
            self.refused.append((proposal, error))
            return
        for address in addresses:
            self.after[address] = _added(self.after.get(address, before.get(address)), memory)
        self.done.append(proposal)

    def filed(self) -> dict[int, FiledProposal]:
        """The addresses of the written proposals, and the similar memories beside them."""
        from memoir.filing.similar import replacement

        own = {each.number: facet for each in self.done if (facet := self._facet_of(each))}
        found = similar_to(self._store, self._store.head(self._options.branch), own)
        gone = [*self.superseded.values()]
        result: dict[int, FiledProposal] = {}
        for each in self.done:
            target = own[each.number].target if each.number in own else MemoryAddress(_place(each))
            rest = [similar for similar in found.get(each.number, ()) if similar.facet.memory not in gone]
            offers = [similar._replace(command=replacement(similar, target.short_key)) for similar in rest]
            result[each.number] = FiledProposal(target, self.superseded.get(each.number), offers)
        return result

    def _facet_of(self, proposal: Proposal) -> Facet | None:
        """The memory of a proposal at its first path; None if it is no longer active there."""
        found = facets(_place(proposal), self.after[_place(proposal)])
        same = [each for each in found if same_as_written(each.memory.content, proposal.content)]
        return same[-1] if same else None

    def _deed(self) -> str:
        paths = [*dict.fromkeys(str(each.path) for each in self.done)]
        return f"accept {first_few(paths)}" if paths else "accept"


def memory_of(proposal: Proposal) -> Memory:
    """The memory that a proposal becomes."""
    metadata = {SOURCE: f"{CAPTURE}{proposal.host}", "session": proposal.session, ITEM_KIND: proposal.kind}
    instant = format_instant(
        instant_at(proposal.time)
    )  # with fractions of a second: a sentence may correct the one before
    memory = Memory.of(proposal.content, confidence=_CONFIDENCE, timestamp=instant, metadata=metadata)
    memory = origins.came_by(memory, origins.CAPTURE)
    return Filer.annotate(memory, Decision(RULES, (), proposal.confidence, proposal.reason))


def _added(record: Record | None, new: Memory) -> Record:
    """Add a memory to a record; if one has the same words, confirm it instead, without the session's metadata."""
    for facet in record or ():
        if record and facet.active and same_as_written(facet.content, new.content):
            outcome = confirm(record, new._replace(metadata={})) if new.instant > facet.instant else None
            return outcome.record if outcome else record
    return combine("append", record, new).record


def similar_to(store: Store, head: Snapshot, memories: Mapping[int, Facet]) -> "dict[int, list[SimilarMemory]]":
    """The older memories that each numbered memory may be meant to replace, the likeliest first, if any.

    After them come newer ones that contradict it: they were stored after it was said.
    """
    if not memories:
        return {}
    from memoir.filing.similar import find_similar, worth_telling

    index = Filer(store, classifier=RULES).index()
    found = {number: worth_telling(find_similar(index, head, each)) for number, each in memories.items()}
    return {number: similar for number, similar in found.items() if similar}


def not_stored(memory: Memory) -> Facet:
    """A memory that has no path yet."""
    return Facet(Address(DEFAULT_NAMESPACE, ""), 0, memory)


def succeed(record: Record, old: Memory, new: Memory) -> Outcome | None:
    """Replace an old memory, or its successor, by a new one; None if nothing there is older.

    If an active memory has the same words already, nothing is replaced.
    """
    from memoir.filing.similar import similar_among

    active = list(facets(Address(DEFAULT_NAMESPACE, ""), record))
    if any(same_as_written(each.memory.content, new.content) for each in active):
        return None
    if not any(each.memory == old for each in active):
        others = similar_among(active, not_stored(new))
        old = next((each.facet.memory for each in others if not each.is_newer), new)
    return None if old is new else replace_one(record, old, new)


def _place(proposal: Proposal) -> Address:
    return Address(DEFAULT_NAMESPACE, proposal.paths[0])
