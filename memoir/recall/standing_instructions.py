"""The standing instructions of users relevant to a question, apart from its hits because they do not answer it."""

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

from memoir.english.requests import asks_for_instructions
from memoir.index.index import Index, IndexMismatch
from memoir.index.standing_table import FLOOR, StandingMatch
from memoir.index.view import View
from memoir.memory.passages import passage_id, passages, source_of_segment
from memoir.memory.read import records
from memoir.memory.speaker import SOURCE
from memoir.recall.answer import RecallAnswer
from memoir.recall.query import Query
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.kinds import DIRECTIVE, PREFERENCE
from memoir.taxonomy.paths import Address, MemoryAddress

if TYPE_CHECKING:
    from memoir.recall.findings import StandingInstruction

MOST = {DIRECTIVE: 2, PREFERENCE: 1}
"""The most instructions of each kind."""
MOST_ASKED = {DIRECTIVE: 5, PREFERENCE: 1}
"""The same if the question asks for instructions."""
ANY = -1.0
"""The floor of the cosine if the question asks for instructions: none is too far."""
Found = tuple[StandingMatch, Address, int]
"""A matching clause, and the address and number of its passage."""


def add_standing(index: Index, snapshot: Snapshot, query: Query, answer: RecallAnswer) -> RecallAnswer:
    """Add the instructions and preferences of users nearest to a question; with `max_chars`, those that still fit."""
    return with_standing(answer, standing_on(index, snapshot, query), query.max_chars)


def standing_on(index: Index, snapshot: Snapshot, query: Query) -> "list[StandingInstruction]":
    """The instructions and preferences of users nearest to a question."""
    all_found = index.read(snapshot, lambda view: _find(view, query))
    segments = records(snapshot, [address for _, address, _ in all_found], listed=True)
    return [_instruction(each, segments) for each in all_found]


def with_standing(
    answer: RecallAnswer, standing: "Iterable[StandingInstruction]", max_chars: int | None
) -> RecallAnswer:
    """Add the nearest instructions of each kind; with `max_chars`, only those that still fit."""
    if not (best := nearest(answer.query, standing)):
        return answer._replace(standing=())
    from memoir.recall.findings import all_that_fit  # most questions have none

    room = inf if max_chars is None else max_chars - sum(len(each.content) for each in answer.memories)
    kept = tuple(all_that_fit(best, room))
    return answer._replace(standing=kept, omitted=answer.omitted + len(best) - len(kept))


def nearest(question: str, standing: "Iterable[StandingInstruction]") -> "list[StandingInstruction]":
    """The nearest instructions of each kind, up to its limit."""
    ranked = sorted(standing, key=lambda each: -each.relevance)
    return [
        each for kind, most in _limits(question).items() for each in [one for one in ranked if one.kind == kind][:most]
    ]


def _limits(question: str) -> dict[str, int]:
    return MOST_ASKED if asks_for_instructions(question) else MOST


def as_memory(standing: "StandingInstruction") -> Memory:
    """Make a memory of an instruction, with its speaker and source."""
    metadata = {"speaker": standing.speaker, SOURCE: standing.source}
    return Memory(standing.content, 1.0, standing.timestamp, metadata=metadata)


def _find(view: View, query: Query) -> list[Found]:
    if not view.has_sources:
        return []
    floor = ANY if asks_for_instructions(query.text) else FLOOR
    found = [
        each
        for kind, most in _limits(query.text).items()
        for each in view.standing(query.text, kind, query.where, most, floor)
    ]
    places = {document.id: document.place for document in view.documents([each.document for each in found])}
    return [(each, *places[each.document]) for each in found]


def _instruction(found: Found, segments: dict[Address, Record]) -> "StandingInstruction":
    from memoir.recall.findings import StandingInstruction  # most questions have none

    match, address, number = found
    its = passages(segments.get(address, ()))
    if number >= len(its):
        raise IndexMismatch
    passage = its[number]
    return StandingInstruction(
        match.kind,
        match.text,
        MemoryAddress(address, passage_id(number)),
        source_of_segment(address),
        passage.speaker,
        passage.when,
        round(match.cosine, 4),
    )
