"""The answer of mode `agent`."""

from memoir.index.index import Index
from memoir.llm.conversation import ModelConversation
from memoir.recall import rerank
from memoir.recall.agent.search import AgentSearch
from memoir.recall.agent.searcher import Searcher
from memoir.recall.answer import RecallAnswer, answer, result
from memoir.recall.findings import AgentMetrics
from memoir.recall.model_view import evidences
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking, cut, revive
from memoir.recall.result import Stage
from memoir.store.snapshot import Snapshot

_MODEL_STEPS = ("agent.", "rerank_llm")
"""The beginning of the names of the steps in which a model is asked."""


def recall(index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None) -> RecallAnswer:
    """Choose how to search, search as often as it takes, and put all that was found in one order.

    Without a conversation with a model rules decide. It must not be strict: what fails falls back on rules.
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
    ranking = Ranking(search.clues(), candidates, search.others(), query)
    if query.rerank == "deterministic":
        terms = ranking.clues.words.terms
        candidates = index.read(snapshot, lambda view: rerank.by_words(view, terms, candidates))
    ranking = revive(ranking._replace(candidates=candidates))
    if query.rerank != "none":
        total = len(ranking.candidates)
        search.stages.append(Stage("rerank", query.rerank, total, total, total))
    candidates = _by_model(talk, ranking) if query.rerank == "llm" and talk else ranking.candidates
    return ranking._replace(candidates=cut(candidates, query))


def _by_model(talk: ModelConversation, ranking: Ranking) -> tuple[RankedCandidate, ...]:
    """The candidates in a model's order, if there are any and its answer is of use."""
    candidates = ranking.candidates
    return (rerank.by_model(talk, ranking.query.text, candidates) or candidates) if candidates else ()


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
