"""Threads: topics that memories come back to over time. Which memory belongs where says `memoir.index.grouping`.

A thread has no place in the store; it follows from the memories. Its id is that of the memory that founded it, and the
id of any other of its memories leads to it as well: so does the id of a thread that has become a part of it.
"""

from collections.abc import Sequence

from memoir.errors import InvalidInput, NotFound
from memoir.index.index import Index, IndexMismatch
from memoir.index.sequence import Key
from memoir.index.threads import Member, Threads
from memoir.layers.places import PlacedMemory
from memoir.memory.read import records, require_namespaces
from memoir.named_tuple import NamedTuple
from memoir.store.digest import sha1
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import address

DORMANT_AFTER = 14 * 86_400.0
"""Seconds of silence after which a thread is dormant."""
DEFAULT_LIMIT = 20


class Thread(NamedTuple):
    """A thread: its id, what it is about, how many memories it has, and the first and the last of them.

    `is_dormant` tells whether nothing was added for two weeks.
    """

    id: str
    words: list[str]
    size: int
    first: PlacedMemory
    last: PlacedMemory
    is_dormant: bool


class Listing(NamedTuple):
    """Some threads, the newest activity first; how many dormant ones are not among them, and how many the limit cut."""

    threads: list[Thread]
    dormant: int
    omitted: int


class Story(NamedTuple):
    """A thread with all its memories, the oldest first."""

    thread: Thread
    memories: list[PlacedMemory]


class ThreadFilter(NamedTuple):
    """The criteria of threads; silence is counted from the moment `now` (seconds since 1970)."""

    now: float
    namespaces: tuple[str, ...] = ()
    dormant: bool = False
    limit: int = DEFAULT_LIMIT


def threads(index: Index, snapshot: Snapshot, criteria: ThreadFilter) -> Listing:
    """The threads of two or more memories, those with the newest memories first.

    Raises:
        NotFound: there is no such namespace.
    """
    require_namespaces(criteria.namespaces, snapshot)
    contents, dormant, omitted = index.read(snapshot, lambda view: _list(view.threads(), criteria))
    memories = _fetch(snapshot, [member for each in contents for member in each.ends])
    return Listing([_thread(each, memories, criteria.now) for each in contents], dormant, omitted)


def thread(index: Index, snapshot: Snapshot, which: str, criteria: ThreadFilter) -> Story:
    """The thread that a memory belongs to.

    Args:
        index: The index, which groups memories.
        snapshot: The memories.
        which: The beginning of an id of a thread or a memory, or the path of a memory.
        criteria: The moment from which silence is counted, and the namespaces of the memory, if only some are meant.

    Raises:
        NotFound: there is no such memory, or it is in no thread.
        InvalidInput: it names several threads.
    """
    require_namespaces(criteria.namespaces, snapshot)
    contents = index.read(snapshot, lambda view: _find(view.threads(), which, criteria.namespaces))
    memories = _fetch(snapshot, contents.members)
    return Story(_thread(contents, memories, criteria.now), [memories[member.key] for member in contents.members])


class _Contents(NamedTuple):
    """The members of a thread (the first and the last of them in a list of threads), its size and its words."""

    size: int
    words: list[str]
    members: list[Member]

    @property
    def ends(self) -> tuple[Member, Member]:
        return self.members[0], self.members[-1]


def _list(threads: Threads, criteria: ThreadFilter) -> tuple[list[_Contents], int, int]:
    every = threads.all(criteria.namespaces)
    candidates = [each for each in every if criteria.dormant or not _is_dormant(each.last, criteria.now)]
    page = [_read(threads, each.number) for each in candidates[: criteria.limit]]
    return page, len(every) - len(candidates), len(candidates) - len(page)


def _find(threads: Threads, which: str, namespaces: Sequence[str]) -> _Contents:
    numbers = _numbers(threads, which, namespaces)
    if len(numbers) > 1:
        ids = ", ".join(threads.members(number)[0].key.id for number in numbers[:5])
        raise InvalidInput(f"{which!r} names {len(numbers)} threads", f"name one of {ids}")
    contents = _read(threads, numbers[0]) if numbers else None
    if contents is None or contents.size < 2:
        reason = "its memory stands alone" if contents else "no memory has that id or path"
        raise NotFound(f"no thread {which!r}: {reason}", "'memoir threads --all' lists the threads")
    return contents


def _numbers(threads: Threads, which: str, namespaces: Sequence[str]) -> list[int]:
    if numbers := threads.of_memory(which, namespaces):
        return numbers
    try:
        return threads.of(address(which, *namespaces[:1]))
    except InvalidInput:
        return []


def _read(threads: Threads, number: int) -> _Contents:
    members = threads.members(number)
    return _Contents(len(members), threads.words(number, members), members)


def _thread(thread: _Contents, memories: dict[Key, PlacedMemory], now: float) -> Thread:
    first, last = thread.ends
    ends = memories[first.key], memories[last.key]
    return Thread(first.key.id, thread.words, thread.size, *ends, _is_dormant(last.key.learnt, now))


def _is_dormant(last: float, now: float) -> bool:
    return now - last > DORMANT_AFTER


def _fetch(snapshot: Snapshot, members: Sequence[Member]) -> dict[Key, PlacedMemory]:
    """The memories behind some members, as the store has them.

    Raises:
        IndexMismatch: the store does not have one of them.
    """
    entries = records(snapshot, (member.address for member in members), listed=True)
    memories = {
        Key(memory.instant.timestamp(), *place, sha1(memory.content.encode())): PlacedMemory(place, memory)
        for place, record in entries.items()
        for memory in record
        if memory.active
    }
    if any(member.key not in memories for member in members):
        raise IndexMismatch
    return memories
