"""The answers of `about`, `stale`, `confirm` and `review`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from memoir.answers.answer import Answer, Line, line, one_line, plural
from memoir.answers.parts import id_field, nothing, target, voucher
from memoir.answers.parts import memory as fields_of
from memoir.answers.write import write
from memoir.errors import ExitCode
from memoir.program import runnable
from memoir.visible import neutralise

if TYPE_CHECKING:
    from memoir.answers.contract import code as types
    from memoir.answers.contract import shapes
    from memoir.types import ChangeReview, CodeMemory, Commit, Difference, Facet, MemoryAddress

_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def about(file: str, found: "Sequence[CodeMemory]") -> Answer:
    """`about`: the memories about a file or a folder, with the states of their code."""
    data: types.About = {"file": file, "memories": [_memory(each) for each in found], "count": len(found)}
    return Answer(
        data, lambda: _lines(found), paged=True, notes=lambda: nothing(found, f"no memory is about {one_line(file)}")
    )


def stale(found: "Sequence[CodeMemory]", *, exit_code: bool) -> Answer:
    """`stale`: the memories whose code has changed or is gone; with `exit_code` the status 1 if there are any."""
    rows: list[types.StaleMemory] = [{**_memory(each), "diffs": list(each.diffs)} for each in found]
    data: types.Stale = {"memories": rows, "count": len(found)}
    status = ExitCode.FAILURE if exit_code and found else ExitCode.OK
    return Answer(data, lambda: _lines(found), status, paged=True, notes=lambda: _end_note(found))


def confirm(addresses: "Sequence[MemoryAddress]", commit: "Commit | None", *, dry_run: bool) -> Answer:
    """`confirm`: the memory that was confirmed, and the commit."""
    return write(addresses, commit, "confirmed", dry_run=dry_run)


def review(found: "ChangeReview", form: str, most: int) -> Answer:
    """`review`: how a change affects memory; as text, or as Markdown of at most `most` characters."""
    from memoir.answers.differences import difference

    pairs = found.disputes
    data: types.Review = {
        "from": id_field(found.old),
        "to": id_field(found.new),
        "since": found.since,
        "changes": [difference(each) for each in found.differences],
        "stale": [_memory(each) for each in found.stale],
        "disputes": [{"newer": target(pair.newer.target), "older": target(pair.older.target)} for pair in pairs],
        "complete": found.complete,
    }
    if form == MARKDOWN:
        return Answer(data, lambda: [line(text) for text in markdown(found, most)])
    return Answer(data, lambda: review_lines(found), paged=True)


def _memory(each: "CodeMemory") -> "types.CodeMemory":
    from memoir.anchors.mark import fields_of_state

    memory, states = each.facet.memory, [cast("shapes.AnchorState", fields_of_state(state)) for state in each.states]
    return {**target(each.facet.target), **fields_of(memory), "about": states}


def _lines(found: "Iterable[CodeMemory]") -> Iterable[Line]:
    from memoir.anchors.mark import note

    for each in found:
        facet = each.facet
        vouched = voucher(facet.address.namespace, facet.memory.metadata)
        yield line((facet.target.short_key, "bold cyan"), vouched, f"  {one_line(facet.memory.content)}")
        yield from (line((f"    {note(state)}", "yellow" if state.is_stale else "dim")) for state in each.states)
        for diff in each.diffs:
            yield from (line((f"    {text}", _DIFF_COLOURS.get(text[:1], ""))) for text in diff.splitlines())


def _end_note(found: "Sequence[CodeMemory]") -> list[Line]:
    if not found:
        return nothing(found, "no memory is about code that has changed")
    what = plural(len(found), "memory", "memories")
    text = f"{what}; 'memoir confirm KEY' says that one still holds, 'memoir edit KEY' changes it"
    return [line((runnable(text), "dim"))]


MARKER = "<!-- memoir review -->"
"""The first line of a review's comment; the next run finds the comment by it."""
MARKDOWN = "markdown"
_LONGEST = 300
"""The most characters that are quoted from a memory."""


def markdown(found: "ChangeReview", most: int) -> list[str]:
    """The comment's lines, with at most `most` characters; the last line counts the omitted ones."""
    lines, left_out, room = [MARKER], 0, most - len(MARKER) - 1
    end = "… and {} more lines; 'memoir review' shows them all."
    room -= len(end) + 10
    for text in _markdown(found):
        if left_out or len(text) + 1 > room:
            left_out += 1
        else:
            lines.append(text)
            room -= len(text) + 1
    return [*lines, *(["", end.format(left_out)] if left_out else [])]


def _markdown(found: "ChangeReview") -> Iterator[str]:
    for title, rows in _parts(found):
        yield from ("", f"### {title}", "")
        yield from (f"- {mark} {code(key)}{f': {code(text)}' if text else ''}" for mark, key, text in rows)


def code(text: str) -> str:
    """A text as inline code of Markdown, so that no markup in it takes effect."""
    flat = neutralise(one_line(text, _LONGEST))
    fence = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    return f"{fence} {flat} {fence}" if flat else "` `"


def review_lines(found: "ChangeReview") -> Iterable[Line]:
    """A review for people."""
    for title, rows in _parts(found):
        yield line((title, "bold"))
        yield from (line(f"  {mark} ", (key, "cyan"), f"  {one_line(text, _LONGEST)}") for mark, key, text in rows)


def _parts(found: "ChangeReview") -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """The parts of a review: a title, and rows of a mark, a key and a text."""
    from memoir.anchors.mark import note

    changes = [(each.operation, each.address.short_key, _content_change(each)) for each in found.differences]
    yield f"Memory: {plural(len(changes), 'change') if changes else 'no changes'}", changes
    stale = [("left behind", each.facet.target.short_key, "; ".join(map(note, each.states))) for each in found.stale]
    if found.since is None:
        yield "Code: not compared", []
    else:
        yield f"Code since {found.since}: {plural(len(stale), 'memory', 'memories')} left behind", stale
    pairs = [
        ("contradiction", f"{one.target.short_key} / {other.target.short_key}", f"{_text(one)} / {_text(other)}")
        for one, other in found.disputes
    ]
    scope = "" if found.complete else ", among the memories that were compared"
    yield f"Contradictions: {len(pairs) or 'none'}{scope}", pairs


def _text(each: "Facet") -> str:
    return one_line(each.memory.content, _LONGEST // 2)


def _content_change(each: "Difference") -> str:
    """The new and the old content of a changed path, as far as they differ."""
    from memoir.records.record import active_facets

    before, now = ([facet.content for facet in active_facets(record or ())] for record in (each.old, each.new))
    old = "; ".join(text for text in before if text not in now)
    new = "; ".join(text for text in now if text not in before)
    return f"{old} → {new}" if old and new else new or old or "; ".join(now)
