"""Write a section of a notes file, or notes of Obsidian, for other tools, and read edits of them back.

    <!-- memoir: memories, written by 'memoir export'; 'memoir import' reads edits back (3f9a1c 77b0e2) -->
    ## Memories

    - `preferences.coding.testing`: Use pytest, not unittest.
    - `people.bob#1a2b3c4d`: Bob is in Busan.
    <!-- memoir: end of memories -->

The codes in the first line are digests of the points as memoir wrote them: a point with none of these digests was
edited. All bytes around the section stay unchanged, and its line ends are like theirs. The other points of such a file
are memories that somebody else wrote.

A note has one memory. Its frontmatter has the key, and a digest of the words as memoir wrote them. The file
`.memoir-notes` of the folder lists the notes, so that memoir touches no other.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import orjson

from memoir.errors import Conflict
from memoir.formats.found import Finding, Found, Refused, anonymous, known_time
from memoir.formats.markdown import Note, below_title, path_of, points, read_note
from memoir.git.fsync import make_folder, replace
from memoir.git.objects import sha1
from memoir.records.record import Memory
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, MemoryAddress
from memoir.visible import neutralise

BEGIN, END = "<!-- memoir: memories", "<!-- memoir: end of memories -->"
HEAD = (
    "## Memories",
    "",
    "Notes of this project's memory, not instructions; `memoir get KEY` shows one with its history.",
    "",
)
_SECTION = re.compile(rf"{BEGIN}(?P<codes>[^\n]*?)-->[ \t]*(?P<body>\r?\n.*?)?{END}[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_SETUP = re.compile(r"<!-- memoir: begin -->.*?<!-- memoir: end -->", re.DOTALL)
"""The block that `memoir setup agents` writes: instructions for memoir, not memories."""
_POINT = re.compile(r"- `(?P<key>[^`\s]+)`:[ ]?")
_CODE = 6


class SectionPoint(NamedTuple):
    """A point of the section: its line in the file, its key (None: somebody added it), and its text."""

    line: int
    key: str | None
    text: str

    @property
    def code(self) -> str:
        """The digest by which an edited point is recognized."""
        return sha1(f"{self.key}\n{self.text}".encode(errors="surrogatepass")).hex()[:_CODE]


class Section(NamedTuple):
    """The section of a file: its points, and those of them that were edited or added since."""

    points: Sequence[SectionPoint]
    edits: Sequence[SectionPoint]


def shown(content: str) -> str:
    """A memory's content as written in the section: without comment marks and invisible characters."""
    lines = (neutralise(line).rstrip() for line in content.strip().replace("\r\n", "\n").split("\n"))
    return "\n".join(lines).replace("<!--", "&lt;!--")


def format_point(key: str, content: str) -> str:
    """A memory as a point; further lines are indented."""
    first, *rest = shown(content).split("\n")
    return "\n".join([f"- `{key}`: {first}", *(f"  {line}" if line else "" for line in rest)])


def format_section(memories: Sequence[tuple[str, str]], note: str = "") -> str:
    """The section of some memories, each a key and its content, without a line break at the end."""
    codes = " ".join(SectionPoint(0, key, shown(content)).code for key, content in memories)
    begin = f"{BEGIN}, written by 'memoir export'; 'memoir import' reads edits back ({codes}) -->"
    points = [format_point(key, content) for key, content in memories]
    return "\n".join([begin, *HEAD, *points, *([note] if note else []), END])


def read_section(text: str) -> Section | None:
    """The section of a file's text; None if it has none.

    Raises:
        Conflict: the section begins and has no end, or there are two.
    """
    matches = list(_SECTION.finditer(text))
    if text.count(BEGIN) != len(matches) or len(matches) > 1:
        what = "there are two" if len(matches) > 1 else f"the line {END!r} is missing"
        raise Conflict(f"the section of memories is not whole: {what}", "repair it, or delete the whole section")
    if not matches:
        return None
    match = matches[0]
    codes = set(re.findall(rf"\b[0-9a-f]{{{_CODE}}}\b", match["codes"]))
    first = text.count("\n", 0, match.start("body")) + 1 if match["body"] else 1
    points = list(_points((match["body"] or "").replace("\r\n", "\n"), first))
    return Section(points, [point for point in points if point.key is None or point.code not in codes])


def _points(body: str, first: int) -> Iterator[SectionPoint]:
    at, key, lines = 0, None, list[str]()
    for number, line in enumerate(body.split("\n"), first):
        match = _POINT.match(line)
        if lines and not match and (line[:2] == "  " or not line.strip()):
            lines.append(line[2:])
            continue
        if lines:
            yield SectionPoint(at, key, "\n".join(lines).strip())
        at, key, lines = number, match["key"] if match else None, []
        if match:
            lines = [line[match.end() :]]
        elif line.strip() and line not in HEAD and not line.startswith("_"):
            lines = [re.sub(r"^[-*+][ \t]+", "", line)]
    if lines:
        yield SectionPoint(at, key, "\n".join(lines).strip())


def take_apart(name: str, text: str) -> tuple[str, list[Found]]:
    """Split a file's text into what memoir did not write, with its line numbers kept, and memoir's memories."""
    section = read_section(text)
    written = [_memory_of(name, point, section.edits) for point in section.points if point.text] if section else []
    rest = _SECTION.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _SETUP.sub(lambda match: "\n" * match[0].count("\n"), rest), written


def _memory_of(name: str, point: SectionPoint, edits: Sequence[SectionPoint]) -> Found:
    where, text = f"{name}:{point.line}", point.text.replace("&lt;!--", "<!--")
    if point.key is None:
        return anonymous(f"{name}#memories", where, text, None, metadata={"source": name})
    return Found(f"{name}#{point.key}", where, text, key=point.key, as_written=point not in edits)


def put_section(data: bytes, section: str) -> bytes:
    """Put the section in place of its former one, else at the end of the file; all other bytes stay."""
    text = data.decode("utf-8", "surrogateescape")
    read_section(text)
    end = "\r\n" if "\r\n" in text and text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = section.replace("\n", end) + end
    if match := _SECTION.search(text):
        tail = lines if match[0].endswith("\n") else lines.removesuffix(end)
        after = text[: match.start()] + tail + text[match.end() :]
    else:
        gap = "" if not text else end if text.endswith("\n") else end * 2
        after = text + gap + lines
    return after.encode("utf-8", "surrogateescape")


def write_whole(path: str, data: bytes) -> None:
    """Write a file atomically, through a link if it is one; its permissions stay."""
    target = os.path.realpath(path)
    make_folder(Path(target).parent)
    mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o644
    replace(Path(target), data, mode)


def read_points(
    name: str, text: str, base: tuple[str, ...], time: datetime | None, group: str | None = None
) -> Iterator[Finding]:
    """The memories in the text of a notes file; `name` is its name for people, `time` when it was changed.

    Their paths begin with the levels of `base`. Their ids begin with `group`, by default the name.
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


LIST = ".memoir-notes"
_KEY, _NOTE_CODE = "memoir", "memoir_code"


def format_note(target: MemoryAddress, memory: Memory) -> tuple[str, str]:
    """The file name (relative to the folder) and the text of a memory's note; its path gives the folders.

    Namespaces and ids are in parentheses, which no segment of a path contains, so that no two notes share a name.
    """
    body, key = shown(memory.content), target.short_key
    folders = target.path.split(".")
    space = "" if target.namespace == DEFAULT_NAMESPACE else f"({target.namespace.replace(':', ' ')})/"
    name = f"{space}{'/'.join(folders)}{f' ({target.id})' if target.id else ''}.md"
    front = [f'{_KEY}: "{key}"', f'{_NOTE_CODE}: "{_note_code(key, body)}"', f"created: {memory.timestamp}"]
    return name, "\n".join(["---", *front, "---", body, ""])


def read_written(name: str, note: Note) -> Sequence[Found] | None:
    """The memory in a note that memoir wrote, none if it is blank; None for a note of somebody else."""
    key, code = note.front.get(_KEY), note.front.get(_NOTE_CODE)
    if not isinstance(key, str) or not isinstance(code, str):
        return None
    text = note.text.strip()
    if not text:
        return []
    as_written = _note_code(key, text.replace("\r\n", "\n")) == code
    time = known_time(note.front.get("created")) if as_written else None
    return [Found(f"{name}#{key}", name, text.replace("&lt;!--", "<!--"), time=time, key=key, as_written=as_written)]


def _note_code(key: str, body: str) -> str:
    return SectionPoint(0, key, body.strip()).code


def write_notes(folder: Path, new: Mapping[str, str], check: Callable[[Found], None]) -> int:
    """Write memoir's notes to a folder and remove its outdated ones, leaving all other files; return how many changed.

    `check` is called with each note that was edited, before anything is written, and may refuse.

    Raises:
        Conflict: the folder has files but none by memoir, or another file is in the place of a note.
    """
    earlier = _read_list(folder)
    if earlier is None and folder.exists() and any(folder.iterdir()):
        raise Conflict(f"{folder} is not empty, and memoir has not made it", "name a folder of its own with -o")
    old = {name: text for name in earlier or () if (text := _read_own(folder, name)) is not None}
    for edit in _edits(old):
        check(edit)
    for name in new.keys() - old.keys():
        parent = Path(os.path.realpath((folder / name).parent))
        if os.path.lexists(folder / name) or not parent.is_relative_to(os.path.realpath(folder)):
            raise Conflict(f"{folder / name} is there already, and memoir has not written it", "move it elsewhere")
    news = {name: text for name, text in new.items() if old.get(name) != text}
    gone = old.keys() - new.keys()
    if news or gone or earlier is None:
        write_whole(str(folder / LIST), _as_list(old.keys() | new.keys()))
        for name, text in news.items():
            write_whole(str(folder / name), text.encode())
        for name in gone:
            _remove(folder, name)
        write_whole(str(folder / LIST), _as_list(new.keys()))
    return len(news) + len(gone)


def _edits(notes: Mapping[str, str]) -> Iterator[Found]:
    """The edited notes among memoir's, given by name and text."""
    written = (read_written(name, read_note(text)) or () for name, text in notes.items())
    return (found for each in written for found in each if not found.as_written)


def _as_list(names: Iterable[str]) -> bytes:
    return orjson.dumps(sorted(names), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _read_list(folder: Path) -> list[str] | None:
    """The names of the notes that memoir has written into a folder; None if there is no list."""
    try:
        names = orjson.loads((folder / LIST).read_bytes())
    except (OSError, ValueError):
        return None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _read_own(folder: Path, name: str) -> str | None:
    """The text of a note if it is memoir's, and in the folder itself, not behind a link; else None."""
    path, base = folder / name, os.path.realpath(folder)
    if path.suffix != ".md" or path.is_symlink() or not path.is_file():
        return None
    if not Path(os.path.realpath(path)).is_relative_to(base):
        return None
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return text if read_written(name, read_note(text)) is not None else None


def _remove(folder: Path, name: str) -> None:
    """Remove a note, and folders that become empty."""
    (folder / name).unlink(missing_ok=True)
    for parent in (folder / name).parents:
        if parent == folder or any(parent.iterdir()):
            return
        parent.rmdir()
