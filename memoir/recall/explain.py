"""Why a memory ranks where it does, or is not found at all."""

from typing import NamedTuple

from memoir.errors import NotFound
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.read import require_record
from memoir.recall.answer import RecallAnswer
from memoir.recall.candidates import find
from memoir.recall.clues import Clues
from memoir.recall.deep.looks import look_again
from memoir.recall.findings import Stage
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, begin, cut, in_order, revive
from memoir.recall.stages import steps_of
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, matcher


class Explanation(NamedTuple):
    """The memories of one path among all candidates.

    `places` are their ranks from 1 (None: not in the running), `total` is how many candidates are in the running, and
    `stages` are the steps of the ranking.
    """

    query: Query
    address: Address
    clues: Clues
    candidates: list[RankedCandidate]
    places: list[int | None]
    total: int
    stages: tuple[Stage, ...]


def explain(index: Index, snapshot: Snapshot, query: Query, address: Address) -> Explanation:
    """Rank as recall would, and say of each memory of a path what it got in each step and why it was dropped.

    Raises:
        NotFound: there is nothing at the path, or all of it is superseded.
    """
    record = require_record(snapshot, address)
    if not any(memory.active for memory in record):
        raise NotFound(f"every memory at {address.full_key} is superseded, and recall finds only active memories")
    return index.read(snapshot, lambda view: _explain(view, query, address))


def in_answer(explanation: Explanation, query: Query, answer: RecallAnswer) -> Explanation:
    """The same memories with their ranks in an answer, whose mode does more than to rank, and the steps to it."""
    everyone = [(Address(each.namespace, each.path), each.ordinal) for each in answer.memories]
    places = {place: number for number, place in enumerate(everyone, 1)}
    ranks = [places.get(each.document.place) for each in explanation.candidates]
    candidates = [
        each._replace(dropped=None if rank else each.dropped or f"not in the answer of {answer.mode}")
        for each, rank in zip(explanation.candidates, ranks, strict=True)
    ]
    answer_query = query._replace(mode=answer.mode)
    return Explanation(
        answer_query, explanation.address, explanation.clues, candidates, ranks, len(everyone), steps_of(answer)
    )


def _explain(view: View, query: Query, address: Address) -> Explanation:
    path = frozenset([address])
    own = set(view.select(Filter(paths=path)).ids())
    forbidden = own.difference(view.select(query.where._replace(paths=path)).ids())
    search = begin(view, query)
    candidates = find(search, sorted(own))
    ranking = in_order(search, candidates)
    targets = [each.drop(_unmet_condition(query, each)) for each in ranking.everyone if each.document.id in forbidden]
    ranking, stages = look_again(search, candidates, ranking.without(forbidden))
    ranking = revive(ranking)
    contenders = cut(ranking.candidates, query)
    targets += [each for each in (*contenders, *ranking.others) if each.document.id in own]
    targets.sort(key=lambda each: (-each.score, each.document.ordinal))
    places = {each.document.id: place for place, each in enumerate(contenders, 1)}
    ranks = [places.get(each.document.id) for each in targets]
    return Explanation(query, address, ranking.clues, targets, ranks, len(contenders), stages)


def _unmet_condition(query: Query, candidate: RankedCandidate) -> str:
    """Which of the query's conditions a memory fails."""
    where, document = query.where, candidate.document
    if where.namespaces and document.address.namespace not in where.namespaces:
        return f"outside the namespaces asked for ({', '.join(where.namespaces)})"
    if where.globs and not matcher(where.globs)(document.address.path):
        return f"its path matches none of {', '.join(where.globs)}"
    if where.person is not None and where.person.casefold() not in document.people:
        return f"not about {where.person}"
    is_early = where.since is not None and document.event_time < where.since
    if is_early or (where.until is not None and document.event_time > where.until):
        return "outside the time asked for (--since, --until)"
    if where.origins and not where.metadata:
        return f"nobody vouches for it who was asked for ({', '.join(where.origins)})"
    return f"its metadata lacks {' or '.join(f'{name}={value}' for name, value in where.metadata)}"
