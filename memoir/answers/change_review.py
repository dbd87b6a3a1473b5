"""What a change does to memory, for people, and in Markdown for a comment on the change at a code host.

Whatever memories say is shown as code, so that a host runs nothing of it, links nothing and calls nobody: no tag, no
`@name`, no `#12`. Controls and what nobody would see are escapes.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, line, one_line, plural
from memoir.visible import neutralise

if TYPE_CHECKING:
    from memoir.layers.change_review import ChangeReview
    from memoir.memory.active import Facet
    from memoir.memory.revisions import Difference

MARKER = "<!-- memoir review -->"
"""The first line of the comment, by which the next run finds it to update it."""
MARKDOWN = "markdown"
_LONGEST = 300
"""Characters of a memory that are quoted."""


def markdown(found: "ChangeReview", most: int) -> list[str]:
    """The comment: no more characters than `most`; what was left out is counted in its last line."""
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
    """A text as inline code of Markdown: whatever it says stays text."""
    flat = neutralise(one_line(text, _LONGEST))
    fence = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    return f"{fence} {flat} {fence}" if flat else "` `"


def review_lines(found: "ChangeReview") -> Iterable[Line]:
    """The same for people."""
    for title, rows in _parts(found):
        yield line((title, "bold"))
        yield from (line(f"  {mark} ", (key, "cyan"), f"  {one_line(text, _LONGEST)}") for mark, key, text in rows)


def _parts(found: "ChangeReview") -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """The parts of a review: a title, and rows of a mark, a key and a text."""
    from memoir.anchors.mark import note

    changes = [(each.operation, each.address.short_key, _said(each)) for each in found.differences]
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


def _said(each: "Difference") -> str:
    """What a path says now, or said; of one that changed, both."""
    from memoir.records.record import projection

    old, new = (projection(record) if record else "" for record in (each.old, each.new))
    return f"{old} → {new}" if old and new and old != new else new or old
