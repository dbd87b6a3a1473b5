"""Obsidian: a vault of Markdown notes. A note is a memory; its folders are its path.

Notes that memoir has written into a vault (`memoir export --to obsidian`) return to their original addresses.
"""

import re
from collections.abc import Iterator

from memoir.errors import InvalidInput
from memoir.formats.found import Finding, Found, Place, Refused, as_strings, each_file, known, known_time
from memoir.formats.markdown import path_of, read_note
from memoir.formats.section import read_written

_TAG = re.compile(r"(?<![\w#&/])#([^\W\d][\w/-]*)")
_LINK = re.compile(r"!?\[\[([^\[\]|#]+)")
_TIMES = ("updated", "modified", "created", "date")
_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
"""The day in the name of a daily note."""


def recognize(place: Place) -> str | None:
    """Why a folder is a vault; None if it is not."""
    return "it has .obsidian" if place.has(".obsidian") else None


def read(place: Place) -> Iterator[Finding]:
    """All notes of a vault."""
    hidden = (".obsidian/", ".trash/")
    names = [name for name in place.matching("*.md") if not name.startswith(hidden)]
    yield from each_file(place, names, lambda name, text: _read(place, name, text))
    boards = [name for name in place.matching("*.canvas") if not name.startswith(hidden)]
    yield from (Refused(name, "a canvas is not read: make notes of its cards") for name in boards)


def _read(place: Place, name: str, text: str) -> Iterator[Finding]:
    note = read_note(text)
    if (written := read_written(name, note)) is not None:
        yield from written
        return
    if not note.text.strip():
        if note.front:
            raise InvalidInput("the note has no text")
        return
    time = known_time(*map(note.front.get, _TIMES), *_DAY.findall(name.rpartition("/")[2]))
    said = {"tags", "aliases", *_TIMES}
    tags = [*as_strings(note.front.get("tags")), *_TAG.findall(note.text)]
    metadata = known(
        source=name,
        tags=list(dict.fromkeys(tags)),
        aliases=as_strings(note.front.get("aliases")),
        properties={field: value for field, value in note.front.items() if field not in said and value},
        mentions=list(dict.fromkeys(name.strip() for name in _LINK.findall(note.text))),
    )
    path = path_of(*name.removesuffix(".md").split("/")) or "notes"
    yield Found(name, name, note.text.strip(), path, time or place.time(name), metadata, above=note.above_words)
