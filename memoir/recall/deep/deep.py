"""The answer of mode `deep`."""

from collections.abc import Sequence

from memoir.index.index import Index
from memoir.llm.conversation import ModelConversation
from memoir.llm.usage import Stopwatch
from memoir.recall.answer import RecallAnswer, answer, tell
from memoir.recall.deep.looks import FirstLook, search_again
from memoir.recall.deep.plan import SearchPlan, make_plan, without_model
from memoir.recall.findings import Stage
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking, cut, revive
from memoir.recall.stages import result
from memoir.store.snapshot import Snapshot


def recall(index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None = None) -> RecallAnswer:
    """Rank, let a model judge and expand, search again, follow names, rerank, cut, fetch.

    The conversation with a model, if there is one, must not be strict: a call that fails is a note.
    """
    steps = talk.stopwatch if talk else Stopwatch()
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        first = _look(index, snapshot, query, talk, steps)
        plan = _plan(index, snapshot, query, talk, first)
        with steps("ranking"):
            ranking, stages = index.read(snapshot, lambda view: search_again(view, query, plan, first))
        tell(snapshot, query, "hop", ranking)
        ranking, rerank_stage = _rerank(revive(ranking), query, talk)
        outcome = answer(index, snapshot, ranking._replace(candidates=cut(ranking.candidates, query)), steps, talk)
    return outcome._replace(
        degraded=(*outcome.degraded, *(() if talk else _notes_without_model(query))),
        evidences=plan.evidences,
        strategy="deep",
        effective_query="\n".join((query.text, *map(str, plan.expansions))),
        planner="model" if plan.by_model else "rules",
        stages=(*stages, rerank_stage, result(ranking, len(outcome.memories))),
    )


def _look(
    index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None, steps: Stopwatch
) -> FirstLook | None:
    """The memories that the question itself finds, if they are wanted first; None where all is one search."""
    if talk is None and query.listener is None:
        return None
    if talk:
        talk.model.preload()  # while the index is read
    with steps("initial_ranking"):
        first = index.read(snapshot, lambda view: FirstLook.at(view, query)[1])
    tell(snapshot, query, "retrieval", first.ranking)
    return first


def _plan(
    index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None, first: FirstLook | None
) -> SearchPlan:
    if talk is None or first is None:
        return without_model()
    from memoir.recall.beside import find_behind

    return make_plan(talk, query, first.ranking, lambda memories: find_behind(index, snapshot, query, memories))


def _notes_without_model(query: Query) -> tuple[str, ...]:
    """The note that no model reranks, where the query wants one but none is asked."""
    return ("rerank: no model is asked; kept the order",) if query.rerank == "llm" else ()


def _rerank(ranking: Ranking, query: Query, talk: ModelConversation | None) -> tuple[Ranking, Stage]:
    """Let a model put the best in order, if that is wanted; the others stay behind them."""
    total = len(ranking.candidates)
    if query.rerank != "llm" and not query.deep.rerank:
        return ranking, Stage("rerank", "model", skipped="it is off (memoir.deep.rerank)")
    if talk is None or not total:
        return ranking, Stage("rerank", "model", skipped="no model is asked" if total else "nothing was found")
    from memoir.recall.rerank import POOL, by_model

    choice = by_model(talk, query.text, ranking.candidates)
    stage = Stage("rerank", "model", total, min(total, POOL), sum(1 for each in choice or () if not each.dropped))
    if choice is None:
        return ranking, stage._replace(degraded=talk.degraded[-1])
    return ranking._replace(candidates=_keep_all(choice, ranking.candidates)), stage


def _keep_all(candidates: Sequence[RankedCandidate], before: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...]:
    """The chosen first, and behind them the others, none of them more relevant than the last of those."""
    first = [each for each in candidates if not each.dropped]
    ids = {each.document.id for each in first}
    least = min((each.relevance for each in first), default=1.0)
    rest = (each for each in before if each.document.id not in ids)
    return *first, *(each._replace(relevance=min(each.relevance, least)) for each in rest)
