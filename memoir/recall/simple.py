"""`simple`: ranked recall without a model."""

from typing import TYPE_CHECKING

from memoir.index.index import Index
from memoir.index.view import View
from memoir.llm.model import Usage
from memoir.llm.stopwatch import Stopwatch
from memoir.recall import rerank
from memoir.recall.query import Query
from memoir.recall.ranking import Ranked, Ranking, cut, rank
from memoir.recall.result import Recalled, fetch, hits, within
from memoir.store.snapshot import Snapshot

if TYPE_CHECKING:
    from memoir.llm.conversation import Conversation


def recall(index: Index, snapshot: Snapshot, query: Query, talk: "Conversation | None" = None) -> Recalled:
    """Rank, rerank if the query says so (only `llm` needs the conversation with a model), cut, fetch.

    Raises:
        LlmUnavailable: the model that was to rerank gave no answer.
    """
    steps = talk.stopwatch if talk else Stopwatch()
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        with steps("ranking"):
            ranking = index.read(snapshot, lambda view: _ranked(view, query))
        candidates = _reranked(talk, query, ranking.candidates) if talk else ranking.candidates
        ranking = ranking._replace(candidates=cut(candidates, query))
        with steps("memory_retrieval"):
            memories, omitted = within(fetch(snapshot, hits(ranking), "simple"), query.max_chars)
    return Recalled(
        query=query.text,
        mode="simple",
        memories=memories,
        degraded=(*index.degraded, *(talk.degraded if talk else ())),
        usage=talk.usage if talk else Usage(),
        model=talk.model.name if talk and talk.prompts else None,
        embedder=index.embedder.name if index.embedder else None,
        cached=talk is not None and talk.cached,
        omitted=omitted,
        timings=steps.timings,
        prompts=talk.prompts if talk else {},
        ranking=ranking,
    )


def _reranked(talk: "Conversation", query: Query, candidates: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    from memoir.recall.model_rerank import by_model

    return (by_model(talk, query.text, candidates) or candidates) if candidates else ()


def _ranked(view: View, query: Query) -> Ranking:
    ranking = rank(view, query)
    if query.rerank == "deterministic":
        ranking = ranking._replace(candidates=rerank.by_words(view, ranking.clues.words.terms, ranking.candidates))
    return ranking
