"""The last stages of a ranking: sort candidates, join passages that belong together, and cut to the answer."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import merge
from typing import Any, NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.index.filters import Filter
from memoir.index.view import View
from memoir.memory.speaker import TALK
from memoir.recall import channels
from memoir.recall.channel import Search
from memoir.recall.channels import Candidates, find
from memoir.recall.clues import Clues, find_clues
from memoir.recall.query import Query
from memoir.recall.scoring import NO_EVIDENCE, ScoredDocument, score
from memoir.taxonomy.paths import Address

FACTORS = ("recency", "question", "boost", "rerank")
"""The factors of a candidate's score; 1 changes nothing."""


class RankedCandidate(NamedTuple):
    """A candidate in a ranking.

    `rerank` multiplies the score and the relevance of `base`. `dropped` is the reason why it is not in the answer.
    `lead` names what led to it, if not the query itself. `joined` are adjacent passages shown with it, and `items` the
    memories that it replaces.
    """

    base: ScoredDocument
    score: float
    relevance: float
    rerank: float = 1.0
    dropped: str | None = None
    lead: str | None = None
    joined: tuple[IndexedDocument, ...] = ()
    items: tuple[IndexedDocument, ...] = ()

    @property
    def document(self) -> IndexedDocument:
        """The memory that is ranked."""
        return self.base.document

    @property
    def ordinals(self) -> list[int]:
        """The positions in its record of all passages shown, in order."""
        return sorted((self.document.ordinal, *(each.ordinal for each in self.joined)))

    def drop(self, reason: str) -> "RankedCandidate":
        """The same candidate, kept out of the answer."""
        return self._replace(dropped=reason)

    def fields(self) -> dict[str, Any]:
        """The numbers of a hit for output."""
        numbers = self.numbers()
        names = ("bm25_rank", "vector_rank", "cosine", "concept_rank", "recency", "score")
        return {**_round({name: numbers[name] for name in names}), **({"lead": self.lead} if self.lead else {})}

    def numbers(self) -> dict[str, float | None]:
        """The evidence of legs and channels, and the resulting scores, in the order of computation."""
        base, identity = self.base, self.document.id
        numbers: dict[str, float | None] = {}
        for leg in channels.LEGS:
            evidence = base.evidence[leg.name]
            numbers[leg.rank_column] = evidence.ranks.get(identity)
            numbers[leg.score_column] = evidence.scores.get(identity)
        return numbers | {
            "fused": base.fused,
            **{name: additions.get(identity, 0.0) for name, additions in base.additions.items()},
            "recency": base.recency,
            "question": base.question,
            "boost": base.boost,
            "rerank": self.rerank,
            "score": self.score,
            "relevance_score": self.relevance,
        }

    def trace(self) -> dict[str, Any]:
        """The row of a trace: the memory's place, and all its numbers."""
        address, ordinal = self.document.place
        return {
            "key": address.path,
            "namespace": address.namespace,
            "ordinal": ordinal,
            **_round(self.numbers()),
            "lead": self.lead,
            "dropped": self.dropped,
        }


def _round(numbers: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in numbers.items()}


def order(candidate: RankedCandidate) -> tuple[float, int, Address, int]:
    """The sort key of candidates: best score first, then the most trusted origin, then the place."""
    return (-candidate.score, candidate.base.voucher, *candidate.document.place)


_FURTHER = 0.8
"""The factor of each passage of a turn after its best one."""
_TOGETHER = 900
"""The most characters of joined passages."""


def one_a_turn(
    candidates: Sequence[RankedCandidate], items: Mapping[int, Sequence[IndexedDocument]]
) -> list[RankedCandidate]:
    """Sort candidates, weigh down all but the best passage of each turn, and attach the memories in `items`."""
    turns = Counter[tuple[str, ...]]()

    def weigh(candidate: RankedCandidate) -> RankedCandidate:
        document, turn = candidate.document, _turn_key(candidate.document)
        turns[turn] += 1
        factor = _FURTHER if document.role and turns[turn] > 1 else 1.0
        score, relevance = candidate.score * factor, candidate.relevance * factor
        return candidate._replace(score=score, relevance=relevance, items=tuple(items.get(document.id, ())))

    return sorted(map(weigh, candidates), key=order)


def join(candidates: Sequence[RankedCandidate], query: Query) -> list[RankedCandidate]:
    """Join passages that belong together; return the shown candidates first, then the others.

    Adjacent passages of a talk become one result. In a broad answer only the best passage of a turn is shown.
    """
    belongs = _is_same_turn if query.breadth else _is_beside
    results, rest = list[RankedCandidate](), list[RankedCandidate]()
    for each in candidates:
        is_shown = not each.dropped and each.relevance >= query.threshold and len(results) < query.limit
        if not is_shown:
            rest.append(each)
            continue
        is_joined = query.breadth or (query.joined and each.document.role == TALK)
        position = next((at for at, result in enumerate(results) if is_joined and belongs(result, each.document)), None)
        if position is None:
            results.append(each)
        else:
            rest.append(each.drop(f"shown with {results[position].document.address.short_key}"))
            results[position] = results[position] if query.breadth else _joined_with(results[position], each)
    return [*results, *rest]


def _joined_with(result: RankedCandidate, other: RankedCandidate) -> RankedCandidate:
    return result._replace(joined=(*result.joined, other.document), items=(*result.items, *other.items))


def _turn_key(document: IndexedDocument) -> tuple[str, ...]:
    return (*document.address, str(document.turn))


def _is_same_turn(result: RankedCandidate, document: IndexedDocument) -> bool:
    return bool(document.role) and _turn_key(result.document) == _turn_key(document)


def _is_beside(result: RankedCandidate, document: IndexedDocument) -> bool:
    """Whether a passage of a talk is adjacent to those of a result, and short enough to join."""
    if document.role != TALK or result.document.role != TALK or result.document.address != document.address:
        return False
    parts = (result.document, *result.joined)
    numbers = [each.ordinal for each in parts]
    size = sum(len(each.content) for each in parts) + len(document.content)
    return document.ordinal in (min(numbers) - 1, max(numbers) + 1) and size <= _TOGETHER


class Ranking(NamedTuple):
    """The clues in a query, and the candidates, best first; `others` were dropped."""

    clues: Clues
    candidates: tuple[RankedCandidate, ...]
    others: tuple[RankedCandidate, ...]
    query: Query

    @property
    def everyone(self) -> tuple[RankedCandidate, ...]:
        """The candidates, then the others."""
        return *self.candidates, *self.others

    def without(self, ids: Collection[int]) -> "Ranking":
        """The ranking without the documents with these ids."""
        candidates, others = (
            tuple(each for each in part if each.document.id not in ids) for part in (self.candidates, self.others)
        )
        return self._replace(candidates=candidates, others=others)


PASSAGES_POOL = 2
"""The factor of the candidate pool if sources are searched: a passage says less than a memory."""


def rank(view: View, query: Query, *, where: Filter | None = None, also: Sequence[int] = ()) -> Ranking:
    """Rank the documents that a query (or the narrower `where`) admits, and those in `also`."""
    search = begin(view, query, where)
    return in_order(search, find(search, also))


def begin(view: View, query: Query, where: Filter | None = None) -> Search:
    """Begin a search among the documents that the query (or the narrower `where`) admits."""
    if query.where.sources != "no" and view.has_sources:
        query = query._replace(pool=PASSAGES_POOL * query.pool)
    return Search(view, query, find_clues(view, query), view.select(where or query.where))


def in_order(search: Search, candidates: Candidates) -> Ranking:
    """Score and sort candidates."""
    documents = score(search, candidates)
    everyone = sorted(
        (RankedCandidate(each, each.score, each.relevance, 1.0, each.weakness) for each in documents), key=order
    )
    if any(each.document.role for each in everyone):
        everyone = one_a_turn(everyone, candidates.items)
    strong = tuple(each for each in everyone if not each.dropped)
    return Ranking(search.clues, strong, tuple(each for each in everyone if each.dropped), search.query)


FEWEST = 5
"""A lenient answer without a limit takes weak candidates up to this number: they are often right."""


def revive(ranking: Ranking) -> Ranking:
    """Admit candidates without evidence that are among the best, unless the query is strict.

    The best are as many as the given limit, else five. This is the last step, so that these candidates influence no
    decision and lead nowhere. A memory with a boost of 0 stays out.
    """
    query, weak = ranking.query, [each for each in ranking.others if each.dropped == NO_EVIDENCE and each.base.boost]
    if query.strict or not weak:
        return ranking
    order = list(merge(ranking.candidates, sorted(weak, key=_by_relevance), key=_by_relevance))
    most = query.limit if query.limit_is_given else FEWEST
    ids = {each.document.id for each in weak}.difference(each.document.id for each in order[:most])
    return ranking._replace(
        candidates=tuple(each._replace(dropped=None) for each in order if each.document.id not in ids),
        others=tuple(each for each in ranking.others if each.dropped != NO_EVIDENCE or each.document.id in ids),
    )


def _by_relevance(candidate: RankedCandidate) -> tuple[float, int, Address, int]:
    return (-candidate.relevance, candidate.base.voucher, *candidate.document.place)


def cut(candidates: Sequence[RankedCandidate], query: Query) -> tuple[RankedCandidate, ...]:
    """Drop candidates below the threshold or beyond the limit; join passages that are one hit."""
    if any(each.document.role for each in candidates):
        candidates = join(candidates, query)
    return tuple(_cut(candidates, query))


def _cut(candidates: Sequence[RankedCandidate], query: Query) -> Iterator[RankedCandidate]:
    room = query.limit
    for each in candidates:
        if each.dropped:
            yield each
        elif each.relevance < query.threshold:
            yield each.drop(f"relevance below the threshold of {query.threshold:g}")
        elif room <= 0:
            yield each.drop(f"beyond the limit of {query.limit}")
        else:
            room -= 1
            yield each
