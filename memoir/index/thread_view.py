"""The threads that the index knows: which memories belong together over time.

The table `thread` has each thread of two or more memories summed up, so that nobody has to look at all of them. A row
follows from the memories of its thread alone. What changes one of these puts the thread into the table `unsure`, and
who asks for threads has those summed up again, and no others. The table `level` adds up the threads of each first
level: their number, their sizes, and the lower and the higher halves of their digests.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from memoir.index import stale_leaves
from memoir.index.grouping import idf, is_rare
from memoir.index.sequence import Key, parts, wholes, words_of
from memoir.memory.layer_namespaces import INSIGHTS, layer_of
from memoir.records.metadata import DIGEST_BYTES, digest_of
from memoir.taxonomy.paths import Address


class IndexedThread(NamedTuple):
    """A thread: the number of its founding memory, how many memories it has, and when it begins and ends.

    `first` and `last` are the instants at which its oldest and its newest memory were learnt, in seconds since 1970.
    """

    number: int
    namespace: str
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
_COLUMNS = "number, namespace, size, first, last"


class Threads:
    """All threads; good only inside of a read of an index that groups memories (`Index` with `threads`)."""

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database

    def all(self, namespaces: Sequence[str] = ()) -> list[IndexedThread]:
        """The threads of two or more memories in some namespaces (in all without any), the newest activity first."""
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
        """The memories of a thread, the oldest first; only some of the newest, if their number is given."""
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
        """The threads of the memories whose ids have a beginning, sorted."""
        rows = self._database.execute(
            "SELECT thread, namespace FROM threaded WHERE id >= ? AND id < ?", (beginning, f"{beginning}~")
        )
        return self._wholes(thread for thread, name in rows if not namespaces or name in namespaces)

    def _wholes(self, threads: Iterable[int]) -> list[int]:
        return sorted(set(wholes(self._database, threads).values()))

    def words(self, number: int, members: Sequence[Member]) -> list[str]:
        """Up to five rare words that the memories of a thread have in common, the most telling first."""
        return list(self.shared(number, members).values())[:_WORDS]

    def shared(self, number: int, members: Sequence[Member]) -> dict[str, str]:
        """The rare stems that the memories of a thread have in common, each with its word, the most telling first.

        How rare a word is, is counted when the newest of them came, so later memories change nothing.
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
        """What some memories say, without the name of the person who says it."""
        sql = "SELECT content, person FROM document WHERE namespace = ? AND path = ? AND content_id = ? LIMIT 1"
        keys = (member.key for member in members)
        rows = self._database.executemany(sql, [(key.namespace, key.path, key.content_id) for key in keys])
        return [_without_speaker(str(content), str(person)) for content, person in rows]

    def newest(self) -> dict[str, float]:
        """When the newest memory of each namespace was learnt, in seconds since 1970."""
        return dict(iter(self._database.execute("SELECT namespace, max(learnt) FROM threaded GROUP BY namespace")))

    def _newest(self, number: int) -> int:
        its = str(parts(self._database, number))
        sql = "SELECT max(number) FROM threaded WHERE thread IN (SELECT value FROM json_each(?))"
        newest: int = self._database.execute(sql, (its,)).get
        return newest

    def _rarity(self, namespace: str, stem: str, newest: int) -> float:
        """The idf of a topic among the memories up to one; 0 if it is too common to find a memory by."""
        sql = (
            "SELECT place + 1 FROM topic WHERE namespace = ? AND topic = ? AND number <= ? ORDER BY number DESC LIMIT 1"
        )
        holders, total = int(self._database.execute(sql, (namespace, stem, newest)).get), newest + 1
        return idf(total, holders) if is_rare(total, holders) else 0.0


def _without_speaker(content: str, person: str) -> str:
    speaker, colon, words = content.partition(":")
    return words.strip() if colon and speaker.casefold() in person.casefold().split("\n") else content


MOST_SOURCES = 500
"""The most memories that an insight about a thread rests on, the newest; so one more costs the same in any thread."""

_LOW = 0xFFFFFFFF
_SUM = "SELECT count(*), max(number) FROM threaded WHERE thread IN (SELECT value FROM json_each(?))"
_CONTENTS = """
WITH newest(number) AS (
    SELECT number FROM threaded WHERE thread IN (SELECT value FROM json_each(?)) ORDER BY number DESC LIMIT ?
)
SELECT DISTINCT d.namespace, d.path, d.content_id
FROM newest JOIN threaded t USING (number) JOIN document d USING (namespace, path)
"""
_ADD = """
INSERT INTO level VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
threads = threads + excluded.threads, size = size + excluded.size, low = low + excluded.low, high = high + excluded.high
"""


class Row(NamedTuple):
    """A row of the table `thread`."""

    number: int
    namespace: str
    level: str
    path: str
    size: int
    first: float
    last: float
    digest: int

    @property
    def leaf(self) -> Address:
        """The place of the insight about the thread."""
        return Address(layer_of(INSIGHTS, self.namespace), self.path)


def sum_up(database: apsw.Connection, limit: int) -> None:
    """Sum up some of the threads that have changed. Call it when all memories are grouped, in a write transaction."""
    unsure_threads = [thread for (thread,) in database.execute("SELECT thread FROM unsure LIMIT ?", (limit,))]
    whole = sorted(set(wholes(database, unsure_threads).values()))
    old = _take(database, {*unsure_threads, *whole})
    new = [row for thread in whole if (row := _row(database, thread))]
    database.executemany("DELETE FROM unsure WHERE thread = ?", [(thread,) for thread in unsure_threads])
    database.executemany("INSERT INTO thread VALUES(?,?,?,?,?,?,?,?)", new)
    _add(database, old, -1)
    _add(database, new, 1)
    stale_leaves.compare(database, (row.leaf for row in (*old, *new)))


def _take(database: apsw.Connection, threads: Iterable[int]) -> list[Row]:
    """Remove the rows of some threads."""
    sql = "DELETE FROM thread WHERE number = ? RETURNING *"
    rows: list[Any] = database.executemany(sql, [(thread,) for thread in threads]).fetchall()
    return [Row(*row) for row in rows]


def _add(database: apsw.Connection, rows: Iterable[Row], times: int) -> None:
    """Add some threads to the sums of their first levels, or subtract them (-1 times)."""
    sums = [(row.namespace, row.level, 1, row.size, row.digest & _LOW, row.digest >> 32 & _LOW) for row in rows]
    database.executemany(_ADD, [(*its[:2], *(times * number for number in its[2:])) for its in sums])
    if times < 0:
        database.execute("DELETE FROM level WHERE threads = 0")


def insight_path(founder: Key) -> str:
    """The path of the insight about a thread: its founder's first level and id, so that no newer memory changes it."""
    return f"{founder.path.partition('.')[0]}.{founder.id}"


def as_number(digest: str) -> int:
    """A digest as SQLite keeps it.

    Raises:
        ValueError: it is none.
    """
    value = bytes.fromhex(digest)
    if len(value) != DIGEST_BYTES:
        raise ValueError(digest)
    return int.from_bytes(value, signed=True)


def _row(database: apsw.Connection, thread: int) -> Row | None:
    """The sum of a thread; None if it has less than two memories."""
    its = str(parts(database, thread))
    size, newest = next(database.execute(_SUM, (its,)))
    if size < 2:
        return None
    sql = "SELECT learnt, namespace, path, content_id FROM threaded WHERE number = ?"
    founder, last = Key(*next(database.execute(sql, (thread,)))), next(database.execute(sql, (newest,)))[0]
    path = insight_path(founder)
    contents = [(Address(*place), key) for *place, key in database.execute(_CONTENTS, (its, MOST_SOURCES))]
    own = Address(layer_of(INSIGHTS, founder.namespace), path), str(size).encode()
    level, digest = path.partition(".")[0], as_number(digest_of([own, *contents]))
    return Row(thread, founder.namespace, level, path, size, founder.learnt, last, digest)
