"""The first stage of a ranking: the documents that legs and channels find, with the legs' ranks and raw scores."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.index.filters import Filter
from memoir.index.selection import Score
from memoir.index.view import View
from memoir.recall import channels
from memoir.recall.channel import Leg, Search


class LegScores(NamedTuple):
    """The evidence of one leg, by the ids of documents: ranks from 1 of those it has proposed, and scores."""

    ranks: Mapping[int, int]
    scores: Mapping[int, float]


class Candidates(NamedTuple):
    """The documents in the running, in no particular order, and what each leg says of them, by the leg's name."""

    documents: Sequence[IndexedDocument]
    evidence: Mapping[str, LegScores]
    items: Mapping[int, Sequence[IndexedDocument]] = MappingProxyType({})
    """The memories that passages stand for, by the passages' ids."""

    def proposals(self) -> set[int]:
        """The ids of the documents that a leg has proposed."""
        return set().union(*(evidence.ranks for evidence in self.evidence.values()))

    def evident(self, search: Search) -> set[int]:
        """The ids of the documents of which a leg says more than chance would."""
        floors = [(leg.floor(search), self.evidence[leg.name].scores) for leg in channels.LEGS]
        return {identity for floor, scores in floors for identity, score in scores.items() if score > floor}


def find(search: Search, also: Iterable[int] = (), legs: Collection[Leg] | None = None) -> Candidates:
    """The union of what the legs and the channels propose, and `also` some documents by their ids.

    With some `legs` the others only score.
    """
    on = [leg for leg in channels.LEGS if search.query.weight(leg.name)]
    by_leg = {leg.name: leg.find(search) if legs is None or leg in legs else () for leg in on}
    proposals = [identity for hits in by_leg.values() for identity, _ in hits]
    for channel in channels.CHANNELS:
        if search.query.weight(channel.name):
            proposals += channel.find(search)
    ids = list(dict.fromkeys((*proposals, *also)))
    passages = passages_of(search.view, search.query.where, ids)
    ids = list(dict.fromkeys((*also, *(passages.get(identity, identity) for identity in ids))))
    evidence = {leg.name: _evidence(leg, search, by_leg.get(leg.name), ids) for leg in channels.LEGS}
    items = defaultdict[int, list[IndexedDocument]](list)
    for item in search.view.documents(list(passages)) if passages else ():
        items[passages[item.id]].append(item)
    return Candidates(list(search.view.documents(ids)), evidence, items)


def passages_of(view: View, where: Filter, ids: Sequence[int]) -> dict[int, int]:
    """The passages that stand for some of the documents, if both may be found: those in which a memory was found."""
    is_open = where.sources == "yes" and not (where.globs or where.metadata or where.origins) and view.has_sources
    return view.passages_of(ids) if is_open else {}


def extend(search: Search, candidates: Candidates, ids: Sequence[int]) -> Candidates:
    """Candidates with further documents, by their ids, which the legs only score."""
    evidence = {
        leg.name: its._replace(scores={**its.scores, **leg.scores(search, ids)})
        for leg in channels.LEGS
        if (its := candidates.evidence[leg.name])
    }
    return Candidates([*candidates.documents, *search.view.documents(ids)], evidence)


def _evidence(leg: Leg, search: Search, proposals: Iterable[Score] | None, ids: Sequence[int]) -> LegScores:
    if proposals is None:
        return LegScores({}, {})
    scores = dict(proposals)
    known = set(ids)
    scores = {identity: score for identity, score in scores.items() if identity in known}
    ranks = {identity: rank for rank, identity in enumerate(scores, 1)}
    return LegScores(ranks, {**scores, **leg.scores(search, [identity for identity in ids if identity not in scores])})
