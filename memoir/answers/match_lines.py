"""The lines of `grep` for people: matches with their day and speaker, and the lines around them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, Span, line, local, plural
from memoir.answers.parts import DAY, key_below, means, source_of, stale_marks
from memoir.english.code_text import is_code
from memoir.english.excerpts import sentence_around

if TYPE_CHECKING:
    from memoir.memory.grep import FoundLine, Match
    from memoir.memory.grep import Line as MemoryLine

_LONGEST = 120
"""The most characters of a line shown whole; a longer one is cut to a sentence for each word that matches."""
_MOST = 480
"""The most characters of these sentences together."""
_SENTENCE = 160
"""The most characters of a sentence shown whole; a longer one is cut to `_LONGEST` around the match."""
_BEFORE = 45
"""How many of these come before the match."""
_WORD = 30
"""The most characters by which a cut moves to the edge of a word."""
_MOST_FURTHER = 1
"""The most further lines of a passage after the first, unless they match new words."""
_SAME = 40
"""The characters on each side of a match to compare: if they are equal, the line is a repeat and is dropped."""


def match_lines(matches: "Iterable[Match]") -> Iterator[Line]:
    """Every line once, in order; `--` marks a gap. Only the first key of a source is shown in full."""
    hits = ((each, hit) for each in matches for hit in each.lines)
    for beginning, group in groupby(hits, key=lambda each: source_of(each[1].target)):
        yield from _lines_of_source(group, beginning)


def _lines_of_source(hits: "Iterable[tuple[Match, FoundLine]]", beginning: str) -> Iterator[Line]:
    last, after, target, above, left = -1, list[tuple[int, "MemoryLine"]](), None, "", Counter[str]()
    known = ""
    for match, hit in _without_repeats(hits, left):
        before = enumerate(hit.before, hit.position - len(hit.before))
        around = {at: _around(each) for at, each in (*after, *before) if last < at < hit.position}
        head = f"{local(hit.line.timestamp)[:DAY]} {hit.line.speaker}"
        key = key_below(hit.target, known)
        found = _match_line(hit, match, key, "" if head == above else head, again=hit.target == target)
        known = beginning
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
    """Drop repeated matches of one source, such as code and logs that are quoted again and again.

    A passage keeps two lines, and more only if they match a word that no earlier line matched. Lines of code are kept
    only if no prose matches. `left` counts the dropped lines. Lines with context are all kept.
    """
    above, matched, target, further = set[str](), set[str](), None, 0
    for match, hit in _prose(hits, left):
        if not hit.target.names_passage or hit.before or hit.after:
            yield match, hit
            continue
        further, target = (further + 1 if hit.target == target else 0), hit.target
        start, end = hit.spans[0]
        words = {hit.line.text[start:end].casefold() for start, end in hit.spans}
        if (around := hit.line.text[max(start - _SAME, 0) : end + _SAME].strip()) in above:
            left["as one above"] += 1
        elif further > _MOST_FURTHER and words <= matched:
            left["in passages above"] += 1
        else:
            above.add(around)
            matched |= words
            yield match, hit


def _prose(hits: "Iterable[tuple[Match, FoundLine]]", left: Counter[str]) -> "Iterator[tuple[Match, FoundLine]]":
    """Drop and count the lines of code, if other lines match."""
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


def _match_line(hit: "FoundLine", match: "Match", key: str, head: str, *, again: bool) -> Line:
    """A line that matches; `again`: the line before is of the same passage, so the key is omitted.

    An empty `head` means that day and speaker are the same as in the line above.
    """
    if again and hit.target.names_passage and not (hit.before or hit.after):
        return line("    ", *_highlight(hit, named=False))
    day = (f" {local(hit.line.timestamp)[:DAY]}" if head else "", "dim")
    return [(key, "magenta"), *stale_marks(match.stale), day, (": ", "cyan"), *_highlight(hit, named=bool(head))]


def _around(of: "MemoryLine") -> Line:
    said = of.said if len(of.said) <= _LONGEST else f"{of.said[: _end_of_word(of.said, _LONGEST)]}…"
    return line("    ", (said, "dim"), means(said, of.timestamp))


def _highlight(hit: "FoundLine", *, named: bool = True) -> Iterable[Span]:
    """The speaker if `named`, and the shown parts of a line with the matches marked."""
    text, who = hit.line.text, f"{hit.line.speaker}: " if hit.line.speaker else ""
    at = hit.line.start
    yield who * named, ""
    parts = _ranges_to_show(text, at, hit.spans)
    for start, end in parts:
        left_out = text[at:start]
        yield "…" if left_out.strip() else left_out, ""
        yield from _marked(text, start, end, hit.spans)
        at = end
    yield "…" * (at < len(text)), ""
    yield means(" ".join(text[start:end] for start, end in parts), hit.line.timestamp)


def _marked(text: str, at: int, end: int, matches: Iterable[tuple[int, int]]) -> Iterator[Span]:
    for start, stop in matches:
        if at <= start < end:
            yield text[at:start], ""
            yield text[start : min(stop, end)], "bold red"
            at = min(stop, end)
    yield text[at:end], ""


def _ranges_to_show(text: str, at: int, matches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges of a line to show, from `at` on: all of it, or a sentence for each word that matches."""
    if len(text) - at <= _LONGEST:
        return [(at, len(text))]
    firsts = {text[start:end].casefold(): max(start, at) for start, end in reversed([*matches])}
    parts, room = list[tuple[int, int]](), _MOST
    for position in sorted(firsts.values()):
        if position < at:
            continue  # already shown
        start, end = _sentence(text, at, position)
        if parts and end - start > room:
            break
        parts.append((start, end))
        at, room = end, room - (end - start)
    return parts


def _sentence(text: str, least: int, position: int) -> tuple[int, int]:
    """The range of the sentence around a position; of a long sentence, only the words near it.

    Only the nearest characters are searched, so that a long line costs no more than a short one.
    """
    begin = max(least, position - _SENTENCE - 1)
    start, end = (begin + each for each in sentence_around(text[begin : position + _SENTENCE + 1], position - begin))
    if end - start > _SENTENCE:
        start = max(start, min(position - _BEFORE, end - _LONGEST))
        start = max(text.rfind(" ", max(start - _WORD, 0), start) + 1 or start, least)
        end = _end_of_word(text, start + _LONGEST)
    return start, end


def _end_of_word(text: str, end: int) -> int:
    """Where the last whole word before a cut ends; the cut itself if the word is too long."""
    space = text.rfind(" ", end - _WORD, end + 1)
    return end if space < 0 or end >= len(text) else space
