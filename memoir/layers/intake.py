"""Ingesting files: one, or those of a folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from memoir.errors import InvalidInput, MemoirError
from memoir.layers.conversion import ending_of
from memoir.layers.files import FoundFile, find_files, origin_of
from memoir.layers.ingest import Ingestion, ingest
from memoir.layers.items import ItemMaker
from memoir.layers.limits import MAX_BYTES
from memoir.layers.messages import Message
from memoir.layers.reader import Account
from memoir.layers.reading import CONVERSATION, CONVERSATIONS_ONLY, read_source, read_text
from memoir.layers.segments import StoredSource, sources_in
from memoir.memory.options import WriteOptions
from memoir.store.digest import blake2b
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


class Intake:
    """Ingests files into a namespace of a store."""

    def __init__(self, store: Store, namespace: str, options: WriteOptions, maker: ItemMaker) -> None:
        self.store = store
        self.maker = maker
        self._namespace = namespace
        self._options = options
        self._owners: dict[bytes, str] = {}

    def take_path(self, target: Path, name: str | None, progress: Callable[[int, int], None]) -> IngestReport:
        """Ingest a file, or the files of a folder, of which those that cannot be ingested are skipped.

        Raises:
            NotFound: there is no such file. InvalidInput: the file cannot be ingested. OSError: it cannot be read.
            Conflict: the namespace of the segments holds memories of its own.
        """
        files = find_files(target, self.store.git_dir)
        if not target.is_dir():
            self.maker.progress = progress
            return self.report([self.take_text(_text(files[0]), files[0].origin, name)])
        if name:
            raise InvalidInput("a name is for one source, not for a folder", "leave out --name")
        return self.take_files(target, files, files, progress)

    def take_text(self, text: str, origin: str, name: str | None = None) -> Ingestion:
        """Ingest a text.

        Raises:
            InvalidInput: it cannot be ingested.
            Conflict: the namespace of the segments holds memories of its own.
        """
        source = read_source(origin, text, name=name, allow_secrets=self._options.allow_secrets)
        return ingest(self.store, source, self._namespace, self._options, self.maker)

    def take_files(
        self,
        folder: Path,
        files: Sequence[FoundFile],
        all_files: Sequence[FoundFile],
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> IngestReport:
        """Ingest some of the files that were found in a folder; those that cannot be ingested are skipped.

        A session that goes on in another file, with all that was said before, comes after the one it began in, so
        that only its own part is new.

        Raises:
            Conflict: the namespace of the segments holds memories of its own.
        """
        results, skips = dict[str, Ingestion](), dict[str, SkippedFile]()
        for done, file in enumerate(sorted(files, key=_age), 1):
            try:
                results |= {file.origin: found} if (found := self._take_found(file)) else {}
            except (InvalidInput, OSError) as error:
                reason = error.message if isinstance(error, MemoirError) else error.strerror
                skips[file.origin] = SkippedFile(file.origin, reason or "it cannot be read")
            progress(done, len(files))
        order = [file.origin for file in files]
        return self.report(
            [results[origin] for origin in order if origin in results],
            [skips[origin] for origin in order if origin in skips],
            self._sources_without_file(folder, all_files),
        )

    def _take_found(self, file: FoundFile) -> Ingestion | None:
        """Ingest a file of a folder; None if it is of a kind of which only conversations are, and is none.

        Raises:
            InvalidInput: it cannot be ingested. OSError: it cannot be read.
            Conflict: the namespace of the segments holds memories of its own.
        """
        text, allow_secrets = _text(file), self._options.allow_secrets
        try:
            source = read_source(file.origin, text, allow_secrets=allow_secrets, is_new=self._is_new(file.origin))
        except InvalidInput:
            if ending_of(file.path.name) in CONVERSATIONS_ONLY:
                return None
            raise
        if ending_of(file.path.name) in CONVERSATIONS_ONLY and source.kind != CONVERSATION:
            return None
        return ingest(self.store, source, self._namespace, self._options, self.maker)

    def _is_new(self, origin: str) -> Callable[[Message], bool]:
        """Whether no other file of the folder has had a message first."""
        return lambda message: self._owners.setdefault(_digest(message), origin) == origin

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
        sources = sources_in(self.store.head(self._options.branch), self._namespace)
        return [each for each in sources if each.origin.startswith(below) and each.origin not in there | {"-"}]


def _text(file: FoundFile) -> str:
    """The text of a file.

    Raises:
        InvalidInput: it is no text. OSError: it cannot be read.
    """
    return read_text(file.path.name, file.read(MAX_BYTES + 1))


def _age(file: FoundFile) -> int:
    """When a file was last changed; of one that is gone, 0."""
    try:
        return file.path.lstat().st_mtime_ns
    except OSError:
        return 0


def _digest(message: Message) -> bytes:
    return blake2b(f"{message.id}\n{message.text}".encode(), size=12)
