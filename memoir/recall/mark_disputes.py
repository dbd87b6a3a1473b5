"""Find disputes by the index: of the memories of an answer (never of passages), and of a whole store.

See `memoir.memory.active`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memoir.index.documents import Place
from memoir.index.index import Index, IndexMismatch
from memoir.recall.query import Query
from memoir.store.snapshot import Snapshot

if TYPE_CHECKING:
    from memoir.memory.active import Facet, StoreDisputes
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.result import IntelligentSearchResult

_MOST = 5
"""The most disputing memories listed for one memory."""
_NEARLY = 0.6
"""A newer memory moves before the older one that it contradicts from this fraction of its relevance."""
_MOST_READ = 5_000
"""The most paths read to find the disputes of a store."""


def mark_disputes(index: Index, snapshot: Snapshot, query: Query, answer: "RecallAnswer") -> "RecallAnswer":
    """Set `disputes` of each memory to the memories that contradict it, newest first, found or not.

    If both are in the answer and about as relevant, the newer one moves first.
    """
    own = {(each.address.place, each.ordinal): at for at, each in enumerate(answer.memories) if each.layer is None}
    pairs = index.read(snapshot, lambda view: view.contradicting(own)) if own else []
    if not pairs:
        return answer
    others = defaultdict[int, "dict[Place, Facet]"](dict)
    for one, other in _real_disputes(snapshot, pairs, query.where.holds_at):
        others[own[one.place]][other.place] = other
    memories = list(answer.memories)
    for number, disputing in others.items():
        newest_first = sorted(disputing.values(), key=lambda each: each.order)
        memories[number] = memories[number]._replace(disputes=tuple(newest_first[:_MOST]))
    return answer._replace(memories=memories if answer.gathered else _newer_first(memories))


def _newer_first(memories: "Sequence[IntelligentSearchResult]") -> "list[IntelligentSearchResult]":
    result: list[IntelligentSearchResult] = []
    for each in memories:
        older = {other.place for other in each.disputes if other.order > each.facet.order}
        positions = (
            at
            for at, other in enumerate(result if older else ())
            if other.facet.place in older and each.relevance_score >= _NEARLY * other.relevance_score
        )
        result.insert(next(positions, len(result)), each)
    return result


def disputes_of(index: Index, snapshot: Snapshot, most: int = _MOST_READ) -> "StoreDisputes":
    """The disputes of a store, reading at most `most` of the memories that may be in one."""
    from memoir.memory.active import StoreDisputes, facets, find_disputes
    from memoir.memory.read import records

    addresses = index.read(snapshot, lambda view: view.disputable(most + 1))
    by_address = records(snapshot, addresses[:most], listed=True)
    disputes = find_disputes([each for address, record in by_address.items() for each in facets(address, record)])
    return StoreDisputes(disputes, index.is_complete and len(addresses) <= most)


def _real_disputes(
    snapshot: Snapshot, pairs: "Sequence[tuple[Place, Place]]", holds_at: float | None
) -> "Iterator[tuple[Facet, Facet]]":
    """Yield the pairs, of those with contradicting words, that are in a dispute and hold at the time."""
    from memoir.memory.active import about_the_same, facets, may_dispute
    from memoir.recall.places import records_at
    from memoir.records.metadata import expiry_of

    by_address = records_at(snapshot, [place for pair in pairs for place in pair])
    placed = {each.place: each for address, record in by_address.items() for each in facets(address, record)}
    if any(place not in placed for pair in pairs for place in pair):
        raise IndexMismatch
    for one, other in ((placed[place], placed[its]) for place, its in pairs):
        end = expiry_of(other.memory.metadata)
        holds = end is None or holds_at is None or end.timestamp() > holds_at
        if holds and may_dispute(one) and may_dispute(other) and about_the_same(one, other):
            yield one, other
