"""The search of `deep` as a whole: the question's own, that of its expansions, and the hop."""

from collections.abc import Sequence

from memoir.index.view import View
from memoir.recall import rerank
from memoir.recall.candidates import Candidates, extend
from memoir.recall.channel import Search
from memoir.recall.deep import expansion
from memoir.recall.deep.deep_steps import Expansion
from memoir.recall.deep.expansion import Shares
from memoir.recall.deep.first_look import FirstLook
from memoir.recall.deep.plan import SearchPlan
from memoir.recall.query import Query
from memoir.recall.ranking import Ranking, in_order
from memoir.recall.shared_names import SEEDS, add_hop
from memoir.recall.stage import Stage
from memoir.recall.stages import retrieval

_LEGS = {"lex": "bm25", "vec": "vector", "hyde": "vector"}
"""The leg that each kind of expansion searches."""

SecondLook = tuple[Ranking, tuple[Stage, ...]]
"""A ranking, and the steps to it."""


def search_again(view: View, query: Query, plan: SearchPlan, first: FirstLook | None = None) -> SecondLook:
    """Rank what the question and its expansions find, and follow the names in the best of it.

    Args:
        view: The index.
        query: The question.
        plan: What to do beside the question's own search.
        first: What that has found, if it was done in an earlier read.
    """
    search, (_, candidates, ranking, _) = first.again(view, query) if first else FirstLook.at(view, query)
    shares = [_find(search, each) for each in plan.expansions]
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
    """The steps after a ranking: the rerank by words, the plan's expansions, and in the mode `deep` the hop.

    Args:
        search: What is searched for.
        candidates: What was found for it.
        ranking: These in order.
        depth: How many memories the answer needs; None for all.
        plan: What was decided before; None if nothing was.
        shares: What the plan's expansions have found.
    """
    stages = [*retrieval(ranking), *(plan.stages if plan else ())]
    if search.query.rerank == "deterministic":
        again = rerank.by_words(search.view, search.clues.words.terms, ranking.candidates)
        ranking = ranking._replace(candidates=again)
    if plan and plan.expansions:
        stages += [_stage(search, each, its) for each, its in zip(plan.expansions, shares, strict=True)]
        ranking = expansion.fuse(ranking, plan.expansions, shares)
        total = len(ranking.everyone)
        stages.append(Stage("fusion", "expansions", total, total, len(ranking.candidates)))
    if search.query.mode == "deep":
        ranking, hop = _hop(search, candidates, ranking, depth, plan)
        stages.append(hop)
    return ranking, tuple(stages)


def _hop(
    search: Search, candidates: Candidates, ranking: Ranking, depth: int | None, plan: SearchPlan | None
) -> tuple[Ranking, Stage]:
    if plan and plan.is_enough:
        return ranking, Stage("hop", "names", skipped="the memories found are enough")
    new_ranking = add_hop(search, candidates, ranking, depth)
    leads = sum(1 for each in new_ranking.candidates if each.lead and each.lead.startswith("hop:"))
    return new_ranking, Stage("hop", "names", min(len(ranking.candidates), SEEDS), leads, leads)


def _find(search: Search, query: Expansion) -> Shares:
    return {} if _why_not(search, query) else expansion.find(search, query)


def _stage(search: Search, query: Expansion, shares: Shares) -> Stage:
    return Stage("retrieval", query.kind, 1, len(shares), len(shares), skipped=_why_not(search, query))


def _why_not(search: Search, query: Expansion) -> str | None:
    """Why a query is not searched for; None if it is."""
    leg = _LEGS[query.kind]
    if not search.query.weight(leg):
        return "its weight is 0"
    return "there are no vectors" if leg == "vector" and search.view.embedder is None else None
