"""Mode `deep`: search, expand the question, search again, and follow the names in the best memories.

The first results are kept while a model is asked. Each query that expands the question searches by one leg, and its
scores are added to the question's.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memoir.index.index import Index
from memoir.index.selection import Score
from memoir.index.view import Edition, View
from memoir.llm.conversation import ModelConversation
from memoir.llm.usage import Stopwatch
from memoir.recall import rerank
from memoir.recall.answer import RecallAnswer, answer, hop, result, retrieval, tell
from memoir.recall.channel import Search
from memoir.recall.channels import Candidates, extend, find
from memoir.recall.clues import Clues
from memoir.recall.deep_plan import Expansion, SearchPlan, make_plan, plan_of, without_model
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking, begin, cut, in_order, order, revive
from memoir.recall.result import Stage
from memoir.recall.second_step import add_second_step
from memoir.store.snapshot import Snapshot


class FirstLook(NamedTuple):
    """The clues in a question, and its results in one edition of the index."""

    clues: Clues
    candidates: Candidates
    ranking: Ranking
    edition: Edition | None

    @classmethod
    def at(cls, view: View, query: Query) -> "tuple[Search, FirstLook]":
        """Rank the documents that a query may find."""
        search = begin(view, query)
        candidates = find(search)
        return search, cls(search.clues, candidates, in_order(search, candidates), view.edition())

    def again(self, view: View, query: Query) -> "tuple[Search, FirstLook]":
        """Reuse these results in a later read; rank again only if the index has changed."""
        if self.edition is None or self.edition != view.edition():
            return self.at(view, query)
        return Search(view, query, self.clues, view.select(query.where)), self


ORIGINAL = 2.0
"""The weight of the question itself; each expansion weighs 1."""
_UNMEASURED_RELEVANCE = 0.5
"""The relevance of the best memory if the question itself found none."""

Shares = Mapping[int, float]
"""Scores by document id, divided by the query's best score."""


def find_by_leg(search: Search, expansion: Expansion) -> Shares:
    """Search for an expansion by its leg, within the question's filters."""
    hits = _by_words(search, expansion.text) if expansion.kind == "lex" else _by_vector(search, expansion.text)
    best = max((score for _, score in hits), default=0.0)
    return {identity: score / best for identity, score in hits if score > 0}


def fuse(ranking: Ranking, expansions: Sequence[Expansion], shares: Sequence[Shares]) -> Ranking:
    """Merge the documents of a question and of its expansions into one order.

    The score is (2 * the question's + the sum of the expansions') / (2 + their number), each divided by its best one.
    The best memory takes the relevance of the question's best.
    """
    top = max((each.score for each in ranking.candidates), default=0.0) or 1.0
    relevance = max((each.relevance for each in ranking.candidates), default=0.0) or _UNMEASURED_RELEVANCE
    scores = {each.document.id: _fuse(each, top, shares) for each in ranking.everyone}
    best = max(scores.values(), default=0.0) or 1.0

    def place(each: RankedCandidate) -> RankedCandidate:
        score = scores[each.document.id]
        return each._replace(
            score=score, relevance=relevance * score / best, dropped=None, lead=_lead(each, expansions, shares)
        )

    matches = {identity for its in shares for identity in its if scores.get(identity)}
    candidate_ids = {each.document.id for each in ranking.candidates} | matches
    candidates = sorted((place(each) for each in ranking.everyone if each.document.id in candidate_ids), key=order)
    others = tuple(each for each in ranking.others if each.document.id not in candidate_ids)
    return ranking._replace(candidates=tuple(candidates), others=others)


def _fuse(candidate: RankedCandidate, top: float, shares: Sequence[Shares]) -> float:
    """The merged score of a document; recency and boosts apply to the expansions, too."""
    factor = candidate.base.recency * candidate.base.boost
    further = factor * sum(its.get(candidate.document.id, 0.0) for its in shares)
    own = 0.0 if candidate.dropped else ORIGINAL * candidate.score / top
    return (own + further) / (ORIGINAL + len(shares))


def _lead(candidate: RankedCandidate, expansions: Sequence[Expansion], shares: Sequence[Shares]) -> str | None:
    """The expansion with the best score for a document that the question itself did not find, else None."""
    if not candidate.dropped:
        return None
    best = max(range(len(shares)), key=lambda number: shares[number].get(candidate.document.id, 0.0))
    return f"expansion: {expansions[best]}"


def _by_words(search: Search, text: str) -> Sequence[Score]:
    return search.among.by_words(search.view.words(text).terms, search.query.pool)


def _by_vector(search: Search, text: str) -> Sequence[Score]:
    vector = search.view.vector(text)
    return search.among.by_vector(vector, search.query.pool) if vector else ()


_LEGS = {"lex": "bm25", "vec": "vector", "hyde": "vector"}
"""The leg used by each kind of expansion."""

SecondLook = tuple[Ranking, tuple[Stage, ...]]
"""A ranking, and the steps to it."""


def search_again(view: View, query: Query, plan: SearchPlan, first: FirstLook | None = None) -> SecondLook:
    """Rank the results of the question and its expansions, and follow the names in the best memories.

    `first` are the question's results of an earlier read, which are reused.
    """
    search, (_, candidates, ranking, _) = first.again(view, query) if first else FirstLook.at(view, query)
    shares = [{} if _why_skipped(search, each) else find_by_leg(search, each) for each in plan.expansions]
    old_ids = {document.id for document in candidates.documents}
    further = [identity for its in shares for identity in its if identity not in old_ids]
    if further:
        candidates = extend(search, candidates, list(dict.fromkeys(further)))
        ranking = in_order(search, candidates)
    return look_again(search, candidates, ranking, query.limit, plan, shares)


def look_again(
    search: Search,
    candidates: Candidates,
    ranking: Ranking,
    depth: int | None = None,
    plan: SearchPlan | None = None,
    shares: Sequence[Shares] = (),
) -> SecondLook:
    """Do the steps after a first ranking: rerank by words, merge the plan's expansions, hop.

    `depth` is how many memories the answer needs (None: all); `shares` are the scores of the plan's expansions.
    """
    stages = [*retrieval(ranking), *(plan.stages if plan else ())]
    if search.query.rerank == "deterministic":
        ranking = rerank.by_words(search.view, ranking)
    if plan and plan.expansions:
        stages += [
            Stage("retrieval", each.kind, 1, len(its), len(its), skipped=_why_skipped(search, each))
            for each, its in zip(plan.expansions, shares, strict=True)
        ]
        ranking = fuse(ranking, plan.expansions, shares)
        total = len(ranking.everyone)
        stages.append(Stage("fusion", "expansions", total, total, len(ranking.candidates)))
    if plan and plan.is_enough:
        return ranking, (*stages, Stage("hop", "names", skipped="the memories found are enough"))
    ranking = add_second_step(search, candidates, ranking, depth)
    return ranking, (*stages, *hop(ranking))


def _why_skipped(search: Search, query: Expansion) -> str | None:
    """Why an expansion is skipped; None if it is searched for."""
    leg = _LEGS[query.kind]
    if not search.query.weight(leg):
        return "its weight is 0"
    return "there are no vectors" if leg == "vector" and search.view.embedder is None else None


def recall(index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None = None) -> RecallAnswer:
    """Rank, let a model judge and expand, search again, follow names, rerank, cut, fetch.

    The conversation must not be strict: a failed call is only noted.
    """
    steps = talk.stopwatch if talk else Stopwatch()
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        first = _first_look(index, snapshot, query, talk, steps)
        plan = _plan(index, snapshot, query, talk, first)
        with steps("ranking"):
            ranking, stages = index.read(snapshot, lambda view: search_again(view, query, plan, first))
        tell(snapshot, query, "hop", ranking)
        ranking, rerank_stage = _rerank(revive(ranking), query, talk)
        outcome = answer(index, snapshot, ranking._replace(candidates=cut(ranking.candidates, query)), steps, talk)
    notes = ["rerank: no model is asked; kept the order"] if query.rerank == "llm" and not talk else []
    return outcome._replace(
        degraded=(*outcome.degraded, *notes),
        evidences=plan.evidences,
        strategy="deep",
        effective_query="\n".join((query.text, *map(str, plan.expansions))),
        planner="model" if plan.by_model else "rules",
        stages=(*stages, rerank_stage, result(ranking, len(outcome.memories))),
    )


def _first_look(
    index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None, steps: Stopwatch
) -> FirstLook | None:
    """The question's own results if a model or a listener needs them first, else None: all is then one read."""
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


def _rerank(ranking: Ranking, query: Query, talk: ModelConversation | None) -> tuple[Ranking, Stage]:
    """Let a model reorder the best candidates, if the query wants it; the others follow."""
    total = len(ranking.candidates)
    if query.rerank != "llm" and not plan_of(query).rerank:
        return ranking, Stage("rerank", "model", skipped="it is off (memoir.deep.rerank)")
    if talk is None or not total:
        return ranking, Stage("rerank", "model", skipped="no model is asked" if total else "nothing was found")
    choice = rerank.by_model(talk, query.text, ranking.candidates)
    stage = Stage(
        "rerank", "model", total, min(total, rerank.POOL), sum(1 for each in choice or () if not each.dropped)
    )
    if choice is None:
        return ranking, stage._replace(degraded=talk.degraded[-1])
    return ranking._replace(candidates=_keep_all(choice, ranking.candidates)), stage


def _keep_all(candidates: Sequence[RankedCandidate], before: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...]:
    """The chosen candidates, then the others, with their relevance capped at that of the last chosen one."""
    first = [each for each in candidates if not each.dropped]
    ids = {each.document.id for each in first}
    least = min((each.relevance for each in first), default=1.0)
    rest = (each for each in before if each.document.id not in ids)
    return *first, *(each._replace(relevance=min(each.relevance, least)) for each in rest)
