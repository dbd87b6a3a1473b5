"""Threads: topics that recur in memories over time. `memoir.index.grouping` decides which memory belongs to which.

A thread is computed, not stored. Its id is that of its first memory, the founder. The ids of its other memories, and of
threads merged into it, lead to it as well.
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
"""The newest memories of a thread that are searched for its subject."""


class Thread(NamedTuple):
    """A thread: its id, title, words, number of memories, and the first and last of them.

    `title` is a sentence that names its subject, None without one; `words` are rare words that its memories share.
    `is_dormant` is true if nothing was added for two weeks.
    """

    id: str
    title: str | None
    words: list[str]
    size: int
    first: Facet
    last: Facet
    is_dormant: bool


class Listing(NamedTuple):
    """A list of threads, the newest activity first, and the numbers of those left out.

    `dormant` counts threads without a new memory for two weeks, `vague` those without a subject, `omitted` those cut by
    the limit (whether or not they have a subject).
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
    """The criteria for listing threads.

    Dormancy is measured from `now` (seconds since 1970), or from the newest memory of a namespace if that is None. With
    `every`, dormant threads and those without a subject are listed, too.
    """

    now: float | None = None
    namespaces: tuple[str, ...] = ()
    every: bool = False
    limit: int = DEFAULT_LIMIT


def threads(index: Index, snapshot: Snapshot, criteria: ThreadFilter) -> Listing:
    """The threads with a subject, the newest activity first; dormant ones only if there are no others."""
    require_namespaces(criteria.namespaces, snapshot)
    return index.read(snapshot, lambda view: _list(view.threads(), snapshot, criteria))


def thread(index: Index, snapshot: Snapshot, which: str, criteria: ThreadFilter) -> Story:
    """The thread with this beginning of an id (its own or a memory's), or of the memory at this path."""
    require_namespaces(criteria.namespaces, snapshot)
    return index.read(snapshot, lambda view: _find(view.threads(), snapshot, which, criteria))


def _list(threads: Threads, snapshot: Snapshot, criteria: ThreadFilter) -> Listing:
    clock, every = _Clock(threads, criteria.now), threads.all(criteria.namespaces)
    dormant = [] if criteria.every else [each for each in every if clock.is_dormant(each)]
    alive = [each for each in every if each not in set(dormant)]
    listing = _list_up_to_limit(threads, snapshot, alive, clock, criteria)
    if listing.threads or not dormant:
        return listing._replace(dormant=len(dormant))
    listing = _list_up_to_limit(threads, snapshot, dormant, clock, criteria)
    return listing._replace(vague=listing.vague + len(alive))


def _list_up_to_limit(
    threads: Threads, snapshot: Snapshot, candidates: Sequence[IndexedThread], clock: "_Clock", criteria: ThreadFilter
) -> Listing:
    """The first threads with a subject; with `every`, the first ones."""
    found: list[Thread] = []
    vague = 0
    for at, each in enumerate(candidates):
        if len(found) == criteria.limit:
            return Listing(found, 0, vague, len(candidates) - at)
        members = threads.members(each.number)
        shared = threads.shared(each.number, members)
        about = _subject(threads, snapshot, members, shared)
        if about or criteria.every:
            ends = _fetch(snapshot, (members[0], members[-1]))
            found.append(_thread(ends, about, shared, len(members), clock.is_dormant(each)))
        else:
            vague += 1
    return Listing(found, 0, vague, 0)


class _Clock:
    """Tells which threads are dormant."""

    def __init__(self, threads: Threads, now: float | None) -> None:
        self._now = now
        self._newest = threads.newest()

    def is_dormant(self, thread: IndexedThread) -> bool:
        """Whether nothing was added to a thread for two weeks."""
        now = self._newest[thread.namespace] if self._now is None else self._now
        return now - thread.last > DORMANT_AFTER


def _find(threads: Threads, snapshot: Snapshot, which: str, criteria: ThreadFilter) -> Story:
    numbers = _numbers(threads, which, criteria.namespaces)
    if len(numbers) > 1:
        ids = ", ".join(threads.members(number)[0].key.id for number in numbers[:5])
        raise InvalidInput(f"{which!r} names {len(numbers)} threads", f"name one of {ids}")
    thread = threads.one(numbers[0]) if numbers else None
    if thread is None:
        reason = "its memory stands alone" if numbers else "no memory has that id or path"
        raise NotFound(f"no thread {which!r}: {reason}", "'memoir threads --all' lists the threads")
    members = threads.members(thread.number)
    shared = threads.shared(thread.number, members)
    about, memories = _subject(threads, snapshot, members, shared), _fetch(snapshot, members)
    is_dormant = _Clock(threads, criteria.now).is_dormant(thread)
    return Story(_thread(memories, about, shared, len(members), is_dormant), memories)


def _numbers(threads: Threads, which: str, namespaces: Sequence[str]) -> list[int]:
    if numbers := threads.of_memory(which, namespaces):
        return numbers
    try:
        return threads.of(address(which, *namespaces[:1]))
    except InvalidInput:
        return []


def _thread(
    memories: Sequence[Facet], about: Subject | None, shared: Mapping[str, str], size: int, is_dormant: bool
) -> Thread:
    """Make a thread of its memories (or only the first and last), its subject and shared words."""
    words = list(about.words if about else shared.values())[:_WORDS]
    first, last = memories[0], memories[-1]
    return Thread(_key(first).id, about and about.title, words, size, first, last, is_dormant)


def _subject(
    threads: Threads, snapshot: Snapshot, members: Sequence[Member], shared: Mapping[str, str]
) -> Subject | None:
    """The subject of a thread; memories are read from the store (for their speakers) only if it may have one."""
    newest = members[-_MOST_READ:]
    if not may_have_subject(threads.texts(newest), shared):
        return None
    return subject([said(each.memory) for each in _fetch(snapshot, newest)], shared)


def _fetch(snapshot: Snapshot, members: Sequence[Member]) -> list[Facet]:
    """Read the memories of members from the store."""
    entries = records(snapshot, (member.address for member in members), listed=True)
    memories = {_key(each): each for address, record in entries.items() for each in facets(address, record)}
    if any(member.key not in memories for member in members):
        raise IndexMismatch
    return [memories[member.key] for member in members]


def _key(facet: Facet) -> Key:
    memory = facet.memory
    return Key(memory.instant.timestamp(), *facet.address, sha1(memory.content.encode()))
