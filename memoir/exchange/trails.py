"""Where memories of a common past are on one side now: followed from commit to commit, through edits and moves.

No record is needed: a memory moved where a commit took it, by its words and time, from one path and brought it to
another. So it is seen too if it was one of several at a path, whichever command moved it. What a commit records of
whole paths only decides where several equal memories went.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

from memoir.exchange.merge_records import fates, readable
from memoir.git.objects import Oid
from memoir.records.record import Memory, Record
from memoir.store.ancestry import beyond
from memoir.store.commit import Commit
from memoir.store.history import clear_changes
from memoir.store.store import Store

_Name = tuple[str, str]


class Place(NamedTuple):
    """A key, and a memory as it is there; None if it was forgotten there."""

    key: bytes
    memory: Memory | None


class Trails:
    """The trails of memories through some commits, the oldest first."""

    def __init__(self, store: Store, commits: Sequence[Commit]) -> None:
        self._steps = [
            _Step(store, commit, keys) for commit, keys in zip(commits, clear_changes(store, commits), strict=True)
        ]

    @classmethod
    def beyond(cls, store: Store, tips: Collection[Oid], others: Collection[Oid]) -> "Trails":
        """The trails through the commits that some tips contain and no other does."""
        return cls(store, store.commits([*beyond(store, tips, others)][::-1]))

    def follow(self, start: Sequence[Place]) -> list[Place]:
        """Where the memories are that some places had before."""
        together: dict[bytes, list[Memory]] = defaultdict(list)
        for place in start:
            together[place.key] += [place.memory] if place.memory else []
        trails = [_Trail(place, together[place.key]) for place in start]
        for step in self._steps:
            step.take([trail for trail in trails if trail.now.memory and step.touches(trail.now.key)])
        return [trail.now for trail in trails]


class _Trail:
    """One memory: its place so far, what was there at first, its names, and whether any commit knew it by one."""

    def __init__(self, start: Place, together: Sequence[Memory]) -> None:
        self.now = start
        self._together = together
        self.names = {name_of(start.memory)} if start.memory else set()
        self.is_known = False

    def find(self, before: Record) -> int | None:
        """Where the memory is in a record; one that no commit has known yet may have got other words since."""
        at = next((at for at, memory in enumerate(before) if name_of(memory) in self.names), None)
        if at is None and not self.is_known and self.now.memory:
            twin = fates(tuple(self._together), before)[self._together.index(self.now.memory)]
            at = before.index(twin) if twin else None
        return at

    def go(self, place: Place) -> None:
        """Note where a commit put it."""
        self.now, self.is_known = place, True
        self.names |= {name_of(place.memory)} if place.memory else set()


class _Step:
    """What one commit did to memories."""

    def __init__(self, store: Store, commit: Commit, keys: Collection[bytes] | None) -> None:
        self._store, self._commit = store, commit
        self._keys = None if keys is None else frozenset(keys)
        self._moves = dict(commit.changes.moves) if commit.changes else {}

    def touches(self, key: bytes) -> bool:
        """Whether the commit may have changed a key."""
        return self._keys is None or key in self._keys

    def take(self, trails: Sequence[_Trail]) -> None:
        """Take memories to where the commit put them; one that it did not find at its key stays."""
        keys = {trail.now.key for trail in trails}
        before, after = self._read(keys)
        for trail in trails:
            key = trail.now.key
            old, new = before.get(key, ()), after.get(key, ())
            if old != new and (at := trail.find(old)) is not None:
                trail.go(self._place(key, old, new, at))

    def _place(self, key: bytes, before: Record, after: Record, at: int) -> Place:
        memory = before[at]
        same = [each for each in after if name_of(each) == name_of(memory)]
        came = [] if same else self._arrivals.get(name_of(memory), [])
        if came:
            return next((place for place in came if place.key == self._moves.get(key)), came[0])
        return Place(key, same[0] if same else fates(before, after)[at])

    @cached_property
    def _arrivals(self) -> dict[_Name, list[Place]]:
        """The memories that came to a key."""
        before, after = self._read(self._moves.values() if self._keys is None else self._keys)
        came: dict[_Name, list[Place]] = defaultdict(list)
        for key, record in after.items():
            there = {name_of(memory) for memory in before.get(key, ())}
            for memory in record:
                if name_of(memory) not in there:
                    came[name_of(memory)].append(Place(key, memory))
        return came

    def _read(self, keys: Collection[bytes]) -> list[dict[bytes, Record]]:
        """The records at some keys before and after the commit."""
        sides = (self._store.of(each) for each in (next(iter(self._commit.parents), None), self._commit.id))
        return [{key: readable(value) for key, value in side.read(keys).items()} for side in sides]


def name_of(memory: Memory) -> _Name:
    """The words and the time of a memory, by which it is known again."""
    return memory.content, memory.timestamp
