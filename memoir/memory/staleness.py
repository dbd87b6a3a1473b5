"""Which insights are out of date, as the store alone tells: what one rests on is no longer what it was.

A leaf is out of date if a memory that it cites has changed or is gone, a branch or the root also if an insight that it
cites is. Whether more memories belong to it by now, only `memoir insights` says, because it groups all memories.
"""

from collections.abc import Iterable, Mapping, Sequence

from memoir.git.digest import sha1
from memoir.memory.links import links_of
from memoir.memory.read import records
from memoir.records.metadata import BRANCH, LEAF, ROOT, digest_of, insight_fields
from memoir.records.record import Memory, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

Contents = Mapping[Address, Sequence[bytes]]
"""Digests of the active contents of memories, by their places."""
_LEVELS = (LEAF, BRANCH, ROOT)


class Staleness:
    """Tells which insights of a snapshot are out of date; what it has looked at it does not look at again."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._read: dict[Address, Memory | None] = {}
        self._stale: dict[Address, bool] = {}

    def of(self, place: Address) -> bool | None:
        """Whether the insight at a place is out of date; None if there is none."""
        return self.among([place]).get(place) if place.may_be_insight else None

    def among(self, places: Iterable[Address]) -> dict[Address, bool]:
        """The insights at some places, each with whether it is out of date."""
        insights = [place for place in places if place.may_be_insight]
        new = self._fetch(insights)
        contents = self._contents(_sources(memory) for memory in new.values() if _level(memory) == LEAF)
        for level in _LEVELS:  # what is above needs to know of what is below
            for place, memory in new.items():
                if _level(memory) == level:
                    self._stale[place] = self._is_stale(memory, contents)
        return {place: self._stale[place] for place in insights if place in self._stale}

    def _fetch(self, places: Sequence[Address]) -> dict[Address, Memory]:
        """The insights at some places and those that they rest on, unless they were looked at before."""
        memories: dict[Address, Memory] = {}
        for _ in _LEVELS:
            fresh = [place for place in places if place not in self._read]
            self._read |= dict.fromkeys(fresh)
            read = {
                place: record[-1]
                for place, record in records(self._snapshot, fresh, listed=True).items()
                if insight_fields(record[-1])
            }
            self._read |= read
            memories |= read
            places = [at for memory in read.values() for at in _sources(memory) if at.may_be_insight]
        return memories

    def _contents(self, sources: Iterable[Iterable[Address]]) -> Contents:
        places = dict.fromkeys(place for places in sources for place in places)
        entries = records(self._snapshot, places, listed=True)
        return {
            place: [sha1(facet.content.encode()) for facet in active_facets(record)]
            for place, record in entries.items()
        }

    def _is_stale(self, memory: Memory, contents: Contents) -> bool:
        """Whether an insight's sources differ from those it was written from, or are out of date themselves."""
        sources = _sources(memory)
        if _level(memory) == LEAF:
            present = [(place, content) for place in sources for content in contents.get(place, ())]
        else:
            present = [(place, _source_digest(below)) for place in sources if (below := self._read.get(place))]
        has_changed = digest_of(present) != (insight_fields(memory) or {}).get("cited")
        return has_changed or any(self._stale.get(place) for place in sources)


def _sources(memory: Memory) -> list[Address]:
    return [place for _, place in links_of((memory,))]


def _level(memory: Memory) -> str:
    return str((insight_fields(memory) or {}).get("level"))


def _source_digest(memory: Memory) -> bytes:
    return str((insight_fields(memory) or {}).get("sources")).encode()
