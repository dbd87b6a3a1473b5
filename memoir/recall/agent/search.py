"""The three ways to search: `direct`, `split` and `chain`, each with a model or by rules.

Without a model the form of the question chooses the way, and splits the question. `Union` has what several searches
have found.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from memoir.errors import LlmUnavailable
from memoir.index.documents import Place
from memoir.llm.conversation import BudgetSpent, ModelConversation
from memoir.llm.usage import Stopwatch
from memoir.recall.agent import agent_steps
from memoir.recall.agent.searcher import Searcher
from memoir.recall.clues import Clues
from memoir.recall.findings import Evidence
from memoir.recall.model_view import Brief, evidences, paths_and_contents
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking
from memoir.recall.result import Stage

_ASK = r"(?:who|whom|whose|what|which|when|where|why|how)"
_RELATION = re.compile(
    r"\bthe (?:[\w-]+ ){1,4}?(?:of|where|that|which|who|whom|whose|\w{2,}(?:ed|ing))\b|"
    rf"\b(?!(?:{_ASK}|it|that|there|let)['’])\w+['’]s? [\w-]+",
    re.IGNORECASE,
)
"""Describes something instead of naming it: "the author of", "the city where", "Ada's team"."""
_QUESTION = re.compile(rf"{_ASK} (?:is|was|are|were) ", re.IGNORECASE)
"""Begins a question whose first relation is what it asks for, such as "Who is the author of"."""
_SENTENCES = re.compile(r"(?<=\?)\s+")
_TWO_QUESTIONS = re.compile(rf",?\s+(?:and|or)\s+(?:also\s+)?(?={_ASK}\b)", re.IGNORECASE)
_NAME = r"[A-Z0-9][\w.&'’-]*(?: (?:of |the )?[A-Z0-9][\w.&'’-]*)*"
_NAMES = re.compile(rf"(?P<first>{_NAME})(?P<more>(?:, {_NAME})*),? (?:and|or|nor) (?P<last>{_NAME})")
_COMPARISON = re.compile(
    r"\b(?:(?:differences?|similarities|relations?|connections?) between|compare|both|either|neither) "
    r"(?P<first>[\w.'’ -]+?)(?P<more>(?:, [\w.'’-]+)*),? (?:and|or|nor|with|to) (?P<last>[\w.'’-]+)",
    re.IGNORECASE,
)


def select(question: str) -> str:
    """`split` if the question can be split, `chain` if it describes something by relations, else `direct`."""
    if len(split(question)) > 1:
        return "split"
    relations = len(_RELATION.findall(question)) - bool(_QUESTION.match(question))
    return "chain" if relations > 0 else "direct"


def split(question: str) -> list[str]:
    """The questions that a question is made of, or the question alone.

    Each question of several is one, and each name of a list of names is asked for by itself.
    """
    parts = [part.strip() for part in _SENTENCES.split(question) if part.strip()]
    parts = [piece for part in parts for piece in _TWO_QUESTIONS.split(part) if piece]
    return [each for part in parts for each in _each_name(part)]


def _each_name(question: str) -> list[str]:
    match = _COMPARISON.search(question) or _NAMES.search(question)
    if match is None:
        return [question]
    names = [match["first"], *match["more"].split(", "), match["last"]]
    before, after = question[: match.start()], question[match.end() :]
    return [f"{before}{name}{after}".strip() for name in names if name]


class Union:
    """The memories that several searches have found.

    The scale is their relevance, which can be compared between questions; a memory that several searches have found has
    the best of its relevances.
    """

    def __init__(self) -> None:
        self._best: dict[Place, RankedCandidate] = {}
        self._citations: dict[Place, None] = {}
        self._firsts: dict[Place, None] = {}
        self._others: dict[Place, RankedCandidate] = {}

    def add(self, ranking: Ranking) -> None:
        """Add what one search has found."""
        for each in ranking.candidates:
            best = self._best.get(each.document.place)
            if best is None or each.relevance > best.relevance:
                self._best[each.document.place] = each
        if ranking.candidates:
            self._firsts[ranking.candidates[0].document.place] = None
        self._others |= {each.document.place: each for each in ranking.others}

    def cite(self, memories: Iterable[RankedCandidate]) -> None:
        """Note that memories are evidence."""
        self._citations |= {each.document.place: None for each in memories}

    @property
    def cited(self) -> list[RankedCandidate]:
        """The memories that are evidence, in the order in which they were found."""
        return [self._best[place] for place in self._citations]

    def rank(self, limit: int) -> tuple[RankedCandidate, ...]:
        """All memories: first those that are evidence, then the others; each part by relevance.

        The best memory of every search is among the first `limit` of its part, so that no question goes without an
        answer only because the memories about another one are more alike.
        """
        evidence = sorted(self.cited, key=_order)
        rest = sorted((each for place, each in self._best.items() if place not in self._citations), key=_order)
        room = max(limit - len(evidence), 0)
        firsts = [each for each in rest if each.document.place in self._firsts][:room]
        first_places = {each.document.place for each in firsts}
        fill = [each for each in rest if each.document.place not in first_places]
        top = room - len(firsts)
        return (*evidence, *sorted([*firsts, *fill[:top]], key=_order), *fill[top:])

    def others(self) -> tuple[RankedCandidate, ...]:
        """The memories that no search has found good enough."""
        return tuple(each for place, each in self._others.items() if place not in self._best)


def _order(candidate: RankedCandidate) -> tuple[float, Place]:
    return (-candidate.relevance, candidate.document.place)


SHOWN_MEMORIES = 10
"""The fewest memories of each search that are shown to a model."""
MODEL, RULES = "model", "rules"


class AgentSearch:
    """One search of an agent, from the choice of a strategy to all that it has found.

    Args:
        searcher: What ranks the memories.
        query: The question, with everything that decides its answer.
        talk: The conversation with a model; None to go by rules.

    Attributes:
        strategy: `direct`, `split` or `chain`.
        planner: `model` if a model has decided anything, else `rules`.
        union: What has been found.
        stages: The steps so far.
        degraded: What failed beside the model.
        confidences: How sure the model was after each search of a chain.
        notes: The insights and captions that the model has named as evidence.
    """

    def __init__(self, searcher: Searcher, query: Query, talk: ModelConversation | None) -> None:
        self.strategy, self.planner = "", RULES
        self.union = Union()
        self.stages: list[Stage] = []
        self.degraded: list[str] = []
        self.confidences: list[float] = []
        self.notes: list[Evidence] = []
        self._searcher, self._query, self._talk = searcher, query, talk
        self._stopwatch = talk.stopwatch if talk else Stopwatch()
        self._hop: Ranking | None = None

    @property
    def stopwatch(self) -> Stopwatch:
        """The seconds of each step."""
        return self._stopwatch

    def clues(self) -> Clues:
        """The clues in the question."""
        return self._searcher.clues()

    def run(self) -> tuple[RankedCandidate, ...]:
        """Choose a strategy, and search; return all memories, best first."""
        self.strategy, how = self._choose()
        self.stages.append(Stage("route", how, 1, len(agent_steps.STRATEGIES), 1))
        search: dict[str, Callable[[], None]] = {"direct": self._direct, "split": self._split, "chain": self._chain}
        search[self.strategy]()
        return self._hop.candidates if self._hop else self.union.rank(self._query.limit)

    def others(self) -> tuple[RankedCandidate, ...]:
        """The memories that no search has found good enough."""
        return self._hop.others if self._hop else self.union.others()

    def _choose(self) -> tuple[str, str]:
        """The strategy, and what has chosen it."""
        text, plan = self._query.text, self._query.agent
        if plan.strategy != "auto":
            return plan.strategy, "option"
        if self._talk is None:
            return select(text), RULES
        try:
            strategy = agent_steps.select(self._talk, text)
        except LlmUnavailable as error:
            self._talk.fall_back("budget" if isinstance(error, BudgetSpent) else "agent.select", error.message)
            return select(text), RULES
        if strategy is None:
            self._talk.fall_back("agent.select", f"the model's answer names no strategy; took {plan.fallback}")
            return plan.fallback, "fallback"
        self.planner = MODEL
        return strategy, MODEL

    def _direct(self) -> None:
        self._add(self._query.text)

    def _split(self) -> None:
        """Search for each part of the question, and for the question itself."""
        text, most = self._query.text, self._query.agent.queries
        parts = agent_steps.split(self._talk, text, most) if self._talk else None
        self._note_plan("split", parts is not None, len(parts or ()))
        parts = (split(text) if parts is None else parts)[:most]
        questions = [text, *(part for part in parts if _same(part) != _same(text))]
        with self._stopwatch("memory_search"):
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
        """Search, let the model judge what has been found, and search for what is missing."""
        if self._talk is None:
            self._follow_names()
            return
        text, queries, evidence = self._query.text, set[str](), list[RankedCandidate]()
        for _ in range(self._query.agent.attempts):
            queries.add(_same(text))
            news = [each for each in self._add(text) if each.document.place not in {c.document.place for c in evidence}]
            judgement = self._judge(self._talk, text, evidence, news[: max(SHOWN_MEMORIES, self._query.limit)])
            if judgement is None or self._is_enough(judgement):
                break
            text = judgement.next_query
            if not text or _same(text) in queries:
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

    def _is_enough(self, judgement: agent_steps.Judgement) -> bool:
        return judgement.sufficient and judgement.confidence >= self._query.agent.confidence

    def _follow_names(self) -> None:
        """Search once, and follow the names in the best memories, as `deep` does without a model."""
        with self._stopwatch("memory_search"):
            self._hop = self._searcher.follow_names()
        leads = sum(1 for each in self._hop.candidates if each.lead)
        self.stages.append(Stage("hop", "names", len(self._hop.candidates), leads, leads))

    def _add(self, text: str) -> tuple[RankedCandidate, ...]:
        with self._stopwatch("memory_search"):
            ranking = self._searcher.find(text)
        self._note(ranking)
        return ranking.candidates

    def _note(self, ranking: Ranking) -> None:
        self.union.add(ranking)
        self._searcher.tell(ranking)
        everyone = len(ranking.candidates) + len(ranking.others)
        self.stages.append(Stage("search", self.strategy, 1, everyone, len(ranking.candidates)))

    def _note_plan(self, stage: str, usable: bool, results: int, count: int = 1) -> None:
        """Note what a model has decided, or that it has not."""
        if self._talk is None:
            self.stages.append(Stage(stage, RULES, 1, 1, 1))
            return
        self.planner = MODEL if usable else self.planner
        why = None if usable else next(iter(self._talk.degraded[-1:]), None)
        self.stages.append(Stage(stage, MODEL, count, count, results, degraded=why))


def _same(text: str) -> str:
    """A form of a question without differences of case, spaces and punctuation at the end."""
    return re.sub(r"\W+", " ", text.casefold()).strip()
