"""Where memories of a common past are on one side now: followed from commit to commit, through edits and moves.

No record is needed: a memory moved where a commit took it, by its words and time, from one path and brought it to
another. So it is seen too if it was one of several at a path, whichever command moved it. What a commit records of
whole paths only decides where several equal memories went.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from functools import cache, cached_property
from graphlib import TopologicalSorter
from typing import NamedTuple

from memoir.exchange.merge_records import align
from memoir.git.objects import Oid
from memoir.records.damage import read_or_empty
from memoir.records.record import MAX_SUPERSEDED, Memory, Name, Record, name_of
from memoir.store.ancestry import beyond
from memoir.store.commit import Commit
from memoir.store.history import clear_changes
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store


class Place(NamedTuple):
    """A key, and a memory as it is there; None if it was forgotten there, or left to history as superseded too long."""

    key: bytes
    memory: Memory | None
    is_history: bool = False

    @property
    def name(self) -> Name | None:
        """What the memory is known by; None if there is none."""
        return self.memory and name_of(self.memory)

    @property
    def is_superseded(self) -> bool:
        """Whether the memory is superseded there, or was until it was left to history."""
        return self.is_history or bool(self.memory and not self.memory.active)


class Trails:
    """The trails of memories through some commits, the oldest first; backwards, through the newest first.

    The commits are not read before something is followed.
    """

    def __init__(self, store: Store, commits: Iterable[Commit], *, backwards: bool = False) -> None:
        self._store = store
        self._commits = commits
        self._backwards = backwards

    @classmethod
    def beyond(cls, store: Store, tips: Collection[Oid], others: Collection[Oid]) -> "Trails":
        """The trails through the commits that some tips contain and no other does."""
        return cls(store, _commits_beyond(store, tips, others))

    def follow(self, start: Sequence[Place], skip: int = 0) -> list[Place]:
        """Where the memories are that some places had before; `skip` is how many commits at first to leave out."""
        now, names = [*start], [{place.name} for place in start]
        for step in self._steps[skip:]:
            here = [number for number, place in enumerate(now) if place.memory and step.touches(place.key)]
            step.read({now[number].key for number in here})
            for number in here:
                now[number] = step.take(now[number], names[number])
                names[number].add(now[number].name)
        return now

    def at_end(self, key: bytes) -> Record:
        """What is at a key where the trails end."""
        return self._steps[-1].read([key])[key][1]

    @cached_property
    def _steps(self) -> "list[_Step]":
        commits = [*self._commits]
        keys = clear_changes(self._store, commits)
        steps = [_Step(self._store, *each, backwards=self._backwards) for each in zip(commits, keys, strict=True)]
        return steps[::-1] if self._backwards else steps


def _commits_beyond(store: Store, tips: Collection[Oid], others: Collection[Oid]) -> Iterator[Commit]:
    """Parents come before children, whatever time their writers' clocks showed."""
    parents = beyond(store, tips, others)
    yield from store.commits([each for each in TopologicalSorter(parents).static_order() if each in parents])


class ReplayTrails(NamedTuple):
    """The trails to a line that goes on from another side with our first commits made again."""

    ours: Trails
    """Backwards through all of our commits."""
    theirs: Trails
    left: int
    """How many of ours are not made again yet."""
    line: Snapshot

    def follow(self, start: Sequence[Place]) -> list[Place]:
        """Where the memories are that some places have on our own line: there, unless the other side moved them."""
        origins = self.ours.follow(start, self.left)
        homes = cache(self._homes)
        return [
            _meet(place, origin, there)
            if origin.memory
            else place._replace(key=homes(place.key).get(place.name, place.key))
            for place, origin, there in zip(start, origins, self.theirs.follow(origins), strict=True)
        ]

    def _homes(self, key: bytes) -> dict[Name | None, bytes]:
        """Where the line has what our commits brought to a key: there, or where the one went that it replaced."""
        began = [Place(key, memory) for memory in self.ours.at_end(key)]
        keys = [*sorted({place.key for place in self.theirs.follow(began)} - {key}), key]
        values = self.line.read(keys)
        return {name_of(memory): each for each in keys for memory in read_or_empty(values.get(each))}


def _meet(ours: Place, origin: Place, theirs: Place) -> Place:
    """Where a memory is after both what we did to it since its origin and what they did."""
    there = theirs if ours.key == origin.key else ours
    is_edited = ours.name != origin.name
    return there._replace(memory=(ours if is_edited else theirs).memory) if theirs.memory else there


class _Step:
    """What one commit did to memories, or backwards, what it undid."""

    def __init__(self, store: Store, commit: Commit, keys: Collection[bytes] | None, *, backwards: bool) -> None:
        self._store = store
        self._sides = (next(iter(commit.parents), None), commit.id)[:: -1 if backwards else 1]
        self._keys = None if keys is None else frozenset(keys)
        moves = commit.changes.moves if commit.changes else ()
        self._moves = {new: old for old, new in moves} if backwards else dict(moves)
        self._records: dict[bytes, tuple[Record, Record]] = {}

    def touches(self, key: bytes) -> bool:
        """Whether the commit may have changed a key."""
        return self._keys is None or key in self._keys

    def read(self, keys: Collection[bytes]) -> dict[bytes, tuple[Record, Record]]:
        """The records at some keys before and after the commit; each is read once, however often it is asked for."""
        if new := [key for key in keys if key not in self._records]:
            before, after = (self._store.of(each).read(new) for each in self._sides)
            self._records |= {key: (read_or_empty(before.get(key)), read_or_empty(after.get(key))) for key in new}
        return self._records

    def take(self, place: Place, names: Container[Name | None]) -> Place:
        """Where the commit put a memory that has had some names; one that it did not find at its key stays."""
        before, after = self._records[place.key]
        at = next((at for at, memory in enumerate(before) if name_of(memory) in names), None)
        if at is None or before == after:
            return place
        name = name_of(before[at])
        same = next((Place(place.key, memory) for memory in after if name_of(memory) == name), None)
        if found := same or self._find(name, place.key):
            return found
        fate = align(before, after).fate[at]
        is_full = sum(not memory.active for memory in after) >= MAX_SUPERSEDED  # then `trim` takes the first of them
        return Place(place.key, fate, not fate and not before[at].active and is_full)

    def _find(self, name: Name, left: bytes) -> Place | None:
        """Where a memory came to that left a key; of several equal ones, to where the commit says that it moved all."""
        came = self._arrivals.get(name, {})
        return came.get(self._moves.get(left, b"")) or next(iter(came.values()), None)

    @cached_property
    def _arrivals(self) -> dict[Name, dict[bytes, Place]]:
        """The memories that came to a key: many, if the commit moved a whole branch of the taxonomy."""
        keys = sorted(self._moves.values() if self._keys is None else self._keys)
        came: dict[Name, dict[bytes, Place]] = defaultdict(dict)
        records = self.read(keys)
        for key in keys:
            before, after = records[key]
            for memory in after if before != after else ():
                if name_of(memory) not in map(name_of, before):
                    came[name_of(memory)].setdefault(key, Place(key, memory))
        return came
