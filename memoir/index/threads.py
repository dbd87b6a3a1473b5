"""The threads that the index knows: which memories belong together over time."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import apsw

from memoir.index.grouping import idf, is_rare
from memoir.index.threaded import Key, joined, root, words_of
from memoir.taxonomy.paths import Address


class Thread(NamedTuple):
    """A thread: the number of its founding memory, how many memories it has, and when it begins and ends.

    `first` and `last` are the instants at which its oldest and its newest memory were learnt, in seconds since 1970.
    """

    number: int
    size: int
    first: float
    last: float


class Member(NamedTuple):
    """A memory of a thread: its place in the order of time, and its topics as their row has them."""

    key: Key
    row: str

    @property
    def topics(self) -> list[tuple[str, str]]:
        """Its topics: stems, each with its word."""
        return words_of(self.row)

    @property
    def address(self) -> Address:
        """The path of the memory, with its namespace."""
        return Address(self.key.namespace, self.key.path)


_WORDS = 5


class Threads:
    """All threads; good only inside of a read of an index that groups memories (`Index` with `threads`)."""

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database
        self._joins = joined(database)

    def all(self, namespaces: Sequence[str] = ()) -> list[Thread]:
        """The threads of two or more memories in some namespaces (in all without any), the newest activity first."""
        where = f"WHERE namespace IN ({','.join('?' * len(namespaces))})" if namespaces else ""
        rows = self._database.execute(
            f"SELECT thread, count(*), min(learnt), max(learnt) FROM threaded {where} GROUP BY thread",
            tuple(namespaces),
        )
        found: dict[int, Thread] = {}
        for thread, size, first, last in rows:
            number = root(self._joins, thread)
            its = found.get(number, Thread(number, 0, first, last))
            found[number] = Thread(number, its.size + size, min(its.first, first), max(its.last, last))
        several = (thread for thread in found.values() if thread.size > 1)
        return sorted(several, key=lambda thread: (-thread.last, thread.number))

    def _parts(self, number: int) -> list[int]:
        """A thread and those that have become a part of it."""
        return [number, *self._joined_into.get(number, ())]

    @cached_property
    def _joined_into(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for part in self._joins:
            found[root(self._joins, part)].append(part)
        return found

    def members(self, number: int) -> list[Member]:
        """The memories of a thread, the oldest first."""
        rows = self._database.execute(
            "SELECT learnt, namespace, path, content_id, topics FROM threaded"
            f" WHERE thread IN ({','.join(map(str, self._parts(number)))}) ORDER BY number"
        )
        return [Member(Key(*key), row) for *key, row in rows]

    def contents(self, number: int, members: Sequence[Member]) -> list[tuple[Address, bytes]]:
        """The ids of all active contents at the paths of some members of a thread, by path."""
        wanted = {member.address for member in members}
        rows = self._database.execute(
            "SELECT DISTINCT d.namespace, d.path, d.content_id FROM threaded t JOIN document d USING (namespace, path)"
            f" WHERE t.thread IN ({','.join(map(str, self._parts(number)))})"
        )
        return [(place, bytes(content)) for *address, content in rows if (place := Address(*address)) in wanted]

    def of(self, address: Address) -> list[int]:
        """The threads of the memories of a path, sorted."""
        rows = self._database.execute("SELECT thread FROM threaded WHERE namespace = ? AND path = ?", address)
        return sorted({root(self._joins, thread) for (thread,) in rows})

    def of_memory(self, beginning: str, namespaces: Sequence[str] = ()) -> list[int]:
        """The threads of the memories whose ids have a beginning, sorted."""
        rows = self._database.execute(
            "SELECT thread, namespace FROM threaded WHERE id >= ? AND id < ?", (beginning, f"{beginning}~")
        )
        return sorted({root(self._joins, thread) for thread, name in rows if not namespaces or name in namespaces})

    def words(self, number: int, members: Sequence[Member]) -> list[str]:
        """Up to five rare words that the memories of a thread have in common, the most telling first.

        How rare a word is, is counted when the newest of them came, so later memories change nothing.
        """
        spelt = Counter(topic for member in members for topic in member.topics)
        held = Counter[str]()
        for (stem, _), times in spelt.items():
            held[stem] += times
        newest = self._newest(number)
        rarity = {stem: self._rarity(members[0].key.namespace, stem, newest) for stem in held if held[stem] > 1}
        best = sorted((stem for stem in rarity if rarity[stem]), key=lambda stem: (-held[stem] * rarity[stem], stem))
        forms: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for (stem, word), times in spelt.items():
            forms[stem].append((-times, len(word), word))
        return [min(forms[stem])[-1] for stem in best[:_WORDS]]

    def _newest(self, number: int) -> int:
        parts = ",".join(map(str, self._parts(number)))
        found: int = self._database.execute(f"SELECT max(number) FROM threaded WHERE thread IN ({parts})").get
        return found

    def _rarity(self, namespace: str, stem: str, newest: int) -> float:
        """The idf of a topic among the memories up to one; 0 if it is too common to find a memory by."""
        sql = (
            "SELECT place + 1 FROM topic WHERE namespace = ? AND topic = ? AND number <= ? ORDER BY number DESC LIMIT 1"
        )
        held, total = int(self._database.execute(sql, (namespace, stem, newest)).get), newest + 1
        return idf(total, held) if is_rare(total, held) else 0.0
