"""What to keep of a merge where the two sides rival: by a strategy for everything, for a path or for one memory.

A choice is written `KEY=STRATEGY` or `KEY#id=STRATEGY`. The id is that of a memory as it was before, or as either side
has it now; every conflict is listed with one. A choice for a memory comes before one for its path, and that before the
strategy of the whole merge.
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
    """Refuse a name that no strategy has.

    Raises:
        InvalidInput: there is no such strategy.
    """
    if name not in STRATEGIES:
        raise InvalidInput(f"no merge strategy named {name!r}", f"there are: {', '.join(STRATEGIES)}")


class Rivals(NamedTuple):
    """Memories of a path of which both sides cannot be kept without a choice; a side that removed them has none."""

    id: str
    base: Record
    ours: Record
    theirs: Record


class Choices:
    """The choices of one merge, and which of them were asked for.

    Raises:
        InvalidInput: one of them is malformed, names no strategy, or contradicts another.
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
        """The strategy that was chosen for the memory with one of some ids, or else for its path."""
        for target, strategy in self._strategies.items():
            if target.place == place and target.id and any(identity.startswith(target.id) for identity in ids):
                self._used.add(target)
                return strategy
        whole = MemoryAddress(place)
        self._used.add(whole)
        return self._strategies.get(whole)

    def refuse_unused(self) -> None:
        """Refuse choices where there is nothing to choose.

        Raises:
            NotFound: there is such a choice.
        """
        for target in self._strategies:
            if target not in self._used:
                raise NotFound(
                    f"nothing is in conflict at {target.short_key}", "merge without a choice: that lists the conflicts"
                )


class Referee:
    """Chooses between the rivals at one path.

    Attributes:
        open: The rivals that nothing decides.
    """

    def __init__(self, place: Address, sides: Sequence[Record], strategy: str | None, choices: Choices) -> None:
        self._place = place
        self._sides = sides
        self._strategy = strategy
        self._choices = choices
        self.open: list[Rivals] = []

    def choose(self, base: Record, ours: Record, theirs: Record, *, usual: str | None = None) -> str | None:
        """The strategy for some rivals; `usual` counts unless one of their memories is named. None: they stay open."""
        memories = (*base, *ours, *theirs)
        ids = [identity for identity, memory in self._named if memory in memories] or ids_of(memories[:1])
        strategy = self._choices.strategy_of(self._place, ids) or usual or self._strategy
        if strategy is None:
            self.open.append(Rivals(ids[0], base, ours, theirs))
        return strategy

    @cached_property
    def _named(self) -> list[tuple[str, Memory]]:
        """The memories of all sides with their ids, those from before first."""
        return [pair for record in self._sides for pair in zip(ids_of(record), record, strict=True)]
