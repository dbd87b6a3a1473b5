"""What people see of `grep`: the lines that match, with who says them and when, and those around them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, Span, line, local, plural
from memoir.answers.parts import DAY, key_below, source_line, source_of, stale_marks
from memoir.english.code_text import is_code

if TYPE_CHECKING:
    from memoir.memory.grep import FoundLine, Match
    from memoir.memory.grep import Line as MemoryLine

_LONGEST = 120
"""Characters of a line that people see: those around the first match."""
_BEFORE = 45
"""How many of them are before it."""
_WORD = 30
"""The most characters before them that a cut moves to begin with a word."""
_MOST_FURTHER = 1
"""Lines of a passage that people see after the first."""
_SAME = 40
"""The characters on each side of a match that say the same if they are the same: what is told again is told once."""


def match_lines(matches: "Iterable[Match]") -> Iterator[Line]:
    """Every line once, in order; `--` stands where lines between are left out. A source with several is named once."""
    hits = ((each, hit) for each in matches for hit in each.lines)
    for beginning, group in groupby(hits, key=lambda each: source_of(each[1].target)):
        rest = iter(group)
        first = list(islice(rest, 1))
        second = list(islice(rest, 1)) if beginning else []
        if second:
            yield source_line(beginning)
        yield from _lines_of_source(chain(first, second, rest), beginning if second else "")


def _lines_of_source(hits: "Iterable[tuple[Match, FoundLine]]", beginning: str) -> Iterator[Line]:
    last, after, target, above, left = -1, list[tuple[int, "MemoryLine"]](), None, "", Counter[str]()
    for match, hit in _without_repeats(hits, left):
        before = enumerate(hit.before, hit.position - len(hit.before))
        around = {at: _around(each) for at, each in (*after, *before) if last < at < hit.position}
        head = f"{local(hit.line.timestamp)[:DAY]} {hit.line.speaker}"
        found = _found(
            hit, match, key_below(hit.target, beginning), "" if head == above else head, again=hit.target == target
        )
        above = head if hit.target.names_passage else ""
        for at, shown in {**around, hit.position: found}.items():
            if 0 <= last < at - 1 and (around or after or hit.after):
                yield line(("--", "cyan"))
            yield shown
            last = at
        after, target = [*enumerate(hit.after, hit.position + 1)], hit.target
    yield from (_around(each) for _, each in after)
    if left:
        counts = ", ".join(f"{plural(count, 'line')} {what}" for what, count in left.items())
        yield line((f"… {counts} (--json has all)", "dim"))


def _without_repeats(
    hits: "Iterable[tuple[Match, FoundLine]]", left: Counter[str]
) -> "Iterator[tuple[Match, FoundLine]]":
    """The lines of one source without what stands above, as code and logs have it in one answer after the other.

    Of a passage two lines come, and lines of code only where no prose matches. `left` counts what is left out; lines
    that are shown with those around them all come.
    """
    above, target, further = set[str](), None, 0
    for match, hit in _prose(hits, left):
        if not hit.target.names_passage or hit.before or hit.after:
            yield match, hit
            continue
        further, target = (further + 1 if hit.target == target else 0), hit.target
        start, end = hit.spans[0]
        if (words := hit.line.text[max(start - _SAME, 0) : end + _SAME].strip()) in above:
            left["as one above"] += 1
        elif further > _MOST_FURTHER:
            left["in passages above"] += 1
        else:
            above.add(words)
            yield match, hit


def _prose(hits: "Iterable[tuple[Match, FoundLine]]", left: Counter[str]) -> "Iterator[tuple[Match, FoundLine]]":
    """The lines without those of code, if others match; these are counted."""
    code = list[tuple["Match", "FoundLine"]]()
    has_prose = False
    for match, hit in hits:
        if hit.target.names_passage and not (hit.before or hit.after) and is_code(hit.line.text):
            code.append((match, hit))
            continue
        has_prose = True
        yield match, hit
    if has_prose and code:
        left["of code"] += len(code)
    else:
        yield from code


def _found(hit: "FoundLine", match: "Match", key: str, head: str, *, again: bool) -> Line:
    """A line that matches; `again` says that the one before was of the same passage, so that a key need not follow.

    Without a `head` it is of the day of the line above, and the same person says it.
    """
    if again and hit.target.names_passage and not (hit.before or hit.after):
        return line("    ", *_highlight(hit, named=False))
    day = (f" {local(hit.line.timestamp)[:DAY]}" if head else "", "dim")
    return [(key, "magenta"), *stale_marks(match.stale), day, (": ", "cyan"), *_highlight(hit, named=bool(head))]


def _around(of: "MemoryLine") -> Line:
    said = of.said
    return line("    ", (said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…", "dim"))


def _highlight(hit: "FoundLine", *, named: bool = True) -> Iterable[Span]:
    """Who says a line, if that is wanted, and the line with the matches marked, cut around the first if it is long."""
    text, who = hit.line.text, f"{hit.line.speaker}: " if hit.line.speaker else ""
    first = len(who) if text.startswith(who) else 0
    at, end = first, len(text)
    if end - first > _LONGEST:
        start = max(first, min(hit.spans[0][0] - _BEFORE, end - _LONGEST))
        at = max(text.rfind(" ", max(start - _WORD, 0), start) + 1 or start, first)
        end = at + _LONGEST
    yield who * named + "…" * (at > first), ""
    for start, stop in hit.spans:
        if at <= start < end:
            yield text[at:start], ""
            yield text[start : min(stop, end)], "bold red"
            at = stop
    yield text[at:end] + "…" * (end < len(text)), ""
