"""Finds insights that are out of date: what they cite has changed.

A leaf is out of date if a memory that it cites has changed or is gone; a branch or the root, if an insight that it
cites has changed or is out of date. Only `memoir insights`, which groups all memories, knows whether new ones belong to
it.
"""

from collections.abc import Iterable, Mapping, Sequence

from memoir.git.objects import sha1
from memoir.memory.links import links_of
from memoir.memory.read import records
from memoir.records.metadata import BRANCH, LEAF, ROOT, digest_of, insight_fields
from memoir.records.record import Memory, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

Contents = Mapping[Address, Sequence[bytes]]
"""Digests of the active contents of memories, by their addresses."""
_LEVELS = (LEAF, BRANCH, ROOT)


class Staleness:
    """Tells which insights of a snapshot are out of date; reads each insight once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._read: dict[Address, Memory | None] = {}
        self._stale: dict[Address, bool] = {}

    def of(self, address: Address) -> bool | None:
        """Whether the insight at an address is out of date; None if there is none."""
        return self.among([address]).get(address) if address.may_be_insight else None

    def among(self, addresses: Iterable[Address]) -> dict[Address, bool]:
        """The insights at the addresses, each with whether it is out of date."""
        insights = [address for address in addresses if address.may_be_insight]
        if not insights:
            return {}
        new = self._fetch(insights)
        contents = self._contents(_sources(memory) for memory in new.values() if _level(memory) == LEAF)
        for level in _LEVELS:  # a level needs the results of the one below
            for address, memory in new.items():
                if _level(memory) == level:
                    self._stale[address] = self._is_stale(memory, contents)
        return {address: self._stale[address] for address in insights if address in self._stale}

    def _fetch(self, addresses: Sequence[Address]) -> dict[Address, Memory]:
        """The insights at the addresses and those that they cite, unless read before."""
        memories: dict[Address, Memory] = {}
        for _ in _LEVELS:
            fresh = [address for address in addresses if address not in self._read]
            self._read |= dict.fromkeys(fresh)
            read = {
                address: record[-1]
                for address, record in records(self._snapshot, fresh, listed=True).items()
                if insight_fields(record[-1])
            }
            self._read |= read
            memories |= read
            addresses = [at for memory in read.values() for at in _sources(memory) if at.may_be_insight]
        return memories

    def _contents(self, sources: Iterable[Iterable[Address]]) -> Contents:
        addresses = dict.fromkeys(address for addresses in sources for address in addresses)
        entries = records(self._snapshot, addresses, listed=True)
        return {
            address: [sha1(facet.content.encode()) for facet in active_facets(record)]
            for address, record in entries.items()
        }

    def _is_stale(self, memory: Memory, contents: Contents) -> bool:
        """Whether the sources of an insight have changed since it was written, or are out of date themselves."""
        sources = _sources(memory)
        if _level(memory) == LEAF:
            present = [(address, content) for address in sources for content in contents.get(address, ())]
        else:
            present = [(each, _field(below, "sources").encode()) for each in sources if (below := self._read.get(each))]
        has_changed = digest_of(present) != (insight_fields(memory) or {}).get("cited")
        return has_changed or any(self._stale.get(address) for address in sources)


def _sources(memory: Memory) -> list[Address]:
    return [address for _, address in links_of((memory,))]


def _level(memory: Memory) -> str:
    return _field(memory, "level")


def _field(memory: Memory, name: str) -> str:
    return str((insight_fields(memory) or {}).get(name))
