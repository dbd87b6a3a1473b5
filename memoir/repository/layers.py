"""`repository.layers` and `repository.sources`: what memories come from, and how they belong together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from memoir.anchors.shown import signed
from memoir.errors import InvalidInput
from memoir.layers.item_options import BY_RULES, ItemOptions
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.progress import Progress, tell_nobody
from memoir.repository.door import check_counts
from memoir.store.store import Part
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from threading import Event
    from typing import BinaryIO

    from memoir.filing.similar import SimilarMemory
    from memoir.index.index import Index
    from memoir.layers.derivations import Removal
    from memoir.layers.entity_list import EntityList
    from memoir.layers.insights import Build, InsightTree
    from memoir.layers.intake import IngestReport, Intake
    from memoir.layers.items import Item
    from memoir.layers.relations import Relatives
    from memoir.layers.segments import SourcePage, StoredSource
    from memoir.layers.threads import Listing, Story
    from memoir.store.snapshot import Snapshot
    from memoir.taxonomy.paths import MemoryAddress

T = TypeVar("T")


class Layers(Part):
    """Sources, entities, relations, threads, insights. `progress` is called while the index is brought up to date."""

    def entities(
        self,
        name: str | None = None,
        *,
        limit: int | None = None,
        namespaces: Sequence[str] = (),
        at: str | None = None,
        progress: Progress = tell_nobody,
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
        return found._replace(memories=signed(self._store, self._store.at(at), found.memories or ()))

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
        progress: Progress = tell_nobody,
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
        entries = signed(self._store, self._store.at(at), (each.entry for each in found.relatives))
        pairs = zip(found.relatives, entries, strict=True)
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
        progress: Progress = tell_nobody,
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
        progress: Progress = tell_nobody,
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
        return found._replace(memories=signed(self._store, self._store.at(at), found.memories))

    def insights(
        self,
        path: str | None = None,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress = tell_nobody,
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
        progress: Progress = tell_nobody,
        options: WriteOptions = DEFAULTS,
    ) -> Build:
        """Write the insights of a namespace whose sources have changed, and forget those whose sources are gone.

        `by` must be `model`: the configured model is asked once for each insight, within a budget for all; `missing`
        says how many it has not written. In a dry run it is not asked; `cost` says what it would cost.

        Raises:
            Conflict: memories of the user are where the insights belong. LlmUnavailable: no model is configured.
            InvalidInput: the message is refused, or `by` is not `model`.
        """
        from memoir.index.index import Index
        from memoir.layers.insights import build, writer

        insight_writer = writer(self._store.config, by, llm_calls, llm_tokens, dry_run=options.dry_run)
        with closing(Index(self._store, progress=progress, wait=True, threads=True)) as index:
            return build(self._store, index, namespace, insight_writer, options)

    def _address_of(self, key: str, namespace: str, at: str | None) -> MemoryAddress:
        from memoir.memory.facets import address_of

        return address_of(lambda: self._store.at(at), key, namespace)

    def _with(
        self,
        at: str | None,
        progress: Progress | None,
        work: Callable[[Index, Snapshot], T],
        *,
        vectors: bool = False,
        threads: bool = False,
    ) -> T:
        """Call some work with an index, and once more if that does not fit the store.

        The index is as complete as it can be in about a second; where it groups memories, it is complete.
        """
        from memoir.index.index import Index, IndexMismatch

        snapshot, embedder = self._store.at(at), None
        if vectors:
            from memoir.embedders.choose_embedder import embedder_of

            embedder = embedder_of(self._store)
        with closing(Index(self._store, embedder, progress or tell_nobody, wait=threads, threads=threads)) as index:
            try:
                return work(index, snapshot)
            except IndexMismatch:
                index.discard()
                return work(index, snapshot)


def _instant(date: str | None) -> float | None:
    """Return the seconds since 1970 of a date; None without one."""
    from memoir.times import parse_date

    return parse_date(date).timestamp() if date else None


class Sources(Part):
    """The sources of a store. A write is one commit a source, or none if nothing changes."""

    def ingest(
        self,
        *paths: str | os.PathLike[str],
        name: str | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        items: ItemOptions = BY_RULES,
        progress: Progress = tell_nobody,
        options: WriteOptions = DEFAULTS,
        report: str | None = None,
        prune: bool = False,
    ) -> IngestReport:
        """Ingest files, and the files of folders; a source that was ingested before is brought up to date.

        Of several files, those that cannot be ingested are skipped. `items` says what finds memories in the segments. A
        model is asked once for each segment that is new, within a budget for all; rules read the others. In a dry run
        it is not asked, and the answer says what it would cost. `report` is a file that gets a JSON line for each
        credential and each private passage that was left out. With `prune`, sources that came from a folder are removed
        if their files are gone.

        Raises:
            NotFound: one of the files does not exist; nothing is ingested.
            InvalidInput: the only file cannot be ingested, the name is malformed or given for several, two files would
                be one source, none is named, or what is to be pruned is no folder or an empty one.
            LlmUnavailable: a model is to be asked, and none is configured.
            Conflict: the namespace of the segments holds memories of its own.
            MemoirError: there is no folder for the report; nothing is ingested.
        """
        if not paths or not all(map(str, paths)):
            raise InvalidInput("name a file or a folder", "'.' is this folder; an empty path is none")
        from pathlib import Path

        intake = self._intake(namespace, items, options)
        targets = [Path(path) for path in paths]
        return _reported(lambda: intake.take_paths(targets, name, progress, prune=prune), report)

    def watch(
        self,
        folder: str | os.PathLike[str],
        *,
        namespace: str = DEFAULT_NAMESPACE,
        items: ItemOptions = BY_RULES,
        options: WriteOptions = DEFAULTS,
        stop: Event | None = None,
    ) -> Iterator[IngestReport]:
        """Ingest a folder, and then each file that changes in it, until `stop` is set; yield a report each time.

        Raises:
            InvalidInput: it is not a folder. Conflict: as for `ingest`.
        """
        from pathlib import Path

        from memoir.layers.intake import watch_folder

        return watch_folder(self._intake(namespace, items, options), Path(folder), stop)

    def ingest_text(
        self,
        text: str | BinaryIO,
        *,
        name: str = "stdin",
        namespace: str = DEFAULT_NAMESPACE,
        items: ItemOptions = BY_RULES,
        progress: Progress = tell_nobody,
        options: WriteOptions = DEFAULTS,
        report: str | None = None,
    ) -> IngestReport:
        """Ingest a text, or what a stream holds, under a name; `report` is as for `ingest`.

        Raises:
            InvalidInput: it is blank, not UTF-8, or a conversation of which nothing is understood, or the name is
                malformed.
            Conflict: as for `ingest`.
        """
        from memoir.sources.conversion import MAX_BYTES
        from memoir.sources.reading import decode

        whole = text if isinstance(text, str) else decode(text.read(MAX_BYTES + 1), "standard input")
        intake = self._intake(namespace, items, options)
        intake.maker.progress = progress
        return _reported(lambda: intake.report([intake.take_text(whole, "-", name)]), report)

    def _intake(self, namespace: str, items: ItemOptions, options: WriteOptions) -> Intake:
        from memoir.layers.intake import Intake
        from memoir.layers.items import ItemMaker, choose_reader

        reader = choose_reader(self._store, items, dry_run=options.dry_run)
        return Intake(self._store, namespace, options, ItemMaker(self._store, namespace, options.branch, reader))

    def list(self, namespaces: Sequence[str] = (), *, at: str | None = None) -> list[StoredSource]:
        """Return the sources of some namespaces, or of all, by namespace and name.

        Raises:
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.layers.segments import list_sources

        return list_sources(self._store.at(at), namespaces)

    def stale(self, namespaces: Sequence[str] = (), *, at: str | None = None) -> Sequence[Item]:
        """Return the items that their sources no longer say, of some namespaces or of all.

        Raises:
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.layers.items import stale_items

        return stale_items(self._store.at(at), namespaces)

    def remove(self, name: str, *, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS) -> Removal:
        """Forget a source and what was derived from it alone.

        Raises:
            NotFound: there is no such source.
        """
        from memoir.layers.derivations import remove_source

        return remove_source(self._store, name, namespace, options)


def _reported(ingest: Callable[[], IngestReport], file: str | None) -> IngestReport:
    """What is ingested, with what was left out in a file, if one is named; it is tried before anything is stored."""
    if file is None:
        return ingest()
    from memoir.memory.export import writing

    with writing(file) as report:
        done = ingest()
        report.writelines(done.left_out())
    return done
