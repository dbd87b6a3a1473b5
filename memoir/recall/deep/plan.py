"""A model's decisions after the first search: whether the memories are enough, and what else to search for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoir.llm.conversation import ModelConversation
from memoir.recall.deep.deep_steps import Expansion, SufficiencyVerdict, expand, judge
from memoir.recall.findings import Evidence
from memoir.recall.model_view import Behind, Brief, evidences
from memoir.recall.query import Query
from memoir.recall.ranked import RankedCandidate
from memoir.recall.ranking import Ranking
from memoir.recall.stage import Stage

SHOWN_MEMORIES = 20
"""The most memories that a model is shown."""
_ENOUGH = "the memories found are enough"


class SearchPlan(NamedTuple):
    """The decisions, and their stages.

    Attributes:
        expansions: The queries to add.
        evidences: What a model names as evidence.
        is_enough: Whether a model finds that nothing is missing.
        by_model: Whether a model has decided anything.
        stages: The steps.
    """

    expansions: tuple[Expansion, ...] = ()
    evidences: tuple[Evidence, ...] = ()
    is_enough: bool = False
    by_model: bool = False
    stages: tuple[Stage, ...] = ()


def without_model() -> SearchPlan:
    """The plan where no model is asked."""
    return _skip("no model is asked")


def make_plan(
    talk: ModelConversation, query: Query, ranking: Ranking, behind: Callable[[Sequence[RankedCandidate]], Behind]
) -> SearchPlan:
    """Let a model judge the first memories of a ranking, and expand the question if they are not enough.

    Args:
        talk: The conversation with the model.
        query: The question.
        ranking: What was found.
        behind: Finds the insights and captions behind the memories that are shown.
    """
    if is_strong(query, ranking.candidates):
        return _skip("the first memory is far ahead")
    memories = ranking.candidates[: min(max(query.limit, 1), SHOWN_MEMORIES)]
    verdict, judge_stage, evidence = _judge(talk, query, memories, behind)
    if verdict and verdict.sufficient:
        stages = (judge_stage, Stage("expansion", "model", skipped=_ENOUGH))
        return SearchPlan((), evidence, is_enough=True, by_model=True, stages=stages)
    expansions, expansion_stage = _expand(talk, query, verdict)
    by_model = verdict is not None or expansions is not None
    return SearchPlan(expansions or (), evidence, by_model=by_model, stages=(judge_stage, expansion_stage))


def is_strong(query: Query, candidates: Sequence[RankedCandidate]) -> bool:
    """Whether the first memory answers so well, and so much better than the second, that no model need be asked."""
    if not candidates:
        return False
    second = candidates[1].relevance if len(candidates) > 1 else 0.0
    first = candidates[0].relevance
    return first >= query.deep.strong_score and first - second >= query.deep.strong_gap


def _skip(why: str) -> SearchPlan:
    return SearchPlan(stages=(Stage("sufficiency", "model", skipped=why), Stage("expansion", "model", skipped=why)))


def _judge(
    talk: ModelConversation,
    query: Query,
    candidates: Sequence[RankedCandidate],
    behind: Callable[[Sequence[RankedCandidate]], Behind],
) -> tuple[SufficiencyVerdict | None, Stage, tuple[Evidence, ...]]:
    """A model's verdict on the memories shown, with insights and captions, and the evidence that it names."""
    if not query.deep.sufficiency:
        return None, Stage("sufficiency", "model", skipped="memoir.deep.sufficiency is off"), ()
    if not candidates:
        return None, Stage("sufficiency", "model", skipped="nothing was found"), ()
    beside = behind(candidates)
    verdict, every = judge(talk, query.text, Brief.of(candidates, beside)), evidences(candidates, beside)
    stage = Stage("sufficiency", "model", len(every), len(every), len(verdict.evidences) if verdict else 0)
    if verdict is None:
        return None, stage._replace(degraded=talk.degraded[-1]), ()
    return verdict, stage, tuple(_evidence(each, every) for each in verdict.evidences)


def _expand(
    talk: ModelConversation, query: Query, verdict: SufficiencyVerdict | None
) -> tuple[tuple[Expansion, ...] | None, Stage]:
    if not query.deep.expansion:
        return None, Stage("expansion", "model", skipped="memoir.deep.expansion is off")
    expansions = expand(talk, query.text, verdict)
    stage = Stage("expansion", "model", 1, 1, len(expansions or ()))
    return expansions, stage if expansions is not None else stage._replace(degraded=talk.degraded[-1])


def _evidence(reference: int | str, every: Sequence[Evidence]) -> Evidence:
    """The evidence that a verdict cites by its number, or its own words, with the memory that has them."""
    if isinstance(reference, int):
        return every[reference - 1]
    return Evidence(reference, next((each.address for each in every if reference in each.text), None))
