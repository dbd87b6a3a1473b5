"""Building threads: the next memories in the order of time are grouped and written to the table `threaded`.

When all of them are, the threads that have changed are summed up.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from memoir.english.topics import Topic, topics
from memoir.index import state
from memoir.index.documents import name_parts
from memoir.index.grouping import LATEST, Holders, group
from memoir.index.sequence import Key, count, doubt, next_documents, wholes
from memoir.index.thread_view import sum_up

BATCH = 1000
"""How many memories one transaction groups."""


def add_batch(database: apsw.Connection) -> int:
    """Group the next documents in the order of time; behind the last, sum up threads. Call it in a write transaction.

    Returns:
        How many documents are grouped now.
    """
    first = number = count(database)
    spaces: dict[str, _Space] = {}
    for key, content, person in next_documents(database, BATCH):
        if key.namespace not in spaces:
            spaces[key.namespace] = _Space(database, key.namespace)
        spaces[key.namespace].add(number, key, topics(content, key.path, name_parts(person)))
        number += 1
    for space in spaces.values():
        space.write()
    if number - first < BATCH:
        sum_up(database, BATCH)
    return number


class _Space:
    """The grouped memories of one namespace, as `grouping.group` asks for them, and those that are to be written."""

    def __init__(self, database: apsw.Connection, namespace: str) -> None:
        self._database = database
        self._namespace = namespace
        self._count = state.grouped(namespace)(database)
        self._joins: dict[int, int] = {}
        self._wholes: dict[int, int] = {}
        self._doubtful_threads: set[int] = set()
        self._holders: dict[str, Holders] = {}
        self._places: dict[int, tuple[float, int]] = {}
        self._rows: list[tuple[Any, ...]] = []
        self._topics: list[tuple[Any, ...]] = []
        self._new_joins: list[tuple[int, int, int]] = []

    def add(self, number: int, key: Key, topics: Sequence[Topic]) -> None:
        """Decide about a memory that is newer than all others."""
        mass, thread, others = group({topic.stem: topic.weight for topic in topics}, self._count, self)
        if thread is None:
            thread = number
        else:
            self._doubtful_threads |= {thread, *others}
        self._new_joins += [(other, thread, number) for other in others]
        self._joins.update(dict.fromkeys(others, thread))
        self._places[number] = mass, thread
        self._rows.append((number, *key, key.id, mass, _format(topics), thread))
        for stem, _, weight in topics:
            holders, most, newest = self.holders(stem)
            self._topics.append((self._namespace, stem, number, holders, max(weight, most)))
            self._holders[stem] = Holders(holders + 1, max(weight, most), [number, *newest][:LATEST])
        self._count += 1

    def write(self) -> None:
        """Write all that was added."""
        self._database.executemany("INSERT INTO threaded VALUES(?,?,?,?,?,?,?,?,?)", self._rows)
        self._database.executemany("INSERT INTO topic VALUES(?,?,?,?,?)", self._topics)
        self._database.executemany("INSERT INTO joined VALUES(?,?,?)", self._new_joins)
        state.grouped(self._namespace).add(self._database, len(self._rows))
        doubt(self._database, self._doubtful_threads)

    def holders(self, topic: str) -> Holders:
        """See `grouping.Earlier`."""
        if topic not in self._holders:
            rows: list[Any] = self._database.execute(
                "SELECT place, number, weight FROM topic WHERE namespace = ? AND topic = ?"
                " ORDER BY number DESC LIMIT ?",
                (self._namespace, topic, LATEST),
            ).fetchall()
            total, weight = (rows[0][0] + 1, rows[0][2]) if rows else (0, 0.0)
            self._holders[topic] = Holders(total, weight, [number for _, number, _ in rows])
        return self._holders[topic]

    def masses(self, numbers: Iterable[int]) -> dict[int, float]:
        """See `grouping.Earlier`."""
        all_numbers = list(numbers)
        self._load([number for number in all_numbers if number not in self._places])
        return {number: self._places[number][0] for number in all_numbers}

    def thread(self, number: int) -> int:
        """See `grouping.Earlier`; only of a memory whose mass was asked for."""
        thread = self._places[number][1]
        thread = self._wholes.get(thread, thread)
        while thread in self._joins:
            thread = self._joins[thread]
        return thread

    def _load(self, numbers: Sequence[int]) -> None:
        if numbers:
            sql = f"SELECT number, mass, thread FROM threaded WHERE number IN ({','.join(map(str, numbers))})"
            places = {number: (mass, thread) for number, mass, thread in self._database.execute(sql)}
            self._wholes |= wholes(self._database, {thread for _, thread in places.values()} - self._wholes.keys())
            self._places |= places


def _format(topics: Sequence[Topic]) -> str:
    return "\n".join(f"{topic.stem}\t{topic.word}" for topic in topics)
