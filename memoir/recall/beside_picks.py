"""Passages of sources beside the memories that a model has picked: it is shown paths, and passages have none."""

from collections.abc import Sequence

from memoir.index.view import View
from memoir.recall.candidates import passages_of
from memoir.recall.query import Query
from memoir.recall.ranked import RankedCandidate
from memoir.recall.ranking import cut, rank


def add_passages(view: View, picks: Sequence[RankedCandidate], query: Query) -> list[RankedCandidate]:
    """The picked memories, each with the passage that has it as one hit, and behind them the best other passages.

    Together they are as many as the query's limit, unless more are picked.
    """
    if query.where.sources == "no" or not view.has_sources:
        return list(picks)
    hits = _merge(view, picks, query)
    room, least = query.limit - len(hits), hits[-1].relevance if hits else 1.0
    if room <= 0:
        return hits
    ids = {each.document.id for each in hits}
    ranking = rank(view, query._replace(where=query.where._replace(sources="only"))).without(ids)
    passages = [each for each in cut(ranking.candidates, query._replace(limit=room)) if not each.dropped]
    return hits + [each._replace(relevance=min(each.relevance, least)) for each in passages]


def _merge(view: View, picks: Sequence[RankedCandidate], query: Query) -> list[RankedCandidate]:
    """The picks, those that a passage has word for word in its place."""
    places = passages_of(view, query.where, [each.document.id for each in picks])
    passages = {each.id: each for each in view.documents(list(places.values()))} if places else {}
    hits: dict[int, RankedCandidate] = {}
    for each in picks:
        passage = passages.get(places.get(each.document.id, -1))
        if passage is None:
            hits[each.document.id] = each
        else:
            hit = hits.get(passage.id) or each._replace(base=each.base._replace(document=passage))
            hits[passage.id] = hit._replace(items=(*hit.items, each.document))
    return list(hits.values())
