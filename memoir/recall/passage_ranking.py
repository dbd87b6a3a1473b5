"""Passages in a ranking: those of one turn, and those beside each other."""

from collections import Counter
from collections.abc import Mapping, Sequence

from memoir.index.documents import IndexedDocument
from memoir.memory.passages import TALK
from memoir.recall.query import Query
from memoir.recall.ranked import RankedCandidate, order

_FURTHER = 0.8
"""The factor of each further passage of a turn: the best one stands for it."""
_TOGETHER = 900
"""The most characters of passages that are shown as one."""


def one_a_turn(
    candidates: Sequence[RankedCandidate], items: Mapping[int, Sequence[IndexedDocument]]
) -> list[RankedCandidate]:
    """Candidates in order, with each further passage of a turn behind its best one, and the memories found in them."""
    turns = Counter[tuple[str, ...]]()

    def weigh(candidate: RankedCandidate) -> RankedCandidate:
        document, turn = candidate.document, _turn(candidate.document)
        turns[turn] += 1
        factor = _FURTHER if document.role and turns[turn] > 1 else 1.0
        score, relevance = candidate.score * factor, candidate.relevance * factor
        return candidate._replace(score=score, relevance=relevance, items=tuple(items.get(document.id, ())))

    return sorted(map(weigh, candidates), key=order)


def join(candidates: Sequence[RankedCandidate], query: Query) -> list[RankedCandidate]:
    """Candidates with passages that belong together joined: first what is shown, then what is not.

    Passages of a talk that are right beside each other are one result. In a broad answer the best passage of a turn
    stands for all of it.
    """
    belongs = _is_same_turn if query.breadth else _is_beside
    results, rest = list[RankedCandidate](), list[RankedCandidate]()
    for each in candidates:
        is_shown = not each.dropped and each.relevance >= query.threshold and len(results) < query.limit
        if not is_shown:
            rest.append(each)
            continue
        is_joined = query.breadth or (query.joined and each.document.role == TALK)
        place = next((at for at, result in enumerate(results) if is_joined and belongs(result, each.document)), None)
        if place is None:
            results.append(each)
        else:
            rest.append(each.drop(f"shown with {results[place].document.address.short_key}"))
            results[place] = results[place] if query.breadth else _with(results[place], each)
    return [*results, *rest]


def _with(result: RankedCandidate, other: RankedCandidate) -> RankedCandidate:
    return result._replace(joined=(*result.joined, other.document), items=(*result.items, *other.items))


def _turn(document: IndexedDocument) -> tuple[str, ...]:
    return (*document.address, str(document.turn))


def _is_same_turn(result: RankedCandidate, document: IndexedDocument) -> bool:
    return bool(document.role) and _turn(result.document) == _turn(document)


def _is_beside(result: RankedCandidate, document: IndexedDocument) -> bool:
    """Whether a passage of a talk is right beside those of a result, and short enough to be shown with them."""
    if document.role != TALK or result.document.role != TALK or result.document.address != document.address:
        return False
    parts = (result.document, *result.joined)
    numbers = [each.ordinal for each in parts]
    size = sum(len(each.content) for each in parts) + len(document.content)
    return document.ordinal in (min(numbers) - 1, max(numbers) + 1) and size <= _TOGETHER
