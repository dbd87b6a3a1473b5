"""Explain a memory's rank, or why it is not found."""

from typing import NamedTuple

from memoir.errors import NotFound
from memoir.index.documents import IndexedDocument
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory import read
from memoir.memory.facets import id_at, require_record
from memoir.memory.passages import passage_id, passage_numbers
from memoir.recall.answer import RecallAnswer, steps_of
from memoir.recall.channels import find
from memoir.recall.clues import Clues
from memoir.recall.deep import look_again
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, begin, cut, in_order, revive
from memoir.recall.result import Stage
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, MemoryAddress, matcher


class ExplainedMemory(NamedTuple):
    """A memory among all candidates."""

    target: MemoryAddress
    """Its own address."""
    candidate: RankedCandidate
    """Its numbers from each step, and why it was dropped."""
    rank: int | None
    """Its rank from 1 among the candidates in the running; None if it is not among them."""


class Explanation(NamedTuple):
    """The memories at an address among all candidates.

    `total` counts the candidates in the running; `stages` are the steps of the ranking.
    """

    query: Query
    target: MemoryAddress
    clues: Clues
    memories: list[ExplainedMemory]
    total: int
    stages: tuple[Stage, ...]


def explain(index: Index, snapshot: Snapshot, query: Query, target: MemoryAddress) -> Explanation:
    """Rank as recall would, and record the numbers and the fate of each memory at an address.

    Raises:
        NotFound: there is nothing at the address, or all of it is superseded. InvalidInput: the id is ambiguous.
    """
    if not any(memory.active for memory in require_record(snapshot, target)):
        raise NotFound(f"every memory at {target.full_key} is superseded, and recall finds only active memories")
    record = read.require_record(snapshot, target.place)
    return index.read(snapshot, lambda view: _explain(view, query, target, record))


def _address(document: IndexedDocument, record: Record) -> MemoryAddress:
    """The address by which `get` reads a document, with the id of a passage or of one of several memories."""
    identity = passage_id(document.ordinal) if document.role else id_at(record, document.ordinal)
    return MemoryAddress(document.address, identity)


def _includes(target: MemoryAddress, its: MemoryAddress, document: IndexedDocument) -> bool:
    """Whether an address includes a document: it may be a path, an id, or a range of passages."""
    if not target.names_passage:
        return its.id.startswith(target.id)
    first, last = passage_numbers(target.id)
    return first <= document.ordinal <= last


def in_answer(explanation: Explanation, query: Query, answer: RecallAnswer) -> Explanation:
    """The explanation with the ranks and steps of the full answer, for modes that do more than rank."""
    everyone = [(Address(each.namespace, each.path), each.ordinal) for each in answer.memories]
    ranks = {place: number for number, place in enumerate(everyone, 1)}
    leads = {place: each.ranking.get("lead") for place, each in zip(everyone, answer.memories, strict=True)}
    memories = []
    for target, candidate, _ in explanation.memories:
        place = candidate.document.place
        rank, lead = ranks.get(place), leads.get(place)
        why = None if rank else candidate.dropped or f"not in the answer of {answer.mode}"
        memories.append(ExplainedMemory(target, candidate._replace(dropped=why, lead=lead), rank))
    answer_query, steps = query._replace(mode=answer.mode), steps_of(answer)
    return explanation._replace(query=answer_query, memories=memories, total=len(everyone), stages=steps)


def _explain(view: View, query: Query, target: MemoryAddress, record: Record) -> Explanation:
    path = frozenset([target.place])
    own = set(view.select(Filter(paths=path)).ids())
    forbidden = own.difference(view.select(query.where._replace(paths=path)).ids())
    search = begin(view, query)
    candidates = find(search, sorted(own))
    ranking = in_order(search, candidates)
    found = [each.drop(_unmet_condition(query, each)) for each in ranking.everyone if each.document.id in forbidden]
    ranking, stages = look_again(search, candidates, ranking.without(forbidden))
    ranking = revive(ranking)
    contenders = cut(ranking.candidates, query)
    found += [each for each in (*contenders, *ranking.others) if each.document.id in own]
    found.sort(key=lambda each: (-each.score, each.document.ordinal))
    ranks = {each.document.id: rank for rank, each in enumerate(contenders, 1)}
    memories = [
        ExplainedMemory(its, each, ranks.get(each.document.id))
        for each in found
        if _includes(target, its := _address(each.document, record), each.document)
    ]
    return Explanation(query, target, ranking.clues, memories, len(contenders), stages)


def _unmet_condition(query: Query, candidate: RankedCandidate) -> str:
    """The query's condition that a memory fails, in words."""
    where, document = query.where, candidate.document
    if where.namespaces and document.address.namespace not in where.namespaces:
        return f"outside the namespaces asked for ({', '.join(where.namespaces)})"
    if where.globs and not matcher(where.globs)(document.address.path):
        return f"its path matches none of {', '.join(where.globs)}"
    if where.person is not None and where.person.casefold() not in document.people | {document.role}:
        return f"not about {where.person}"
    is_early = where.since is not None and document.event_time < where.since
    if is_early or (where.until is not None and document.event_time > where.until):
        return "outside the time asked for (--since, --until)"
    if where.origins and not where.metadata:
        return f"its origin is not {' or '.join(where.origins)}"
    return f"its metadata lacks {' or '.join(f'{name}={value}' for name, value in where.metadata)}"
