"""The pieces that memoir adds to a file of a host, removes from it, or shows for adding by hand."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from memoir.errors import Conflict, InvalidInput
from memoir.hosts.setup.json_text import Path, insert, line_end, load, parse, remove

_HOOK = re.compile(r"(?:^|/)memoir'? hook \w")
_SERVER = re.compile(r"(?:^|/)memoir$")


class Piece(Protocol):
    """A part of a file that is memoir's."""

    def add_to(self, text: str) -> str:
        """Return a text, which has no such piece, with the piece.

        Raises:
            InvalidInput: the text cannot be parsed. Conflict: something else is in its place.
        """
        ...

    def remove_from(self, text: str) -> str:
        """Return a text without the piece, in whatever form it was added.

        Raises:
            InvalidInput: the text cannot be parsed.
        """
        ...


class JsonFields(NamedTuple):
    """Fields that a file of JSON needs besides memoir's pieces; they stay unless nothing else is left."""

    fields: dict[str, Any]

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        document = load(text or "{}")
        for name, value in self.fields.items():
            text = text if name in document else insert(text or "{}", (name,), value)
        return text

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        return "" if text.strip() and load(text) == self.fields else text


class Hook(NamedTuple):
    """A handler of one event in a file of JSON: an item of the list at a path."""

    path: Path
    item: Any

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        return insert(text or "{}", (*self.path, -1), self.item)

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        return remove(text, *_hook_paths(load(text))) if text.strip() else text


class Server(NamedTuple):
    """An MCP server in a file of JSON: the member at a path, which ends in its name."""

    path: Path
    value: dict[str, Any]

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        server = _value_at(load(text or "{}"), self.path)
        if server is not None:
            raise Conflict(f"{'.'.join(map(str, self.path))} is there already, and memoir has not written it")
        return insert(text or "{}", self.path, self.value)

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        server = _value_at(load(text), self.path) if text.strip() else None
        return remove(text, self.path) if _is_server(server) else text


class TextBlock(NamedTuple):
    """Lines between two marks, at the end of a text file."""

    body: str
    begin: str = "# memoir: begin (written by 'memoir setup')"
    end: str = "# memoir: end"

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return text + f"{gap}{self.begin}\n{self.body}\n{self.end}\n".replace("\n", line_end(text))

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        begin, end = re.escape(self.begin), re.escape(self.end)
        inside = rf"(?:(?!{begin}).)*?"  # text after a begin mark without an end mark is the user's
        return re.sub(rf"(?:\A|\r?\n)?{begin}\r?\n{inside}{end}(?:\r?\n|\Z)", "", text, count=1, flags=re.DOTALL)


class TomlBlock(NamedTuple):
    """A table at the end of a file of TOML, by its path."""

    path: Path
    body: str

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        if _value_at(_toml(text), self.path) is not None:
            raise Conflict(f"{'.'.join(map(str, self.path))} is there already, and memoir has not written it")
        after = TextBlock(self.body).add_to(text)
        _toml(after)
        return after

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        return TextBlock(self.body).remove_from(text)


class Whole(NamedTuple):
    """A whole file that memoir owns, known by its first line."""

    body: str
    """Its text."""
    command: str | None = None
    """The command that it runs, if any."""
    permissions: int = 0
    """How many of its rules let an agent run commands."""

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        if text:
            raise Conflict("the file is there already, and memoir has not written it")
        return self.body

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        return "" if text.partition("\n")[0] == self.body.partition("\n")[0] else text


class Manual(NamedTuple):
    """A text that memoir only prints, because it cannot change files of this kind without loss."""

    body: str

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        raise InvalidInput("memoir does not write files of this kind")

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        return text


def snippet_of(piece: Piece) -> str:
    """The text of a piece alone, for adding it by hand."""
    return piece.body if isinstance(piece, Whole | Manual) else piece.add_to("").removesuffix("\n")


def add_all(pieces: Sequence[Piece], text: str) -> str:
    """Return a text with some pieces, and without earlier versions of them."""
    text = remove_all(pieces, text)
    for piece in pieces:
        text = piece.add_to(text)
    return text


def remove_all(pieces: Sequence[Piece], text: str) -> str:
    """Return a text without some pieces."""
    if text.strip() and not all(isinstance(piece, TextBlock | TomlBlock | Whole | Manual) for piece in pieces):
        parse(text)
    hooks = [piece for piece in pieces if isinstance(piece, Hook)]  # the first of them finds all
    for piece in reversed(pieces):
        text = text if isinstance(piece, Hook) and piece is not hooks[0] else piece.remove_from(text)
    return text


def renew(text: str, pieces: Sequence[Piece]) -> str:
    """Make the hooks among some pieces memoir's only hooks in a text; those already there stay in place."""
    for piece in pieces:
        if isinstance(piece, Whole) and text and not piece.remove_from(text):
            return piece.body
    hooks = [piece for piece in pieces if isinstance(piece, Hook)]
    if not hooks or not text.strip():
        return text
    parse(text)
    document = load(text)
    there = {path: Hook(path[:-1], _at_steps(document, path)) for path in _hook_paths(document)}
    text = remove(text, *(path for path, hook in there.items() if hook not in hooks))
    for hook in hooks if there else ():
        text = text if hook in there.values() else hook.add_to(text)
    return text


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidInput(f"it is not TOML: {error}") from error


def _value_at(value: Any, path: Path) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _is_server(value: Any) -> bool:
    """Whether an entry starts `memoir mcp`, in the form of any host."""
    command = value.get("command") if isinstance(value, dict) else None
    words = command if isinstance(command, list) else [command, *(value or {}).get("args", [])] if command else []
    return len(words) > 1 and isinstance(words[0], str) and bool(_SERVER.search(words[0])) and words[1] == "mcp"


def _handlers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of the objects in `hooks` that run `memoir hook`."""
    inside = value.get("hooks") if not path and isinstance(value, dict) else value
    path = path or ("hooks",)
    if isinstance(inside, dict) and any(isinstance(each, str) and _HOOK.search(each) for each in inside.values()):
        yield path
    elif isinstance(inside, dict | list):
        for step, each in inside.items() if isinstance(inside, dict) else enumerate(inside):
            yield from _handlers(each, (*path, step))


def _hook_paths(document: Any) -> Iterator[tuple[Any, ...]]:
    """The paths to cut out: memoir's handlers, or their groups if these have no other handlers."""
    groups: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in _handlers(document):
        in_group = len(path) > 4 and path[-2] == "hooks"
        groups.setdefault(path[:-2] if in_group else path, []).append(path)
    for group, paths in groups.items():
        alone = paths != [group] and len(_at_steps(document, group)["hooks"]) == len(paths)
        yield from [group] if alone else paths


def _at_steps(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value
