"""The shapes of `why` and `timeline`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memoir.memory.record import Memory, projection
from memoir.output.answer import Answer, Line, line
from memoir.output.dates import local
from memoir.output.items import nothing, place
from memoir.output.text import one_line

if TYPE_CHECKING:
    from memoir.memory.links import Node
    from memoir.recall.timeline import Moment


def why(root: "Node", depth: int) -> Answer:
    """`why`: the tree of what led to a memory."""
    return Answer({**place(root.address), "depth": depth, "tree": _node(root)}, lambda: _tree(root, "", ""), paged=True)


def _node(node: "Node") -> dict[str, Any]:
    return {
        "edge": node.edge,
        **place(node.address),
        "found": node.record is not None,
        "content": projection(node.record) if node.record else None,
        "again": node.again,
        "cut": node.cut,
        "links": [_node(child) for child in node.links],
    }


def _tree(node: "Node", first: str, rest: str) -> Iterable[Line]:
    edge = f"{node.edge.replace('_', ' ')} " if node.edge else ""
    what = one_line(projection(node.record), 80) if node.record else ""
    note = (
        ("  dangling: nothing is there", "red")
        if node.record is None
        else ("  (again)", "dim")
        if node.again
        else ("  (deeper)", "dim")
        if node.cut
        else ("", "")
    )
    yield line(first, (edge, "yellow"), (node.address.short_key, "bold cyan"), note, f"  {what}" if what else "")
    for number, child in enumerate(node.links, 1):
        last = number == len(node.links)
        yield from _tree(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


def timeline(moments: "Sequence[Moment]", degraded: Sequence[str]) -> Answer:
    """`timeline`: memories by time, the newest first."""
    data = {
        "moments": [{**place(moment.address), **moment.memory.as_dict(), "here": moment.here} for moment in moments],
        "count": len(moments),
        "degraded": "; ".join(degraded) or None,
    }
    return Answer(data, lambda: map(_moment, moments), paged=True, notes=lambda: nothing(moments))


def _moment(moment: "Moment") -> Line:
    memory: Memory = moment.memory
    style = "bold cyan" if memory.active else "dim"
    ended = "" if memory.active else "  (superseded)"
    mark = "→ " if moment.here else "  "
    return line(
        (mark, "bold"),
        (local(memory.timestamp), "dim"),
        "  ",
        (moment.address.short_key, style),
        ended,
        "  ",
        one_line(memory.content),
    )
