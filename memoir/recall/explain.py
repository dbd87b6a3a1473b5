"""Why a memory ranks where it does, or is not found at all."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.errors import NotFound
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.read import require_record
from memoir.recall import rerank
from memoir.recall.candidate import Candidate
from memoir.recall.question import Question
from memoir.recall.ranking import filter_of, rank
from memoir.recall.request import Request
from memoir.recall.settings import Settings
from memoir.recall.simple import cut
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import matcher
from memoir.taxonomy.paths import Address


class Explained(NamedTuple):
    """The memories of one path among all candidates. `places` are their ranks from 1 (None: not in the running)."""

    question: Question
    candidates: list[Candidate]
    places: list[int | None]
    of: int


def explain(index: Index, snapshot: Snapshot, request: Request, settings: Settings, address: Address) -> Explained:
    """Rank as recall would, and say of each memory of a path what it got in each step and why it was dropped.

    Raises:
        NotFound: there is nothing at the path, or all of it is superseded.
    """
    record = require_record(snapshot, address)
    if not any(memory.active for memory in record):
        raise NotFound(f"every memory at {address.full_key} is superseded, and recall drops those")
    return index.read(snapshot, lambda view: _explain(view, request, settings, address))


def _explain(view: View, request: Request, settings: Settings, address: Address) -> Explained:
    own = view.select(Filter(paths=frozenset([address]))).ids()
    allowed = set(view.select(filter_of(request)._replace(paths=frozenset([address]))).ids())
    ranking = rank(view, request, settings, also=own)
    running = [c for c in ranking.candidates if c.document.id not in own or c.document.id in allowed]
    if (request.rerank or settings.rerank) == "deterministic":
        rerank.deterministic(view, ranking.question.words.terms, running)
    cut(running, request, settings)
    targets = [c for c in [*ranking.candidates, *ranking.others] if c.document.id in own]
    for candidate in targets:
        if candidate.document.id not in allowed:
            candidate.dropped = _filtered(request, candidate)
    targets.sort(key=lambda c: (-c.score, c.document.ordinal))
    return Explained(ranking.question, targets, [_place(running, c) for c in targets], len(running))


def _place(running: Sequence[Candidate], candidate: Candidate) -> int | None:
    return running.index(candidate) + 1 if candidate in running else None


def _filtered(request: Request, candidate: Candidate) -> str:
    """Which of the request's conditions a memory fails."""
    address, document = candidate.document.address, candidate.document
    if request.namespaces and address.namespace not in request.namespaces:
        return f"outside the namespaces asked for ({', '.join(request.namespaces)})"
    if request.globs and not matcher(request.globs)(address.path):
        return f"its path matches none of {', '.join(request.globs)}"
    if request.person is not None and request.person.casefold() not in document.people:
        return f"not about {request.person}"
    return "outside the time asked for (--since, --until)"
