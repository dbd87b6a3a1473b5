"""Which thread a memory belongs to: a fold over the memories in the order of time.

A memory looks only back. It is compared with those earlier memories that hold one of its rarer topics, and joins the
thread of the likest one if the two are alike enough. If it is very like memories of several threads, these become one,
under the number of the oldest. So what is decided about a memory depends on it and on those before it alone: whether
all are folded at once or one by one as they come, the threads are the same, and a newer memory renames none.

Two memories are alike by the rarity of the topics that they share, against that of all their topics:

    likeness(a, b) = sum of w * idf over shared topics / sqrt(mass(a) * mass(b)),   mass = sum of w * idf over all
    idf = ln((n + 100) / (df + 0.5))

with the `n` memories and the `df` holders of a topic that there were when the later one came. A word that is a name in
one of these is a name in it as well, even where it opens a sentence. 100 imaginary memories
about other things keep a topic rare in a small store (compare `memoir.index.schema.PRIOR`).
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
"""The likeness from which a memory joins a thread. On talk and on facts about projects, from 0.15 on threads of a
hundred memories about everything grew, and with 0.25 most memories stayed alone."""
VERY_ALIKE = 0.35
"""The likeness from which a memory joins several threads to one."""
ENOUGH = 2.0
"""The summed weight of shared topics below which two memories have nothing to do with each other: a name has it, or two
other words. One common word is a coincidence."""
LATEST = 20
"""The newest holders of a topic that a memory is compared with, so that one more memory costs the same in any store."""
_RARE_SHARE, _RARE_COUNT = 0.03, 10
"""A topic in more than this share of the memories before it, and in more than this number, finds no memories."""


class Holders(NamedTuple):
    """How many earlier memories hold a topic, its greatest weight in any, and the numbers of the newest of them."""

    count: int  # type: ignore[assignment]  # hides the method of tuples
    weight: float
    newest: Sequence[int]


Membership = tuple[float, int | None, Sequence[int]]
"""The decision about a memory: the summed rarity of its topics, the number of its thread's founder (None if it founds a
thread), and the founders of the threads that it makes a part of that thread."""


def group(topics: Mapping[str, float], count: int, earlier: "_Namespace") -> Membership:
    """Decide the thread of a memory by its weighted topics, and by what is known of the `count` memories before it."""
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
    """The rarity of a topic that some of a number of memories hold."""
    return math.log((count + PRIOR) / (holders + 0.5))


def is_rare(count: int, holders: int) -> bool:
    """Whether a topic is rare enough to find memories by."""
    return holders <= max(_RARE_COUNT, _RARE_SHARE * count)


def _by_thread(weights: Mapping[int, float], mass: float, earlier: "_Namespace") -> dict[int, float]:
    """The greatest likeness to a memory of each thread."""
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
    """Group the next documents in the order of time, and return how many are grouped now.

    Behind the last one threads are summed up. Call it in a write transaction.
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
    """The grouped memories of one namespace, and those that are to be written."""

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
        """The thread of a memory whose mass was asked for: the number of the memory that founded it."""
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
