"""The insights, captions and neighbours that an answer shows beside its memories.

Insights and captions live in layers of their own, and are ranked by the same query. `max_chars` is shared: memories
come first, then insights, then captions.

A neighbour comes before or after a memory in a sequence, such as the turns of a conversation. The query did not find
it, so the query's filters do not apply to it; it has the same namespace as its memory.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import TypeVar

from memoir.index.documents import Place
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.layer_namespaces import INSIGHTS, RAW, layers, source_layers
from memoir.memory.links import links_of, targets_of
from memoir.memory.passages import passage_id, passage_numbers
from memoir.memory.read import records
from memoir.memory.staleness import Staleness
from memoir.recall.answer import RecallAnswer, fetch
from memoir.recall.findings import Caption, ContextMemory, FoundInsight, all_that_fit
from memoir.recall.model_view import Behind
from memoir.recall.places import memories_at
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate as Candidate
from memoir.recall.ranking import cut, rank
from memoir.recall.result import IntelligentSearchResult
from memoir.records.metadata import EDGES, insight_fields
from memoir.records.record import Memory
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

T = TypeVar("T", FoundInsight, Caption)
RankedLayer = tuple[Address, Memory, float]
"""The address of a memory in a layer, the memory, and its relevance."""


def add_layers(index: Index, snapshot: Snapshot, query: Query, answer: RecallAnswer) -> RecallAnswer:
    """Add the best insights and captions to an answer; with `max_chars`, those that still fit."""
    insights = list(_insights(index, snapshot, query))
    captions = _captions(index, snapshot, query, answer.memories)
    return with_layers(answer, Behind(insights, captions), query.max_chars)


def with_layers(answer: RecallAnswer, layers: Behind, max_chars: int | None) -> RecallAnswer:
    """Add insights and captions to an answer; with `max_chars`, only those that still fit."""
    room = inf if max_chars is None else max_chars - _characters(answer)
    insights = tuple(_first_to_fit(layers.insights, room, lambda each: len(each.content)))
    room -= sum(len(each.content) for each in insights)
    captions = tuple(_first_to_fit(layers.captions, room, lambda each: len(each.text)))
    omitted = answer.omitted + len(layers.insights) - len(insights) + len(layers.captions) - len(captions)
    return answer._replace(insights=insights, raw_data=captions, layered=True, omitted=omitted)


def find_behind(index: Index, snapshot: Snapshot, query: Query, candidates: Sequence[Candidate]) -> Behind:
    """The insights and captions linked to candidates, and others that answer the query."""
    if not (query.insights or query.captions) or not layers(snapshot):
        return Behind()
    # Without a layer a passage brings no caption: it is shown itself.
    memories = [each._replace(layer=None) for each in fetch(snapshot, candidates, query.mode)]
    return Behind(list(_insights(index, snapshot, query)), _captions(index, snapshot, query, memories))


def _characters(answer: RecallAnswer) -> int:
    contexts = (near.content for memory in answer.memories for near in memory.context or ())
    return sum(len(memory.content) for memory in answer.memories) + sum(map(len, contexts))


def _insights(index: Index, snapshot: Snapshot, query: Query) -> Iterator[FoundInsight]:
    staleness = Staleness(snapshot)
    for address, memory, relevance in _rank_layer(index, snapshot, query, INSIGHTS, query.insights):
        fields = insight_fields(memory) or {}
        sources = tuple(target for _, target in links_of((memory,)))
        stale = staleness.of(address) is True
        yield FoundInsight(
            address, memory.content, str(fields.get("level")), str(fields.get("by")), relevance, stale, sources
        )


def _captions(
    index: Index, snapshot: Snapshot, query: Query, memories: Sequence[IntelligentSearchResult]
) -> list[Caption]:
    """The captions of the memories' segments, in the memories' order, then captions that match the query."""
    if not query.captions:
        return []
    items, relevance = defaultdict[Address, list[str]](list), dict[Address, float]()
    layer_names = layers(snapshot)
    for memory in memories:
        if memory.layer == RAW:
            relevance.setdefault(Address(memory.namespace, memory.path), memory.relevance_score)
        for address in (target for edge in EDGES for target in targets_of(memory.metadata, edge)):
            if address.namespace in layer_names:
                items[address].append(memory.path)
                relevance[address] = max(relevance.get(address, 0.0), memory.relevance_score)
    for address, _, score in _rank_layer(index, snapshot, query, RAW, query.captions):
        relevance.setdefault(address, score)
    addresses = list(relevance)[: query.captions]
    by_address = records(snapshot, addresses, listed=True)
    texts = {address: str(record[-1].metadata.get("caption", "")) for address, record in by_address.items()}
    return [
        Caption(each, texts[each], relevance[each], tuple(dict.fromkeys(items.get(each, ()))))
        for each in addresses
        if texts.get(each)
    ]


def _rank_layer(index: Index, snapshot: Snapshot, query: Query, kind: str, limit: int) -> list[RankedLayer]:
    """The best memories for a query in one kind of layer of the searched namespaces."""
    names = tuple(sorted(_layers_searched(snapshot, query, kind)))
    if not names or not limit:
        return []
    where = Filter(namespaces=names, globs=query.where.globs if kind == INSIGHTS else ())
    layer_query = query._replace(where=where, limit=limit)
    ranking = index.read(snapshot, lambda view: rank(view, layer_query))
    best = [each for each in cut(ranking.candidates, layer_query) if not each.dropped]
    memories = memories_at(snapshot, [each.document.place for each in best])
    return [(each.document.address, memories[each.document.place], round(each.relevance, 4)) for each in best]


def _layers_searched(snapshot: Snapshot, query: Query, kind: str) -> Iterator[str]:
    namespaces = query.where.namespaces
    for name in layers(snapshot):
        base, _, layer_kind = name.rpartition(":")
        if layer_kind == kind and (not namespaces or base in namespaces):
            yield name


def _first_to_fit(parts: Iterable[T], room: float, length: Callable[[T], int]) -> Iterator[T]:
    """Yield parts in order until one no longer fits into `room` characters."""
    for each in parts:
        if length(each) > room:
            return
        room -= length(each)
        yield each


def add_context(index: Index, snapshot: Snapshot, query: Query, answer: RecallAnswer) -> RecallAnswer:
    """Add up to `query.context` neighbours on each side to every memory of an answer, each neighbour once.

    With `max_chars` the memories come first: a neighbour that no longer fits is left out, and counted.
    """
    room = inf if query.max_chars is None else query.max_chars - sum(len(each.content) for each in answer.memories)
    memories, omitted = [], answer.omitted
    for memory, neighbours in zip(answer.memories, _neighbours(index, snapshot, query, answer), strict=True):
        context = list(all_that_fit(neighbours, room))
        room -= sum(len(each.content) for each in context)
        omitted += len(neighbours) - len(context)
        memories.append(memory._replace(context=tuple(context)))
    return answer._replace(memories=memories, omitted=omitted)


def _neighbours(index: Index, snapshot: Snapshot, query: Query, answer: RecallAnswer) -> list[list[ContextMemory]]:
    """The neighbours of each memory that are neither in the answer nor a neighbour of an earlier one."""
    hits = [_places(memory) for memory in answer.memories]
    around = index.read(snapshot, lambda view: [_neighbours_of(view, places, query.context) for places in hits])
    earlier_places, places = {place for each in hits for place in each}, []
    for near in around:
        places.append([(distance, place) for distance, place in near if place not in earlier_places])
        earlier_places.update(place for _, place in places[-1])
    memories = memories_at(snapshot, [place for group in places for _, place in group])
    raw = source_layers(snapshot, {address.namespace for address, _ in memories})
    return [
        [
            ContextMemory.of(
                place, memories[place], distance, passage_id(place[1]) if place[0].namespace in raw else ""
            )
            for distance, place in group
        ]
        for group in places
    ]


def _places(memory: IntelligentSearchResult) -> list[Place]:
    """The places of the memory of a hit, or of all its joined passages, in order."""
    first, last = passage_numbers(memory.id) if memory.layer else (memory.ordinal, memory.ordinal)
    return [(Address(memory.namespace, memory.path), number) for number in range(first, last + 1)]


def _neighbours_of(view: View, places: list[Place], reach: int) -> list[tuple[int, Place]]:
    """The neighbours before the first place and after the last, up to `reach` on each side."""
    before = [near for near in view.around(places[0], reach) if near[0] < 0]
    return before + [near for near in view.around(places[-1], reach) if near[0] > 0]
