"""Recall by a model: the conversation with it, and the modes `single` and `tiered`, in which it picks paths.

A model is not shown passages of sources. The best of them by ranking follow its picks, up to the limit.
"""

from collections.abc import Sequence

from memoir.index.index import Index
from memoir.index.view import View
from memoir.llm.conversation import CallBudget, ModelConversation
from memoir.llm.model import Model
from memoir.recall.answer import RecallAnswer, assemble, fetch, within
from memoir.recall.channels import passages_of
from memoir.recall.inventory import Inventory
from memoir.recall.pickers import pick_at_once, pick_by_level
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, cut, rank
from memoir.recall.result import Stage
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

_STRICT = ("simple", "single", "tiered")
"""The modes in which a failed model call is an error; the others answer with what they have."""


def converse(query: Query, model: Model, index: Index) -> ModelConversation:
    """A conversation with the query's budget and instructions; the index caches the model's answers by prompt."""
    return ModelConversation(
        model,
        budget=CallBudget(query.llm_calls, query.llm_tokens),
        instructions=dict(query.prompts),
        answers=index if query.cache else None,
        strict=query.mode in _STRICT,
    )


def add_passages(view: View, picks: Sequence[RankedCandidate], query: Query) -> list[RankedCandidate]:
    """The picked memories, replaced by passages that contain them, then the best other passages.

    In total as many as the query's limit, or all picks if these are more.
    """
    if query.where.sources == "no" or not view.has_sources:
        return list(picks)
    hits = _replace_by_passages(view, picks, query)
    room, least = query.limit - len(hits), hits[-1].relevance if hits else 1.0
    if room <= 0:
        return hits
    ids = {each.document.id for each in hits}
    ranking = rank(view, query._replace(where=query.where._replace(sources="only"))).without(ids)
    passages = [each for each in cut(ranking.candidates, query._replace(limit=room)) if not each.dropped]
    return hits + [each._replace(relevance=min(each.relevance, least)) for each in passages]


def _replace_by_passages(view: View, picks: Sequence[RankedCandidate], query: Query) -> list[RankedCandidate]:
    """The picks, each replaced by the passage that contains it word for word, if one does."""
    ids = passages_of(view, query.where, [each.document.id for each in picks])
    passages = {each.id: each for each in view.documents(list(ids.values()))} if ids else {}
    hits: dict[int, RankedCandidate] = {}
    for each in picks:
        passage = passages.get(ids.get(each.document.id, -1))
        if passage is None:
            hits[each.document.id] = each
        else:
            hit = hits.get(passage.id) or each._replace(base=each.base._replace(document=passage))
            hits[passage.id] = hit._replace(items=(*hit.items, each.document))
    return list(hits.values())


_PICKERS = {"single": pick_at_once, "tiered": pick_by_level}
_RETRIEVAL = {"single": "step3_memory_retrieval", "tiered": "memory_retrieval"}


def recall(index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation) -> RecallAnswer:
    """Let a model pick paths, and fetch their memories."""
    steps = talk.stopwatch
    with steps("total_search"):
        inventory = Inventory(index, snapshot, query._replace(where=query.where._replace(sources="no")))
        addresses = _pick(inventory, query, talk)
        with steps(_RETRIEVAL[query.mode]):
            picked = _rank_picks(inventory, addresses, query)
            hits = index.read(snapshot, lambda view: add_passages(view, picked, query))
            memories, omitted = within(fetch(snapshot, hits, query.mode), query.max_chars)
    last = Stage("result", "paths", len(addresses), len(hits), len(memories))
    answer = assemble(index, query, memories, omitted, steps, talk)
    return answer._replace(model=talk.model.name, stages=(*choices(talk), last))


def _pick(inventory: Inventory, query: Query, talk: ModelConversation) -> Sequence[Address]:
    if query.where.sources == "only":
        return ()
    talk.model.preload()  # while the store is read
    return _PICKERS[query.mode](inventory, query.text, talk)


def choices(talk: ModelConversation) -> list[Stage]:
    """The steps in which a model chose paths."""
    return [
        Stage(step, "model", offered, offered, picked, degraded=why or None)
        for step, offered, picked, why in talk.choices
    ]


def _rank_picks(inventory: Inventory, addresses: Sequence[Address], query: Query) -> list[RankedCandidate]:
    """The memories of the picked paths, in the model's order of paths; within a path, best first.

    A path's relevance falls with its position: 1 for the first of n picks, then 1/n less for each.
    """
    if not addresses:
        return []
    by_path: dict[Address, list[RankedCandidate]] = {address: [] for address in addresses}
    for candidate in inventory.unpack(addresses):
        address = candidate.document.address
        relevance = 1 - addresses.index(address) / len(addresses)
        relevance *= query.factor(*address, candidate.document.content)
        by_path[address].append(candidate._replace(relevance=min(relevance, 1.0)))
    memories = [memory for each in by_path.values() for memory in each if memory.relevance >= query.threshold]
    return memories[: query.limit if query.limit_is_given else max(query.limit, len(addresses))]
