"""`repository.layers` and `repository.sources`: the sources of memories, and the relations between memories."""

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
    """Entities, relations, threads, insights. `progress` is called while the index is updated."""

    def entities(
        self,
        name: str | None = None,
        *,
        limit: int | None = None,
        namespaces: Sequence[str] = (),
        at: str | None = None,
        progress: Progress = tell_nobody,
    ) -> EntityList:
        """Return the people and things named by the most memories, or with `name` one of them, by any form of its name.

        Raises:
            InvalidInput: a limit below 1. NotFound: no memory names it, or there is no such namespace or revision.
        """
        from memoir.layers.entity_list import DEFAULT_LIMIT, entities, entity

        check_counts(limit=limit)
        most, names = DEFAULT_LIMIT if limit is None else limit, tuple(namespaces)
        if name is None:
            return self._ask(at, progress, lambda index, snapshot: entities(index, snapshot, names, most))
        found = self._ask(at, progress, lambda index, snapshot: entity(index, snapshot, name, names, most))
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
        """Read a source: its segments with their passages, and the memories taken from each.

        `limit` and `after`, the number of a segment, page through a long one.

        Raises:
            InvalidInput: a limit below 1. NotFound: there is no such source or revision.
        """
        from memoir.layers.segments import read_page

        check_counts(limit=limit)
        return self._ask(at, None, lambda index, snapshot: read_page(index, snapshot, namespace, name, limit, after))

    def related(
        self,
        key: str,
        *,
        limit: int | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress = tell_nobody,
    ) -> Relatives:
        """Return the memories related to those at a key, nearest first, each with the reasons.

        Raises:
            InvalidInput: a limit below 1, or the key is malformed. NotFound: the key is empty, or no such revision.
        """
        from memoir.layers.relations import DEFAULT_LIMIT, find_relatives

        check_counts(limit=limit)
        target = self._address_of(key, namespace, at).place
        most = DEFAULT_LIMIT if limit is None else limit
        found = self._ask(
            at, progress, lambda index, snapshot: find_relatives(index, snapshot, target, most), vectors=True
        )
        entries = signed(self._store, self._store.at(at), (each.entry for each in found.relatives))
        pairs = zip(found.relatives, entries, strict=True)
        return found._replace(relatives=[each._replace(entry=entry) for each, entry in pairs])

    def similar(
        self, key: str, *, namespace: str = DEFAULT_NAMESPACE, limit: int = 5, at: str | None = None
    ) -> list[SimilarMemory]:
        """Return the active memories that those at a key contradict or nearly repeat, as `remember` does.

        Raises:
            InvalidInput: a limit below 1, or the key is malformed. NotFound: the key is empty, or no such revision.
        """
        from memoir.filing.similar import similar_to

        check_counts(limit=limit)
        target = self._address_of(key, namespace, at)
        return self._ask(at, None, lambda index, snapshot: similar_to(index, snapshot, target)[:limit], vectors=True)

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
        """Return the recurring topics of memories, as threads, the one with the newest memory first.

        Threads without a subject, and dormant ones without a memory in the two weeks before `now`, are left out unless
        `every`. `now` defaults to the time of the newest memory. If all are dormant, they are listed.

        Raises:
            InvalidInput: a malformed date, or a limit below 1. NotFound: there is no such namespace or revision.
        """
        from memoir.layers.threads import DEFAULT_LIMIT, ThreadFilter, threads

        check_counts(limit=limit)
        criteria = ThreadFilter(_instant(now), tuple(namespaces), every, DEFAULT_LIMIT if limit is None else limit)
        return self._ask(at, progress, lambda index, snapshot: threads(index, snapshot, criteria), threads=True)

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

        `which` is a current or former id of the thread, or the id or path of one of its memories; the beginning of an
        id is enough.

        Raises:
            NotFound: no such thread, namespace or revision. InvalidInput: a malformed date, or several threads fit.
        """
        from memoir.layers.threads import ThreadFilter, thread

        criteria = ThreadFilter(_instant(now), tuple(namespaces))
        found = self._ask(at, progress, lambda index, snapshot: thread(index, snapshot, which, criteria), threads=True)
        return found._replace(memories=signed(self._store, self._store.at(at), found.memories))

    def insights(
        self,
        path: str | None = None,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress = tell_nobody,
    ) -> InsightTree:
        """Return the insights of a namespace, or those at or below a path in their layer, and whether each is stale.

        Raises:
            NotFound: there is no insight at or below the path, or no such revision.
        """
        from memoir.layers.insights import insights

        return self._ask(at, progress, lambda index, snapshot: insights(index, snapshot, namespace, path), threads=True)

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
        """Rewrite the insights of a namespace whose sources have changed, and forget those whose sources are gone.

        `by` must be `model`: the configured model is asked once for each insight, within a common budget; `missing`
        counts the insights not written. In a dry run it is not asked; `cost` is the estimate.

        Raises:
            Conflict: the namespace for the insights holds memories of the user. LlmUnavailable: no model is configured.
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

    def _ask(
        self,
        at: str | None,
        progress: Progress | None,
        work: Callable[[Index, Snapshot], T],
        *,
        vectors: bool = False,
        threads: bool = False,
    ) -> T:
        """Call `work` with an index, and again with a new index if that does not match the store.

        The index is completed for about a second; with `threads`, to its end.
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
    """A date in seconds since 1970; None without one."""
    from memoir.times import parse_date

    return parse_date(date).timestamp() if date else None


class Sources(Part):
    """The sources of a store. A write makes one commit for each source, or none if nothing changes."""

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
        """Ingest files and the files in folders; a source that was ingested before is updated.

        Of several files, those that cannot be ingested are skipped. `items` says how memories are found in the
        segments. A model is asked once for each new segment, within a common budget; rules read the others. In a dry
        run it is not asked, and the answer has an estimate of the cost. `report` is a file for a JSON line on each
        credential and private passage that was left out. With `prune`, sources from a folder are removed if their files
        are gone.

        Raises:
            NotFound: one of the files does not exist; nothing is ingested.
            InvalidInput: the only file cannot be ingested, the name is malformed or given for several, two files would
                be one source, none is named, or `prune` is given without a folder, or for one without files.
            LlmUnavailable: a model is needed, and none is configured.
            Conflict: the namespace for the segments holds memories of the user.
            MemoirError: there is no folder for the report; nothing is ingested.
        """
        if not paths or not all(map(str, paths)):
            raise InvalidInput("name a file or a folder", "'.' is this folder; an empty path is none")
        from pathlib import Path

        intake = self._intake(namespace, items, options)
        targets = [Path(path) for path in paths]
        return _with_report(lambda: intake.take_paths(targets, name, progress, prune=prune), report)

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
        """Ingest a text, or the content of a stream, under a name; `report` is as for `ingest`.

        Raises:
            InvalidInput: it is blank, not UTF-8, or an unreadable conversation, or the name is malformed.
            Conflict: as for `ingest`.
        """
        from memoir.sources.conversion import MAX_BYTES
        from memoir.sources.reading import decode

        whole = text if isinstance(text, str) else decode(text.read(MAX_BYTES + 1), "standard input")
        intake = self._intake(namespace, items, options)
        intake.maker.progress = progress
        return _with_report(lambda: intake.report([intake.take_text(whole, "-", name)]), report)

    def _intake(self, namespace: str, items: ItemOptions, options: WriteOptions) -> Intake:
        from memoir.layers.intake import Intake
        from memoir.layers.items import ItemMaker, choose_reader

        reader = choose_reader(self._store, items, dry_run=options.dry_run)
        return Intake(self._store, namespace, options, ItemMaker(self._store, namespace, options.branch, reader))

    def list(self, namespaces: Sequence[str] = (), *, at: str | None = None) -> list[StoredSource]:
        """Return the sources of the namespaces, by default of all, by namespace and name.

        Raises:
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.layers.segments import list_sources

        return list_sources(self._store.at(at), namespaces)

    def stale(self, namespaces: Sequence[str] = (), *, at: str | None = None) -> Sequence[Item]:
        """Return the stale items, which their sources no longer contain, of the namespaces, by default of all.

        Raises:
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.layers.items import stale_items

        return stale_items(self._store.at(at), namespaces)

    def remove(self, name: str, *, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS) -> Removal:
        """Forget a source and everything derived only from it.

        Raises:
            NotFound: there is no such source.
        """
        from memoir.layers.derivations import remove_source

        return remove_source(self._store, name, namespace, options)


def _with_report(ingest: Callable[[], IngestReport], file: str | None) -> IngestReport:
    """Ingest and write what was left out to a file, if one is named; the file is opened before anything is stored."""
    if file is None:
        return ingest()
    from memoir.memory.export import writing

    with writing(file) as report:
        done = ingest()
        report.writelines(done.left_out())
    return done
