"""Ranked recall without a model: two legs, two channels, one score.

    score = (fused + person + time) * recency * boost

The legs find candidates by their words and by their vectors, and fusion makes one number of the two. The
channels add a share of the best fused score there could be: to memories of a person the query names, and
to memories of a time it speaks of. Decay and boosts multiply. `docs/recall.md` works an example.
"""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memoir.index import lexical, vectors
from memoir.index.documents import details
from memoir.index.embedders.embedder import Embedder, Vector
from memoir.index.filters import Condition, Filter, condition
from memoir.recall import decay, fusion, people, temporal
from memoir.recall.candidate import Candidate
from memoir.recall.request import Request
from memoir.recall.settings import Settings


class Question(NamedTuple):
    """A query, understood: its words, its vector, the people and the times it names."""

    terms: tuple[lexical.Term, ...]
    vector: "Vector | None"
    people: frozenset[str]
    spans: tuple[temporal.Span, ...]


class Ranking(NamedTuple):
    """Every candidate, best first, and the question as it was understood."""

    question: Question
    candidates: list[Candidate]


def filter_of(request: Request) -> Filter:
    """Which documents a request may find."""
    return Filter(request.namespaces, request.globs, request.person, request.since, request.until)


def understand(database: apsw.Connection, request: Request, settings: Settings, embedder: Embedder | None) -> Question:
    """Take a query apart.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    named = people.named(database, request.query, request.namespaces)
    terms = lexical.terms(database, named.rest) or lexical.terms(database, request.query)
    text = named.rest if terms and named.rest else request.query
    vector = vectors.unit(embedder.embed([text], query=True)[0]) if embedder and settings.vector_weight else None
    return Question(tuple(terms), vector, named.people, tuple(temporal.spans(request.query, request.now)))


def rank(
    database: apsw.Connection,
    request: Request,
    settings: Settings,
    embedder: Embedder | None,
    *,
    where: Filter | None = None,
    also: Sequence[int] = (),
) -> Ranking:
    """Rank the documents that a request may find (or those of a narrower filter), and `also` some whatever they are."""
    question = understand(database, request, settings, embedder)
    wanted = condition(database, where or filter_of(request))
    found = _candidates(database, question, settings, wanted, also)
    weights = fusion.Weights(
        settings.bm25_weight if question.terms else 0.0,
        (settings.vector_weight if question.vector else 0.0) * (embedder.trust if embedder else 0.0),
    )
    if settings.fusion == "rrf":
        plain = fusion.Weights(settings.bm25_weight, settings.vector_weight)
        best = fusion.rrf(found, plain, settings.rrf_k)
    else:
        best = fusion.blend(found, weights)
    _score(found, request, settings, question, best)
    kept = [c for c in found if c.score > 0 or c.document.id in also]
    kept.sort(key=lambda c: (-c.score, *c.document.place))
    _scale(kept, _quality(kept, question, weights))
    return Ranking(question, [c for c in kept if _evident(c, embedder) or c.document.id in also])


def _candidates(
    database: apsw.Connection, question: Question, settings: Settings, where: Condition, also: Sequence[int]
) -> list[Candidate]:
    """The union of both legs' pools and of the memories of the times asked for, each with both raw scores."""
    pool = settings.candidate_pool
    matches = lexical.search(database, question.terms, where, pool) if settings.bm25_weight else []
    near = vectors.search(database, question.vector, where, pool) if question.vector else []
    timed = _of_the_times(database, question, where, pool)
    ids = list(dict.fromkeys([*(m.document for m in matches), *(n.document for n in near), *timed, *also]))
    found = {document.id: Candidate(document) for document in details(database, ids)}
    for rank_, match in enumerate(matches, 1):
        found[match.document].bm25_rank = rank_
    for rank_, hit in enumerate(near, 1):
        found[hit.document].vec_rank = rank_
    everywhere = Condition("1", ())
    if settings.bm25_weight:
        for match in lexical.search(database, question.terms, everywhere, len(ids), only=ids):
            found[match.document].bm25 = match.score
    if question.vector:
        for hit in vectors.search(database, question.vector, everywhere, len(ids), only=ids):
            found[hit.document].cosine = hit.cosine
    return list(found.values())


def _of_the_times(database: apsw.Connection, question: Question, where: Condition, pool: int) -> list[int]:
    slack = temporal.TOLD_WITHIN.total_seconds()
    sql = f"SELECT d.id FROM document d WHERE d.occurred BETWEEN ? AND ? AND {where.sql} LIMIT ?"
    rows = (database.execute(sql, (s.start, s.end + slack, *where.values, pool)) for s in question.spans)
    return [document for found in rows for (document,) in found]


def _score(found: Sequence[Candidate], request: Request, settings: Settings, question: Question, best: float) -> None:
    tau = settings.tau if request.tau is None else request.tau
    for candidate in found:
        document = candidate.document
        if question.people.intersection(document.people):
            candidate.person = settings.person_boost * best
        if any(span.holds(document.occurred) for span in question.spans):
            candidate.time = settings.time_boost * best
        candidate.recency = decay.recency(request.now, document.learnt, tau)
        candidate.boost = request.factor(*document.address, document.content)
        evidence = candidate.fused + candidate.person + candidate.time
        candidate.score = evidence * candidate.recency * candidate.boost


def _evident(candidate: Candidate, embedder: Embedder | None) -> bool:
    """Whether anything but a vector's noise speaks for a candidate."""
    near = embedder is not None and (candidate.cosine or 0.0) > embedder.floor
    return bool(candidate.bm25 or candidate.person or candidate.time or near)


def _quality(found: Sequence[Candidate], question: Question, weights: fusion.Weights) -> float:
    """How well the best matches answer, 0 to 1, whatever the others do.

    BM25 is held against what a memory of average length that holds every word once would get: the sum
    of their idf. A cosine is what it is.
    """
    ideal = sum(term.idf for term in question.terms) or 1.0
    lexical_share = min(max((c.bm25 or 0.0 for c in found), default=0.0) / ideal, 1.0)
    vector_share = min(max((c.cosine or 0.0 for c in found), default=0.0), 1.0)
    total = weights.bm25 + weights.vector
    blended = (weights.bm25 * lexical_share + weights.vector * vector_share) / total if total else 0.0
    return blended or (0.5 if any(c.score for c in found) else 0.0)


def _scale(found: Sequence[Candidate], quality: float) -> None:
    top = max((c.score for c in found), default=0.0) or 1.0
    for candidate in found:
        candidate.relevance = quality * candidate.score / top
