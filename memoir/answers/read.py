"""The answers of `get`, `ls`, `grep` and `summarize`.

The HTTP API offers the functions that take a repository, without their keyword-only parameters.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from memoir.answers.answer import Answer, CountingIterator, Line, Span, defer, line, local, one_line, stream
from memoir.answers.parts import (
    DAY,
    STALE,
    common_source,
    dates_of,
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
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from memoir.answers.contract import read as types
    from memoir.answers.contract import shapes
    from memoir.memory.grep import Line as MemoryLine
    from memoir.repository.reads import Reads
    from memoir.types import Address, FoundLine, Match, PathRecord, Record, Survey

EXPIRED = "expired"


class Checks:
    """Tell whether the insight at an address is out of date (None: no insight), and whether the address has expired."""

    def __init__(self, is_stale: Callable[["Address"], bool | None], is_expired: Callable[["Address"], bool]) -> None:
        self.is_stale = is_stale
        self.is_expired = is_expired

    def marks(self, address: "Address") -> list[Span]:
        """The notes behind a key that is out of date or has expired."""
        told = {STALE: self.is_stale(address), EXPIRED: self.is_expired(address)}
        return [(f"  ({word})", "yellow") for word, is_so in told.items() if is_so]

    def fields(self, address: "Address") -> "types.Marks":
        """The field `stale` of an insight, and the field `expired` if everything at the address has expired."""
        return {**_stale(self.is_stale(address)), **({"expired": True} if self.is_expired(address) else {})}


def get(
    repository: "Reads", keys: list[str], prefix: bool = False, namespace: str = DEFAULT_NAMESPACE,
    at: str | None = None, *, context: int = 0, exit_code: bool = False,
) -> Answer:  # fmt: skip
    """Read memories by path or glob, or all under a prefix."""
    items = repository.get_many(keys, namespace=namespace, prefix=prefix, context=context, at=at)
    near, both = _hints(items, partial(repository.hint, at=at)), repository.user is not None
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
"""The most hints of one answer: finding the nearest key takes as long as reading many."""


def _hints(items: "Sequence[PathRecord]", hint: Callable[[str], str]) -> "dict[str, types.NearMiss]":
    missing = [item.target.full_key for item in items if item.record is None]
    return {key: {"hint": runnable(hint(key))} for key in missing[:_MOST_HINTS]}


def _dates(record: "Record | None") -> "shapes.InDays":
    """The field `dates` if the path has one memory; each of several has its own."""
    active = active_facets(record or ())
    return dates_of(active[0]) if len(active) == 1 else {}


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
    repository: "Reads", prefix: str | None = None, long: bool = False, expired: bool = False,
    namespace: list[str] | None = None, limit: int | None = None, after: str | None = None, at: str | None = None, *,
    origin: Sequence[str] = (), tree: bool = False,
) -> Answer:  # fmt: skip
    """List the paths under a prefix; with `long`, what is there."""
    from memoir.repository.door import check_counts

    check_counts(limit=limit)
    places = repository.keys(namespaces=namespace or (), prefix=prefix, after=after, at=at)
    expiry = repository.expiry_marks(places, at=at)
    checks = Checks(repository.staleness(at=at), expiry.is_expired)
    addresses, records = expiry.addresses(expired_only=expired, origins=origin), partial(repository.records, at=at)
    page = CountingIterator(islice(addresses, limit))

    def row(address: "Address", contents: "types.Contents") -> "types.LsKey":
        return {**place(address), **contents, **checks.fields(address)}

    def rows() -> "Iterator[types.LsKey]":
        if long:
            yield from (row(at, {"address": at.full_key, "value": value(of, at)}) for at, of in records(page))
        else:
            yield from (row(address, {}) for address in page)

    def human() -> Iterable[Line]:
        if tree:
            return _tree_lines(page, checks)
        if long:
            return (each for address, record in records(page) for each in _long_lines(address, record, checks))
        return (line(address.short_key, *checks.marks(address)) for address in page)

    def notes() -> list[Line]:
        return [] if tree or page.count else nothing(0, _none_listed(repository.summarize(namespace or (), at=at)))

    data: types.Ls = {
        "prefix": prefix,
        "keys": stream(rows()),
        "count": defer(lambda: page.count),
        "next": defer(lambda: page.last.full_key if page.last and next(addresses, None) is not None else None),
    }
    return Answer(data, human, paged=True, whole=long, notes=notes)


def _none_listed(survey: "Survey") -> str:
    """The note of an empty list, with the namespace of what was ingested: `ls` lists it only if it is named."""
    layer = None if survey.total else next(iter(survey.apart), None)
    return runnable(f"no memories; 'memoir ls -n {layer}' lists what was ingested") if layer else "no memories"


def _long_lines(address: "Address", record: "Record", checks: Checks) -> Iterator[Line]:
    """A line for each memory at a path: its key, its day, and the beginning of its content."""
    from memoir.memory.facets import with_ids
    from memoir.memory.speaker import said

    for identity, memory in with_ids(record):
        day, text = local(memory.timestamp)[:10], one_line(said(memory.content, memory.metadata))
        key = address.short_key + (f"#{identity}" if identity else "")
        mark = "" if memory.active else f"  ({memory.status})"
        yield line((key, "bold cyan"), (f"  {day}", "dim"), f"  {text}", (mark, "yellow"), *checks.marks(address))


def _tree_lines(addresses: Iterable["Address"], checks: Checks) -> Iterable[Line]:
    """Paths as a tree with a branch for each segment."""
    from io import StringIO

    from rich.console import Console
    from rich.tree import Tree

    roots: dict[str, Tree] = {}
    nodes: dict[tuple[str, ...], Tree] = {}
    for address in addresses:
        node = roots.setdefault(address.namespace, Tree(address.namespace))
        segments = address.path.split(".")
        for depth, segment in enumerate(segments):
            step = (address.namespace, *segments[: depth + 1])
            if step not in nodes:
                nodes[step] = node.add(segment)
            node = nodes[step]
        if marks := "".join(text for text, _ in checks.marks(address)):
            node.label = f"{node.label}{marks}"
    out = StringIO()
    console = Console(file=out, width=1000, color_system=None, markup=False, emoji=False, highlight=False)
    for root in roots.values():
        console.print(root)
    return [line(text.rstrip()) for text in out.getvalue().splitlines()]


def _stale(is_stale: bool | None) -> "types.Staleness":
    """The field `stale`, which only insights have."""
    return {} if is_stale is None else {"stale": is_stale}


def grep(
    repository: "Reads", pattern: str, fixed: bool = False, ignore_case: bool | None = None, context: int = 0,
    names_only: bool = False, keys: list[str] | None = None, sources: str = "yes", namespace: list[str] | None = None,
    at: str | None = None, *, whole_words: bool = False, person: str | None = None, since: str | None = None,
    until: str | None = None, limit: int | None = None, each: int | None = None,
) -> Answer:  # fmt: skip
    """Find the lines of memories and sources that match a pattern."""
    hits = repository.grep(
        pattern, globs=keys or (), namespaces=namespace or (), fixed=fixed, ignore_case=ignore_case,
        whole_words=whole_words, context=context, person=person, since=since, until=until, sources=sources,
        limit=limit, each=each, at=at,
    )  # fmt: skip
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
        text = f"more lines match; without {' '.join(limits)} all are shown"
        is_cut = hits.has_more and hits.limit is not None  # --each alone cuts by request
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


def summarize(
    repository: "Reads", depth: int | None = None, keys: list[str] | None = None, limit: int | None = None,
    after: str | None = None, namespace: list[str] | None = None, at: str | None = None,
) -> Answer:  # fmt: skip
    """Show what is stored, as counts and keys."""
    survey = repository.summarize(namespace or (), depth=depth, globs=keys or (), limit=limit, after=after, at=at)
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
