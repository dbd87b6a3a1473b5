"""`repository.layers`: how the memories of a store belong together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from memoir.anchors.shown import signed
from memoir.index.index import Index, IndexMismatch
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.repository.door import check_counts
from memoir.store.store import Part
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoir.filing.similar import SimilarMemory
    from memoir.layers.entity_list import EntityList, PlacedMemory
    from memoir.layers.insights import Build, InsightTree
    from memoir.layers.relations import Relatives
    from memoir.layers.segments import SourcePage
    from memoir.layers.threads import Listing, Story
    from memoir.store.snapshot import Snapshot
    from memoir.taxonomy.paths import MemoryAddress

T = TypeVar("T")
Progress = Callable[[int, int], None]
Work = Callable[[Index, "Snapshot"], T]


class Layers(Part):
    """Sources, entities, relations, threads, insights. `progress` is called while the index is brought up to date."""

    def entities(
        self,
        name: str | None = None,
        *,
        limit: int | None = None,
        namespaces: Sequence[str] = (),
        at: str | None = None,
        progress: Progress | None = None,
    ) -> EntityList:
        """Return the people and things that most memories name; or one of them, by any form of its name.

        Raises:
            InvalidInput: a limit below 1. NotFound: no memory names it, or there is no such namespace or revision.
        """
        from memoir.layers.entity_list import DEFAULT_LIMIT, entities, entity

        check_counts(limit=limit)
        most, names = DEFAULT_LIMIT if limit is None else limit, tuple(namespaces)
        if name is None:
            return self._with(at, progress, lambda index, snapshot: entities(index, snapshot, names, most))
        found = self._with(at, progress, lambda index, snapshot: entity(index, snapshot, name, names, most))
        return found._replace(memories=self._signed(at, found.memories or []))

    def source(
        self,
        name: str,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        limit: int = 20,
        after: str | None = None,
        at: str | None = None,
    ) -> SourcePage:
        """Read a source: its segments with their passages, and the memories that were found in each.

        `limit` and `after`, the number of a segment, page through a long one.

        Raises:
            InvalidInput: a limit below 1. NotFound: there is no such source or revision.
        """
        from memoir.layers.segments import read_page

        check_counts(limit=limit)
        return self._with(at, None, lambda index, snapshot: read_page(index, snapshot, namespace, name, limit, after))

    def related(
        self,
        key: str,
        *,
        limit: int | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress | None = None,
    ) -> Relatives:
        """Return the memories that have to do with those at a key, the nearest first, each with the reasons.

        Raises:
            InvalidInput: a limit below 1, or the key is malformed. NotFound: it holds nothing, or no such revision.
        """
        from memoir.layers.relations import DEFAULT_LIMIT, find_relatives

        check_counts(limit=limit)
        target = self._address_of(key, namespace, at).place
        most = DEFAULT_LIMIT if limit is None else limit
        found = self._with(
            at, progress, lambda index, snapshot: find_relatives(index, snapshot, target, most), vectors=True
        )
        signed = self._signed(at, [each.entry for each in found.relatives])
        pairs = zip(found.relatives, signed, strict=True)
        return found._replace(relatives=[each._replace(entry=entry) for each, entry in pairs])

    def similar(
        self, key: str, *, namespace: str = DEFAULT_NAMESPACE, limit: int = 5, at: str | None = None
    ) -> list[SimilarMemory]:
        """Return the active memories that those at a key contradict or nearly repeat, as `remember` would name them.

        Raises:
            InvalidInput: a limit below 1, or the key is malformed. NotFound: it holds nothing, or no such revision.
        """
        from memoir.filing.similar import similar_to

        check_counts(limit=limit)
        target = self._address_of(key, namespace, at)
        return self._with(at, None, lambda index, snapshot: similar_to(index, snapshot, target)[:limit], vectors=True)

    def threads(
        self,
        *,
        every: bool = False,
        limit: int | None = None,
        namespaces: Sequence[str] = (),
        now: str | None = None,
        at: str | None = None,
        progress: Progress | None = None,
    ) -> Listing:
        """Return the topics that memories came back to, as threads, the one with the newest memory first.

        Threads without a subject, and those with no memory of the last two weeks before `now`, are left out unless
        `every`; without `now` the weeks end with the newest memory. If there are only dormant ones, they are listed.

        Raises:
            InvalidInput: a malformed date, or a limit below 1. NotFound: there is no such namespace or revision.
        """
        from memoir.layers.threads import DEFAULT_LIMIT, ThreadFilter, threads

        check_counts(limit=limit)
        criteria = ThreadFilter(_instant(now), tuple(namespaces), every, DEFAULT_LIMIT if limit is None else limit)
        return self._with(at, progress, lambda index, snapshot: threads(index, snapshot, criteria), threads=True)

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
        from memoir.layers.threads import ThreadFilter, thread

        criteria = ThreadFilter(_instant(now), tuple(namespaces))
        found = self._with(at, progress, lambda index, snapshot: thread(index, snapshot, which, criteria), threads=True)
        return found._replace(memories=self._signed(at, found.memories))

    def insights(
        self,
        path: str | None = None,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress | None = None,
    ) -> InsightTree:
        """Return the insights of a namespace, or those at or below a path in their layer; each says if it is stale.

        Raises:
            NotFound: there is no insight at or below the path, or no such revision.
        """
        from memoir.layers.insights import insights

        return self._with(
            at, progress, lambda index, snapshot: insights(index, snapshot, namespace, path), threads=True
        )

    def build_insights(
        self,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        by: str | None = None,
        llm_calls: int | None = None,
        llm_tokens: int | None = None,
        progress: Progress | None = None,
        options: WriteOptions = DEFAULTS,
    ) -> Build:
        """Write the insights of a namespace whose sources have changed, and forget those whose sources are gone.

        `by` must be `model`: the configured model is asked once for each insight, within a budget for all; `missing`
        says how many it has not written. In a dry run it is not asked; `cost` says what it would cost.

        Raises:
            Conflict: memories of the user are where the insights belong. LlmUnavailable: no model is configured.
            InvalidInput: the message is refused, or `by` is not `model`.
        """
        from memoir.layers.insights import build, writer

        insight_writer = writer(self._store.config, by, llm_calls, llm_tokens, dry_run=options.dry_run)
        with closing(Index(self._store, progress=progress or _quiet, wait=True, threads=True)) as index:
            return build(self._store, index, namespace, insight_writer, options)

    def _address_of(self, key: str, namespace: str, at: str | None) -> MemoryAddress:
        from memoir.memory.facets import address_of

        return address_of(lambda: self._store.at(at), key, namespace)

    def _signed(self, at: str | None, memories: Sequence[PlacedMemory]) -> list[PlacedMemory]:
        """Memories, with the authors of those that came from a remote."""
        return signed(self._store, self._store.at(at), memories)

    def _with(
        self, at: str | None, progress: Progress | None, work: Work[T], *, vectors: bool = False, threads: bool = False
    ) -> T:
        """Call some work with an index, and once more if that does not fit the store.

        The index is as complete as it can be in about a second; where it groups memories, it is complete.
        """
        snapshot, embedder = self._store.at(at), None
        if vectors:
            from memoir.embedders.choose_embedder import embedder_of

            embedder = embedder_of(self._store)
        with closing(Index(self._store, embedder, progress or _quiet, wait=threads, threads=threads)) as index:
            try:
                return work(index, snapshot)
            except IndexMismatch:
                index.discard()
                return work(index, snapshot)


def _quiet(done: int, total: int) -> None:
    """Tell nobody about progress."""


def _instant(date: str | None) -> float | None:
    """Return the seconds since 1970 of a date; None without one."""
    from memoir.times import parse_date

    return parse_date(date).timestamp() if date else None
