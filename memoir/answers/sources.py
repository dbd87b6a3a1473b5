"""The answers of `ingest` and `sources`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from memoir.answers.answer import Answer, Line, dump, fields_of_success, line, one_line, plural
from memoir.answers.parts import commit_fields, cost, later, nothing, place, short, usage, written
from memoir.errors import ExitCode
from memoir.memory.speaker import source_of_item
from memoir.program import runnable

if TYPE_CHECKING:
    from memoir.answers.contract import sources as types
    from memoir.repository.repository import Repository
    from memoir.types import Ingestion, IngestReport, Item, Removal, StoredSource

_MOST_LINES, _MOST_IN_JSON = 10, 100
"""How many lines with credentials or private passages are listed for people, and in JSON; the report has all."""
_STALE = "(stale: the source no longer says it; 'memoir forget KEY' removes it, 'memoir sources --stale' lists all)"
_KINDS = 5
"""How many kinds of skipped files are listed for people."""


def ingest(report: "IngestReport", *, dry_run: bool, learns: bool = False) -> Answer:
    """`ingest`: what became of each source, which files were not ingested, which are gone, and what it cost.

    `learns` adds the note that vectors are computed later.
    """
    account = report.account
    is_new = any(each.segments.added or each.segments.changed for each in report.sources)
    data: types.Ingest = {
        "sources": [_source_result(each) for each in report.sources],
        "count": len(report.sources),
        "skipped": [{"origin": each.origin, "reason": each.reason} for each in report.skipped],
        "missing": [_source(each) for each in report.missing],
        "removed": [_removal(each) for each in report.removed],
        "others": [{"ending": ending, "count": count} for ending, count in sorted(report.others.items())],
        "usage": usage(account.usage),
        "cost": cost(account.cost),
        "degraded": "; ".join(account.degraded) or None,
        "dry_run": dry_run,
    }
    return Answer(
        data,
        lambda: _lines(report, dry_run=dry_run),
        ExitCode.USAGE if report.is_refused else ExitCode.FAILURE if report.is_partial else ExitCode.OK,
        optional=not dry_run,
        urgent=report.is_refused or report.is_partial,
        notes=lambda: [*_notes(report), *([later()] if learns and is_new and not dry_run else ())],
    )


def _lines(report: "IngestReport", *, dry_run: bool) -> Iterable[Line]:
    missing = "nothing was ingested" if report.is_refused else "no conversations or documents found"
    yield from nothing(report.sources, missing)
    for each in report.sources:
        yield from _result_lines(each, dry_run=dry_run)
    yield from (_removal_line(each, dry_run=dry_run) for each in report.removed)
    if would := report.account.cost:
        calls = plural(would.calls, "call")
        yield line(("a model would read it", "bold"), f" in {calls}, with about {would.input_tokens:,} tokens")


def _notes(report: "IngestReport") -> Iterable[Line]:
    for reason, files in groupby(sorted(report.skipped, key=lambda each: each.reason), lambda each: each.reason):
        first, *others = (each.origin for each in files)
        more = f" and {plural(len(others), 'other file')}" if others else ""
        yield line(("skipped: ", "yellow"), first, f"{more} ({reason})")
    if report.others:
        named = report.others.most_common(_KINDS)
        rest = report.others.total() - sum(count for _, count in named)
        kinds = ", ".join(f"{count:,} {ending or 'without an ending'}" for ending, count in named)
        kinds += f" and {rest:,} more" if rest else ""
        yield line(("left out: ", "yellow"), f"files of other kinds ({kinds}); a text file is read if it is named")
    if any(each.stale for each in report.sources):
        yield line(runnable(_STALE))
    for source in report.missing:
        yield line(("missing: ", "yellow"), f"{source.origin}, the file of {source.name}")
    if report.missing:
        yield line(runnable("(--prune removes all missing sources, 'memoir sources --remove NAME' one of them)"))


def watch(reports: "Iterator[IngestReport]", *, json: bool) -> Answer:
    """`ingest --watch`: an answer as soon as something was ingested, each time."""
    from memoir.answers.terminal import plain

    def printed(answer: Answer) -> bytes:
        if json:
            return dump(fields_of_success("ingest", answer.data))
        return "".join(map(plain, [*answer.human(), *answer.notes()])).encode()

    return Answer({}, stream=(printed(ingest(each, dry_run=False)) for each in reports), finish=lambda: ExitCode.OK)


def _source_result(result: "Ingestion") -> "types.IngestedSource":
    return {
        "name": result.name,
        "namespace": result.namespace,
        "origin": result.origin,
        "kind": result.kind,
        "segments": result.segments.total,
        "added": result.segments.added,
        "changed": result.segments.changed,
        "removed": result.segments.removed,
        "items": list(map(_item, result.items)),
        "stale": result.stale,
        "stale_items": list(map(_item, result.stale_items)),
        "credentials": [{"rule": each.rule, "line": each.line} for each in result.findings[:_MOST_IN_JSON]],
        "credential_counts": dict(Counter(each.rule for each in result.findings)),
        "private": [{"line": each.line, "closed": each.closed} for each in result.private[:_MOST_IN_JSON]],
        "private_count": len(result.private),
        "skipped_lines": {"count": left.total, "line": left.line, "reason": left.reason}
        if (left := result.skipped)
        else None,
        "repeated": result.repeated,
        "known_as": result.known_as,
        "moved_from": result.moved_from,
        "taken_back": result.taken_back,
        "unsure_date": {"text": result.unsure.text, "read_as": result.unsure.read_as} if result.unsure else None,
        **commit_fields(result.commit),
    }


def _item(item: "Item") -> "types.FoundItem":
    memory, (address,) = item
    return {
        **place(address),
        "content": memory.content,
        "item_kind": memory.metadata["item_kind"],
        "occurred_at": memory.metadata.get("occurred_at"),
    }


def _result_lines(result: "Ingestion", *, dry_run: bool) -> Iterable[Line]:
    head = "would change" if dry_run else short(result.commit)
    yield line((head, "yellow"), "  ", (result.name, "bold cyan"), f"  {result.kind}  {result}")
    for item in result.items if dry_run else ():
        kind, (address,) = item.memory.metadata["item_kind"], item.places
        yield line((f"    {kind:<11}", "green"), (address.short_key, "dim"), "  ", one_line(item.memory.content))
    for item in result.stale_items[:_MOST_LINES]:
        yield line(("    stale: ", "yellow"), (item.places[0].short_key, "dim"), "  ", one_line(item.memory.content))
    for rule, count in Counter(each.rule for each in result.findings).items():
        where = _first_lines([str(each.line) for each in result.findings if each.rule == rule])
        yield line((f"    replaced: {count:,} {rule}", "red"), where)
    if result.private:
        where = _first_lines([f"{each.line}{'' if each.closed else ' to the end'}" for each in result.private])
        yield line((f"    left out: {len(result.private):,} private", "yellow"), where)
    if skipped := result.skipped:
        text = f" (line {skipped.line}: {skipped.reason})"
        yield line((f"    not understood: {plural(skipped.total, 'line')}", "yellow"), text)
    if result.repeated:
        where = f", already ingested as {result.known_as}" if result.known_as else " that another file has"
        text = f"    left out: {plural(result.repeated, 'message')}{where}"
        yield line((text, "yellow"))
    if result.taken_back:
        yield line((f"    left out: {plural(result.taken_back, 'message')} that the user took back", "yellow"))
    if result.unsure:
        text = (
            f" as {result.unsure.read_as}: nothing there says if the day comes first; if not, write dates as YYYY-MM-DD"
        )
        yield line((f"    dates: read {result.unsure.text}", "yellow"), text)


def _first_lines(lines: Sequence[str]) -> str:
    """The first line numbers, and how to see the others."""
    more = f", and {len(lines) - _MOST_LINES:,} more, which --report FILE names" if len(lines) > _MOST_LINES else ""
    return f" (line {', '.join(lines[:_MOST_LINES])}{more})"


def sources(repository: "Repository", namespace: list[str] | None = None, at: str | None = None) -> Answer:
    """List the sources that were ingested."""
    rows = repository.sources.list(namespace or (), at=at)
    data: types.Sources = {"sources": [_source(each) for each in rows], "count": len(rows)}

    def human() -> Iterable[Line]:
        for each in rows:
            name = each.name if each.namespace == "default" else f"{each.namespace}:{each.name}"
            yield line((f"{each.segments:>8,}  ", "green"), (name, "bold cyan"), f"  {each.kind}  {each.origin}")

    return Answer(data, human, paged=True, notes=lambda: nothing(rows, "no sources"))


def stale(repository: "Repository", namespace: list[str] | None = None, at: str | None = None) -> Answer:
    """`sources --stale`: the memories that their sources no longer say."""
    items = repository.sources.stale(namespace or (), at=at)
    rows: list[types.StaleItem] = [{**_item(each), "source": _source_name(each)} for each in items]
    data: types.StaleItems = {"items": rows, "count": len(rows)}

    def human() -> Iterable[Line]:
        for each in items:
            key, where = each.places[0].short_key, f"  (not in {_source_name(each)} any more)"
            yield line((key, "bold cyan"), "  ", one_line(each.memory.content), (where, "dim"))

    advice = line(runnable("('memoir forget KEY' removes one, 'memoir edit KEY' says what holds now)"))
    none = [*nothing(rows, "no memory is stale: the sources still say all of them")]
    return Answer(data, human, paged=True, notes=lambda: none or [advice])


def _source_name(item: "Item") -> str:
    return source_of_item(item.memory.metadata) or ""


def source_removal(removal: "Removal", *, dry_run: bool) -> Answer:
    """`sources --remove`: the removed source."""
    data: types.SourceRemoved = {**_removal(removal), **written(removal.commit, dry_run=dry_run)}
    return Answer(data, lambda: [_removal_line(removal, dry_run=dry_run)], optional=not dry_run)


def _removal(removal: "Removal") -> "types.RemovedSource":
    return {
        **_source(removal.source),
        "items": removal.items,
        "kept": removal.kept,
        **commit_fields(removal.commit),
    }


def _removal_line(removal: "Removal", *, dry_run: bool) -> Line:
    verb = "would remove" if dry_run else f"{short(removal.commit)}  removed"
    text = f"  {plural(removal.source.segments, 'segment')}, {plural(removal.items, 'item')}"
    text += f"; {plural(removal.kept, 'item')} from other sources as well" if removal.kept else ""
    return line((f"{verb} ", "yellow"), (removal.source.name, "bold"), text)


def _source(source: "StoredSource") -> "types.Source":
    return {
        "name": source.name,
        "namespace": source.namespace,
        "origin": source.origin,
        "kind": source.kind,
        "segments": source.segments,
    }
