"""Choices for conflicts of a merge: a strategy for everything, for a path, or for one memory.

A choice is written `KEY=STRATEGY` or `KEY#id=STRATEGY`. The id is that of a memory in the base or on either side; every
conflict is listed with one. A choice for a memory takes precedence over one for its path, and that over the strategy of
the whole merge.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from memoir.errors import InvalidInput, NotFound
from memoir.memory.facets import ids_of
from memoir.records.record import Memory, Record
from memoir.taxonomy.paths import Address, MemoryAddress, memory_address

STRATEGIES = ("ours", "theirs", "append", "newest")


def check_strategy(name: str) -> None:
    """Refuse an unknown strategy.

    Raises:
        InvalidInput: there is no such strategy.
    """
    if name not in STRATEGIES:
        raise InvalidInput(f"no merge strategy named {name!r}", f"there are: {', '.join(STRATEGIES)}")


class Rivals(NamedTuple):
    """Conflicting memories of a path, which need a choice; a side that removed them is empty."""

    id: str
    base: Record
    ours: Record
    theirs: Record


class Choices:
    """The choices of one merge; notes which of them were used.

    Raises:
        InvalidInput: a choice is malformed, names no strategy, or contradicts another.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._strategies: dict[MemoryAddress, str] = {}
        self._used: set[MemoryAddress] = set()
        for text in texts:
            key, mark, strategy = text.rpartition("=")
            if not mark:
                raise InvalidInput(f"not a choice: {text!r}", "write KEY=STRATEGY, or KEY#id=STRATEGY for one memory")
            check_strategy(strategy)
            target = memory_address(key)
            if self._strategies.setdefault(target, strategy) != strategy:
                raise InvalidInput(f"two choices for {target.short_key}", "give one of them")

    def strategy_of(self, place: Address, ids: Sequence[str]) -> str | None:
        """The strategy chosen for the memory with any of the ids, else for its path; None without a choice."""
        for target, strategy in self._strategies.items():
            if target.place == place and target.id and any(identity.startswith(target.id) for identity in ids):
                self._used.add(target)
                return strategy
        whole = MemoryAddress(place)
        self._used.add(whole)
        return self._strategies.get(whole)

    def refuse_unused(self) -> None:
        """Refuse choices for paths or memories without a conflict.

        Raises:
            NotFound: there is such a choice.
        """
        for target in self._strategies:
            if target not in self._used:
                raise NotFound(
                    f"nothing is in conflict at {target.short_key}", "merge without a choice: that lists the conflicts"
                )


class Referee:
    """Decides the conflicts at one path.

    Attributes:
        open: The undecided conflicts.
    """

    def __init__(self, place: Address, sides: Sequence[Record], strategy: str | None, choices: Choices) -> None:
        self._place = place
        self._sides = sides
        self._strategy = strategy
        self._choices = choices
        self.open: list[Rivals] = []

    def choose(self, base: Record, ours: Record, theirs: Record, *, usual: str | None = None) -> str | None:
        """The strategy for a conflict, by default `usual`; None if it stays undecided."""
        memories = (*base, *ours, *theirs)
        ids = [identity for identity, memory in self._memories_by_id if memory in memories] or ids_of(memories[:1])
        strategy = self._choices.strategy_of(self._place, ids) or usual or self._strategy
        if strategy is None:
            self.open.append(Rivals(ids[0], base, ours, theirs))
        return strategy

    @cached_property
    def _memories_by_id(self) -> list[tuple[str, Memory]]:
        """The memories of all sides with their ids, those of the base first."""
        return [pair for record in self._sides for pair in zip(ids_of(record), record, strict=True)]
