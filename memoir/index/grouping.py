"""Grouping of memories into threads: a fold over the memories in the order of time.

A memory is compared only with earlier memories that hold one of its rarer topics, and joins the thread of the most
similar one if the two are similar enough. If it is very similar to memories of several threads, these become one, under
the number of the oldest. The decision about a memory depends only on it and the ones before it: the threads are the
same whether memories come all at once or one by one, and a newer memory renames none.

The likeness of two memories is the rarity of their common topics, relative to that of all their topics:

    likeness(a, b) = sum of w * idf over shared topics / sqrt(mass(a) * mass(b)),   mass = sum of w * idf over all
    idf = ln((n + 100) / (df + 0.5))

where `n` memories, `df` of them with the topic, came before the later one. A word that is a name in one memory counts
as a name in the other as well, even at the beginning of a sentence. 100 imaginary memories about other things keep a
topic rare in a small store (compare `memoir.index.schema.PRIOR`).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from memoir.english.topics import Topic, topics
from memoir.index import state
from memoir.index.documents import name_parts
from memoir.index.insight_state import sum_up
from memoir.index.schema import PRIOR
from memoir.index.sequence import Key, count, doubt, next_documents, wholes

ALIKE = 0.2
"""The least likeness at which a memory joins a thread. On talk and on facts about projects, 0.15 let threads of a
hundred unrelated memories grow, and with 0.25 most memories stayed alone."""
VERY_ALIKE = 0.35
"""The least likeness at which a memory joins several threads into one."""
ENOUGH = 2.0
"""The least summed weight of common topics: that of a name, or of two other words. One common word is a coincidence."""
LATEST = 20
"""A memory is compared with this many of a topic's newest holders, so that it costs the same in any store."""
_RARE_SHARE, _RARE_COUNT = 0.03, 10
"""A topic in more than this share of the memories before, and in more than this number, is not used for comparing."""


class Holders(NamedTuple):
    """The earlier memories with a topic: their count, its greatest weight in any, and the numbers of the newest."""

    count: int  # type: ignore[assignment]  # hides the method of tuple
    weight: float
    newest: Sequence[int]


Membership = tuple[float, int | None, Sequence[int]]
"""The decision about a memory: the summed rarity of its topics, the number of its thread's founder (None if it founds
one), and the founders of the threads that it joins to that thread."""


def group(topics: Mapping[str, float], count: int, earlier: "_Namespace") -> Membership:
    """Decide the thread of a memory by its weighted topics and the `count` memories before it."""
    evidence: dict[int, float] = defaultdict(float)
    overlap: dict[int, float] = defaultdict(float)
    mass = 0.0
    for topic, own in topics.items():
        holders, most, newest = earlier.holders(topic)
        weight = max(own, most)
        rarity = weight * idf(count, holders)
        mass += rarity
        for number in newest if is_rare(count, holders) else ():
            evidence[number] += weight
            overlap[number] += rarity
    near = {number: its for number, its in overlap.items() if evidence[number] >= ENOUGH}
    return _join(mass, _by_thread(near, mass, earlier))


def idf(count: int, holders: int) -> float:
    """The rarity of a topic that `holders` of `count` memories have."""
    return math.log((count + PRIOR) / (holders + 0.5))


def is_rare(count: int, holders: int) -> bool:
    """Whether a topic is rare enough to find memories by."""
    return holders <= max(_RARE_COUNT, _RARE_SHARE * count)


def _by_thread(weights: Mapping[int, float], mass: float, earlier: "_Namespace") -> dict[int, float]:
    """The greatest likeness of a memory to each thread."""
    best: dict[int, float] = {}
    for number, its in earlier.masses(weights).items():
        thread = earlier.thread(number)
        best[thread] = max(best.get(thread, 0.0), weights[number] / math.sqrt(mass * its))
    return best


def _join(mass: float, likeness: Mapping[int, float]) -> Membership:
    near = sorted(thread for thread, its in likeness.items() if its >= VERY_ALIKE)
    if not near:
        near = sorted((thread for thread, its in likeness.items() if its >= ALIKE), key=lambda t: (-likeness[t], t))[:1]
    return mass, near[0] if near else None, near[1:]


BATCH = 1000
"""How many memories one transaction groups."""


def add_batch(database: apsw.Connection) -> int:
    """Group the next documents in the order of time; return how many are grouped in all.

    After the last document, sum up the threads. Call it in a write transaction.
    """
    first = number = count(database)
    spaces: dict[str, _Namespace] = {}
    for key, content, person in next_documents(database, BATCH):
        if key.namespace not in spaces:
            spaces[key.namespace] = _Namespace(database, key.namespace)
        spaces[key.namespace].add(number, key, topics(content, key.path, name_parts(person)))
        number += 1
    for space in spaces.values():
        space.write()
    if number - first < BATCH:
        sum_up(database, BATCH)
    return number


class _Namespace:
    """The grouped memories of one namespace, with those not yet written."""

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
        """Add a memory that is newer than all others, and decide its thread."""
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
        """Write the added memories."""
        self._database.executemany("INSERT INTO threaded VALUES(?,?,?,?,?,?,?,?,?)", self._rows)
        self._database.executemany("INSERT INTO topic VALUES(?,?,?,?,?)", self._topics)
        self._database.executemany("INSERT INTO joined VALUES(?,?,?)", self._new_joins)
        state.grouped(self._namespace).add(self._database, len(self._rows))
        doubt(self._database, self._doubtful_threads)

    def holders(self, topic: str) -> Holders:
        """The earlier memories that hold a topic."""
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
        """The masses of some memories, by their numbers."""
        all_numbers = list(numbers)
        self._load([number for number in all_numbers if number not in self._places])
        return {number: self._places[number][0] for number in all_numbers}

    def thread(self, number: int) -> int:
        """The number of the memory that founded a memory's thread; call `masses` for the memory first."""
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
