"""A failure for people: the message, what it lists, the hint."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, line, one_line
from memoir.errors import MemoirError

if TYPE_CHECKING:
    from memoir.error_fields import ConflictingPath

_MOST_DAMAGED = 10


def failure_lines(error: MemoirError) -> Iterator[Line]:
    """The lines about an error, for standard error."""
    yield line(("memoir: ", "bold red"), error.message)
    for bad in error.details.get("lines", ()):
        yield line(f"  line {bad['line']}: {bad['message']}")
    for conflict in error.details.get("conflicts", ()):
        yield from _sides(conflict)
    if error.hint:
        yield line(("hint: ", "yellow"), error.hint)


def damage_lines(damage: Mapping[str, str]) -> Iterator[Line]:
    """The lines about damaged records that were left out of an answer."""
    for name, reason in islice(damage.items(), _MOST_DAMAGED):
        yield line(("memoir: ", "bold red"), f"left out: the record at {name} is damaged: {reason}")
    if (more := len(damage) - _MOST_DAMAGED) > 0:
        yield line(f"  and {more:,} more")
    yield line(
        ("hint: ", "yellow"),
        "'memoir fsck' names all; 'memoir restore' brings an older version back, 'memoir forget' removes a record",
    )


def _sides(conflict: "ConflictingPath") -> Iterator[Line]:
    """A path that both sides changed: each memory in conflict as it was before, and on each side."""
    place = f"{conflict['namespace']}:{conflict['key']}"
    for memory in conflict["memories"]:
        yield line((f"  {place}#{memory['id']}", "bold"))
        for side, content in (("base", memory["base"]), ("ours", memory["ours"]), ("theirs", memory["theirs"])):
            nothing = "(none)" if memory["base"] is None else "(removed)"
            yield line((f"    {side}: ", "dim"), nothing if content is None else one_line(content))
