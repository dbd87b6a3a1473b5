"""What a model decides after the first search: whether what was found is enough, and what else to search for."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.llm.conversation import Conversation
from memoir.recall.deep.steps import Expansion, Verdict, expand, judge
from memoir.recall.query import Query
from memoir.recall.ranking import Ranked, Ranking
from memoir.recall.result import Evidence
from memoir.recall.stages import Stage

SHOWN = 20
"""The most memories that a model is shown."""
_ENOUGH = "the memories found are enough"


class Plan(NamedTuple):
    """What was decided, and the stages of that.

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


def without_model() -> Plan:
    """The plan where no model is asked."""
    return _skip("no model is asked")


def make_plan(talk: Conversation, query: Query, ranking: Ranking) -> Plan:
    """Let a model judge the first memories of a ranking, and expand the question if they are not enough."""
    if is_strong(query, ranking.candidates):
        return _skip("the first memory is far ahead")
    shown = ranking.candidates[: min(max(query.limit, 1), SHOWN)]
    verdict, judged = _judge(talk, query, shown)
    if verdict and verdict.sufficient:
        stages = (judged, Stage("expansion", "model", skipped=_ENOUGH))
        return Plan((), _evidences(verdict, shown), is_enough=True, by_model=True, stages=stages)
    expansions, expanded = _expand(talk, query, verdict)
    evidences = _evidences(verdict, shown) if verdict else ()
    decided = verdict is not None or expansions is not None
    return Plan(expansions or (), evidences, by_model=decided, stages=(judged, expanded))


def is_strong(query: Query, candidates: Sequence[Ranked]) -> bool:
    """Whether the first memory answers so well, and so much better than the second, that no model need be asked."""
    if not candidates:
        return False
    second = candidates[1].relevance if len(candidates) > 1 else 0.0
    first = candidates[0].relevance
    return first >= query.deep.strong_score and first - second >= query.deep.strong_gap


def _skip(why: str) -> Plan:
    return Plan(stages=(Stage("sufficiency", "model", skipped=why), Stage("expansion", "model", skipped=why)))


def _judge(talk: Conversation, query: Query, shown: Sequence[Ranked]) -> tuple[Verdict | None, Stage]:
    if not query.deep.sufficiency:
        return None, Stage("sufficiency", "model", skipped="memoir.deep.sufficiency is off")
    if not shown:
        return None, Stage("sufficiency", "model", skipped="nothing was found")
    verdict = judge(talk, query.text, [(each.document.address.path, each.document.content) for each in shown])
    stage = Stage("sufficiency", "model", len(shown), len(shown), len(verdict.evidences) if verdict else 0)
    return verdict, stage if verdict else stage._replace(degraded=talk.degraded[-1])


def _expand(talk: Conversation, query: Query, verdict: Verdict | None) -> tuple[tuple[Expansion, ...] | None, Stage]:
    if not query.deep.expansion:
        return None, Stage("expansion", "model", skipped="memoir.deep.expansion is off")
    expansions = expand(talk, query.text, verdict)
    stage = Stage("expansion", "model", 1, 1, len(expansions or ()))
    return expansions, stage if expansions is not None else stage._replace(degraded=talk.degraded[-1])


def _evidences(verdict: Verdict, shown: Sequence[Ranked]) -> tuple[Evidence, ...]:
    """The memories that a verdict cites, or its own words, with the memory that has them."""
    return tuple(_evidence(each, shown) for each in verdict.evidences)


def _evidence(named: int | str, shown: Sequence[Ranked]) -> Evidence:
    if isinstance(named, int):
        document = shown[named - 1].document
        return Evidence(document.content, document.address)
    return Evidence(named, next((each.document.address for each in shown if named in each.document.content), None))
