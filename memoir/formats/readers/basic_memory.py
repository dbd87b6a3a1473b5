"""basic-memory: Markdown notes with observations and relations.

    - [decision] Ship on Fridays. #release (agreed in May)
    - depends_on [[Build]] (since v2)

An observation is a memory at the note's path and its category; a relation becomes a memory as a sentence. All other
text of a note is read as points, as in any notes file. A task, a link and a time code in brackets are not categories.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from memoir.formats.found import Finding, Found, Place, anonymous, as_strings, each_file, known, known_time
from memoir.formats.markdown import Point, below_title, path_of, points, read_note

_OBSERVATION = re.compile(r"\[(?P<category>[^\[\]()]+)\][ \t]+(?P<text>.+)", re.DOTALL)
_NO_CATEGORY = re.compile(r"[\W_ xX-]?|[\d:.,]+|\W")
_CONTEXT = re.compile(r"\s+\((?P<context>[^()]*)\)\s*$")
_RELATION = re.compile(
    r"(?P<type>\"[^\"\n]+\"|'[^'\n]+'|[\w-]+)?[ \t]*\[\[(?P<target>[^\[\]]+)\]\][ \t]*(?:\((?P<context>[^()]*)\))?\s*"
)
_TAG = re.compile(r"(?<!\S)#([\w/-]+)")


def recognize(place: Place) -> str | None:
    """Why a place has such notes; None if it has none."""
    for name in place.files("*.md")[:50]:
        head = place.head(name).decode("utf-8", "replace")
        if name.endswith(".md") and "permalink" in read_note(head).front:
            return f"{name} has a permalink"
    return None


def read(place: Place) -> Iterator[Finding]:
    """The observations, relations and points of all notes."""
    yield from each_file(place, place.files("*.md"), lambda name, text: _read(place, name, text))


def _read(place: Place, name: str, text: str) -> Iterator[Finding]:
    note = read_note(text)
    title = note.front.get("title")
    title = title if isinstance(title, str) and title.strip() else name.rpartition("/")[2].removesuffix(".md")
    permalink = note.front.get("permalink")
    group = permalink if isinstance(permalink, str) and permalink else name
    tags = as_strings(note.front.get("tags"))
    base = (*name.split("/")[:-1], title)
    time = known_time(note.front.get("modified") or note.front.get("created"))

    found = points(note.text, note.above)
    about = known(note=group, tags=tags, type=note.front.get("type"))
    for point in below_title(found):
        yield _memory(_Its(group, name, title, base, about, time or place.time(name)), point)


class _Its(NamedTuple):
    """The fields that all memories of a note share."""

    group: str
    name: str
    title: str
    base: tuple[str, ...]
    about: dict[str, Any]
    time: datetime | None


def _memory(its: _Its, point: Point) -> Found:
    where, path = f"{its.name}:{point.line}", path_of(*its.base)
    tags = list(dict.fromkeys([*its.about.get("tags", ()), *_TAG.findall(point.text)]))
    text, metadata = point.text, known(tags=tags)
    match = _OBSERVATION.fullmatch(text) if point.is_bullet else None
    relation = _RELATION.fullmatch(text) if point.is_bullet else None
    if match and not _NO_CATEGORY.fullmatch(match["category"].strip()):
        text, context = _without_context(match["text"].strip())
        path = path_of(*its.base, match["category"])
        metadata |= known(category=match["category"], context=context)
    elif relation:
        kind = (relation["type"] or "links_to").strip("\"'")
        text = f"{its.title} {kind.replace('_', ' ')} {relation['target']}."
        metadata |= known(relation=kind, to=relation["target"], context=relation["context"])
    else:
        path = path_of(*its.base, *(heading for heading in point.headings if heading != its.title))
    return anonymous(its.group, where, text, path, time=its.time, metadata={**its.about, **metadata})


def _without_context(text: str) -> tuple[str, str]:
    """Split an observation into its text and the context in parentheses at its end."""
    match = _CONTEXT.search(text)
    rest = text[: match.start()].strip() if match else text
    return (rest, match["context"]) if match and rest else (text, "")
