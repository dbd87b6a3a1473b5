"""Ask: a question, its answer, and how recall found it; two settings can be compared."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from memoir.english.lexicon.spotting import concepts_of, spot
from memoir.errors import MemoirError
from memoir.recall.answer import RecallAnswer
from memoir.recall.channels import CHANNELS, LEGS
from memoir.recall.query import QueryFields
from memoir.recall.ranking import FACTORS
from memoir.recall.result import IntelligentSearchResult
from memoir.settings import RECALL_MODE, RERANK
from memoir.ui.pages.screen import Screen, Shortened, shorten

_LONGEST_QUERY = 2_000
_LONGEST = 600
_MOST_DROPPED = 15
_MOST_CONCEPTS = 4
_MOST_HITS = 1_000


class Part(NamedTuple):
    """A channel's part of a score, and its share of the widest bar."""

    name: str
    value: float
    share: float


class ExplainedHit(NamedTuple):
    """A memory of an answer with the numbers behind its place."""

    hit: IntelligentSearchResult
    text: Shortened
    parts: list[Part]
    legs: list[tuple[str, int, float | None]]
    factors: list[tuple[str, float]]
    concepts: list[tuple[str, str]]
    lead: str | None


class Try(NamedTuple):
    """One setting: its fields as they were given, and the answer or why there is none."""

    side: str
    fields: Mapping[str, str]
    hits: list[ExplainedHit]
    dropped: list[dict[str, Any]]
    hidden: int
    answer: RecallAnswer | None = None
    error: MemoirError | None = None


def ask(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The page of a question; without one, the form."""
    query = (screen.text("q") or "")[:_LONGEST_QUERY]
    sides = ["a", "b"] if screen.text("two") else ["a"]
    return "ask.html", {
        "query": query,
        "is_double": len(sides) == 2,
        "tries": [_try(screen, query, side) for side in sides],
        "modes": RECALL_MODE.kind.words,
        "reranks": RERANK.kind.words,
        "weights": [leg.title for leg in LEGS],
    }


def _try(screen: Screen, query: str, side: str) -> Try:
    names = ("mode", "limit", "rerank", "tau", *(leg.title for leg in LEGS))
    given = {name: screen.text(f"{side}_{name}") or "" for name in names}
    if not query.strip():
        return Try(side, given, [], [], 0)
    try:
        answer = screen.repository.recall(query, **_fields(screen, given, side))
    except MemoirError as error:
        return Try(side, given, [], [], 0, error=error)
    everyone = answer.ranking.everyone if answer.ranking else []
    columns = {(each.document.address, each.document.ordinal): each.trace() for each in everyone}
    widest = max((row["score"] for row in columns.values()), default=0.0) or 1.0
    hits = [_explain(query, each, columns.get((each.address.place, each.ordinal)), widest) for each in answer.memories]
    dropped = [each.trace() for each in everyone if each.dropped]
    return Try(side, given, hits, dropped[:_MOST_DROPPED], max(len(dropped) - _MOST_DROPPED, 0), answer)


def _fields(screen: Screen, given: Mapping[str, str], side: str) -> QueryFields:
    fields: QueryFields = {"namespace": list(screen.view.namespaces), "at": screen.view.at}
    fields["mode"] = given["mode"] or None
    fields["limit"] = screen.number(f"{side}_limit", 0, _MOST_HITS) or None
    fields["rerank"] = given["rerank"] or None
    fields["tau"] = given["tau"] or None
    weights = [f"{leg.title}={given[leg.title]}" for leg in LEGS if given[leg.title]]
    if weights:
        fields["weight"] = weights
    return fields


def _explain(query: str, hit: IntelligentSearchResult, row: dict[str, Any] | None, widest: float) -> ExplainedHit:
    """The parts of a hit's score: the fused evidence of the legs, each channel's addition, and the factors."""
    row = row or {}
    sums = {"evidence": row.get("fused", 0.0), **{channel.name: row.get(channel.name, 0.0) for channel in CHANNELS}}
    parts = [Part(name, value, min(value / widest, 1)) for name, value in sums.items() if value > 0]
    legs = [(leg.title, rank, row.get(leg.score_column)) for leg in LEGS if (rank := row.get(leg.rank_column))]
    factors = [(name, row[name]) for name in FACTORS if row.get(name, 1) != 1]
    concepts = _shared(query, hit.content[:_LONGEST_QUERY])
    return ExplainedHit(hit, shorten(hit.content, _LONGEST), parts, legs, factors, concepts, row.get("lead"))


def _shared(query: str, content: str) -> list[tuple[str, str]]:
    """The words of a question that the memory expresses in other words, each with the shared concepts."""
    there = _concepts(content)
    pairs = [(" ".join(each.words), sorted(concepts_of([each]).keys() & there)) for each in spot(query)]
    return [
        (words, ", ".join(names[:_MOST_CONCEPTS])) for words, names in pairs if names and words not in content.lower()
    ]


@lru_cache(maxsize=1_000)
def _concepts(text: str) -> frozenset[str]:
    return frozenset(concepts_of(spot(text)))
