"""From the legs' raw scores to one, and to a relevance that compares between queries."""

from collections.abc import Callable, Sequence

from memoir.index.embedders.embedder import Embedder
from memoir.recall import decay, fusion
from memoir.recall.candidate import Candidate
from memoir.recall.question import Question
from memoir.recall.request import Request
from memoir.recall.settings import Settings
from memoir.settings import CANDIDATE_POOL

_UNMEASURED = 0.5
"""The quality of an answer that only the channels speak for."""


Coverage = Callable[[Candidate], float]
"""Tells what share of a question a candidate holds (0 to 1)."""


def score(
    everyone: Sequence[Candidate],
    question: Question,
    request: Request,
    settings: Settings,
    embedder: Embedder | None,
    coverage: Coverage,
) -> None:
    """Set every candidate's `fused`, channels, factors, `score` and `relevance`.

    What the scores are measured against is taken from those that were found, so that a candidate brought in by
    name changes nobody's numbers.
    """
    found = [candidate for candidate in everyone if candidate.found] or everyone
    weights = _weights(question, settings, embedder)
    if settings.fusion == "rrf":
        best = fusion.rrf(everyone, weights, settings.rrf_k)
    else:
        best = fusion.blend(everyone, fusion.best(found), weights)
    for candidate in everyone:
        _combine(candidate, question, request, settings, best)
    top = max((candidate.score for candidate in found), default=0.0) or 1.0
    fullest = max(found, key=lambda candidate: candidate.bm25 or 0.0, default=None)
    held = coverage(fullest) if fullest and fullest.bm25 else 0.0
    quality = fusion.quality(fusion.best(found), question.words.ideal, weights, held) or _UNMEASURED
    for candidate in everyone:
        candidate.relevance = min(quality * candidate.score / top, 1.0)


def _weights(question: Question, settings: Settings, embedder: Embedder | None) -> fusion.Legs:
    """What each leg counts: nothing where the query gives it nothing to go by."""
    lexical = settings.bm25_weight if question.words.terms else 0.0
    vector = settings.vector_weight if question.vector else 0.0
    if settings.fusion == "rrf":
        return fusion.Legs(settings.bm25_weight, settings.vector_weight)
    return fusion.Legs(lexical, vector * (embedder.trust if embedder else 0.0))


def _combine(candidate: Candidate, question: Question, request: Request, settings: Settings, best: float) -> None:
    document = candidate.document
    if question.people.intersection(document.people):
        candidate.person = settings.person_boost * best
    if any(span.holds(document.occurred) for span in question.spans):
        candidate.time = settings.time_boost * best
    candidate.recency = decay.recency(
        request.now, document.learnt, settings.tau if request.tau is None else request.tau
    )
    candidate.boost = request.factor(*document.address, document.content)
    evidence = candidate.fused + candidate.person + candidate.time
    candidate.score = evidence * candidate.recency * candidate.boost


def not_running(candidate: Candidate, settings: Settings, embedder: Embedder | None) -> str | None:
    """Why a candidate is out of the running before any limit, or None."""
    if not _evident(candidate, embedder):
        return "it shares no word with the query, and its vector is not near enough"
    if not candidate.found:
        return f"in neither leg's best {settings.candidate_pool} ({CANDIDATE_POOL.key})"
    return None if candidate.score > 0 else "its score is 0"


def _evident(candidate: Candidate, embedder: Embedder | None) -> bool:
    """Whether anything but a vector's noise speaks for a candidate."""
    near = embedder is not None and (candidate.cosine or 0.0) > embedder.floor
    return bool(candidate.bm25 or candidate.person or candidate.time or near)
