"""Change JSON text and leave every other character as it is.

A host's configuration belongs to its user: values are inserted into the text and cut out of it; the text is never
rewritten. Comments and trailing commas stay where they are. If a key on the path occurs twice, nothing is changed.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from memoir.errors import InvalidInput

Step = str | int
Path = Sequence[Step]

_BLANK = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r'[^\s,:\]}{"\[]+')
_STRING = r'"(?:[^"\\]|\\.)*+"'
_COMMENT = r"//[^\r\n]*|/\*.*?\*/"
_ASIDE = re.compile(
    rf"({_STRING}|[{{[](?:[ \t\r\n]|{_COMMENT})*+,)"  # group 1 stays as it is, even a comma without a member
    rf"|{_COMMENT}|,(?=(?:[ \t\r\n]|{_COMMENT})*+[}}\]])|\A\ufeff",
    re.DOTALL,
)
_KEPT = re.compile(rf"{_STRING}|([ \t\r\n]*(?:{_COMMENT}))", re.DOTALL)
_BESIDE = re.compile(r"(?:[ \t]*,)?((?:[ \t]*/\*[^\r\n]*?\*/)*(?:[ \t]*//[^\r\n]*)?)")


@dataclass
class JsonNode:
    """A value in a text, from `start` to `end`; each child has its step and the position of its key or value."""

    start: int
    end: int = 0
    children: list[tuple[Step, int, "JsonNode"]] = field(default_factory=list)

    @cached_property
    def steps(self) -> dict[Step, list["JsonNode"]]:
        """The children by their steps."""
        steps: dict[Step, list[JsonNode]] = {}
        for step, _, child in self.children:
            steps.setdefault(step, []).append(child)
        return steps


def load(text: str) -> Any:
    """The value of a JSON text, which may have comments and trailing commas."""
    return json.loads(_plain(text))


def _plain(text: str) -> str:
    """Replace comments and trailing commas by blanks, keeping the length."""
    return _ASIDE.sub(lambda aside: aside[1] or re.sub(r"[^\r\n]", " ", aside[0]), text)


def parse(text: str, *, strictly: bool = False) -> JsonNode:
    """Find every value of a JSON text; `strictly`: without comments and trailing commas.

    Raises:
        InvalidInput: it is not such JSON, or not an object.
    """
    text = text if strictly else _plain(text)
    try:
        whole = json.loads(text)
        node = _node(text, _BLANK.match(text).end())  # type: ignore[union-attr]
    except (ValueError, RecursionError) as error:
        if strictly and _is_json(_plain(text)):
            why = "its host may not read it: it has comments, an extra comma or a byte order mark"
            raise InvalidInput(why) from error
        raise InvalidInput(f"it is not plain JSON: {error}") from error
    if not isinstance(whole, dict):
        raise InvalidInput("it is not a JSON object")
    return node


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _node(text: str, at: int) -> JsonNode:
    node = JsonNode(at)
    if text[at] in "{[":
        bracket = "}" if text[at] == "{" else "]"
        at = _skip(text, at + 1)
        while text[at] != bracket:
            at = _skip(text, _child(text, at, node, named=bracket == "}"))
            at = _skip(text, at + 1) if text[at] == "," else at
        node.end = at + 1
    elif text[at] == '"':
        node.end = scanstring(text, at + 1)[1]
    else:
        node.end = _PLAIN.match(text, at).end()  # type: ignore[union-attr]
    return node


def _child(text: str, at: int, parent: JsonNode, *, named: bool) -> int:
    """Read one child of an object or array, and return where it ends."""
    start, step = at, len(parent.children)
    if named:
        step, at = scanstring(text, at + 1)
        at = _skip(text, _skip(text, at) + 1)
    child = _node(text, at)
    parent.children.append((step, start, child))
    return child.end


def _skip(text: str, at: int) -> int:
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]


def find(node: JsonNode, path: Path) -> JsonNode | None:
    """Return the value at a path of keys and indexes, or None."""
    for step in path:
        matches = node.steps.get(step, ())
        if len(matches) > 1:
            raise InvalidInput(f"the key {step!r} is in it twice")
        if not matches:
            return None
        node = matches[0]
    return node


def insert(text: str, path: Path, value: Any) -> str:
    """Put a value under a new key, or with the last step -1 at the end of a list; create missing parents."""
    return put(text, path[:-1], [value] if path[-1] == -1 else {path[-1]: value})


def put(text: str, path: Path, values: dict[Any, Any] | list[Any]) -> str:
    """Put members at the end of the object at a path, or items at the end of the list there; else as `insert`."""
    root = parse(text)
    depth = len(path)
    while (parent := find(root, path[:depth])) is None:
        depth -= 1
        values = {path[depth]: values}
    if text[parent.start] != ("[" if isinstance(values, list) else "{"):
        raise InvalidInput(f"{'.'.join(map(str, path[:depth]))} is of another type than memoir needs")
    unit = _unit(text, root)
    end_of_line = line_end(text)
    inner = _indent(text, parent.start) + unit
    pieces = json.dumps(values, ensure_ascii=False, indent=unit)[2 + len(unit) : -2]  # without the brackets
    lines = pieces.replace("\n" + unit, end_of_line + inner)
    if parent.children:
        end = parent.children[-1][2].end
        beside: Any = _BESIDE.match(text, end)  # a comment on the last member stays with it
        return f"{text[:end]},{beside[1]}{end_of_line}{inner}{lines}{text[beside.end() if beside[1] else end :]}"
    inside = text[parent.start + 1 : parent.end - 1].rstrip()  # comments, if anything
    tail = end_of_line + inner.removesuffix(unit) + text[parent.end - 1]
    return f"{text[: parent.start + 1]}{inside}{end_of_line}{inner}{lines}{tail}{text[parent.end :]}"


def line_end(text: str) -> str:
    """The line end of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def remove(text: str, *paths: Path) -> str:
    """Cut out the values at some paths, with their keys and commas, and parents that become empty.

    Comments stay: they are the user's.
    """
    root = parse(text)
    nodes = {id(node) for path in paths if path and (node := find(root, path)) is not None}
    rest, at = [], 0
    for start, end in _cuts(root, nodes) if nodes else ():
        rest += [text[at:start], _comments(text, start, end)]
        at = end
    return "".join((*rest, text[at:]))


def _comments(text: str, start: int, end: int) -> str:
    """The comments in a part of a text, and a line end if the last of them needs one."""
    comments = [each[1] for each in _KEPT.finditer(text, start, end) if each[1]]
    is_open = bool(comments) and comments[-1].lstrip().startswith("//") and text[end] not in "\r\n"
    return "".join(comments) + line_end(text) * is_open


def _cuts(node: JsonNode, removed: set[int]) -> list[tuple[int, int]]:
    """The ranges to cut out of a value, in order; a value that becomes empty is added to `removed`."""
    inner = [(start, child, _cuts(child, removed)) for _, start, child in node.children]
    gone = [id(child) in removed for _, child, _ in inner]
    if all(gone) and inner:
        removed.add(id(node))
        return [(node.start + 1, node.end - 1)]
    cuts: list[tuple[int, int]] = []
    first = gone.index(False) if inner else 0  # children before it are cut with the commas after them
    if first:
        cuts.append((inner[0][0], inner[first][0]))
    for number in range(first, len(inner)):
        cuts += [(inner[number - 1][1].end, inner[number][1].end)] if gone[number] else inner[number][2]
    return cuts


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line of a position."""
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: JsonNode) -> str:
    """The indent of one level in the text; two blanks if it has none."""
    if root.children and "\n" in text[root.start : root.children[0][1]]:
        return _indent(text, root.children[0][1]) or "  "
    return "  "
