"""Ranked recall without a model: two legs, two channels, one score.

    score = (fused + person + time) * recency * boost

The legs find candidates by their words and by their vectors, and fusion makes one number of the two. The
channels add a share of the best fused score there could be: to memories of a person the query names, and
to memories of a time it speaks of. Decay and boosts multiply. `docs/recall.md` works an example.
"""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memoir.english.dates import REPORTED_WITHIN, TimeExpressions, find_times
from memoir.index import lexical, vectors
from memoir.index.embedders.embedder import Embedder
from memoir.index.filters import Condition, Filter, condition
from memoir.recall import legs, people, scoring
from memoir.recall.candidate import Candidate
from memoir.recall.question import Question
from memoir.recall.request import Request
from memoir.recall.settings import Settings


class Ranking(NamedTuple):
    """The question as it was understood, and the candidates, best first; `others` are not running, and say why."""

    question: Question
    candidates: list[Candidate]
    others: list[Candidate]


def filter_of(request: Request) -> Filter:
    """Which documents a request may find."""
    return Filter(request.namespaces, request.globs, request.person, request.since, request.until)


def understand(database: apsw.Connection, request: Request, settings: Settings, embedder: Embedder | None) -> Question:
    """Take a query apart.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    # What a channel hears leaves the query; without the channel it is words like others.
    times = TimeExpressions((), request.query)
    if settings.time_boost:
        times = find_times(request.query, request.now)
    named = people.Named(frozenset(), times.rest)
    if settings.person_boost:
        named = people.named(database, named.rest, request.namespaces)
    words = lexical.terms(database, named.rest)
    if not words.terms:  # nothing but names, say: they stand in the column of people as well
        words = lexical.terms(database, times.rest)
    text = (named.rest if words.terms else times.rest) or request.query
    vector = vectors.unit(embedder.embed([text], query=True)[0]) if embedder and settings.vector_weight else None
    return Question(words, vector, named.people, times.spans)


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
    everyone = _candidates(database, question, settings, wanted, also)
    words = question.words

    def coverage(candidate: Candidate) -> float:
        return lexical.held(database, words.terms, candidate.document.id) / words.ideal

    scoring.score(everyone, question, request, settings, embedder, coverage)
    everyone.sort(key=lambda c: (-c.score, *c.document.place))
    for candidate in everyone:
        candidate.dropped = scoring.not_running(candidate, settings, embedder)
    running = [candidate for candidate in everyone if not candidate.dropped]
    return Ranking(question, running, [candidate for candidate in everyone if candidate.dropped])


def _candidates(
    database: apsw.Connection, question: Question, settings: Settings, where: Condition, also: Sequence[int]
) -> list[Candidate]:
    """What the legs find, and the memories of the times asked for."""
    pool = settings.candidate_pool
    terms = question.words.terms if settings.bm25_weight else ()
    timed = _of_the_times(database, question, where, pool)
    return legs.candidates(database, terms, question.vector, where, pool, also=[*timed, *also])


def _of_the_times(database: apsw.Connection, question: Question, where: Condition, pool: int) -> list[int]:
    slack = REPORTED_WITHIN.total_seconds()
    sql = (
        f"SELECT d.id FROM document d WHERE d.occurred BETWEEN ? AND ? AND {where.sql}"
        " ORDER BY d.namespace, d.path, d.ordinal LIMIT ?"
    )
    rows = (database.execute(sql, (s.start, s.end + slack, *where.values, pool)) for s in question.spans)
    return [document for found in rows for (document,) in found]
