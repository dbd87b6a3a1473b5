"""`agent`: recall that chooses how to search, and searches as often as the question needs.

The three ways to search are `direct`, `split` and `chain`, each with a model or by rules.
"""

import re
from collections.abc import Callable, Sequence

from memoir.errors import LlmUnavailable
from memoir.index.index import Index
from memoir.llm.conversation import BudgetSpent, ModelConversation
from memoir.llm.usage import Stopwatch
from memoir.recall import agent_steps, rerank
from memoir.recall.agent_searcher import Searcher, Union
from memoir.recall.answer import RecallAnswer, answer, result
from memoir.recall.findings import AgentMetrics, Evidence
from memoir.recall.model_view import Brief, evidences, paths_and_contents
from memoir.recall.plans import AgentPlan
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking, cut, revive
from memoir.recall.result import Stage
from memoir.store.snapshot import Snapshot

SHOWN_MEMORIES = 10
"""How many new memories of a search a model is shown; more if the query's limit is higher."""
MODEL, RULES = "model", "rules"


class AgentSearch:
    """One run of mode `agent`: a choice of strategy, and the results of its searches. Without `talk`, by rules."""

    def __init__(self, searcher: Searcher, query: Query, talk: ModelConversation | None) -> None:
        self.strategy = ""
        """`direct`, `split` or `chain`."""
        self.planner = RULES
        """`model` if a model has decided anything, else `rules`."""
        self.union = Union()
        """The memories found so far."""
        self.stages: list[Stage] = []
        """The steps so far."""
        self.degraded: list[str] = []
        """Failures other than the model's."""
        self.confidences: list[float] = []
        """How sure the model was after each search of a chain."""
        self.notes: list[Evidence] = []
        """The insights and captions that the model has named as evidence."""
        self.stopwatch = talk.stopwatch if talk else Stopwatch()
        """The seconds of each step."""
        self._searcher, self._query, self._talk = searcher, query, talk
        self._plan = query.agent or AgentPlan()
        self._hop: Ranking | None = None

    def run(self) -> Ranking:
        """Choose a strategy, search, and put all that was found in one order."""
        self.strategy, how = self._choose()
        self.stages.append(Stage("route", how, 1, len(agent_steps.STRATEGIES), 1))
        search: dict[str, Callable[[], object]] = {
            "direct": lambda: self._add(self._query.text),
            "split": self._split,
            "chain": self._chain,
        }
        search[self.strategy]()
        clues = self._searcher.clues()
        if self._hop:
            return self._hop._replace(clues=clues, query=self._query)
        return Ranking(clues, self.union.rank(self._query.limit), self.union.others(), self._query)

    def _choose(self) -> tuple[str, str]:
        """The strategy, and who chose it: an option, a model, rules or the fallback."""
        text, plan = self._query.text, self._plan
        if plan.strategy != "auto":
            return plan.strategy, "option"
        if self._talk is None:
            return agent_steps.strategy_of(text), RULES
        try:
            strategy = agent_steps.select(self._talk, text)
        except LlmUnavailable as error:
            self._talk.fall_back("budget" if isinstance(error, BudgetSpent) else "agent.select", error.message)
            return agent_steps.strategy_of(text), RULES
        if strategy is None:
            self._talk.fall_back("agent.select", f"the model's answer names no strategy; took {plan.fallback}")
            return plan.fallback, "fallback"
        self.planner = MODEL
        return strategy, MODEL

    def _split(self) -> None:
        """Search for each part of the question, and for the question itself."""
        text, most = self._query.text, self._plan.queries
        parts = agent_steps.split(self._talk, text, most) if self._talk else None
        self._note_plan("split", parts is not None, len(parts or ()))
        parts = (agent_steps.parts_of(text) if parts is None else parts)[:most]
        questions = [text, *(part for part in parts if _normalized(part) != _normalized(text))]
        with self.stopwatch("memory_search"):
            rankings = self._searcher.find_all(questions)
        for part, ranking in zip(questions, rankings, strict=True):
            if isinstance(ranking, Ranking):
                self._note(ranking)
            elif part == text:
                raise ranking
            else:
                self.degraded.append(f"sub-query {part[:80]!r}: {ranking.message}")
                self.stages.append(Stage("search", self.strategy, 1, degraded=ranking.message))

    def _chain(self) -> None:
        """Search, let the model judge the results, and search for what is missing."""
        if self._talk is None:
            self._follow_names()
            return
        text, queries, evidence = self._query.text, set[str](), list[RankedCandidate]()
        for _ in range(self._plan.attempts):
            queries.add(_normalized(text))
            news = [each for each in self._add(text) if each.document.place not in {c.document.place for c in evidence}]
            judgement = self._judge(self._talk, text, evidence, news[: max(SHOWN_MEMORIES, self._query.limit)])
            if judgement is None or (judgement.sufficient and judgement.confidence >= self._plan.confidence):
                break
            text = judgement.next_query
            if not text or _normalized(text) in queries:
                break
        if not self.confidences:
            self._follow_names()

    def _judge(
        self, talk: ModelConversation, text: str, evidence: list[RankedCandidate], news: Sequence[RankedCandidate]
    ) -> agent_steps.Judgement | None:
        """The model's verdict on the evidence and the new memories; those that it cites become evidence."""
        excerpts = [
            *paths_and_contents(evidence),
            *((each.address.short_key, each.text) for each in self.notes if each.address),
        ]
        behind = self._searcher.find_behind(text, news).without(self.notes)
        brief = Brief.of(news, behind, len(excerpts) + 1)
        judgement = agent_steps.judge(talk, self._query.text, text, excerpts, brief)
        count = len(judgement.numbers) if judgement else 0
        self._note_plan("judge", judgement is not None, count, len(excerpts) + brief.size)
        if judgement is None:
            return None
        self.confidences.append(judgement.confidence)
        new = [number - brief.first for number in judgement.numbers if number >= brief.first]
        self.notes += [evidences(news, behind)[at] for at in new if at >= len(news)]
        memories = [news[at] for at in new if at < len(news)]
        self.union.cite(memories)
        evidence += memories
        return judgement

    def _follow_names(self) -> None:
        """Search once, and follow the names in the best memories, as `simple` does."""
        with self.stopwatch("memory_search"):
            self._hop = self._searcher.follow_names()
        leads = sum(1 for each in self._hop.candidates if each.lead)
        self.stages.append(Stage("hop", "names", len(self._hop.candidates), leads, leads))

    def _add(self, text: str) -> tuple[RankedCandidate, ...]:
        with self.stopwatch("memory_search"):
            ranking = self._searcher.find(text)
        self._note(ranking)
        return ranking.candidates

    def _note(self, ranking: Ranking) -> None:
        self.union.add(ranking)
        self._searcher.tell(ranking)
        everyone = len(ranking.candidates) + len(ranking.others)
        self.stages.append(Stage("search", self.strategy, 1, everyone, len(ranking.candidates)))

    def _note_plan(self, stage: str, usable: bool, results: int, count: int = 1) -> None:
        """Record a planning step, and whether the model's answer to it was usable."""
        if self._talk is None:
            self.stages.append(Stage(stage, RULES, 1, 1, 1))
            return
        self.planner = MODEL if usable else self.planner
        why = None if usable else next(iter(self._talk.degraded[-1:]), None)
        self.stages.append(Stage(stage, MODEL, count, count, results, degraded=why))


def _normalized(text: str) -> str:
    """The question for comparison: in lower case and without punctuation."""
    return re.sub(r"\W+", " ", text.casefold()).strip()


_MODEL_STEPS = ("agent.", "rerank_llm")
"""Prefixes of the names of the steps that ask a model."""


def recall(index: Index, snapshot: Snapshot, query: Query, talk: ModelConversation | None) -> RecallAnswer:
    """Choose how to search, search as often as it takes, and put all that was found in one order.

    Without a model, rules decide. The conversation must not be strict: a failed call falls back on rules.
    """
    searcher = Searcher(index, snapshot, query)
    search = AgentSearch(searcher, query, talk)
    steps = search.stopwatch
    if talk:
        talk.model.preload()  # while the index is read
    with steps("total_search"):
        with steps("step1_path_discovery"):
            index.read(snapshot, lambda view: None)
        ranking = _ranking(index, snapshot, query, search, talk)
        outcome = answer(index, snapshot, ranking, steps, talk)
    return outcome._replace(
        degraded=(*outcome.degraded, *search.degraded),
        evidences=(*evidences(search.union.cited), *search.notes),
        strategy=search.strategy,
        effective_query="\n".join(searcher.queries),
        planner=search.planner,
        stages=(*search.stages, result(ranking, len(outcome.memories))),
        metrics=_metrics(search, searcher),
    )


def _ranking(
    index: Index, snapshot: Snapshot, query: Query, search: AgentSearch, talk: ModelConversation | None
) -> Ranking:
    """Everything that was found, in one order, and cut to the answer."""
    found = search.run()
    is_by_words = query.rerank == "deterministic"
    ranking = revive(index.read(snapshot, lambda view: rerank.by_words(view, found)) if is_by_words else found)
    if query.rerank != "none":
        total = len(ranking.candidates)
        search.stages.append(Stage("rerank", query.rerank, total, total, total))
    candidates = rerank.in_models_order(talk, ranking) if query.rerank == "llm" and talk else ranking.candidates
    return ranking._replace(candidates=cut(candidates, query))


def _metrics(search: AgentSearch, searcher: Searcher) -> AgentMetrics:
    timings = search.stopwatch.timings
    return AgentMetrics(
        strategy=search.strategy,
        queries=tuple(searcher.queries),
        searches=searcher.searches,
        confidences=tuple(search.confidences),
        evidence=tuple(each.document.address for each in search.union.cited),
        search_seconds=timings.get("memory_search", 0.0),
        model_seconds=sum(seconds for name, seconds in timings.items() if name.startswith(_MODEL_STEPS)),
    )
