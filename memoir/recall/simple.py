"""`simple`: ranked recall without a model."""

from memoir.index.index import Index
from memoir.index.view import View
from memoir.llm.model import Model, Usage
from memoir.recall import rerank
from memoir.recall.picks import Steps
from memoir.recall.query import Query
from memoir.recall.ranking import Ranking, cut, rank
from memoir.recall.result import Hit, Recalled, fetch, within
from memoir.store.snapshot import Snapshot

_UNUSABLE = "rerank: the model's answer could not be used; kept the ranking without it"


def recall(index: Index, snapshot: Snapshot, query: Query, model: Model | None = None) -> Recalled:
    """Rank, rerank if the query says so (only `llm` needs the model), cut, fetch.

    Raises:
        LlmUnavailable: the model that was to rerank gave no answer.
    """
    steps, second = Steps(), None
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        with steps("ranking"):
            ranking = index.read(snapshot, lambda view: _ranked(view, query))
        if query.rerank == "llm" and model and ranking.candidates:
            with steps("rerank_llm"):
                second = rerank.by_model(model, query.text, ranking.candidates)
        candidates = second.candidates if second and second.candidates is not None else ranking.candidates
        ranking = ranking._replace(candidates=cut(candidates, query))
        with steps("memory_retrieval"):
            hits = [Hit(*c.document.place, c.relevance, c.fields()) for c in ranking.candidates if not c.dropped]
            memories, omitted = within(fetch(snapshot, hits, "simple"), query.max_chars)
    return Recalled(
        query=query.text,
        mode="simple",
        memories=memories,
        degraded=(*index.degraded, _UNUSABLE) if second and second.candidates is None else tuple(index.degraded),
        usage=second.usage if second else Usage(),
        model=model.name if second and model else None,
        embedder=index.embedder.name if index.embedder else None,
        omitted=omitted,
        timings=steps.timings,
        prompts={"rerank": second.prompt.text} if second else {},
        ranking=ranking,
    )


def _ranked(view: View, query: Query) -> Ranking:
    ranking = rank(view, query)
    if query.rerank == "deterministic":
        ranking = ranking._replace(candidates=rerank.by_words(view, ranking.clues.words.terms, ranking.candidates))
    return ranking
