"""Marking the memories of an answer that contradict each other, never passages; see `memoir.memory.disputes`."""

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoir.memory.active import Facet
    from memoir.recall.answer import RecallAnswer

_MANY = 50
_SHARED = 0.5
"""The share of the shorter text's words that the longer one must have, or the two are not compared."""


def mark_disputes(answer: "RecallAnswer") -> "RecallAnswer":
    """The answer with those others of its memories in `disputes` that contradict one, the newest first."""
    remembered = [(number, each) for number, each in enumerate(answer.memories) if each.layer is None]
    if not _may_dispute([memory.content for _, memory in remembered]):
        return answer
    from memoir.memory.disputes import find_disputes

    facets = [memory.facet for _, memory in remembered]
    numbers = {facet.place: number for facet, (number, _) in zip(facets, remembered, strict=True)}
    others: dict[int, list[Facet]] = {}
    for newer, older in find_disputes(facets):
        others.setdefault(numbers[newer.place], []).append(older)
        others.setdefault(numbers[older.place], []).append(newer)
    if not others:
        return answer
    memories = list(answer.memories)
    for number, disputing in others.items():
        newest_first = sorted(disputing, key=lambda each: each.order)
        memories[number] = memories[number]._replace(disputes=tuple(newest_first))
    return answer._replace(memories=memories)


def _may_dispute(texts: list[str]) -> bool:
    """Whether two of some texts share enough words that reading what they claim is worth the time.

    Of many texts, comparing all pairs would take longer than reading them.
    """
    if len(texts) > _MANY:
        return True
    bags = [frozenset(text[:1000].lower().split()) for text in texts]
    return any(len(one & other) >= _SHARED * min(len(one), len(other)) for one, other in combinations(bags, 2))
