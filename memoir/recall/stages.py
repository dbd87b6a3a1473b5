"""The steps on the way to an answer of recall, counted from its ranking."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memoir.recall.channels import CHANNELS, LEGS
from memoir.recall.findings import Stage

if TYPE_CHECKING:
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.query import Query
    from memoir.recall.ranking import RankedCandidate, Ranking


def steps_of(answer: "RecallAnswer") -> "tuple[Stage, ...]":
    """The steps to an answer. `simple` leaves it to its trace to count them."""
    if answer.stages or answer.ranking is None:
        return answer.stages
    return *retrieval(answer.ranking), result(answer.ranking, len(answer.memories))


def retrieval(ranking: "Ranking") -> "tuple[Stage, ...]":
    """The steps of a ranking: what each leg and each channel finds, how one score is made of it, and the rerank."""
    return tuple(_retrieval(ranking, ranking.everyone))


def result(ranking: "Ranking", memories: int) -> Stage:
    """The last step: the limit and the threshold of an answer."""
    count = len(ranking.candidates)
    return Stage("result", "limit", count, count, memories)


def _retrieval(ranking: "Ranking", everyone: "tuple[RankedCandidate, ...]") -> Iterator[Stage]:
    base, total = everyone[0].base if everyone else None, len(everyone)
    for leg in LEGS:
        its = base.evidence[leg.name] if base else None
        candidates, results = (len(its.scores), len(its.ranks)) if its else (0, 0)
        yield Stage("retrieval", leg.name, 1, candidates, results, skipped=_off(ranking.query, leg.name))
    for channel in CHANNELS:
        additions = len(base.additions[channel.name]) if base else 0
        yield Stage("channel", channel.name, total, total, additions, skipped=_off(ranking.query, channel.name))
    strong = sum(1 for each in everyone if not each.base.weakness)
    yield Stage("fusion", ranking.query.fusion, total, total, strong)
    if ranking.query.rerank == "deterministic":
        yield Stage("rerank", "words", strong, strong, strong)


def _off(query: "Query", name: str) -> str | None:
    return None if query.weight(name) else "its weight is 0"
