"""The answer of `grep`."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memoir.errors import ExitCode
from memoir.output.answer import Answer, CountingIterator, Line, Span, defer, line, stream
from memoir.output.dates import local
from memoir.output.parts import place
from memoir.output.read import marks, stale_field

if TYPE_CHECKING:
    from memoir.memory import lines
    from memoir.memory.grep import FoundLine, Match
    from memoir.output.contract import read as types

_LONGEST = 300
"""Characters of a line that people see: those around the first match."""
_BEFORE = 100
"""How many of them are before it."""
_DAY = len("2026-01-31")


def grep(hits: "Iterator[Match]", pattern: str, *, names_only: bool) -> Answer:
    """`grep`: the memories that match, with their lines, as they come; exit 1 if none match."""
    matches = CountingIterator(hits)
    data: types.Grep = {
        "pattern": pattern,
        "matches": stream(map(_match, matches)),
        "count": defer(lambda: matches.count),
    }

    def human() -> Iterable[Line]:
        if names_only:
            return (line((match.address.short_key, "magenta"), *marks(match.stale)) for match in matches)
        return _lines(matches)

    def status() -> ExitCode:
        return ExitCode.OK if matches.count or next(matches, None) else ExitCode.FAILURE

    return Answer(data, human, paged=True, optional=True, finish=status)


def _match(match: "Match") -> "types.GrepMatch":
    return {**place(match.address), "lines": [_hit(hit) for hit in match.lines], **stale_field(match.stale)}


def _hit(hit: "FoundLine") -> "types.MatchedLine":
    around: types.LinesAround = {}
    if hit.before or hit.after:
        around = {"before": [_context(each) for each in hit.before], "after": [_context(each) for each in hit.after]}
    return {**_line(hit.line), **around}


def _line(of: "lines.Line") -> "types.GrepLine":
    return {"line": of.number, "text": of.text, "timestamp": of.timestamp, "speaker": of.speaker}


def _context(of: "lines.Line") -> "types.ContextLine":
    return {"full_key": of.address.full_key, **_line(of)}


def _lines(matches: "Iterable[Match]") -> Iterator[Line]:
    """Every line once, in order; `--` stands where lines between are left out."""
    last, after = -1, list[tuple[int, "lines.Line"]]()
    for match, hit in ((each, hit) for each in matches for hit in each.lines):
        before = enumerate(hit.before, hit.position - len(hit.before))
        around = {at: _around(each) for at, each in (*after, *before) if last < at < hit.position}
        for at, shown in {**around, hit.position: _found(hit, match)}.items():
            if 0 <= last < at - 1 and (around or after or hit.after):
                yield line(("--", "cyan"))
            yield shown
            last = at
        after = [*enumerate(hit.after, hit.position + 1)]
    yield from (_around(each) for _, each in after)


def _found(hit: "FoundLine", match: "Match") -> Line:
    day = (f" {local(hit.line.timestamp)[:_DAY]}", "dim")
    return [(match.address.short_key, "magenta"), *marks(match.stale), day, (": ", "cyan"), *_highlight(hit)]


def _around(of: "lines.Line") -> Line:
    said = of.said
    return line("    ", (said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…", "dim"))


def _highlight(hit: "FoundLine") -> Iterable[Span]:
    """Who says a line, and the line with the matches highlighted, cut around the first if it is long."""
    text, at, end = hit.line.text, 0, len(hit.line.text)
    if end > _LONGEST:
        at = text.rfind(" ", 0, max(0, min(hit.spans[0][0] - _BEFORE, end - _LONGEST))) + 1
        end = at + _LONGEST
    yield f"{hit.line.speaker}: …" if at and hit.line.speaker else hit.line.said.removesuffix(text) + "…" * (at > 0), ""
    for start, stop in hit.spans:
        if start < end:
            yield text[at:start], ""
            yield text[start : min(stop, end)], "bold red"
            at = stop
    yield text[at:end] + "…" * (end < len(text)), ""
