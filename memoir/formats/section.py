"""The section of a notes file that memoir writes: its form, putting it in place, and reading edits of it back.

    <!-- memoir: memories, written by 'memoir export'; 'memoir import' reads edits back (3f9a1c 77b0e2) -->
    ## Memories

    - `preferences.coding.testing`: Use pytest, not unittest.
    - `people.bob#1a2b3c4d`: Bob is in Busan.
    <!-- memoir: end of memories -->

The codes in the first line are digests of the points as memoir wrote them: a point that has none of them was edited.
All bytes around the section stay as they are, and its lines end as theirs do. The other points of such a file are
memories that somebody else wrote.
"""

import os
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from memoir.errors import Conflict
from memoir.formats.found import Finding, Found, Refused, anonymous
from memoir.formats.markdown import below_title, path_of, points, read_note
from memoir.git.fsync import make_folder, replace
from memoir.git.objects import sha1
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
"""What `memoir setup agents` writes: how to ask memoir, which is no memory."""
_POINT = re.compile(r"- `(?P<key>[^`\s]+)`:[ ]?")
_CODE = 6


class SectionPoint(NamedTuple):
    """A point of the section: its line in the file, the key it is of (None: somebody added it), and its text."""

    line: int
    key: str | None
    text: str

    @property
    def code(self) -> str:
        """The digest that tells whether the point is as memoir wrote it."""
        return sha1(f"{self.key}\n{self.text}".encode(errors="surrogatepass")).hex()[:_CODE]


class Section(NamedTuple):
    """The section of a file: its points, and those that somebody has edited or added since."""

    points: Sequence[SectionPoint]
    edits: Sequence[SectionPoint]


def shown(content: str) -> str:
    """A memory's words as the section has them: no mark of a comment, and no character that nobody would see."""
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
        raise Conflict(f"the section of memories is not whole: {what}", "mend it, or delete it whole")
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
    """A file's text without what memoir has written there, line for line, and the edits of that as memories."""
    section = read_section(text)
    edits = [_found(name, point) for point in section.edits if point.text] if section else []
    rest = _SECTION.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _SETUP.sub(lambda match: "\n" * match[0].count("\n"), rest), edits


def _found(name: str, point: SectionPoint) -> Found:
    where, text = f"{name}:{point.line}", point.text.replace("&lt;!--", "<!--")
    if point.key is None:
        return anonymous(f"{name}#memories", where, text, None, metadata={"source": name})
    return Found(f"{name}#{point.key}", where, text, key=point.key)


def put_section(data: bytes, section: str) -> bytes:
    """A file with the section in the place of its former one, else at its end; every other byte stays."""
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
    """Write a file whole or not at all, through a link if it is one; its permissions stay."""
    target = os.path.realpath(path)
    make_folder(Path(target).parent)
    mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o644
    replace(Path(target), data, mode)


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
