"""Ingest files and folders; a folder can be watched, and ingested at each change."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from pathlib import Path, PurePosixPath
from threading import Event
from typing import NamedTuple

from memoir.errors import InvalidInput, MemoirError
from memoir.git.objects import blake2b
from memoir.layers.derivations import Removal, remove_source
from memoir.layers.ingest import Ingestion, ingest
from memoir.layers.items import ItemMaker
from memoir.layers.known_sources import KnownSources
from memoir.layers.reader import Account
from memoir.layers.segments import StoredSource, sources_in
from memoir.memory.write_options import WriteOptions
from memoir.progress import Progress, tell_nobody
from memoir.sources.conversion import MAX_BYTES, ending_of
from memoir.sources.messages import Message, NothingToIngest
from memoir.sources.reading import (
    CONVERSATION,
    CONVERSATIONS_ONLY,
    CutOffError,
    SourceText,
    read_source,
    read_text,
)
from memoir.sources.source_files import FoundFile, FoundFiles, find_files, origin_of
from memoir.store.store import Store


class SkippedFile(NamedTuple):
    """A file that was not ingested, and the reason."""

    origin: str
    reason: str
    is_unread: bool = True
    """Whether it could not be read; otherwise it has nothing (new) to ingest."""


class IngestReport(NamedTuple):
    """The ingested sources, the skipped files, the sources without a file, and the cost so far.

    `others` counts, by ending, the files of folders that are ingested only if named.
    """

    sources: list[Ingestion]
    skipped: list[SkippedFile]
    missing: list[StoredSource]
    others: Counter[str]
    account: Account
    removed: Sequence[Removal] = ()
    """The sources removed because their files are gone."""

    @property
    def is_refused(self) -> bool:
        """Whether there were files, but none could be ingested."""
        return bool(self.skipped) and not self.sources

    @property
    def is_partial(self) -> bool:
        """Whether some files were ingested, but others could not be read."""
        return bool(self.sources) and any(each.is_unread for each in self.skipped)

    def left_out(self) -> Iterator[bytes]:
        """A JSON line for each credential and private passage that was left out."""
        from orjson import dumps

        return (dumps(row) + b"\n" for each in self.sources for row in each.left_out())


class Intake:
    """Ingests files into a namespace of a store."""

    def __init__(self, store: Store, namespace: str, options: WriteOptions, maker: ItemMaker) -> None:
        self.store = store
        self.maker = maker
        self._namespace = namespace
        self._options = options
        self._owners: dict[bytes, str] = {}
        self._known = KnownSources(store, namespace, options.branch)

    def take_paths(
        self, targets: Sequence[Path], name: str | None, progress: Progress, *, prune: bool = False
    ) -> IngestReport:
        """Ingest one file, or several files and folders, skipping files that cannot be ingested.

        With `prune`, sources of these folders whose files are gone are removed.

        Raises:
            NotFound: there is no such file; nothing is ingested. InvalidInput: the only file cannot be ingested, two
                files would be one source, a name is given for several, or what is to be pruned is no folder, or an
                empty one, as where nothing is mounted. OSError: the only file cannot be read.
        """
        found = {target: self.find(target) for target in dict.fromkeys(targets)}
        files = _distinct(chain.from_iterable(each.files for each in found.values()))
        folders = {target: found[target] for target in found if target.is_dir()}
        if prune and not folders:
            raise InvalidInput("only what came from a folder can be pruned", "name the folder, or leave out --prune")
        if prune and (empty := next((name for name, its in folders.items() if not (its.files or its.others)), None)):
            hint = "is it mounted? 'memoir sources --remove NAME' removes a source whose file is gone"
            raise InvalidInput(f"{empty} has no file at all, so nothing was pruned", hint)
        if len(found) == 1 and not folders:
            self.maker.progress = progress
            return self.report([self.take_text(_text(files[0]), files[0].origin, name)])
        if name:
            raise InvalidInput("a name is for one source, not for several", "leave out --name")
        report = self.take_files(files, folders, progress)
        return self._prune(report) if prune else report

    def _prune(self, report: IngestReport) -> IngestReport:
        """Remove the sources whose files are gone."""
        removed = [remove_source(self.store, each.name, self._namespace, self._options) for each in report.missing]
        return report._replace(missing=[], removed=removed)

    def find(self, target: Path) -> FoundFiles:
        """The file at a path, or the files of a folder that are readable or known sources."""
        return find_files(target, self.store.git_dir, self._known.origins if target.is_dir() else ())

    def take_text(self, text: str, origin: str, name: str | None = None) -> Ingestion:
        """Ingest a text."""
        source = read_source(origin, text, name=name, allow_secrets=self._options.allow_secrets)
        return self._take(source if name else self._known.named(source))

    def take_files(
        self,
        files: Sequence[FoundFile],
        folders: Mapping[Path, FoundFiles],
        progress: Progress = tell_nobody,
    ) -> IngestReport:
        """Ingest the found files, skipping those that cannot be ingested.

        `folders` are the named folders with all their files. If a session continues in another file that repeats its
        beginning, the longer file comes later, so that only its new part is ingested.
        """
        results, skips = dict[str, Ingestion](), dict[str, SkippedFile]()
        others = sum((there.others for there in folders.values()), Counter[str]())
        gone = {each.name: each for at, there in folders.items() for each in self._sources_without_file(at, there)}
        for done, file in enumerate(sorted(files, key=_age), 1):
            try:
                if found := self._take_found(file, [*gone]):
                    results[file.origin] = found
                    gone.pop(found.name, None)
                else:
                    others[ending_of(file.path.name)] += 1
            except (InvalidInput, OSError) as error:
                reason = error.message if isinstance(error, MemoirError) else error.strerror
                is_unread = not isinstance(error, NothingToIngest)
                skips[file.origin] = SkippedFile(file.origin, reason or "it cannot be read", is_unread)
            progress(done, len(files))
        order = [file.origin for file in files]
        return self.report(
            [results[origin] for origin in order if origin in results],
            [skips[origin] for origin in order if origin in skips],
            [*gone.values()],
            others,
        )

    def _take_found(self, file: FoundFile, gone: Sequence[str]) -> Ingestion | None:
        """Ingest a file of a folder; None if it is well-formed, but no conversation, and of an ambiguous kind.

        `gone` are the sources whose files are gone.
        """
        text, allow_secrets = _text(file), self._options.allow_secrets
        only_talk = file.folder is not None and ending_of(file.path.name) in CONVERSATIONS_ONLY
        try:
            source = read_source(file.origin, text, allow_secrets=allow_secrets, is_new=self._is_new(file.origin))
        except InvalidInput as error:
            if only_talk and not isinstance(error, CutOffError):
                return None
            raise
        if only_talk and source.kind != CONVERSATION:
            return None
        return self._take(self._known.named(source), gone)

    def _take(self, source: SourceText, gone: Sequence[str] = ()) -> Ingestion:
        """Ingest the new part of a source."""
        source = self._known.new_part(source, gone)
        done = ingest(self.store, source, self._namespace, self._options, self.maker)
        self._known.add(done.name, source, dry_run=self._options.dry_run)
        return done

    def _is_new(self, origin: str) -> Callable[[Message], bool]:
        """A test whether no other file of the folder had a message first."""
        return lambda message: self._owners.setdefault(_digest(message), origin) == origin

    def report(
        self,
        results: list[Ingestion],
        skips: Sequence[SkippedFile] = (),
        without_file: Sequence[StoredSource] = (),
        others: Counter[str] | None = None,
    ) -> IngestReport:
        """Make the report on sources."""
        return IngestReport(results, list(skips), list(without_file), others or Counter(), self.maker.reader.account())

    def _sources_without_file(self, folder: Path, there: FoundFiles) -> list[StoredSource]:
        """The sources from a folder whose files are gone.

        A file from elsewhere is known by its bare name, so for a whole project only files in subfolders count. Files of
        an unreadable folder are not taken for gone.
        """
        found = {file.origin for file in there.files}
        root = origin_of(folder, self.store.git_dir, folder)
        below = "" if root == "." else f"{root}/"
        sources = sources_in(self.store.head(self._options.branch), self._namespace)
        lost = [each for each in sources if each.origin.startswith(below) and each.origin not in found | {"-"}]
        seen = [each for each in lost if found.isdisjoint(map(str, PurePosixPath(each.origin).parents))]
        gone = [each for each in seen if not (folder / each.origin.removeprefix(below)).is_file()]
        return gone if below else [each for each in gone if _is_in_a_folder(each.origin, folder)]


def _is_in_a_folder(origin: str, project: Path) -> bool:
    first, slash, _ = origin.partition("/")
    return bool(slash) and (project / first).is_dir()


def _distinct(files: Iterable[FoundFile]) -> list[FoundFile]:
    """Remove files that were named twice."""
    by_path: dict[Path, FoundFile] = {}
    by_origin: dict[str, Path] = {}
    for file in files:
        real = Path(os.path.realpath(file.path))
        if real not in by_path and by_origin.setdefault(file.origin, real) != real:
            raise InvalidInput(
                f"{file.origin} names two files, {by_origin[file.origin].parent}/ has one and {real.parent}/ the other",
                "ingest them one by one, each with --name, or the folder that holds both",
            )
        by_path.setdefault(real, file)
    return list(by_path.values())


def _text(file: FoundFile) -> str:
    """The text of a file."""
    return read_text(file.path.name, file.read(MAX_BYTES + 1))


def _age(file: FoundFile) -> int:
    """The time of a file's last change; 0 if it is gone."""
    try:
        return file.path.lstat().st_mtime_ns
    except OSError:
        return 0


def _digest(message: Message) -> bytes:
    return blake2b(f"{message.id}\n{message.text}".encode(), size=12)


_DEBOUNCE = 400
"""Milliseconds to wait for further changes, because editors write a file in several steps."""
_TURN = 500
"""Milliseconds after which a wait without changes is restarted."""


def watch_folder(intake: Intake, folder: Path, stop: Event | None = None) -> Iterator[IngestReport]:
    """Ingest a folder, then its changes, until interrupted or `stop` is set; yield a report each time.

    Raises:
        InvalidInput: it is not a folder. As well as what `Intake.take_paths` raises.
    """
    from watchfiles import watch

    if not folder.is_dir():
        raise InvalidInput(f"{str(folder)!r} is not a folder", "without --watch, a file is ingested once")
    turns = watch(folder, debounce=_DEBOUNCE, rust_timeout=_TURN, stop_event=stop, yield_on_timeout=True)
    next(turns)  # starts watching, so that no change is missed
    yield intake.take_paths([folder], None, tell_nobody)
    for changes in turns:
        names = {Path(path).resolve() for _, path in changes}
        report = _take(intake, folder, names) if names else None
        if report and (report.sources or report.skipped or report.missing):
            yield report


def _take(intake: Intake, folder: Path, names: Set[Path]) -> IngestReport:
    """Ingest the changed files, and report only on them."""
    there = intake.find(folder)
    report = intake.take_files([file for file in there.files if file.path.resolve() in names], {folder: there})
    origins = {origin_of(path, intake.store.git_dir, folder) for path in names}
    return IngestReport(
        [done for done in report.sources if done.commit],
        report.skipped,
        [source for source in report.missing if source.origin in origins],
        Counter(),
        report.account,
    )
