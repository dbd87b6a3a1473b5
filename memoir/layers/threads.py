"""Threads: topics that memories come back to over time. `memoir.index.grouping` says which memory belongs to which.

A thread is not stored; it follows from the memories. Its id is that of the memory that founded it. The ids of
its other memories lead to it as well, and so do the ids of threads that have become a part of it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import sha1
from memoir.index.index import Index, IndexMismatch
from memoir.index.sequence import Key
from memoir.index.thread_view import IndexedThread, Member, Threads
from memoir.layers.thread_subjects import Subject, may_have_subject, said, subject
from memoir.memory.active import Facet, facets
from memoir.memory.read import records, require_namespaces
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import address

DORMANT_AFTER = 14 * 86_400.0
"""Seconds of silence after which a thread is dormant."""
DEFAULT_LIMIT = 20
_WORDS = 5
_MOST_READ = 200
"""The memories of a thread in which its subject is looked for: the newest."""


class Thread(NamedTuple):
    """A thread: its id, what it is about, how many memories it has, and the first and the last of them.

    `title` is a sentence of it that names its subject, None if its memories have none in common; `words` are rare ones
    that they share. `is_dormant` tells whether nothing was added for two weeks.
    """

    id: str
    title: str | None
    words: list[str]
    size: int
    first: Facet
    last: Facet
    is_dormant: bool


class Listing(NamedTuple):
    """Some threads, the newest activity first, and how many are not among them.

    `dormant` counts those without a new memory for two weeks, `vague` those without a subject, `omitted` those that the
    limit cut; whether these have a subject nobody has looked.
    """

    threads: list[Thread]
    dormant: int
    vague: int
    omitted: int


class Story(NamedTuple):
    """A thread with all its memories, the oldest first."""

    thread: Thread
    memories: list[Facet]


class ThreadFilter(NamedTuple):
    """The criteria of threads.

    Silence is counted from the moment `now` (seconds since 1970), or from the newest memory of a namespace if that is
    None. With `every`, dormant threads and those without a subject are listed too.
    """

    now: float | None = None
    namespaces: tuple[str, ...] = ()
    every: bool = False
    limit: int = DEFAULT_LIMIT


def threads(index: Index, snapshot: Snapshot, criteria: ThreadFilter) -> Listing:
    """The threads that have a subject, the newest memories first; dormant threads only if there are no others."""
    require_namespaces(criteria.namespaces, snapshot)
    page = index.read(snapshot, lambda view: _list(view.threads(), snapshot, criteria))
    memories = _fetch(snapshot, [member for each in page.threads for member in each.ends])
    return Listing([_thread(each, memories) for each in page.threads], page.dormant, page.vague, page.omitted)


def thread(index: Index, snapshot: Snapshot, which: str, criteria: ThreadFilter) -> Story:
    """The thread that is meant by the beginning of its id or of a memory's, or by the path of a memory in it."""
    require_namespaces(criteria.namespaces, snapshot)
    contents = index.read(snapshot, lambda view: _find(view.threads(), snapshot, which, criteria))
    memories = _fetch(snapshot, contents.members)
    return Story(_thread(contents, memories), [memories[member.key] for member in contents.members])


class _Contents(NamedTuple):
    """A thread as the index has it, and all its members."""

    title: str | None
    words: list[str]
    members: list[Member]
    is_dormant: bool

    @property
    def ends(self) -> tuple[Member, Member]:
        return self.members[0], self.members[-1]


class _Page(NamedTuple):
    """The threads of a list as the index has them, and how many are not among them."""

    threads: list[_Contents]
    dormant: int
    vague: int
    omitted: int


def _list(threads: Threads, snapshot: Snapshot, criteria: ThreadFilter) -> _Page:
    clock, every = _Clock(threads, criteria.now), threads.all(criteria.namespaces)
    dormant = [] if criteria.every else [each for each in every if clock.is_dormant(each)]
    alive = [each for each in every if each not in set(dormant)]
    page = _take(threads, snapshot, alive, clock, criteria)
    if page.threads or not dormant:
        return page._replace(dormant=len(dormant))
    page = _take(threads, snapshot, dormant, clock, criteria)
    return page._replace(vague=page.vague + len(alive))


def _take(
    threads: Threads, snapshot: Snapshot, candidates: Sequence[IndexedThread], clock: "_Clock", criteria: ThreadFilter
) -> _Page:
    """The first threads that have a subject, or with `every` the first ones."""
    page: list[_Contents] = []
    vague = 0
    for at, each in enumerate(candidates):
        if len(page) == criteria.limit:
            return _Page(page, 0, vague, len(candidates) - at)
        contents = _read(threads, snapshot, each.number, is_dormant=clock.is_dormant(each))
        if contents.title or criteria.every:
            page.append(contents)
        else:
            vague += 1
    return _Page(page, 0, vague, 0)


class _Clock:
    """Tells which threads are dormant."""

    def __init__(self, threads: Threads, now: float | None) -> None:
        self._now = now
        self._newest = threads.newest()

    def is_dormant(self, thread: IndexedThread) -> bool:
        """Whether nothing was added to a thread for two weeks."""
        now = self._newest[thread.namespace] if self._now is None else self._now
        return now - thread.last > DORMANT_AFTER


def _find(threads: Threads, snapshot: Snapshot, which: str, criteria: ThreadFilter) -> _Contents:
    numbers = _numbers(threads, which, criteria.namespaces)
    if len(numbers) > 1:
        ids = ", ".join(threads.members(number)[0].key.id for number in numbers[:5])
        raise InvalidInput(f"{which!r} names {len(numbers)} threads", f"name one of {ids}")
    thread = threads.one(numbers[0]) if numbers else None
    if thread is None:
        reason = "its memory stands alone" if numbers else "no memory has that id or path"
        raise NotFound(f"no thread {which!r}: {reason}", "'memoir threads --all' lists the threads")
    return _read(threads, snapshot, thread.number, is_dormant=_Clock(threads, criteria.now).is_dormant(thread))


def _numbers(threads: Threads, which: str, namespaces: Sequence[str]) -> list[int]:
    if numbers := threads.of_memory(which, namespaces):
        return numbers
    try:
        return threads.of(address(which, *namespaces[:1]))
    except InvalidInput:
        return []


def _read(threads: Threads, snapshot: Snapshot, number: int, *, is_dormant: bool) -> _Contents:
    members = threads.members(number)
    shared = threads.shared(number, members)
    about = _subject(threads, snapshot, members[-_MOST_READ:], shared)
    words = about.words if about else shared.values()
    return _Contents(about and about.title, list(words)[:_WORDS], members, is_dormant)


def _subject(
    threads: Threads, snapshot: Snapshot, members: Sequence[Member], shared: Mapping[str, str]
) -> Subject | None:
    """The subject of a thread; the memories are read for who says them only if they may have one."""
    if not may_have_subject(threads.texts(members), shared):
        return None
    memories = _fetch(snapshot, members)
    return subject([said(memories[member.key].memory) for member in members], shared)


def _thread(thread: _Contents, memories: dict[Key, Facet]) -> Thread:
    first, last = thread.ends
    ends = memories[first.key], memories[last.key]
    return Thread(first.key.id, thread.title, thread.words, len(thread.members), *ends, thread.is_dormant)


def _fetch(snapshot: Snapshot, members: Sequence[Member]) -> dict[Key, Facet]:
    """The memories behind some members, as the store has them."""
    entries = records(snapshot, (member.address for member in members), listed=True)
    every = (each for address, record in entries.items() for each in facets(address, record))
    memories = {
        Key(each.memory.instant.timestamp(), *each.address, sha1(each.memory.content.encode())): each for each in every
    }
    if any(member.key not in memories for member in members):
        raise IndexMismatch
    return memories
