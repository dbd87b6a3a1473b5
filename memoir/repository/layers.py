"""`repository.layers`: how the memories of a store belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memoir.index.index import Index
    from memoir.layers.threads import Listing, Story
    from memoir.store.snapshot import Snapshot
    from memoir.store.store import Store

    Progress = Callable[[int, int], None]

T = TypeVar("T")


class Layers:
    """What lies behind and between the memories. The index is completed first; a `progress` is called meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def threads(
        self,
        *,
        dormant: bool = False,
        limit: int | None = None,
        namespaces: Sequence[str] = (),
        now: str | None = None,
        at: str | None = None,
        progress: Progress | None = None,
    ) -> Listing:
        """Return the topics that memories came back to, as threads, those with the newest memories first.

        A thread with no memory of the last two weeks before `now`, a date, is left out unless `dormant`.

        Raises:
            InvalidInput: a malformed date, or a limit below 1. NotFound: there is no such namespace or revision.
        """
        from memoir.layers.threads import DEFAULT_LIMIT, Window, threads
        from memoir.repository.reads import check_counts

        check_counts(limit=limit)
        window = Window(_instant(now), tuple(namespaces), dormant, DEFAULT_LIMIT if limit is None else limit)
        return self._connected(at, progress, lambda index, snapshot: threads(index, snapshot, window))

    def thread(
        self,
        which: str,
        *,
        namespaces: Sequence[str] = (),
        now: str | None = None,
        at: str | None = None,
        progress: Progress | None = None,
    ) -> Story:
        """Return a thread with all its memories, the oldest first.

        `which` is the thread's id, or one that it had, or the id or path of one of its memories; of an id, the
        beginning is enough.

        Raises:
            NotFound: no such thread, namespace or revision. InvalidInput: a malformed date, or several threads fit.
        """
        from memoir.layers.threads import Window, thread

        window = Window(_instant(now), tuple(namespaces))
        return self._connected(at, progress, lambda index, snapshot: thread(index, snapshot, which, window))

    def _connected(self, at: str | None, progress: Progress | None, work: Callable[[Index, Snapshot], T]) -> T:
        """Call some work with an index that groups memories; once more if the index does not fit the store."""
        from contextlib import closing

        from memoir.index.index import Index, IndexMismatch

        snapshot = self._store.at(at)
        quiet = progress or (lambda done, total: None)
        with closing(Index(self._store, progress=quiet, wait=True, threads=True)) as index:
            try:
                return work(index, snapshot)
            except IndexMismatch:
                index.discard()
                return work(index, snapshot)


def _instant(date: str | None) -> float:
    """Return the seconds since 1970 of a date; of now without one.

    Raises:
        InvalidInput: it is not a date.
    """
    from memoir.times import now, parse_date

    return (parse_date(date) if date else now()).timestamp()
