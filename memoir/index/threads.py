"""The threads that the index knows: which memories belong together over time."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memoir.index.grouping import idf, is_rare
from memoir.index.threaded import Key, count, joined, root, words_of
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
    """A memory of a thread: its place in the order of time, and its topics, as stems with their words."""

    key: Key
    topics: list[tuple[str, str]]

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

    def members(self, number: int) -> list[Member]:
        """The memories of a thread, the oldest first."""
        parts = [number, *(part for part in self._joins if root(self._joins, part) == number)]
        rows = self._database.execute(
            "SELECT learnt, namespace, path, content_id, topics FROM threaded"
            f" WHERE thread IN ({','.join(map(str, parts))}) ORDER BY number"
        )
        return [Member(Key(*key), words_of(topics)) for *key, topics in rows]

    def contents(self, members: Sequence[Member]) -> list[tuple[Address, bytes]]:
        """The ids of all active contents at the paths of some memories, by path."""
        places = dict.fromkeys(member.address for member in members)
        sql = "SELECT content_id FROM document WHERE namespace = ? AND path = ?"
        return [(place, bytes(content)) for place in places for (content,) in self._database.execute(sql, place)]

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

    def words(self, members: Sequence[Member]) -> list[str]:
        """Up to five rare words that memories of one namespace have in common, the most telling first."""
        held = Counter(stem for member in members for stem, _ in member.topics)
        rarity = {stem: self._rarity(members[0].key.namespace, stem) for stem, its in held.items() if its > 1}
        best = sorted((stem for stem in rarity if rarity[stem]), key=lambda stem: (-held[stem] * rarity[stem], stem))
        spelt = Counter(topic for member in members for topic in member.topics)
        return [
            min((-count, len(word), word) for (each, word), count in spelt.items() if each == stem)[2]
            for stem in best[:_WORDS]
        ]

    def _rarity(self, namespace: str, stem: str) -> float:
        """The idf of a topic; 0 if it is too common to find a memory by."""
        sql = "SELECT max(place) + 1 FROM topic WHERE namespace = ? AND topic = ?"
        held, total = int(self._database.execute(sql, (namespace, stem)).get), count(self._database)
        return idf(total, held) if is_rare(total, held) else 0.0
