"""The answer of mode `agent`."""

from memoir.index.index import Index
from memoir.llm.conversation import ModelConversation
from memoir.recall import rerank
from memoir.recall.agent.search import AgentSearch
from memoir.recall.agent.searcher import Searcher
from memoir.recall.answer import RecallAnswer, answer
from memoir.recall.findings import AgentMetrics
from memoir.recall.model_view import evidences
from memoir.recall.query import Query
from memoir.recall.ranking import Ranking, cut
from memoir.recall.stage import Stage
from memoir.recall.stages import result
from memoir.store.snapshot import Snapshot

_MODEL_STEPS = ("agent.", "rerank_llm")
"""The beginning of the names of the steps in which a model is asked."""


def recall(index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None) -> RecallAnswer:
    """Choose how to search, search as often as it takes, and put all that was found in one order.

    Args:
        index: The index.
        snapshot: The memories.
        query: The question.
        talk: The conversation with a model; None to go by rules. It must not be strict: what fails falls back on rules.
    """
    searcher = Searcher(index, snapshot, query)
    search = AgentSearch(searcher, query, talk)
    steps = search.stopwatch
    if talk:
        talk.model.preload()  # while the index is read
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        ranking = _ranking(index, snapshot, query, search, talk)
        outcome = answer(index, snapshot, ranking, steps, talk)
    return outcome._replace(
        degraded=(*outcome.degraded, *search.degraded),
        evidences=(*evidences(search.union.cited), *search.notes),
        strategy=search.strategy,
        effective_query="\n".join(searcher.queries),
        planner=search.planner,
        stages=(*search.stages, result(ranking, len(outcome.memories))),
        metrics=_metrics(search, searcher),
    )


def _ranking(
    index: Index, snapshot: Snapshot, query: Query, search: AgentSearch, talk: ModelConversation | None
) -> Ranking:
    """Everything that was found, in one order, and cut to the answer."""
    candidates = search.run()
    clues = search.clues()
    total = len(candidates)
    if query.rerank == "deterministic":
        candidates = index.read(snapshot, lambda view: rerank.by_words(view, clues.words.terms, candidates))
    elif query.rerank == "llm" and talk and candidates:
        from memoir.recall.rerank import by_model

        candidates = by_model(talk, query.text, candidates) or candidates
    if query.rerank != "none":
        search.stages.append(Stage("rerank", query.rerank, total, total, total))
    return Ranking(clues, cut(candidates, query), search.union.others(), query)


def _metrics(search: AgentSearch, searcher: Searcher) -> AgentMetrics:
    timings = search.stopwatch.timings
    return AgentMetrics(
        strategy=search.strategy,
        queries=tuple(searcher.queries),
        searches=searcher.searches,
        confidences=tuple(search.confidences),
        evidence=tuple(each.document.address for each in search.union.cited),
        search_seconds=timings.get("memory_search", 0.0),
        model_seconds=sum(seconds for name, seconds in timings.items() if name.startswith(_MODEL_STEPS)),
    )
