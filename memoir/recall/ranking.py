"""The last stages of a ranking: candidates put in order, passages that belong together joined, cut to an answer."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import merge
from typing import Any, NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.index.filters import Filter
from memoir.index.view import View
from memoir.memory.origin import TALK
from memoir.recall import channels
from memoir.recall.channel import Search
from memoir.recall.channels import Candidates, find
from memoir.recall.clues import Clues, find_clues
from memoir.recall.query import Query
from memoir.recall.scoring import NO_EVIDENCE, ScoredDocument, score
from memoir.taxonomy.paths import Address

FACTORS = ("recency", "question", "boost", "rerank")
"""The numbers of a candidate that its score is multiplied by; 1 changes nothing."""


class RankedCandidate(NamedTuple):
    """A candidate at its place in a ranking.

    `rerank` multiplies the score and the relevance of `base`. `dropped` says why it is not in an answer.
    `lead` says what has led to it, where that was not the query itself. `joined` are the passages beside it that are
    shown with it, and `items` the memories that it stands for.
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
        """The positions in its record of all that is shown, in order."""
        return sorted((self.document.ordinal, *(each.ordinal for each in self.joined)))

    def drop(self, reason: str) -> "RankedCandidate":
        """The same candidate, kept out of the answer."""
        return self._replace(dropped=reason)

    def fields(self) -> dict[str, Any]:
        """The numbers that a hit carries."""
        numbers = self.numbers()
        names = ("bm25_rank", "vector_rank", "cosine", "concept_rank", "recency", "score")
        return {**_round({name: numbers[name] for name in names}), **({"lead": self.lead} if self.lead else {})}

    def numbers(self) -> dict[str, float | None]:
        """The evidence of the legs and the channels, and the results, in the order of the computation."""
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
        """Which memory it is, and all numbers of it."""
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
    """The sort key of candidates: the best score first, equal ones by who vouches for them, then by their places."""
    return (-candidate.score, candidate.base.voucher, *candidate.document.place)


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


class Ranking(NamedTuple):
    """The clues in a query, and the candidates, best first; `others` were dropped."""

    clues: Clues
    candidates: tuple[RankedCandidate, ...]
    others: tuple[RankedCandidate, ...]
    query: Query

    @property
    def everyone(self) -> tuple[RankedCandidate, ...]:
        """The candidates and the others."""
        return *self.candidates, *self.others

    def without(self, ids: Collection[int]) -> "Ranking":
        """The same ranking without some documents, by their ids."""
        candidates, others = (
            tuple(each for each in part if each.document.id not in ids) for part in (self.candidates, self.others)
        )
        return self._replace(candidates=candidates, others=others)


PASSAGES_POOL = 2
"""How many times more candidates there are where sources are searched: a passage says less than a memory."""


def rank(view: View, query: Query, *, where: Filter | None = None, also: Sequence[int] = ()) -> Ranking:
    """Rank the documents that a query may find (or those of a narrower filter), and `also` some whatever they are."""
    search = begin(view, query, where)
    return in_order(search, find(search, also))


def begin(view: View, query: Query, where: Filter | None = None) -> Search:
    """The search of a query, among the documents that it may find (or those of a narrower filter)."""
    if query.where.sources != "no" and view.has_sources:
        query = query._replace(pool=PASSAGES_POOL * query.pool)
    return Search(view, query, find_clues(view, query), view.select(where or query.where))


def in_order(search: Search, candidates: Candidates) -> Ranking:
    """Score candidates, and put them in order."""
    documents = score(search, candidates)
    everyone = sorted(
        (RankedCandidate(each, each.score, each.relevance, 1.0, each.weakness) for each in documents), key=order
    )
    if any(each.document.role for each in everyone):
        everyone = one_a_turn(everyone, candidates.items)
    strong = tuple(each for each in everyone if not each.dropped)
    return Ranking(search.clues, strong, tuple(each for each in everyone if each.dropped), search.query)


FEWEST = 5
"""Candidates that an answer has whatever they are worth, unless it is to be strict: what is withheld is often right."""


def revive(ranking: Ranking) -> Ranking:
    """Let in those without evidence that are among the best, unless the query is strict.

    The best are as many as are asked for, else five. This comes when all has been judged: nothing is concluded from
    them, and nothing leads on from them. What a boost of 0 keeps out stays out.
    """
    query, weak = ranking.query, [each for each in ranking.others if each.dropped == NO_EVIDENCE and each.base.boost]
    if query.strict or not weak:
        return ranking
    order = list(merge(ranking.candidates, sorted(weak, key=_nearness), key=_nearness))
    most = query.limit if query.limit_is_given else FEWEST
    ids = {each.document.id for each in weak}.difference(each.document.id for each in order[:most])
    return ranking._replace(
        candidates=tuple(each._replace(dropped=None) for each in order if each.document.id not in ids),
        others=tuple(each for each in ranking.others if each.dropped != NO_EVIDENCE or each.document.id in ids),
    )


def _nearness(candidate: RankedCandidate) -> tuple[float, int, Address, int]:
    return (-candidate.relevance, candidate.base.voucher, *candidate.document.place)


def cut(candidates: Sequence[RankedCandidate], query: Query) -> tuple[RankedCandidate, ...]:
    """Drop the candidates that the threshold or the limit keeps out of the answer; join passages that are one hit."""
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
