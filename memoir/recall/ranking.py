"""Ranked recall without a model: two legs, two channels, one score.

    score = (fused + person + time) * recency * boost

The legs find candidates by their words and by their vectors, and fusion makes one number of the two. The
channels add a share of the best fused score there could be: to memories of a person the query names, and
to memories of a time it speaks of. Decay and boosts multiply. `docs/recall.md` works an example.
"""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.english.dates import TimeExpressions, find_times
from memoir.index.filters import Filter
from memoir.index.selection import Selection
from memoir.index.view import View
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


def understand(view: View, request: Request, settings: Settings) -> Question:
    """Take a query apart.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    # Recognised times and names are removed from the query; with their channel off they are ordinary words.
    times = TimeExpressions((), request.query)
    if settings.time_boost:
        times = find_times(request.query, request.now)
    named = people.Named(frozenset(), times.rest)
    if settings.person_boost:
        named = people.named(view, named.rest, request.namespaces)
    words = view.words(named.rest)
    if not words.terms:  # nothing but names, say: they stand in the column of people as well
        words = view.words(times.rest)
    text = (named.rest if words.terms else times.rest) or request.query
    vector = view.vector(text) if settings.vector_weight else None
    return Question(words, vector, named.people, times.spans)


def rank(
    view: View,
    request: Request,
    settings: Settings,
    *,
    where: Filter | None = None,
    also: Sequence[int] = (),
) -> Ranking:
    """Rank the documents that a request may find (or those of a narrower filter), and `also` some whatever they are."""
    question = understand(view, request, settings)
    among = view.select(where or filter_of(request))
    everyone = _candidates(view, question, settings, among, also)
    words = question.words

    def coverage(candidate: Candidate) -> float:
        return view.word_coverage(words.terms, candidate.document.id) / words.ideal

    scoring.score(everyone, question, request, settings, view.embedder, coverage)
    everyone.sort(key=lambda c: (-c.score, *c.document.place))
    for candidate in everyone:
        candidate.dropped = scoring.not_running(candidate, settings, view.embedder)
    running = [candidate for candidate in everyone if not candidate.dropped]
    return Ranking(question, running, [candidate for candidate in everyone if candidate.dropped])


def _candidates(
    view: View, question: Question, settings: Settings, among: Selection, also: Sequence[int]
) -> list[Candidate]:
    """What the legs find, and the memories of the times asked for."""
    pool = settings.candidate_pool
    terms = question.words.terms if settings.bm25_weight else ()
    timed = among.by_times(question.spans, pool)
    return legs.candidates(view, terms, question.vector, among, pool, also=[*timed, *also])
