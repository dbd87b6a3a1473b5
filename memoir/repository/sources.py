"""`repository.sources`: ingesting conversations and documents, and what has been ingested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoir.errors import InvalidInput
from memoir.layers.item_options import BY_RULES, ItemOptions
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.store.store import Part
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event
    from typing import BinaryIO

    from memoir.layers.derivations import Removal
    from memoir.layers.intake import IngestReport, Intake
    from memoir.layers.segments import StoredSource


class Sources(Part):
    """The sources of a store. A write is one commit a source, or none if nothing changes."""

    def ingest(
        self,
        *paths: str | os.PathLike[str],
        name: str | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        items: ItemOptions = BY_RULES,
        progress: Callable[[int, int], None] = lambda done, total: None,
        options: WriteOptions = DEFAULTS,
        report: str | None = None,
    ) -> IngestReport:
        """Ingest files, and the files of folders; a source that was ingested before is brought up to date.

        Of several files, those that cannot be ingested are skipped. `items` says what finds memories in the segments. A
        model is asked once for each segment that is new, within a budget for all; rules read the others. In a dry run
        it is not asked, and the answer says what it would cost. `report` is a file that gets a JSON line for each
        credential and each private passage that was left out.

        Raises:
            NotFound: one of the files does not exist; nothing is ingested.
            InvalidInput: the only file cannot be ingested, the name is malformed or given for several, two files would
                be one source, or none is named.
            LlmUnavailable: a model is to be asked, and none is configured.
            Conflict: the namespace of the segments holds memories of its own.
            MemoirError: there is no folder for the report; nothing is ingested.
        """
        if not paths or not all(map(str, paths)):
            raise InvalidInput("name a file or a folder", "'.' is this folder; an empty path is none")
        from pathlib import Path

        intake = self._intake(namespace, items, options)
        return _reported(lambda: intake.take_paths([Path(path) for path in paths], name, progress), report)

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
        progress: Callable[[int, int], None] = lambda done, total: None,
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
