"""What a captured memory contradicts or is near to: older memories, whose successor it may be, or newer ones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.capture.proposals import Proposal
from memoir.english.words import same_as_written
from memoir.filing.decision import RULES
from memoir.filing.filer import Filer
from memoir.memory.active import Facet, facets
from memoir.records.policy import Outcome, replace_one
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, MemoryAddress

if TYPE_CHECKING:
    from memoir.filing.similar import SimilarMemory


class FiledProposal(NamedTuple):
    """What became of a proposal that was accepted.

    Attributes:
        target: Where the memory is, with an id if several memories are there.
        superseded: The memory that it replaced.
        similar: The memories that stay active beside it, each with the command that makes the newer one the successor.
    """

    target: MemoryAddress
    superseded: Memory | None = None
    similar: "Sequence[SimilarMemory]" = ()


def similar_to(store: Store, head: Snapshot, memories: Mapping[int, Facet]) -> "dict[int, list[SimilarMemory]]":
    """The older memories that each of some numbered ones may be meant to replace, the likeliest first, if any.

    Behind them are the newer ones that contradict it, as where it was said before they were remembered.
    """
    if not memories:
        return {}
    from memoir.filing.similar import find_similar, worth_telling

    index = Filer(store, classifier=RULES).index()
    found = {number: worth_telling(find_similar(index, head, each)) for number, each in memories.items()}
    return {number: similar for number, similar in found.items() if similar}


def older_than(store: Store, head: Snapshot, memories: Mapping[int, Facet]) -> "dict[int, SimilarMemory]":
    """The likeliest of the older memories that each of some numbered ones may be meant to replace, if any."""
    found = similar_to(store, head, memories)
    return {number: similar[0] for number, similar in found.items() if not similar[0].is_newer}


def not_stored(memory: Memory) -> Facet:
    """A memory that has no path yet."""
    return Facet(Address(DEFAULT_NAMESPACE, ""), 0, memory)


def succeed(record: Record, old: Memory, new: Memory) -> Outcome | None:
    """Put a new memory in the place of an old one, or of what took its place meanwhile; None if nothing there is older.

    Words that are there already replace nothing.
    """
    from memoir.filing.similar import similar_among

    active = list(facets(Address(DEFAULT_NAMESPACE, ""), record))
    if any(same_as_written(each.memory.content, new.content) for each in active):
        return None
    if not any(each.memory == old for each in active):
        others = similar_among(active, not_stored(new))
        old = next((each.facet.memory for each in others if not each.is_newer), new)
    return None if old is new else replace_one(record, old, new)


def filed(
    store: Store,
    head: Snapshot,
    done: Sequence[Proposal],
    records: Mapping[Address, Record],
    superseded: Mapping[int, Memory],
) -> dict[int, FiledProposal]:
    """Where accepted proposals are in the records that were written, and beside which memories."""
    from memoir.filing.similar import replacement

    own = {each.number: facet for each in done for facet in _facets_of(each, records)}
    found, gone = similar_to(store, head, own), [*superseded.values()]
    result: dict[int, FiledProposal] = {}
    for each in done:
        target = own[each.number].target if each.number in own else MemoryAddress(_place(each))
        rest = [similar for similar in found.get(each.number, ()) if similar.facet.memory not in gone]
        offers = [similar._replace(command=replacement(similar, target.short_key)) for similar in rest]
        result[each.number] = FiledProposal(target, superseded.get(each.number), offers)
    return result


def _facets_of(proposal: Proposal, records: Mapping[Address, Record]) -> Iterator[Facet]:
    """The memory of a proposal at the first of its paths, if it is still active there."""
    found = facets(_place(proposal), records[_place(proposal)])
    yield from [each for each in found if same_as_written(each.memory.content, proposal.content)][-1:]


def _place(proposal: Proposal) -> Address:
    return Address(DEFAULT_NAMESPACE, proposal.paths[0])
