"""The neighbours of the memories of an answer in a sequence, such as the turns of a conversation.

A neighbour is not found by the query, so no filter is asked about it; but it has the namespace of the memory that it
stands beside.
"""

from collections.abc import Iterator

from memoir.index.index import Index
from memoir.index.sequence import Place
from memoir.index.view import View
from memoir.memory.layer_namespaces import source_layers
from memoir.memory.passages import passage_id, passage_numbers
from memoir.recall.answer import RecallAnswer, facets
from memoir.recall.findings import ContextMemory
from memoir.recall.query import Query
from memoir.recall.result import IntelligentSearchResult
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


def add_context(index: Index, snapshot: Snapshot, query: Query, answer: RecallAnswer) -> RecallAnswer:
    """Add up to `query.context` neighbours on each side to every memory of an answer, each neighbour once.

    With `max_chars` the memories come first: a neighbour that no longer fits is left out, and counted.
    """
    room = None if query.max_chars is None else query.max_chars - sum(len(each.content) for each in answer.memories)
    memories, omitted = [], answer.omitted
    for memory, neighbours in zip(answer.memories, _neighbours(index, snapshot, query, answer), strict=True):
        context = list(_all_that_fit(neighbours, room))
        room = None if room is None else room - sum(len(each.content) for each in context)
        omitted += len(neighbours) - len(context)
        memories.append(memory._replace(context=tuple(context)))
    return answer._replace(memories=memories, omitted=omitted)


def _neighbours(index: Index, snapshot: Snapshot, query: Query, answer: RecallAnswer) -> list[list[ContextMemory]]:
    """The neighbours of each memory that are neither in the answer nor a neighbour of an earlier one."""
    hits = [_places(memory) for memory in answer.memories]
    around = index.read(snapshot, lambda view: [_around(view, places, query.context) for places in hits])
    earlier_places, places = {place for each in hits for place in each}, []
    for near in around:
        places.append([(distance, place) for distance, place in near if place not in earlier_places])
        earlier_places.update(place for _, place in places[-1])
    memories = facets(snapshot, [place for group in places for _, place in group])
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
    """The places of all that a hit shows, in order: of joined passages, each."""
    first, last = passage_numbers(memory.id) if memory.layer else (memory.ordinal, memory.ordinal)
    return [(Address(memory.namespace, memory.path), number) for number in range(first, last + 1)]


def _around(view: View, places: list[Place], reach: int) -> list[tuple[int, Place]]:
    """The neighbours before the first and after the last of some places."""
    before = [near for near in view.around(places[0], reach) if near[0] < 0]
    return before + [near for near in view.around(places[-1], reach) if near[0] > 0]


def _all_that_fit(memories: list[ContextMemory], characters: int | None) -> Iterator[ContextMemory]:
    """The neighbours that fit into some characters, in their order."""
    for each in memories:
        if characters is None or len(each.content) <= characters:
            yield each
            characters = None if characters is None else characters - len(each.content)
