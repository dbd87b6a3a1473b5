"""`simple`: ranked recall without a model."""

from collections.abc import Sequence

from memoir.index.index import Index
from memoir.index.view import View
from memoir.llm.model import Model
from memoir.llm.usage import Usage
from memoir.recall import rerank
from memoir.recall.candidate import Candidate
from memoir.recall.fetch import Found, fetch, within
from memoir.recall.picks import Steps
from memoir.recall.ranking import Ranking, rank
from memoir.recall.request import Request
from memoir.recall.result import Recalled
from memoir.recall.settings import Settings
from memoir.store.snapshot import Snapshot


def recall(index: Index, snapshot: Snapshot, request: Request, settings: Settings, model: Model | None) -> Recalled:
    """Rank, rerank if asked (`model` is needed only for `llm`), cut, fetch.

    Raises:
        LlmUnavailable: the model that was to rerank gave no answer.
    """
    steps = Steps()
    degraded: list[str] = []
    prompts: dict[str, str] = {}
    usage = Usage()
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        how = request.rerank or settings.rerank
        with steps("ranking"):
            ranking = index.read(snapshot, lambda view: _ranked(view, request, settings, how))
        if how == "llm" and model and ranking.candidates:
            with steps("rerank_llm"):
                prompt, usage, usable = rerank.by_model(model, request.query, ranking.candidates)
            prompts["rerank"] = prompt.text
            if not usable:
                degraded.append("rerank: the model's answer could not be used; kept the ranking without it")
        cut(ranking.candidates, request, settings)
        with steps("memory_retrieval"):
            found = [Found(*c.document.place, c.relevance, c.fields()) for c in ranking.candidates if not c.dropped]
            memories, omitted = within(fetch(snapshot, found, "simple"), request.max_chars)
    return Recalled(
        query=request.query,
        mode="simple",
        memories=memories,
        degraded=(*index.degraded, *degraded),
        usage=usage,
        model=model.name if prompts and model else None,
        embedder=index.embedder.name if index.embedder else None,
        omitted=omitted,
        timings=steps.timings,
        prompts=prompts,
        ranking=ranking,
    )


def _ranked(view: View, request: Request, settings: Settings, how: str) -> Ranking:
    ranking = rank(view, request, settings)
    if how == "deterministic":
        rerank.deterministic(view, ranking.question.words.terms, ranking.candidates)
    return ranking


def cut(candidates: Sequence[Candidate], request: Request, settings: Settings) -> None:
    """Mark the candidates that the threshold or the limit keeps out of the answer."""
    left = request.limit or settings.k
    for candidate in candidates:
        if candidate.dropped:
            continue
        if candidate.relevance < request.threshold:
            candidate.dropped = f"relevance below the threshold of {request.threshold:g}"
        elif left <= 0:
            candidate.dropped = f"beyond the limit of {request.limit or settings.k}"
        else:
            left -= 1
