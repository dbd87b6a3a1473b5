"""Merging records facet by facet: each side's additions are united; only rival changes conflict.

Facets carry no id, so they are matched to the base's by what they say: the sequences are aligned
on (content, timestamp); inside a gap, facets pair up in order (an edited one keeps its place).
Two rivalries exist: one facet was changed or removed differently, or one facet was superseded on
both sides by different memories.
"""

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from memoir.memory.record import Memory, Record, decode, encode, trimmed
from memoir.store.merge import Undecided
from memoir.times import parse_instant

STRATEGIES = ("ours", "theirs", "append", "newest")


class Resolver:
    """Decides a key that both sides changed, for `memoir.store.merge`; rivalries only with a strategy."""

    def __init__(self, strategy: str | None) -> None:
        self.strategy = strategy

    def __call__(self, _key: bytes, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
        """The merged record's bytes, or None if the path is to go.

        Raises:
            Undecided: a rivalry, and no strategy to settle it.
        """
        records = (decode(value) if value is not None else () for value in (base, ours, theirs))
        merged = merge(*records, strategy=self.strategy)
        return encode(merged) if merged else None


class _Aligned(NamedTuple):
    """What became of each base facet on one side (None: removed), and what that side added."""

    fate: list[Memory | None]
    added: list[Memory]


def merge(base: Record, ours: Record, theirs: Record, *, strategy: str | None = None) -> Record:
    """The merged record; empty if the path is to go.

    Raises:
        Undecided: a rivalry, and no strategy to settle it.
    """
    mine, other = _align(base, ours), _align(base, theirs)
    merged: list[Memory] = []
    rivals = False
    for facet, one, two in zip(base, mine.fate, other.fate, strict=True):
        if one == two:
            rivals |= facet.active and one is not None and not one.active
            merged += [one] if one else []
        elif facet in (one, two):
            changed = two if one == facet else one
            merged += [changed] if changed else []
        else:
            merged += _settle([one] if one else [], [two] if two else [], strategy)
    additions = _unite(mine.added, other.added, strategy if rivals else "append")
    return trimmed((*merged, *additions))


def _align(base: Record, side: Record) -> _Aligned:
    fate: list[Memory | None] = [None] * len(base)
    added: list[Memory] = []
    before, after = ([(facet.content, facet.timestamp) for facet in record] for record in (base, side))
    for _, low, high, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for position, facet in zip_longest(range(low, high), side[start:stop]):
            if position is None:
                added.append(facet)
            else:
                fate[position] = facet
    return _Aligned(fate, added)


def _unite(ours: list[Memory], theirs: list[Memory], strategy: str | None) -> list[Memory]:
    """Both sides' additions, in an order that does not depend on which side is ours."""
    common = [facet for facet in ours if facet in theirs]
    one = [facet for facet in ours if facet not in common]
    two = [facet for facet in theirs if facet not in common]
    settled = _settle(one, two, strategy) if any(f.active for f in one) and any(f.active for f in two) else one + two
    return sorted([*common, *settled], key=_order)


def _order(facet: Memory) -> tuple[object, ...]:
    return (parse_instant(facet.timestamp), facet.content, facet.confidence, facet.status)


def _settle(ours: list[Memory], theirs: list[Memory], strategy: str | None) -> list[Memory]:
    """Two rival groups of facets under a strategy; the loser stays as superseded."""
    if strategy is None:
        raise Undecided
    if strategy == "append":
        return _distinct(ours + theirs)
    winner, loser = (theirs, ours) if strategy == "theirs" else (ours, theirs)
    if strategy == "newest":
        loser, winner = sorted((ours, theirs), key=_newest)
    return [*(facet.superseded() for facet in loser), *winner]


def _newest(facets: Iterable[Memory]) -> float:
    return max((parse_instant(facet.timestamp).timestamp() for facet in facets), default=float("-inf"))


def _distinct(facets: list[Memory]) -> list[Memory]:
    return [facet for position, facet in enumerate(facets) if facet not in facets[:position]]
