"""Finding near-duplicates: active memories of one namespace whose texts say the same (`memoir.filing.sameness`)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from memoir.filing.sameness import essence
from memoir.index.documents import persons
from memoir.memory.damage import readable
from memoir.memory.metadata import agree
from memoir.memory.read import chosen_namespaces, key_range
from memoir.memory.record import Memory
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address, from_key


class Held(NamedTuple):
    """An active memory and its place in the record of a path."""

    address: Address
    ordinal: int
    memory: Memory

    @property
    def place(self) -> tuple[Any, ...]:
        """What memories are sorted by, the one that stands first: the newest, of those the surest, then by path.

        Of one path, whose record is oldest first, the later one is the newer.
        """
        memory = self.memory
        return (-memory.instant.timestamp(), -memory.confidence, self.address, -self.ordinal)

    @property
    def people(self) -> frozenset[str]:
        """Whom it is about, in lower case."""
        return frozenset(name.casefold() for name in persons(self.memory.metadata))


class Pair(NamedTuple):
    """An older memory, the newer one that stands for it or may, and the cosine of the two."""

    older: Held
    newer: Held
    cosine: float


def active(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[Held]:
    """Every active memory of some namespaces (all without one), in the order in which they stand."""
    found: list[Held] = []
    for name in chosen_namespaces(snapshot, namespaces):
        if name != TAXONOMY_NAMESPACE:
            for key, value in snapshot.scan(*key_range(name)):
                record = enumerate(readable(snapshot, key, value) or ())
                found += (Held(from_key(key), ordinal, memory) for ordinal, memory in record if memory.active)
    return sorted(found, key=lambda held: held.place)


def duplicates(held: Sequence[Held]) -> list[tuple[Held, Held]]:
    """Each memory that says what one before it in the list says, and that one.

    They are of one namespace and about the same people, and their metadata do not contradict each other.
    """
    groups: dict[tuple[str, frozenset[str], str], list[Held]] = defaultdict(list)
    for one in held:
        groups[one.address.namespace, one.people, essence(one.memory.content)].append(one)
    return [pair for group in groups.values() if len(group) > 1 for pair in _superfluous(group)]


def _superfluous(group: Iterable[Held]) -> list[tuple[Held, Held]]:
    standing: list[Held] = []
    found: list[tuple[Held, Held]] = []
    for one in group:
        stands_for_it = next((newer for newer in standing if agree(newer.memory.metadata, one.memory.metadata)), None)
        if stands_for_it:
            found.append((one, stands_for_it))
        else:
            standing.append(one)
    return found
