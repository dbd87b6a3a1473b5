"""Notes of Obsidian that memoir writes, a memory each, and reading edits of them back.

The frontmatter has the memory's key and a digest of the words as memoir wrote them: a note with another digest was
edited. A file of the folder, `.memoir-notes`, lists the notes, so that memoir touches no other.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from memoir.errors import Conflict
from memoir.formats.found import Found
from memoir.formats.markdown import Note, read_note
from memoir.formats.section import SectionPoint, shown, write_whole
from memoir.records.record import Memory
from memoir.taxonomy.memory_address import MemoryAddress

LIST = ".memoir-notes"
_KEY, _CODE = "memoir", "memoir_code"


class WrittenNote(NamedTuple):
    """A note as memoir writes it: its name below the folder, and its text."""

    name: str
    text: str


def format_note(target: MemoryAddress, memory: Memory) -> WrittenNote:
    """A memory as a note; its path gives the folders."""
    body, key = shown(memory.content), target.short_key
    folders = target.path.split(".")
    space = "" if target.namespace == "default" else f"{target.namespace.replace(':', '-')}/"
    name = f"{space}{'/'.join(folders)}{f' ({target.id})' if target.id else ''}.md"
    front = [f'{_KEY}: "{key}"', f'{_CODE}: "{_code(key, body)}"', f"created: {memory.timestamp}"]
    return WrittenNote(name, "\n".join(["---", *front, "---", body, ""]))


def read_written(name: str, note: Note) -> Sequence[Found] | None:
    """The edit that a note of memoir holds, none if it is as it was written; None for a note of somebody else's."""
    key, code = note.front.get(_KEY), note.front.get(_CODE)
    if not isinstance(key, str) or not isinstance(code, str):
        return None
    text = note.text.strip()
    if _code(key, text.replace("\r\n", "\n")) == code or not text:
        return []
    return [Found(f"{name}#{key}", name, text.replace("&lt;!--", "<!--"), key=key)]


def _code(key: str, body: str) -> str:
    return SectionPoint(0, key, body.strip()).code


def write_notes(folder: Path, notes: Sequence[WrittenNote], check: Callable[[Found], None]) -> int:
    """Make a folder hold these notes of memoir's, and leave all others in it alone; returns how many files changed.

    `check` is called with each note that somebody has edited, before anything is written, and may refuse.

    Raises:
        Conflict: the folder has files, and memoir has made none of them; or one is in the place of a note.
    """
    earlier = _listed(folder)
    if earlier is None and folder.exists() and any(folder.iterdir()):
        raise Conflict(f"{folder} is not empty, and memoir has not made it", "name a folder of its own with -o")
    old = {name: text for name in earlier or () if (text := _read_own(folder, name)) is not None}
    for name, text in old.items():
        for edit in read_written(name, read_note(text)) or ():
            check(edit)
    new = {note.name: note.text for note in notes}
    for name in new.keys() - old.keys():
        parent = Path(os.path.realpath((folder / name).parent))
        if os.path.lexists(folder / name) or not parent.is_relative_to(os.path.realpath(folder)):
            raise Conflict(f"{folder / name} is there already, and memoir has not written it", "move it elsewhere")
    news = {name: text for name, text in new.items() if old.get(name) != text}
    gone = old.keys() - new.keys()
    if news or gone or earlier is None:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(str(folder / LIST), _as_list(old.keys() | new.keys()))
        for name, text in news.items():
            write_whole(str(folder / name), text.encode())
        for name in gone:
            _remove(folder, name)
        write_whole(str(folder / LIST), _as_list(new.keys()))
    return len(news) + len(gone)


def _as_list(names: Iterable[str]) -> bytes:
    return orjson.dumps(sorted(names), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _listed(folder: Path) -> list[str] | None:
    """The names of the notes that memoir has written into a folder; None if it has written none."""
    try:
        names = orjson.loads((folder / LIST).read_bytes())
    except (OSError, ValueError):
        return None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _read_own(folder: Path, name: str) -> str | None:
    """The text of a note that is in the folder, not behind a link, and memoir's; else None."""
    path, base = folder / name, os.path.realpath(folder)
    if path.suffix != ".md" or path.is_symlink() or not path.is_file():
        return None
    if not Path(os.path.realpath(path)).is_relative_to(base):
        return None
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return text if read_written(name, read_note(text)) is not None else None


def _remove(folder: Path, name: str) -> None:
    """Remove a note, and the folders that are empty without it."""
    (folder / name).unlink(missing_ok=True)
    for parent in (folder / name).parents:
        if parent == folder or any(parent.iterdir()):
            return
        parent.rmdir()
