"""Notes of Obsidian that memoir writes, a memory each, and reading edits of them back.

The frontmatter has the memory's key and a digest of the words as memoir wrote them: a note with another digest was
edited. A file of the folder, `.memoir-notes`, lists the notes, so that memoir touches no other.
"""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.formats.found import Found
from memoir.formats.markdown import Note
from memoir.formats.section import SectionPoint, shown
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
    """The edit that a note of memoir's holds, none if it is as it was written; None for a note of somebody else's."""
    key, code = note.front.get(_KEY), note.front.get(_CODE)
    if not isinstance(key, str) or not isinstance(code, str):
        return None
    text = note.text.strip()
    if _code(key, text.replace("\r\n", "\n")) == code or not text:
        return []
    return [Found(f"{name}#{key}", name, text.replace("&lt;!--", "<!--"), key=key)]


def _code(key: str, body: str) -> str:
    return SectionPoint(0, key, body.strip()).code
