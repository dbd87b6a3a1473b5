"""A model's decisions after the first search: whether the memories are enough, and what else to search for."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from memoir.llm.answer_text import find_lines, find_object, read_flag, read_number
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Step, one_line, write_message
from memoir.recall.findings import Evidence
from memoir.recall.model_paths import PROMPTS
from memoir.recall.model_view import Behind, Brief, evidences
from memoir.recall.plans import DeepPlan
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking
from memoir.recall.result import Stage

EXPANSIONS = 3
"""The most expansions of a question."""
LONGEST = 1000
"""The most characters of a query, or of a text in a verdict, written by a model."""

_SUFFICIENCY = Step("deep.sufficiency", PROMPTS)
_EXPAND = Step("deep.expand", PROMPTS)
_EXPANSION = re.compile(r"[^\w]*(lex|vec|hyde)[*`\"' ]*[:：]\s*(.+)", re.IGNORECASE)
_MOST = 20
"""The most gaps, facts and pieces of evidence read from a verdict."""


class SufficiencyVerdict(NamedTuple):
    """A model's verdict on the memories that were found."""

    sufficient: bool
    """Whether the memories answer the question."""
    gaps: tuple[str, ...]
    """Facts that are missing."""
    key_information: tuple[str, ...]
    """Facts that were found."""
    evidences: tuple[int | str, ...]
    """The evidence: numbers of the excerpts shown, from 1, or the model's own words."""


class Expansion(NamedTuple):
    """A further query and its kind: `lex` searches by words, `vec` by meaning, `hyde` by a made-up answer."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def judge(talk: ModelConversation, question: str, brief: Brief) -> SufficiencyVerdict | None:
    """Ask a model whether the results answer a question; None, with a note, if its answer is useless."""
    message = write_message(question, *brief.blocks("Memories"))
    return talk.consult(_SUFFICIENCY, message, lambda answer: read_verdict(answer, brief.size))


def expand(talk: ModelConversation, question: str, verdict: SufficiencyVerdict | None) -> tuple[Expansion, ...] | None:
    """Ask a model for further queries; None, with a note, if its answer is useless."""
    gaps, facts = (verdict.gaps, verdict.key_information) if verdict else ((), ())
    message = write_message(question, ("Known so far", _list(facts)), ("Missing", _list(gaps)))
    return talk.consult(_EXPAND, message, lambda answer: read_expansions(answer, question), most=str(EXPANSIONS))


def read_verdict(answer: str, most: int) -> SufficiencyVerdict | None:
    """Parse a verdict on memories numbered up to `most`; None if it is malformed."""
    fields = find_object(answer, "sufficient")
    sufficient = read_flag(fields.get("sufficient"))
    if sufficient is None:
        return None
    evidences = tuple(read_number(text, most) or text for text in _texts(fields, "evidences"))
    return SufficiencyVerdict(sufficient, _texts(fields, "gaps"), _texts(fields, "key_information"), evidences)


def read_expansions(answer: str, question: str) -> tuple[Expansion, ...] | None:
    """Parse the expansions in an answer, without duplicates and the question itself; None if it has no such line."""
    lines = [line for text in find_lines(answer) if (line := _EXPANSION.match(text))]
    if not lines:
        return () if re.search(r"\bnone\b", answer, re.IGNORECASE) else None
    queries = [Expansion(line[1].lower(), line[2].strip(" *`\"'")[:LONGEST]) for line in lines]
    fresh = [each for each in dict.fromkeys(queries) if each.text and each.text.casefold() != question.casefold()]
    return tuple(fresh[:EXPANSIONS])


def _list(texts: Sequence[str]) -> str:
    return "\n".join(f"- {one_line(text)}" for text in texts) or "(nothing)"


def _texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The texts and numbers in a field of an answer; a single value counts as a list of one."""
    value = fields.get(name)
    values = value if isinstance(value, list) else [value]
    texts = [
        str(each).strip()[:LONGEST] for each in values if isinstance(each, str | int) and not isinstance(each, bool)
    ]
    return tuple(text for text in texts if text)[:_MOST]


SHOWN_MEMORIES = 20
"""The most memories that a model is shown."""
_ENOUGH = "the memories found are enough"


class SearchPlan(NamedTuple):
    """The decisions before the second search, and their stages."""

    expansions: tuple[Expansion, ...] = ()
    """The expansions to search for."""
    evidences: tuple[Evidence, ...] = ()
    """The evidence named by a model."""
    is_enough: bool = False
    """Whether a model says that nothing is missing."""
    by_model: bool = False
    """Whether a model made any decision."""
    stages: tuple[Stage, ...] = ()
    """The steps."""


def without_model() -> SearchPlan:
    """The plan if no model is asked."""
    return _skip("no model is asked")


def make_plan(
    talk: ModelConversation, query: Query, ranking: Ranking, behind: Callable[[Sequence[RankedCandidate]], Behind]
) -> SearchPlan:
    """Let a model judge the best memories, and expand the question if they are not enough.

    `behind` finds the insights and captions linked to the memories shown.
    """
    if is_strong(query, ranking.candidates):
        return _skip("the first memory is far ahead")
    memories = ranking.candidates[: min(max(query.limit, 1), SHOWN_MEMORIES)]
    verdict, judge_stage, evidence = _ask_for_verdict(talk, query, memories, behind)
    if verdict and verdict.sufficient:
        stages = (judge_stage, Stage("expansion", "model", skipped=_ENOUGH))
        return SearchPlan((), evidence, is_enough=True, by_model=True, stages=stages)
    expansions, expansion_stage = _ask_for_expansions(talk, query, verdict)
    by_model = verdict is not None or expansions is not None
    return SearchPlan(expansions or (), evidence, by_model=by_model, stages=(judge_stage, expansion_stage))


def plan_of(query: Query) -> DeepPlan:
    """The query's own plan, else the default."""
    return query.deep or DeepPlan()


def is_strong(query: Query, candidates: Sequence[RankedCandidate]) -> bool:
    """Whether the first memory is relevant enough, and far enough ahead of the second, to skip the model."""
    if not candidates:
        return False
    second = candidates[1].relevance if len(candidates) > 1 else 0.0
    first, plan = candidates[0].relevance, plan_of(query)
    return first >= plan.strong_score and first - second >= plan.strong_gap


def _skip(why: str) -> SearchPlan:
    return SearchPlan(stages=(Stage("sufficiency", "model", skipped=why), Stage("expansion", "model", skipped=why)))


def _ask_for_verdict(
    talk: ModelConversation,
    query: Query,
    candidates: Sequence[RankedCandidate],
    behind: Callable[[Sequence[RankedCandidate]], Behind],
) -> tuple[SufficiencyVerdict | None, Stage, tuple[Evidence, ...]]:
    """Ask for a verdict on the memories, insights and captions shown, and resolve the evidence that it names."""
    if not plan_of(query).sufficiency:
        return None, Stage("sufficiency", "model", skipped="memoir.deep.sufficiency is off"), ()
    if not candidates:
        return None, Stage("sufficiency", "model", skipped="nothing was found"), ()
    beside = behind(candidates)
    verdict, every = judge(talk, query.text, Brief.of(candidates, beside)), evidences(candidates, beside)
    stage = Stage("sufficiency", "model", len(every), len(every), len(verdict.evidences) if verdict else 0)
    if verdict is None:
        return None, stage._replace(degraded=talk.degraded[-1]), ()
    return verdict, stage, tuple(_cited(each, every) for each in verdict.evidences)


def _ask_for_expansions(
    talk: ModelConversation, query: Query, verdict: SufficiencyVerdict | None
) -> tuple[tuple[Expansion, ...] | None, Stage]:
    if not plan_of(query).expansion:
        return None, Stage("expansion", "model", skipped="memoir.deep.expansion is off")
    expansions = expand(talk, query.text, verdict)
    stage = Stage("expansion", "model", 1, 1, len(expansions or ()))
    return expansions, stage if expansions is not None else stage._replace(degraded=talk.degraded[-1])


def _cited(reference: int | str, every: Sequence[Evidence]) -> Evidence:
    """The evidence cited by number, or by words, with the address of the memory that contains these."""
    if isinstance(reference, int):
        return every[reference - 1]
    return Evidence(reference, next((each.address for each in every if reference in each.text), None))
