"""The second stage of a ranking: one score from all legs and channels, and a relevance on one scale for all queries.

    score = (fused + the channels' additions) * recency * question * boost

`blend`, the default fusion, divides each leg's scores by its best one (or by more, if even that is poor), so that all
run from 0 to 1, and takes their weighted mean. `rrf` is reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR
2009): the sum over the legs of weight / (k + rank). It ignores scores and measured far worse (docs/ranking.md), because
an excellent match counts little more than the first of many poor ones.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from memoir.english.requests import (
    asks_for_code,
    asks_for_the_assistants_words,
    asks_for_the_order_of_talk,
    asks_for_the_present,
    asks_what_is_open,
    introduction_sought,
    is_mere_question,
    is_offer,
    leaves_open,
)
from memoir.index.documents import IndexedDocument
from memoir.memory.speaker import ASSISTANT, USER
from memoir.recall import channels
from memoir.recall.channel import READ_CHARACTERS, Search
from memoir.recall.channels import Candidates, LegScores
from memoir.recall.query import Query
from memoir.records.origins import ORIGIN, ORIGINS, UNKNOWN
from memoir.settings import CANDIDATE_POOL
from memoir.times import may_name_a_time

_UNMEASURED_QUALITY = 0.5
"""The quality of an answer without evidence from any leg."""
QUESTION_FACTOR = 0.9
"""The factor of a memory that ends in a question: it shares the query's words, but seldom answers."""
OPEN_FACTOR = 0.4
"""The factor of a memory that leaves open what it asks, so that its answer comes first; of a turn of talk, what follows
answers it."""
ASSISTANT_FACTOR = 0.7
"""The factor of an assistant's passages, unless the query asks for them: the facts are in what the user said. A user's
turn that ends in a question counts in full, because it is a request that states the facts of the case."""
ECHO_FACTOR = 0.35
"""The same if the query asks for the order in which the user spoke of things."""
OFFER_FACTOR = 0.5
"""The factor of an assistant's offer of more help: it is similar to any question."""
CODE_FACTOR = 0.6
"""The factor of an assistant chat's passage that is mostly code, unless the query asks for code: it shares words with
many questions, but answers few."""
MERE_QUESTION_FACTOR = 0.85
"""The factor of a user's bare question without facts: `what is the best tool?`"""
INTRODUCING = 2.0
"""The factor of introductions if the query asks who people are or where from: they share no words with it."""
OLDEST = 0.85
"""The factor of the oldest candidate if the query asks for the present; that of the newest is 1."""
TIMELESS = 0.95
"""The factor of a memory without a time if the query asks for one."""
_DAY = 86_400.0
NO_EVIDENCE = "it shares no word with the query, and its vector is not near enough"
"""Why a candidate without evidence is dropped."""
_LEAST_RECENCY = 1e-12
"""The least factor by age, so that an old memory is ranked last but not hidden."""


Additions = Mapping[str, Mapping[int, float]]
"""The channels' additions to scores, by the channel's name and the document's id."""


class ScoredDocument(NamedTuple):
    """A document with its score and the numbers behind it.

    `evidence` maps legs, `additions` channels, to their numbers for all documents. `fused` is the legs' part;
    `recency`, `question` and `boost` multiply the sum of it and the additions. `relevance` (0 to 1) is the score on one
    scale for all queries. `weakness` is the reason why the document cannot be in an answer. `voucher` is the rank of
    its origin in `ORIGINS`, looked up only for ties.
    """

    document: IndexedDocument
    evidence: Mapping[str, LegScores]
    additions: Additions
    fused: float
    recency: float
    question: float
    boost: float
    score: float
    relevance: float = 0.0
    weakness: str | None = None
    voucher: int = ORIGINS.index(UNKNOWN)


FusedScores = tuple[Mapping[int, float], float]
"""The fused scores by document id, and the best possible one."""


def score(search: Search, candidates: Candidates) -> list[ScoredDocument]:
    """Score candidates, in their order.

    Scores are normalised over the legs' proposals only, so that a document added by its id changes no other's numbers.
    """
    documents = candidates.documents
    basis = candidates.proposals() or {document.id for document in documents}
    fused, best = fuse(search, candidates, basis)
    additions, ages = _channel_scores(search, documents, best), _age_factors(search, documents)

    def score_one(document: IndexedDocument) -> ScoredDocument:
        identity, query, total = document.id, search.query, fused[document.id]
        for its in additions.values():
            total += its.get(identity, 0.0)
        age = ages.get(identity, 1.0) * recency(query.now, document.learnt, query.tau)
        question, boost = _question_factor(search, document), query.factor(*document.address, document.content)
        numbers = fused[identity], age, question, boost, total * age * question * boost
        return ScoredDocument(document, candidates.evidence, additions, *numbers)

    scored = list(map(score_one, documents))
    top = max((each.score for each in scored if each.document.id in basis), default=0)
    is_answered = any(additions[channel.name] for channel in channels.CHANNELS if channel.answers)
    quality = 1.0 if is_answered else quality_of(search, candidates, basis) or _UNMEASURED_QUALITY
    weak, ranks = _weaknesses(search, candidates, additions), _origin_ranks(search, scored)

    def compare(each: ScoredDocument) -> ScoredDocument:
        return each._replace(
            relevance=min(quality * each.score / (top or 1.0), 1.0),
            weakness=weak.get(each.document.id) or (None if each.score > 0 else "its score is 0"),
            voucher=ranks.get(each.document.id, each.voucher),
        )

    return list(map(compare, scored))


def _origin_ranks(search: Search, scored: Sequence[ScoredDocument]) -> dict[int, int]:
    """The ranks in `ORIGINS` of the origins of documents with tied scores, by id."""
    counts = Counter(each.score for each in scored)
    ids = [each.document.id for each in scored if counts[each.score] > 1]
    ranks: dict[int, int] = {}
    for rank, origin in reversed(list(enumerate(ORIGINS if ids else ()))):
        ranks |= dict.fromkeys(search.view.with_field(ORIGIN, origin, ids), rank)
    return ranks


def _age_factors(search: Search, documents: Sequence[IndexedDocument]) -> dict[int, float]:
    """The factors by age of passages, by id, if a query asks for the present.

    Memories need none: a newer one supersedes the older.
    """
    passages = sorted((each for each in documents if each.role), key=lambda each: (each.event_time, each.place))
    if not passages or search.clues.spans or not asks_for_the_present(search.query.text):
        return {}
    return {each.id: OLDEST + (1 - OLDEST) * (rank / len(passages)) for rank, each in enumerate(passages, 1)}


def _question_factor(search: Search, document: IndexedDocument) -> float:
    """The factor for how likely a memory is an answer at all, judged by its kind."""
    content = document.content
    factor = QUESTION_FACTOR if document.role != USER and content.rstrip().endswith(("?", "？")) else 1.0
    if not (document.role or document.people) and leaves_open(content) and not asks_what_is_open(search.query.text):
        factor = OPEN_FACTOR
    if document.role == ASSISTANT and asks_for_the_order_of_talk(search.query.text):
        factor = ECHO_FACTOR
    elif document.role == ASSISTANT and not asks_for_the_assistants_words(search.query.text):
        factor = ASSISTANT_FACTOR
    if document.role == ASSISTANT and is_offer(content):
        factor *= OFFER_FACTOR
    if document.role == USER and is_mere_question(content):
        factor = MERE_QUESTION_FACTOR
    if (pattern := introduction_sought(search.query.text)) and re.search(pattern, content):
        factor *= INTRODUCING
    if document.is_code and not asks_for_code(search.query.text):
        factor *= CODE_FACTOR
    if not search.clues.asks_when or may_name_a_time(content[:READ_CHARACTERS].lower()):
        return factor
    return factor * TIMELESS


def _weaknesses(search: Search, candidates: Candidates, additions: Additions) -> dict[int, str]:
    """Why documents are dropped whatever their scores, by id."""
    evident = candidates.evident(search).union(*(additions[each.name] for each in channels.CHANNELS if each.suffices))
    pool = candidates.proposals().union(*(additions[each.name] for each in channels.CHANNELS if each.finds))
    ids = {document.id for document in candidates.documents}
    outside = f"not among the best {search.query.pool} by words or by vectors ({CANDIDATE_POOL.key})"
    return dict.fromkeys(ids - evident, NO_EVIDENCE) | dict.fromkeys(ids - pool, outside)


def fuse(search: Search, candidates: Candidates, pool: Collection[int]) -> FusedScores:
    """Fuse the legs' scores of each candidate; `blend` normalises over `pool` only."""
    ids = [document.id for document in candidates.documents]
    evidence, weights = [candidates.evidence[leg.name] for leg in channels.LEGS], _weights(search)
    if search.query.fusion == "rrf":
        return rrf(ids, evidence, weights, search.query.rrf_k)
    best = [best_score(each, pool) for each in evidence]
    scales = [leg.scale(search, max(score, 0.0)) or 1.0 for leg, score in zip(channels.LEGS, best, strict=True)]
    return blend(ids, evidence, weights, scales)


def _weights(search: Search) -> list[float]:
    """The weight of each leg; `blend` multiplies it by the trust in the leg for this query."""
    weights = [search.query.weight(leg.name) for leg in channels.LEGS]
    if search.query.fusion == "rrf":
        return weights
    return [weight * leg.trust(search) for weight, leg in zip(weights, channels.LEGS, strict=True)]


def best_score(evidence: LegScores, pool: Collection[int]) -> float:
    """The best raw score of a leg in the pool; 0 if it has none."""
    return max([evidence.scores.get(identity, 0.0) for identity in pool], default=0.0)


def blend(
    ids: Sequence[int], evidence: Sequence[LegScores], weights: Sequence[float], scales: Sequence[float]
) -> FusedScores:
    """The weighted means of the legs' scores, each divided by its leg's scale."""
    sums, total = dict.fromkeys(ids, 0.0), sum(weights) or 1.0
    for its, weight, scale in zip(evidence, weights, scales, strict=True):
        for identity, raw in its.scores.items():
            if raw > 0:
                sums[identity] += weight * (raw / scale)
    return {identity: score / total for identity, score in sums.items()}, 1.0


def rrf(ids: Sequence[int], evidence: Sequence[LegScores], weights: Sequence[float], k: float) -> FusedScores:
    """The sums of weight / (k + rank); the best possible sum is for rank 1 in every leg."""
    sums = dict.fromkeys(ids, 0.0)
    for its, weight in zip(evidence, weights, strict=True):
        for identity, rank in its.ranks.items():
            sums[identity] += weight / (k + rank)
    return sums, sum(weights) / (k + 1) or 1.0


def quality_of(search: Search, candidates: Candidates, pool: Collection[int], *, whole: bool = True) -> float:
    """How well the best matches answer, from 0 to 1: the weighted mean of the legs' qualities.

    Only the candidates in the pool count. With `whole`, the best match of a leg is looked at; else only its score.
    """
    weights, total = _weights(search), 0.0
    for leg, weight in zip(channels.LEGS, weights, strict=True):
        evidence = candidates.evidence[leg.name]
        if (best := best_score(evidence, pool)) > 0:  # a cosine may be less
            fullest = min(identity for identity in pool if evidence.scores.get(identity, 0.0) == best)
            total += weight * leg.quality(search, best, fullest if whole else None)
    return total / (sum(weights) or 1.0)


def _channel_scores(search: Search, documents: Sequence[IndexedDocument], best: float) -> dict[str, dict[int, float]]:
    """The additions of each channel: shares of the best possible fused score."""
    additions: dict[str, dict[int, float]] = {}
    for channel in channels.CHANNELS:
        most = search.query.weight(channel.name) * best
        shares = channel.shares(search, documents) if most else {}
        additions[channel.name] = {identity: most * share for identity, share in shares.items() if share}
    return additions


def weight_of(query: Query, document: IndexedDocument) -> float:
    """The product of a document's factors for age and boosts."""
    return recency(query.now, document.learnt, query.tau) * query.factor(*document.address, document.content)


def recency(now: float, time: float, tau: float) -> float:
    """The factor for a memory learnt at `time` (seconds since 1970), for a `tau` in days; 1 if `tau` is 0.

    It is 1/e at an age of tau, and 0.5 at tau * ln 2, the half-life. A future time counts as now.
    """
    return max(math.exp(-max(now - time, 0.0) / (tau * _DAY)), _LEAST_RECENCY) if tau else 1.0
