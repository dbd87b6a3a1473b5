"""The answers of `get`, `ls`, `grep` and `summarize`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from memoir.answers.answer import Answer, CountingIterator, Line, Span, defer, line, local, one_line, stream
from memoir.answers.parts import (
    DAY,
    STALE,
    common_source,
    in_days,
    namespace_line,
    nothing,
    passage_lines,
    place,
    record_lines,
    stale_marks,
    store_of,
    target,
    total_line,
    value,
)
from memoir.errors import ExitCode
from memoir.program import runnable
from memoir.records.record import active_facets

if TYPE_CHECKING:
    from memoir.answers.contract import read as types
    from memoir.answers.contract import shapes
    from memoir.memory.facets import PathRecord
    from memoir.memory.first_lines import FirstLines
    from memoir.memory.grep import FoundLine, Match
    from memoir.memory.grep import Line as MemoryLine
    from memoir.memory.survey import Survey
    from memoir.records.record import Record
    from memoir.taxonomy.paths import Address

Records = Callable[[Iterable["Address"]], Iterator[tuple["Address", "Record"]]]
"""Reads the records at some places."""
EXPIRED = "expired"


class Checks:
    """Tell of an address whether the insight there is out of date (None: none is there), and whether it has expired."""

    def __init__(self, is_stale: Callable[["Address"], bool | None], is_expired: Callable[["Address"], bool]) -> None:
        self.is_stale = is_stale
        self.is_expired = is_expired

    def marks(self, address: "Address") -> list[Span]:
        """What stands behind a key that is out of date or has expired."""
        told = {STALE: self.is_stale(address), EXPIRED: self.is_expired(address)}
        return [(f"  ({word})", "yellow") for word, is_so in told.items() if is_so]

    def fields(self, address: "Address") -> "types.Marks":
        """The field that an insight has, and the one that stands there if everything has expired."""
        return {**_stale(self.is_stale(address)), **({"expired": True} if self.is_expired(address) else {})}


def get(items: "Sequence[PathRecord]", hint: Callable[[str], str], *, exit_code: bool, both: bool = False) -> Answer:
    """`get`: every key of the request, found or not; `hint` gives that of a key that was not found.

    `both` says that two stores were read, so that each item tells which of them has it.
    """
    near = _hints(items, hint)
    data: types.Get = {
        "items": [
            {
                **target(item.target),
                **_dates(item.record),
                **near.get(item.target.full_key, {}),
                "found": item.record is not None,
                "value": value(item.record, item.address) if item.record else None,
                "below": item.below,
                **store_of(item.store, both=both),
                **_stale(item.stale),
            }
            for item in items
        ],
        "count": len(items),
        "found_count": sum(item.record is not None for item in items),
    }
    has_gap = any(item.record is None for item in items)
    status = ExitCode.NOT_FOUND if exit_code and has_gap else ExitCode.OK
    found = [item for item in items if item.record is not None]

    def notes() -> Iterable[Line]:
        for key in (item.target for item in items if item.record is None):
            reason = f"  ({near[key.full_key]['hint']})" if key.full_key in near else ""
            yield line((key.short_key, "bold"), ("  not found", "red"), reason)

    return Answer(data, lambda: _item_lines(found), status, paged=True, notes=notes)


_MOST_HINTS = 5
"""Hints of one answer: to look for the key nearest to one takes as long as to read many."""


def _hints(items: "Sequence[PathRecord]", hint: Callable[[str], str]) -> "dict[str, types.NearMiss]":
    missing = [item.target.full_key for item in items if item.record is None]
    return {key: {"hint": runnable(hint(key))} for key in missing[:_MOST_HINTS]}


def _dates(record: "Record | None") -> "shapes.InDays":
    from memoir.english.named_days import named_days

    return in_days(day for each in active_facets(record or ()) for day in named_days(each.content, each.timestamp))


def _item_lines(items: "Sequence[PathRecord]") -> Iterable[Line]:
    beginning, known, day = common_source(item.target for item in items), "", ""
    for position, item in enumerate(items):
        if item.target.names_passage and item.record:
            yield from passage_lines(item.target, known, item.record[0], day)
            known, day = beginning, item.record[0].timestamp[:DAY]
            continue
        if position:
            yield line()
        yield from record_lines(item.target.short_key, item.record or ())
        if item.store == "user":
            yield line(("(in your own store)", "dim"))
        if item.stale:
            text = f"({STALE}: 'memoir insights build --by model' brings it up to date)"
            yield line((runnable(text), "yellow"))


def ls(
    addresses: Iterator["Address"], checks: Checks, prefix: str | None, limit: int | None = None,
    records: "Records | None" = None,
) -> Answer:  # fmt: skip
    """`ls`: the keys under a prefix, as they come; `next` continues after the last one if a limit cut them.

    With `records`, which reads them, each key comes with its memories.
    """
    page = CountingIterator(islice(addresses, limit))

    def row(address: "Address", contents: "types.Contents") -> "types.LsKey":
        return {**place(address), **contents, **checks.fields(address)}

    def rows() -> "Iterator[types.LsKey]":
        if records is None:
            yield from (row(address, {}) for address in page)
        else:
            yield from (row(at, {"address": at.full_key, "value": value(of, at)}) for at, of in records(page))

    def human() -> Iterable[Line]:
        if records is None:
            return (line(address.short_key, *checks.marks(address)) for address in page)
        return (each for address, record in records(page) for each in _long(address, record, checks))

    data: types.Ls = {
        "prefix": prefix,
        "keys": stream(rows()),
        "count": defer(lambda: page.count),
        "next": defer(lambda: page.last.full_key if page.last and next(addresses, None) is not None else None),
    }
    return Answer(data, human, paged=True, whole=records is not None, notes=lambda: nothing(page.count, "no memories"))


def _long(address: "Address", record: "Record", checks: Checks) -> Iterator[Line]:
    """A line for each memory at a path: its key, its day, and the beginning of its content."""
    from memoir.memory.facets import with_ids
    from memoir.memory.origin import said

    for identity, memory in with_ids(record):
        day, text = local(memory.timestamp)[:10], one_line(said(memory.content, memory.metadata))
        key = address.short_key + (f"#{identity}" if identity else "")
        yield line((key, "bold cyan"), (f"  {day}", "dim"), f"  {text}", *checks.marks(address))


def _stale(is_stale: bool | None) -> "types.Staleness":
    """The field that an insight has, and other memories have not."""
    return {} if is_stale is None else {"stale": is_stale}


def grep(hits: "FirstLines", pattern: str, *, names_only: bool) -> Answer:
    """`grep`: the memories that match, with their lines, as they come; exit 1 if none match.

    If the lines have a limit, the answer says whether there are more.
    """
    matches = CountingIterator(hits)
    limits = [f"{name} {most}" for name, most in (("-m", hits.limit), ("--each", hits.each)) if most is not None]
    data: types.Grep = {
        "pattern": pattern,
        "matches": stream(map(_grep_match, matches)),
        "count": defer(lambda: matches.count),
    }
    if limits:
        data["more"] = defer(lambda: hits.has_more)

    def human() -> Iterable[Line]:
        if names_only:
            return (line((match.address.short_key, "magenta"), *stale_marks(match.stale)) for match in matches)
        from memoir.answers.match_lines import match_lines

        return match_lines(matches)

    def status() -> ExitCode:
        return ExitCode.OK if matches.count or next(matches, None) else ExitCode.FAILURE

    def notes() -> Iterable[Line]:
        text = f"more lines match; without {' '.join(limits)} all come"
        is_cut = hits.has_more and hits.limit is not None  # with --each alone that is what was asked for
        cut = [line((text, "yellow"))] if is_cut else []
        return [*cut, *nothing(matches.count, "no line matches")]

    return Answer(data, human, paged=True, optional=True, finish=status, notes=notes)


def _grep_match(match: "Match") -> "types.GrepMatch":
    return {**place(match.address), "lines": [_hit(hit) for hit in match.lines], **_stale(match.stale)}


def _hit(hit: "FoundLine") -> "types.MatchedLine":
    from memoir.english.named_days import named_days

    around: types.LinesAround = {}
    if hit.before or hit.after:
        around = {"before": [_context(each) for each in hit.before], "after": [_context(each) for each in hit.after]}
    dates = in_days(named_days(hit.line.text, hit.line.timestamp))
    return {**_line(hit.line), **around, **dates, "address": hit.target.full_key}


def _line(of: "MemoryLine") -> "types.GrepLine":
    return {"line": of.number, "text": of.text, "timestamp": of.timestamp, "speaker": of.speaker}


def _context(of: "MemoryLine") -> "types.ContextLine":
    return {"full_key": of.address.full_key, **_line(of)}


def summarize(survey: "Survey", depth: int | None) -> Answer:
    """`summarize`: totals ignore the globs; `prefix_counts` needs a depth, `matching_keys` a glob."""
    own: types.SummarizeUser = {"user": _survey(survey.user, depth)} if survey.user else {}
    data: types.Summarize = {**_survey(survey, depth), **own}
    listed = [*survey.matches.values(), *(survey.user.matches.values() if survey.user else ())]
    notes = nothing(any(listed), "no path matches") if listed else []
    return Answer(data, lambda: [*_lines(survey), *_user_lines(survey.user)], paged=True, notes=lambda: notes)


def _survey(survey: "Survey", depth: int | None) -> "types.Survey":
    stale: types.StaleKeys = {"stale_keys": dict(survey.stale)} if survey.stale else {}
    return {
        "total_memories": survey.total,
        "total_paths": survey.total,
        "total_namespaces": len(survey.namespaces),
        "namespaces": survey.namespaces,
        "depth": depth,
        "prefix_counts": survey.prefixes,
        "matching_keys": survey.matches,
        **stale,
        "next": survey.cut_at.full_key if survey.cut_at else None,
    }


def _user_lines(survey: "Survey | None") -> Iterable[Line]:
    if survey:
        yield line()
        yield line(("Your own store:", "bold"))
        yield from _lines(survey)


def _lines(survey: "Survey") -> Iterable[Line]:
    match = ", of which these match:" if any(survey.matches.values()) else ""
    yield [*total_line(survey.total, survey.namespaces, survey.apart), (match, "")]
    for name in survey.namespaces:
        yield namespace_line(name, survey.namespaces, survey.apart)
        for prefix, below in survey.prefixes.get(name, {}).items():
            yield line((f"{below:>12,}  ", "green"), prefix)
        for path in survey.matches.get(name, []):
            indent = "              " if survey.prefixes else "          "
            yield line(indent, path, *stale_marks(path in survey.stale.get(name, ())))
    if survey.cut_at:
        yield line((f"more: continue with --after {survey.cut_at.full_key}", "dim"))
