"""Disputes: active memories that contradict each other, as far as rules can tell. Nothing decides between them.

Only memories of one namespace are compared that are about the same people, and whose metadata do not contradict each
other: what holds of another person, project or time is not a contradiction. An event stays true whatever comes later.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from memoir.memory.active import Facet
from memoir.memory.layer_namespaces import KINDS
from memoir.records.metadata import OF_MEMOIR, OF_THE_WORDS, PIN, agree
from memoir.records.record import without
from memoir.taxonomy.kinds import ITEM_KIND, has_happened

_MOST_ALIKE = 50
"""The newest memories with one clause of which all pairs are compared."""
_OF_NO_MATTER = OF_MEMOIR.union(OF_THE_WORDS, (ITEM_KIND, PIN, "person"))
"""Fields of metadata in which memories about the same thing may differ."""


class Dispute(NamedTuple):
    """Two memories that contradict each other."""

    newer: Facet
    older: Facet


class StoreDisputes(NamedTuple):
    """The disputes that were found in a store, and whether these are all."""

    disputes: list[Dispute]
    complete: bool


def find_disputes(memories: Sequence[Facet]) -> list[Dispute]:
    """The disputes among some memories, each once; those with the newest memories first."""
    by_clause: dict[tuple[object, ...], list[tuple[Facet, str]]] = defaultdict(list)
    for each in sorted((each for each in memories if may_dispute(each)), key=lambda each: each.order):
        for clause, value in _claims(each.memory.content).items():
            by_clause[each.address.namespace, clause].append((each, value))
    pairs = {
        (pair.newer.place, pair.older.place): pair
        for group in by_clause.values()
        if len(group) > 1
        for pair in _pairs(group)
    }
    return sorted(pairs.values(), key=lambda pair: (pair.newer.order, pair.older.order))


def may_dispute(each: Facet) -> bool:
    """Whether a memory can be in a dispute: it is active, of no layer, and no event."""
    memory = each.memory
    is_of_layer = each.address.namespace.rpartition(":")[2] in KINDS
    return memory.active and not is_of_layer and not has_happened(memory.metadata.get(ITEM_KIND))


def about_the_same(one: Facet, other: Facet) -> bool:
    """Whether the metadata of two memories let them be about the same thing."""
    return one.people == other.people and agree(
        *(without(each.memory.metadata, _OF_NO_MATTER) for each in (one, other))
    )


def _claims(text: str) -> Mapping[str, str]:
    from memoir.english.claims import claims

    return claims(text)


def _pairs(group: Sequence[tuple[Facet, str]]) -> Iterator[Dispute]:
    from memoir.english.claims import may_agree

    for (newer, value), (older, other) in combinations(group[:_MOST_ALIKE], 2):
        if value != other and not may_agree(value, other) and about_the_same(newer, older):
            yield Dispute(newer, older)
