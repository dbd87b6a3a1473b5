"""Ingesting a folder again and again, whenever a file in it changes."""

from collections.abc import Iterator, Set
from pathlib import Path
from threading import Event

from memoir.errors import InvalidInput
from memoir.layers.intake import IngestReport, Intake
from memoir.layers.source_files import find_files, origin_of

_DEBOUNCE = 400
"""Milliseconds that further changes are waited for after one, because editors write a file in several steps."""
_TURN = 500
"""Milliseconds after which a wait without a change begins again."""


def watch_folder(intake: Intake, folder: Path, stop: Event | None = None) -> Iterator[IngestReport]:
    """Ingest a folder, then what changes in it, until somebody interrupts or `stop` is set; each time a report.

    Raises:
        InvalidInput: it is no folder. As well as what `Intake.take_paths` raises.
    """
    from watchfiles import watch

    if not folder.is_dir():
        raise InvalidInput(f"{str(folder)!r} is not a folder", "without --watch, a file is ingested once")
    turns = watch(folder, debounce=_DEBOUNCE, rust_timeout=_TURN, stop_event=stop, yield_on_timeout=True)
    next(turns)  # from now on no change is missed
    yield intake.take_paths([folder], None, lambda done, total: None)
    for changes in turns:
        names = {Path(path).resolve() for _, path in changes}
        report = _take(intake, folder, names) if names else None
        if report and (report.sources or report.skipped or report.missing):
            yield report


def _take(intake: Intake, folder: Path, names: Set[Path]) -> IngestReport:
    """Ingest the files that changed; the report has only what came of that."""
    files = find_files(folder, intake.store.git_dir)
    report = intake.take_files([file for file in files if file.path.resolve() in names], {folder: files})
    base = folder.resolve().parent
    origins = {origin_of(path, intake.store.git_dir, base) for path in names}
    return IngestReport(
        [done for done in report.sources if done.commit],
        report.skipped,
        [source for source in report.missing if source.origin in origins],
        report.account,
    )
