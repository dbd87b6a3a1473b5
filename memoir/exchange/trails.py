"""Trails: where base memories are on one side now, followed from commit to commit through edits and moves.

Moves are found without notes: a commit moved a memory if it removed one from a path and added one with the same words
and time at another. So moves of one memory among several are found, too, by any command. The moves of whole paths that
a commit records only decide between several equal memories.
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
    """A key and a memory there; None if it was forgotten, or dropped to history as one of too many superseded ones."""

    key: bytes
    memory: Memory | None
    is_history: bool = False

    @property
    def name(self) -> Name | None:
        """The identity of the memory; None if there is none."""
        return self.memory and name_of(self.memory)

    @property
    def is_superseded(self) -> bool:
        """Whether the memory is superseded, or was when it was dropped to history."""
        return self.is_history or bool(self.memory and not self.memory.active)


class Trails:
    """The trails of memories through commits, oldest first, or backwards from the newest.

    The commits are read on demand.
    """

    def __init__(self, store: Store, commits: Iterable[Commit], *, backwards: bool = False) -> None:
        self._store = store
        self._commits = commits
        self._backwards = backwards

    @classmethod
    def beyond(cls, store: Store, tips: Collection[Oid], others: Collection[Oid]) -> "Trails":
        """The trails through the commits that the tips contain and the others do not."""
        return cls(store, _commits_beyond(store, tips, others))

    def follow(self, start: Sequence[Place], skip: int = 0) -> list[Place]:
        """Follow memories from their places at the start to the end; `skip` leaves out that many commits first."""
        now, names = [*start], [{place.name} for place in start]
        for step in self._steps[skip:]:
            here = [number for number, place in enumerate(now) if place.memory and step.touches(place.key)]
            step.read({now[number].key for number in here})
            for number in here:
                now[number] = step.take(now[number], names[number])
                names[number].add(now[number].name)
        return now

    def at_end(self, key: bytes) -> Record:
        """The record at a key at the end of the trails."""
        return self._steps[-1].read([key])[key][1]

    @cached_property
    def _steps(self) -> "list[_Step]":
        commits = [*self._commits]
        keys = clear_changes(self._store, commits)
        steps = [_Step(self._store, *each, backwards=self._backwards) for each in zip(commits, keys, strict=True)]
        return steps[::-1] if self._backwards else steps


def _commits_beyond(store: Store, tips: Collection[Oid], others: Collection[Oid]) -> Iterator[Commit]:
    """The commits of the tips beyond the others, parents first even if clocks were wrong."""
    parents = beyond(store, tips, others)
    yield from store.commits([each for each in TopologicalSorter(parents).static_order() if each in parents])


class ReplayTrails(NamedTuple):
    """The trails to the line of the other side with our first commits replayed on it."""

    ours: Trails
    """Backwards through all of our commits."""
    theirs: Trails
    left: int
    """The number of our commits that are not replayed yet."""
    line: Snapshot

    def follow(self, start: Sequence[Place]) -> list[Place]:
        """Follow memories from our own line to the new one: the same places, unless the other side moved them."""
        origins = self.ours.follow(start, self.left)
        homes = cache(self._homes)
        return [
            _meet(place, origin, there)
            if origin.memory
            else place._replace(key=homes(place.key).get(place.name, place.key))
            for place, origin, there in zip(start, origins, self.theirs.follow(origins), strict=True)
        ]

    def _homes(self, key: bytes) -> dict[Name | None, bytes]:
        """The keys on the line of memories that our commits added at a key: it, or where the replaced one went."""
        began = [Place(key, memory) for memory in self.ours.at_end(key)]
        keys = [*sorted({place.key for place in self.theirs.follow(began)} - {key}), key]
        values = self.line.read(keys)
        return {name_of(memory): each for each in keys for memory in read_or_empty(values.get(each))}


def _meet(ours: Place, origin: Place, theirs: Place) -> Place:
    """Combine our changes to a memory since its origin with theirs."""
    there = theirs if ours.key == origin.key else ours
    is_edited = ours.name != origin.name
    return there._replace(memory=(ours if is_edited else theirs).memory) if theirs.memory else there


class _Step:
    """The changes of one commit to memories, or backwards their reversal."""

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
        """The records at the keys before and after the commit; cached."""
        if new := [key for key in keys if key not in self._records]:
            before, after = (self._store.of(each).read(new) for each in self._sides)
            self._records |= {key: (read_or_empty(before.get(key)), read_or_empty(after.get(key))) for key in new}
        return self._records

    def take(self, place: Place, names: Container[Name | None]) -> Place:
        """The place of a memory, known by any of its names, after the commit; unchanged if it was not at its key."""
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
        """The new place of a memory that left a key; among several, the one where the commit moved the whole path."""
        came = self._arrivals.get(name, {})
        return came.get(self._moves.get(left, b"")) or next(iter(came.values()), None)

    @cached_property
    def _arrivals(self) -> dict[Name, dict[bytes, Place]]:
        """The memories that the commit added, by name and key: many, if it moved a whole branch of the taxonomy."""
        keys = sorted(self._moves.values() if self._keys is None else self._keys)
        came: dict[Name, dict[bytes, Place]] = defaultdict(dict)
        records = self.read(keys)
        for key in keys:
            before, after = records[key]
            for memory in after if before != after else ():
                if name_of(memory) not in map(name_of, before):
                    came[name_of(memory)].setdefault(key, Place(key, memory))
        return came
