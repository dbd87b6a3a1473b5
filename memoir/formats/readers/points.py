"""The points of a notes file as memories, and what memoir itself has written into such a file."""

from collections.abc import Iterator
from datetime import datetime

from memoir.formats.found import Finding, Refused, anonymous
from memoir.formats.markdown import below_title, path_of, points, read_note
from memoir.formats.section import take_apart


def read_points(
    name: str, text: str, base: tuple[str, ...], time: datetime | None, group: str | None = None
) -> Iterator[Finding]:
    """The memories of a notes file.

    Args:
        name: The file's name, for people.
        text: Its text.
        base: The levels that paths begin with.
        time: When it was changed.
        group: What its memories are known by; by default the name.
    """
    text, written = take_apart(name, text)
    yield from written
    note = read_note(text)
    front = {key: note.front[key] for key in ("description", "globs", "alwaysApply", "applyTo") if note.front.get(key)}
    metadata = {"source": name, **({"rule": front} if front else {})}
    found = below_title(points(note.text, note.above))
    for point in found:
        where = f"{name}:{point.line}"
        if "\ufffd" in point.text:
            yield Refused(where, "it is not text in UTF-8")
            continue
        path = path_of(*base, *point.headings) if point.headings or len(base) > 1 else None
        yield anonymous(group or name, where, point.text, path, time=time, metadata=metadata)
