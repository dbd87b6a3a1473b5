"""Markdown notes files: frontmatter, headings, and the points below them, each of which is a memory."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memoir.taxonomy.paths import MAX_SEGMENTS

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_BOLD = re.compile(r"(\*\*)(?P<title>[^*]{1,80})\*\*:?")
"""A line all in bold, which counts as a heading."""
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_RULE = re.compile(r" {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MOST_FRONT = 1 << 16
_LONGEST_SEGMENT = 48
_INNER, _BOLD_LEVEL = 2, 7
"""The least indent of a bullet that belongs to the one above it, and the level of a heading in bold."""


class Note(NamedTuple):
    """A note: its frontmatter, the text after it, and how many lines come before the text."""

    front: Mapping[str, Any]
    text: str
    above: int

    @property
    def above_words(self) -> int:
        """How many lines come before the first non-blank line of the text."""
        return self.above + self.text[: len(self.text) - len(self.text.lstrip())].count("\n")


def read_note(text: str) -> Note:
    """Split a note into frontmatter and text. Frontmatter that is not YAML counts as text."""
    match = re.match(r"---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", text[:_MOST_FRONT], re.DOTALL | re.MULTILINE)
    front = _yaml(match[1]) if match else None
    if match is None or front is None:
        return Note({}, text, 0)
    return Note(front, text[match.end() :], match[0].count("\n"))


def _yaml(text: str) -> dict[str, Any] | None:
    import yaml

    try:
        value = yaml.load(text, Loader=_loader()) if not re.search(r"[&*]\w", text) else None  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        value = None
    if value is None:
        return _plain_fields(text)
    return {str(key): each for key, each in value.items()} if isinstance(value, dict) else None


def _loader() -> Any:
    """A safe YAML loader that keeps every scalar as the string in the file, not as a date or number."""
    import yaml

    return yaml.CBaseLoader if hasattr(yaml, "CBaseLoader") else yaml.BaseLoader


def _plain_fields(text: str) -> dict[str, Any] | None:
    """The fields of lines `name: value`, for values with colons or signs that YAML does not allow."""
    fields = dict(re.findall(r"^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*\r?$", text, re.MULTILINE))
    return fields or None


class Point(NamedTuple):
    """A bullet, a paragraph, or another block of a note: its line from 1, its headings, and its text."""

    line: int
    headings: tuple[str, ...]
    text: str
    is_bullet: bool


def points(text: str, above: int = 0) -> list[Point]:
    """The points of a text; code, and text indented below a bullet, belong to the point before it.

    HTML comments are ignored. `above` is the number of lines before the text.
    """
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    headings: list[tuple[int, str]] = []
    found: list[Point] = []
    for line, block, bullet in _blocks(text.splitlines()):
        heading = None if bullet or "\n" in block else _HEADING.match(block) or _BOLD.fullmatch(block.strip())
        if heading:
            level = _BOLD_LEVEL if heading[1] == "**" else len(heading[1])
            headings = [*((its, title) for its, title in headings if its < level), (level, heading[2])]
        elif _FENCE.match(block) and found and found[-1].headings == tuple(title for _, title in headings):
            found[-1] = found[-1]._replace(text=f"{found[-1].text}\n\n{block.rstrip()}")
        elif block.strip():
            found.append(Point(line + above, tuple(title for _, title in headings), block.strip(), bullet))
    return found


class _Block:
    """The block that is being read: its first line, its lines, whether it is a bullet, and the fence open in it."""

    def __init__(self, line: int = 0, text: str | None = None, *, bullet: bool = False) -> None:
        self.line = line
        self.lines = [] if text is None else [text]
        self.bullet = bullet
        self.fence = ""

    def takes(self, line: str) -> bool:
        """Whether a line belongs to the block."""
        if mark := _FENCE.match(line):
            self.fence = mark[1] if not self.fence else "" if mark[1].startswith(self.fence) else self.fence
            return bool(self.lines)
        if self.fence:
            return True
        if not self.lines or _HEADING.match(line) or _RULE.match(line):
            return False
        if not self.bullet:
            return bool(line.strip()) and not _BULLET.match(line)
        if (bullet := _BULLET.match(line)) and len(bullet[1].expandtabs()) < _INNER:
            return False
        return not line.strip() or line[:1] in (" ", "\t") or bool(self.lines[-1].strip())


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, str, bool]]:
    """The blocks of lines: line from 1, text, and whether it is a bullet."""
    block = _Block()
    for at, line in enumerate(lines, 1):
        if block.takes(line):
            block.lines.append(line)
            continue
        if block.lines:
            yield block.line, "\n".join(block.lines), block.bullet
        fence, block = block.fence, _Block()
        if _HEADING.match(line):
            yield at, line, False
        elif line.strip() and not _RULE.match(line):
            bullet = _BULLET.match(line)
            block = _Block(at, line[bullet.end() :] if bullet else line, bullet=bool(bullet))
            block.fence = fence
    if block.lines:
        yield block.line, "\n".join(block.lines), block.bullet


def segment(title: str) -> str:
    """A segment of a path for a title: its letters and digits in lower case, the rest as underscores."""
    text = unicodedata.normalize("NFC", re.sub(r"\]\([^)]*\)", "]", title).casefold())
    kept = "".join(char if _is_kept(char) else "_" for char in text)
    short = re.sub("_+", "_", kept).strip("_")
    if len(short) > _LONGEST_SEGMENT:
        short = short[:_LONGEST_SEGMENT].rpartition("_")[0] or short[:_LONGEST_SEGMENT]
    return short.strip("_")


def _is_kept(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] == "L" or category == "Nd"


def path_of(*titles: str) -> str:
    """The path made of titles, from the first level down; titles without letters are skipped, the depth is limited."""
    names = [name for title in titles if (name := segment(title))]
    return ".".join([name for name, before in zip(names, ["", *names], strict=False) if name != before][:MAX_SEGMENTS])


def below_title(all_points: Sequence[Point]) -> list[Point]:
    """Remove the title of the file, the one heading that all others are under, from the points."""
    firsts = {point.headings[0] for point in all_points if point.headings}
    if len(firsts) != 1 or not any(len(point.headings) > 1 for point in all_points):
        return list(all_points)
    return [point._replace(headings=point.headings[1:]) for point in all_points]
