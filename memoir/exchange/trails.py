"""Where memories of a common past are on one side now: followed from commit to commit, through edits and moves.

No record is needed: a memory moved where a commit took it, by its words and time, from one path and brought it to
another. So it is seen too if it was one of several at a path, whichever command moved it. What a commit records of
whole paths only decides where several equal memories went.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from graphlib import TopologicalSorter
from typing import NamedTuple

from memoir.exchange.merge_records import fates, readable
from memoir.git.objects import Oid
from memoir.records.record import MAX_SUPERSEDED, Memory, Record
from memoir.store.ancestry import beyond
from memoir.store.commit import Commit
from memoir.store.history import clear_changes
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

_Name = tuple[str, str]


class Place(NamedTuple):
    """A key, and a memory as it is there; None if it was forgotten there, or left to history as superseded too long."""

    key: bytes
    memory: Memory | None
    is_history: bool = False

    @property
    def name(self) -> _Name | None:
        """What the memory is known by; None if there is none."""
        return self.memory and name_of(self.memory)


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
        trails = [_Trail(place) for place in start]
        for step in self._steps[skip:]:
            if here := [trail for trail in trails if trail.now.memory and step.touches(trail.now.key)]:
                step.take(here)
        return [trail.now for trail in trails]

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

    def _homes(self, key: bytes) -> dict[_Name | None, bytes]:
        """Where the line has what our commits brought to a key: there, or where the one went that it replaced."""
        began = [Place(key, memory) for memory in self.ours.at_end(key)]
        keys = [*sorted({place.key for place in self.theirs.follow(began)} - {key}), key]
        values = self.line.read(keys)
        return {name_of(memory): each for each in keys for memory in readable(values.get(each))}


def _meet(ours: Place, origin: Place, theirs: Place) -> Place:
    """Where a memory is after both what we did to it since its origin and what they did."""
    there = theirs if ours.key == origin.key else ours
    is_edited = ours.name != origin.name
    return there._replace(memory=(ours if is_edited else theirs).memory) if theirs.memory else there


class _Trail:
    """One memory: its place so far, and the names that it has had."""

    def __init__(self, start: Place) -> None:
        self.now = start
        self.names = {start.name}

    def find(self, before: Record) -> int | None:
        """Where the memory is in a record."""
        return next((at for at, memory in enumerate(before) if name_of(memory) in self.names), None)

    def go(self, place: Place) -> None:
        """Note where a commit put it."""
        self.now = place
        self.names.add(place.name)


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

    def take(self, trails: Sequence[_Trail]) -> None:
        """Take memories to where the commit put them; one that it did not find at its key stays."""
        records = self.read({trail.now.key for trail in trails})
        for trail in trails:
            key = trail.now.key
            old, new = records[key]
            if old != new and (at := trail.find(old)) is not None:
                trail.go(self._place(key, old, new, at))

    def _place(self, key: bytes, before: Record, after: Record, at: int) -> Place:
        name = name_of(before[at])
        if same := next((each for each in after if name_of(each) == name), None):
            return Place(key, same)
        target = self._moves.get(key)
        named = self._arrivals([target]).get(name) if target else None
        return named or self._everywhere.get(name) or _stay(key, before, after, at)

    @cached_property
    def _everywhere(self) -> dict[_Name, Place]:
        """The memories that came to any key: many, if the commit moved a whole branch of the taxonomy."""
        return self._arrivals(self._moves.values() if self._keys is None else self._keys)

    def _arrivals(self, keys: Collection[bytes]) -> dict[_Name, Place]:
        """The memories that came to some keys."""
        came: dict[_Name, Place] = {}
        records = self.read(keys)
        for key in sorted(keys):
            before, after = records[key]
            there = set(map(name_of, before))
            for memory in after:
                if name_of(memory) not in there:
                    came.setdefault(name_of(memory), Place(key, memory))
        return came

    def read(self, keys: Collection[bytes]) -> dict[bytes, tuple[Record, Record]]:
        """The records at some keys before and after the commit; each is read once, however often it is asked for."""
        if new := [key for key in keys if key not in self._records]:
            before, after = (self._store.of(each).read(new) for each in self._sides)
            self._records |= {key: (readable(before.get(key)), readable(after.get(key))) for key in new}
        return self._records


def _stay(key: bytes, before: Record, after: Record, at: int) -> Place:
    """A memory of a key as a commit left it there; it left to history what `trim` takes where there are too many."""
    fate = fates(before, after)[at]
    is_full = sum(not memory.active for memory in after) >= MAX_SUPERSEDED
    return Place(key, fate, not fate and not before[at].active and is_full)


def name_of(memory: Memory) -> _Name:
    """The words and the time of a memory, by which it is known again."""
    return memory.content, memory.timestamp
