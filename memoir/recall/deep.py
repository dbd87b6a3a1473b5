"""`deep`: recall that looks again at what it has found, and follows the names in it to further memories."""

from memoir.index.index import Index
from memoir.index.view import View
from memoir.llm.stopwatch import Stopwatch
from memoir.recall import rerank
from memoir.recall.candidates import Candidates, find
from memoir.recall.channel import Search
from memoir.recall.hop import SEEDS, add_hop
from memoir.recall.query import Query
from memoir.recall.ranking import Ranking, begin, cut, in_order
from memoir.recall.result import Hit, Recalled, fetch, within
from memoir.recall.stages import Stage, result, retrieval
from memoir.store.snapshot import Snapshot


def recall(index: Index, snapshot: Snapshot, query: Query) -> Recalled:
    """Rank, hop, cut, fetch."""
    steps = Stopwatch()
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        with steps("ranking"):
            ranking, stages = index.read(snapshot, lambda view: _search(view, query))
        ranking = ranking._replace(candidates=cut(ranking.candidates, query))
        with steps("memory_retrieval"):
            hits = [Hit(*c.document.place, c.relevance, c.fields()) for c in ranking.candidates if not c.dropped]
            memories, omitted = within(fetch(snapshot, hits, "deep"), query.max_chars)
    return Recalled(
        query=query.text,
        mode="deep",
        memories=memories,
        degraded=tuple(index.degraded),
        embedder=index.embedder.name if index.embedder else None,
        omitted=omitted,
        timings=steps.timings,
        ranking=ranking,
        strategy="deep",
        effective_query=query.text,
        planner="rules",
        stages=(*stages, result(ranking, len(memories))),
    )


def look_again(
    search: Search, candidates: Candidates, ranking: Ranking, depth: int | None = None
) -> tuple[Ranking, tuple[Stage, ...]]:
    """What follows on a ranking without a model: the rerank, and in the mode `deep` the hop; and all steps so far.

    Args:
        search: What is searched for.
        candidates: What was found for it.
        ranking: These in order.
        depth: How many memories the answer needs; None for all.
    """
    if search.query.rerank == "deterministic":
        again = rerank.by_words(search.view, search.clues.words.terms, ranking.candidates)
        ranking = ranking._replace(candidates=again)
    if search.query.mode != "deep":
        return ranking, retrieval(ranking)
    found = add_hop(search, candidates, ranking, depth)
    led = sum(1 for each in found.candidates if each.lead)
    return found, (*retrieval(ranking), Stage("hop", "names", min(len(ranking.candidates), SEEDS), led, led))


def _search(view: View, query: Query) -> tuple[Ranking, tuple[Stage, ...]]:
    search = begin(view, query)
    candidates = find(search)
    return look_again(search, candidates, in_order(search, candidates), query.limit)
