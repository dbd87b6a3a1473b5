"""Ingesting files: one, or those of a folder."""

from collections.abc import Callable, Sequence
from pathlib import Path

from memoir.errors import InvalidInput, MemoirError
from memoir.layers.files import FoundFile, find_files, origin_of
from memoir.layers.ingest import Ingestion, ingest
from memoir.layers.items import ItemMaker
from memoir.layers.limits import MAX_BYTES
from memoir.layers.reader import Account
from memoir.layers.reading import read_source, read_text
from memoir.layers.segments import StoredSource, sources_of
from memoir.memory.options import WriteOptions
from memoir.named_tuple import NamedTuple
from memoir.store.store import Store


class SkippedFile(NamedTuple):
    """A file that was not ingested, and why."""

    origin: str
    reason: str


class IngestReport(NamedTuple):
    """The ingested sources, the files that were skipped, the sources whose files are gone, and the cost so far."""

    sources: list[Ingestion]
    skipped: list[SkippedFile]
    missing: list[StoredSource]
    account: Account


class Intake(NamedTuple):
    """How files are ingested: into which namespace of a store, how they are written, and what makes items of them."""

    store: Store
    namespace: str
    options: WriteOptions
    maker: ItemMaker

    def take_path(self, target: Path, name: str | None, progress: Callable[[int, int], None]) -> IngestReport:
        """Ingest a file, or the files of a folder, of which those that cannot be ingested are skipped.

        Raises:
            NotFound: there is no such file. InvalidInput: the file cannot be ingested. OSError: it cannot be read.
            Conflict: the namespace of the segments holds memories of its own.
        """
        files = find_files(target, self.store.git_dir)
        if not target.is_dir():
            self.maker.progress = progress
            return self.report([self.take(files[0], name)])
        if name:
            raise InvalidInput("a name is for one source, not for a folder", "leave out --name")
        return self.take_files(target, files, files, progress)

    def take(self, file: FoundFile, name: str | None = None) -> Ingestion:
        """Ingest one file.

        Raises:
            InvalidInput: it cannot be ingested. OSError: it cannot be read.
            Conflict: the namespace of the segments holds memories of its own.
        """
        text = read_text(file.path.name, file.read(MAX_BYTES + 1))
        return self.take_text(text, file.origin, name)

    def take_text(self, text: str, origin: str, name: str | None = None) -> Ingestion:
        """Ingest a text.

        Raises:
            InvalidInput: it cannot be ingested. Conflict: as for `take`.
        """
        source = read_source(origin, text, name=name, allow_secrets=self.options.allow_secrets)
        return ingest(self.store, source, self.namespace, self.options, self.maker)

    def take_files(
        self,
        folder: Path,
        files: Sequence[FoundFile],
        all_files: Sequence[FoundFile],
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> IngestReport:
        """Ingest some of the files that were found in a folder; those that cannot be ingested are skipped.

        Raises:
            Conflict: as for `take`.
        """
        done_with, skipped = list[Ingestion](), list[SkippedFile]()
        for done, file in enumerate(files, 1):
            try:
                done_with.append(self.take(file))
            except (InvalidInput, OSError) as error:
                reason = error.message if isinstance(error, MemoirError) else error.strerror
                skipped.append(SkippedFile(file.origin, reason or "it cannot be read"))
            progress(done, len(files))
        return self.report(done_with, skipped, self._sources_without_file(folder, all_files))

    def report(
        self, results: list[Ingestion], skips: Sequence[SkippedFile] = (), without_file: Sequence[StoredSource] = ()
    ) -> IngestReport:
        """The results for some sources."""
        return IngestReport(results, list(skips), list(without_file), self.maker.reader.account())

    def _sources_without_file(self, folder: Path, files: Sequence[FoundFile]) -> list[StoredSource]:
        """The sources that came from a folder, and whose files are gone."""
        there = {file.origin for file in files}
        root = origin_of(folder, self.store.git_dir, Path(folder.resolve()).parent)
        below = "" if root == "." else f"{root}/"
        sources = sources_of(self.store.head(self.options.branch), self.namespace)
        return [each for each in sources if each.origin.startswith(below) and each.origin not in there | {"-"}]
