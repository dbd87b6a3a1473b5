"""The threads of the index: groups of memories that belong together, summed up by `memoir.index.insight_state`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from memoir.index.grouping import idf, is_rare
from memoir.index.sequence import Key, parts, wholes, words_of
from memoir.taxonomy.paths import Address


class IndexedThread(NamedTuple):
    """A thread: the number of its founding memory, its size, and its beginning and end.

    `first` and `last` are the times at which its oldest and newest memory were learnt, in seconds since 1970.
    """

    number: int
    namespace: str
    size: int
    first: float
    last: float


class Member(NamedTuple):
    """A memory of a thread: its sort key in the order of time, and its topics as stored."""

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
_COLUMNS = "number, namespace, size, first, last"


class Threads:
    """All threads; valid only within a read of an index that groups memories (`Index` with `threads`)."""

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database

    def all(self, namespaces: Sequence[str] = ()) -> list[IndexedThread]:
        """The threads of two or more memories in the namespaces (by default in all), latest activity first."""
        where = f"WHERE namespace IN ({','.join('?' * len(namespaces))})" if namespaces else ""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM thread {where} ORDER BY last DESC, number", tuple(namespaces)
        )
        return [IndexedThread(*row) for row in rows]

    def one(self, number: int) -> IndexedThread | None:
        """A thread by its number; None if it has less than two memories."""
        row = self._database.execute(f"SELECT {_COLUMNS} FROM thread WHERE number = ?", (number,)).fetchone()
        return IndexedThread(*row) if row else None

    def members(self, number: int, newest: int = -1) -> list[Member]:
        """The memories of a thread, oldest first; with `newest`, only that many of the newest."""
        its = str(parts(self._database, number))
        rows = self._database.execute(
            "SELECT learnt, namespace, path, content_id, topics FROM threaded WHERE number IN (SELECT number"
            " FROM threaded WHERE thread IN (SELECT value FROM json_each(?)) ORDER BY number DESC LIMIT ?)"
            " ORDER BY number",
            (its, newest),
        )
        return [Member(Key(*key), row) for *key, row in rows]

    def of(self, address: Address) -> list[int]:
        """The threads of the memories of a path, sorted."""
        rows = self._database.execute("SELECT thread FROM threaded WHERE namespace = ? AND path = ?", address)
        return self._wholes(thread for (thread,) in rows)

    def of_memory(self, beginning: str, namespaces: Sequence[str] = ()) -> list[int]:
        """The threads of the memories whose ids begin with `beginning`, sorted."""
        rows = self._database.execute(
            "SELECT thread, namespace FROM threaded WHERE id >= ? AND id < ?", (beginning, f"{beginning}~")
        )
        return self._wholes(thread for thread, name in rows if not namespaces or name in namespaces)

    def _wholes(self, threads: Iterable[int]) -> list[int]:
        return sorted(set(wholes(self._database, threads).values()))

    def words(self, number: int, members: Sequence[Member]) -> list[str]:
        """Up to five rare words common to memories of a thread, the most distinctive first."""
        return list(self.shared(number, members).values())[:_WORDS]

    def shared(self, number: int, members: Sequence[Member]) -> dict[str, str]:
        """The rare stems common to memories of a thread, each with its word, the most distinctive first.

        Rarity is as of the thread's newest memory, so later memories elsewhere do not change it.
        """
        spelt = Counter(topic for member in members for topic in member.topics)
        counts = Counter[str]()
        for (stem, _), times in spelt.items():
            counts[stem] += times
        newest = self._newest(number)
        rarity = {stem: self._rarity(members[0].key.namespace, stem, newest) for stem in counts if counts[stem] > 1}
        best = sorted((stem for stem in rarity if rarity[stem]), key=lambda stem: (-counts[stem] * rarity[stem], stem))
        forms: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for (stem, word), times in spelt.items():
            forms[stem].append((-times, len(word), word))
        return {stem: min(forms[stem])[-1] for stem in best}

    def texts(self, members: Sequence[Member]) -> list[str]:
        """The contents of memories of a thread."""
        sql = "SELECT content FROM document WHERE namespace = ? AND path = ? AND content_id = ? LIMIT 1"
        keys = (member.key for member in members)
        rows = self._database.executemany(sql, [(key.namespace, key.path, key.content_id) for key in keys])
        return [str(content) for (content,) in rows]

    def newest(self) -> dict[str, float]:
        """When the newest memory of each namespace was learnt, in seconds since 1970."""
        return dict(iter(self._database.execute("SELECT namespace, max(learnt) FROM threaded GROUP BY namespace")))

    def _newest(self, number: int) -> int:
        its = str(parts(self._database, number))
        sql = "SELECT max(number) FROM threaded WHERE thread IN (SELECT value FROM json_each(?))"
        newest: int = self._database.execute(sql, (its,)).get
        return newest

    def _rarity(self, namespace: str, stem: str, newest: int) -> float:
        """The idf of a topic among the memories up to `newest`; 0 if it is too common to be used."""
        sql = (
            "SELECT place + 1 FROM topic WHERE namespace = ? AND topic = ? AND number <= ? ORDER BY number DESC LIMIT 1"
        )
        holders, total = int(self._database.execute(sql, (namespace, stem, newest)).get), newest + 1
        return idf(total, holders) if is_rare(total, holders) else 0.0
