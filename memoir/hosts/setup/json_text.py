"""Changes of JSON text that leave every other character as it is.

A host's configuration belongs to its user: values are inserted into the text and cut out of it, and the text is never
written anew. Only strict JSON is read: with comments, or a key that stands twice on the way, nothing is changed.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from memoir.errors import InvalidInput

Step = str | int
Path = Sequence[Step]

_BLANK = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r'[^\s,:\]}{"\[]+')


@dataclass
class JsonNode:
    """A value in a text, from `start` to `end`; each child has its step, and where its key or value begins."""

    start: int
    end: int = 0
    children: list[tuple[Step, int, "JsonNode"]] = field(default_factory=list)


def parse(text: str) -> JsonNode:
    """Find every value of a JSON text.

    Raises:
        InvalidInput: it is not strict JSON, with an object at the top.
    """
    try:
        whole = json.loads(text)
        node = _node(text, _BLANK.match(text).end())  # type: ignore[union-attr]
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"it is not plain JSON: {error}") from error
    if not isinstance(whole, dict):
        raise InvalidInput("it is not a JSON object")
    return node


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
    """Return the value at a path of keys and indexes, or None.

    Raises:
        InvalidInput: a key on the way stands twice, so there is no saying which one counts.
    """
    for step in path:
        matches = [child for name, _, child in node.children if name == step]
        if len(matches) > 1:
            raise InvalidInput(f"the key {step!r} is in it twice")
        if not matches:
            return None
        node = matches[0]
    return node


def insert(text: str, path: Path, value: Any) -> str:
    """Put a value under a new key, or with the last step -1 at the end of a list; what is missing on the way is made.

    Raises:
        InvalidInput: the text is not plain JSON, or something else stands on the way.
    """
    root = parse(text)
    depth = len(path) - 1
    while (parent := find(root, path[:depth])) is None:
        step, depth = path[depth], depth - 1
        value = [value] if step == -1 else {step: value}
    bracket = "[" if path[depth] == -1 else "{"
    if text[parent.start] != bracket:
        raise InvalidInput(f"there is something else where {'.'.join(map(str, path[:depth]))} should be")
    unit = _unit(text, root)
    end_of_line = line_end(text)
    inner = _indent(text, parent.start) + unit
    key = "" if path[depth] == -1 else json.dumps(path[depth], ensure_ascii=False) + ": "
    lines = key + json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", end_of_line + inner)
    if parent.children:
        end = parent.children[-1][2].end
        return f"{text[:end]},{end_of_line}{inner}{lines}{text[end:]}"
    tail = end_of_line + inner.removesuffix(unit) + text[parent.end - 1]
    return f"{text[: parent.start + 1]}{end_of_line}{inner}{lines}{tail}{text[parent.end :]}"


def line_end(text: str) -> str:
    """How the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def remove(text: str, path: Path) -> str:
    """Cut out the value at a path, with its key and its comma; a parent that it leaves empty goes, too.

    Raises:
        InvalidInput: the text is not plain JSON.
    """
    root = parse(text)
    while len(path) > 1 and len((find(root, path[:-1]) or root).children) == 1:
        path = path[:-1]
    parent = find(root, path[:-1])
    if parent is None or find(parent, path[-1:]) is None:
        return text
    number = next(at for at, (step, _, _) in enumerate(parent.children) if step == path[-1])
    if number:
        return text[: parent.children[number - 1][2].end] + text[parent.children[number][2].end :]
    if len(parent.children) > 1:
        return text[: parent.children[0][1]] + text[parent.children[1][1] :]
    return text[: parent.start + 1] + text[parent.end - 1 :]


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line of a position."""
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: JsonNode) -> str:
    """By how much the text indents; two blanks if it does not."""
    if root.children and "\n" in text[root.start : root.children[0][1]]:
        return _indent(text, root.children[0][1]) or "  "
    return "  "
