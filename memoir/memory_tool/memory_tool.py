"""`MemoryTool`: a store behind Anthropic's memory tool (`memory_20250818`).

    client.beta.messages.tool_runner(tools=[MemoryTool(repository)], …)

A model sees files below `/memories`; each is a memory, and each command that changes something is one commit, for
`memoir undo`, `blame` and `diff`. Several memories at one path read as one text, and an edit makes them one. Answers,
errors and line numbers follow Anthropic's page on the memory tool.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from anthropic.lib.tools import BetaAbstractMemoryTool

from memoir.errors import Conflict, MemoirError, NotFound
from memoir.memory.layer_namespaces import memories_of
from memoir.memory_tool.file_paths import MemoryFolder, ToolFailure, file_of, file_path, no_such_path, read_path
from memoir.records.metadata import OF_THE_WORDS
from memoir.records.origins import AGENT
from memoir.records.record import Memory, Record, active_facets, projection, without
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818Command,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

_LEVELS = 2
_TITLE = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:"
_STEP = 1024


def listing(folder: MemoryFolder, sizes: Mapping[Address, int]) -> str:
    """List a folder, two levels deep, with the total size of each folder; `sizes` are the bytes of the memories."""
    head = folder.path
    totals: dict[str, int] = {head: 0}
    for address, size in sizes.items():
        for name in _levels(head, file_of(address)):
            totals[name] = totals.get(name, 0) + size
    lines = [f"{_format_size(totals[name])}\t{name}" for name in sorted(totals)]
    return f"{_TITLE.format(head)}\n{cut(lines, 'view a folder among these')}"


def _levels(head: str, path: str) -> Iterable[str]:
    """The folder itself, and the listed files and folders on the way to a file."""
    yield head
    names = path.removeprefix(head + "/").split("/")
    for depth in range(1, min(len(names), _LEVELS) + 1):
        yield "/".join([head, *names[:depth]]) + ("/" if depth < len(names) else "")


def _format_size(size: float) -> str:
    """A size in the best unit of B, K, M and G, by powers of 1,024."""
    for unit in "BKM":
        if size < _STEP:
            return f"{size:.1f}".removesuffix(".0") + unit
        size /= _STEP
    return f"{size:.1f}".removesuffix(".0") + "G"


_FIELDS: Mapping[str, Mapping[str, type]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}
"""The fields that each command needs; the SDK does not check what a model writes."""


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool on a store. A command that fails raises `ToolFailure` with the answer."""

    def __init__(
        self, repository: Repository, *, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.repository = repository.by(AGENT)
        """The store; its writes have the origin `agent`, whoever opened it."""

    def execute(self, command: "BetaMemoryTool20250818Command") -> str:
        """Execute a command and return its answer."""
        _check_fields(command)
        try:
            return str(super().execute(command))
        except MemoirError as error:
            raise ToolFailure(f"Error: {error.message}" + (f" ({error.hint})" if error.hint else "")) from error

    def view(self, command: "BetaMemoryTool20250818ViewCommand") -> str:
        """List a folder, or show a file with line numbers."""
        place = read_path(command.path)
        if isinstance(place, Address):
            if (record := self.repository.get(place.full_key)) is None:
                raise no_such_path(command.path)
            return number_lines(command.path, projection(record), command.view_range)
        places = self._files(place)
        if not places and place != MemoryFolder():
            raise no_such_path(command.path)
        items = self.repository.get_many([each.full_key for each in places])
        return listing(place, {item.address: len(projection(item.record or ()).encode()) for item in items})

    def create(self, command: "BetaMemoryTool20250818CreateCommand") -> str:
        """Store a new memory."""
        address = file_path(command.path)
        try:
            done = self.repository.remember(Memory.of(command.file_text), address.full_key, policy="reject")
        except Conflict as error:
            raise ToolFailure(f"Error: File {command.path} already exists") from error
        return f"File created successfully at: {command.path}{_offer(address, done.named)}"

    def str_replace(self, command: "BetaMemoryTool20250818StrReplaceCommand") -> str:
        """Replace a text that occurs once in the file."""
        old, new = command.old_str, getattr(command, "new_str", None) or ""
        line = 0

        def change(before: str) -> str:
            nonlocal line
            line = only_line(before, old, command.path)
            return before.replace(old, new)

        after = self._edit(command.path, change)
        return f"{EDIT_HEADING}\n{around(after, line)}"

    def insert(self, command: "BetaMemoryTool20250818InsertCommand") -> str:
        """Insert lines after a line, or with 0 at the beginning."""
        self._edit(command.path, lambda before: insert(before, command.insert_line, command.insert_text))
        return f"The file {command.path} has been edited."

    def delete(self, command: "BetaMemoryTool20250818DeleteCommand") -> str:
        """Forget a memory, or all that are in a folder; history keeps them."""
        place = read_path(command.path)
        if place == MemoryFolder():
            raise ToolFailure("Cannot delete the /memories directory itself")
        places = self._files(place) if isinstance(place, MemoryFolder) else [place]
        absence = ToolFailure(f"The path {command.path} does not exist")
        if not places:
            raise absence
        try:
            self.repository.forget(*(each.full_key for each in places))
        except NotFound as error:
            raise absence from error
        return f"Successfully deleted {command.path}"

    def rename(self, command: "BetaMemoryTool20250818RenameCommand") -> str:
        """Move a memory, or all that are in a folder."""
        old, new = read_path(command.old_path), read_path(command.new_path)
        if MemoryFolder() in (old, new):
            raise ToolFailure("Cannot rename the /memories directory itself")
        if isinstance(old, MemoryFolder) is not isinstance(new, MemoryFolder):
            raise ToolFailure(f"Cannot rename {command.old_path} to {command.new_path}: one is a file, one a folder")
        if self._exists(new):
            raise ToolFailure(f"The destination {command.new_path} already exists")
        if not self._exists(old):
            raise ToolFailure(f"The path {command.old_path} does not exist")
        self._move(old, new)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Forget every memory in one commit, which `memoir undo` takes back."""
        if addresses := self._files(MemoryFolder()):
            self.repository.forget(*[address.full_key for address in addresses])
        return "All memory cleared"

    def _move(self, old: MemoryFolder | Address, new: MemoryFolder | Address) -> None:
        """Move a file or a folder."""
        if isinstance(old, Address) and isinstance(new, Address):
            self.repository.move(old.full_key, new.full_key)
            return
        assert isinstance(old, MemoryFolder) and isinstance(new, MemoryFolder)
        if old.prefix is None or new.prefix is None:
            raise ToolFailure(f"Cannot rename {old.path} or {new.path}: it is a namespace; rename what is in it")
        at = Address(str(old.namespace), old.prefix)
        if self._exists(at):
            raise ToolFailure(f"Cannot rename {old.path} while there is a file of the same name; rename that first")
        self.repository.move(at.full_key, Address(str(new.namespace), new.prefix).full_key, prefix=True)

    def _exists(self, place: MemoryFolder | Address) -> bool:
        if isinstance(place, MemoryFolder):
            return bool(self._files(place))
        return self.repository.get(place.full_key) is not None

    def _files(self, folder: MemoryFolder) -> list[Address]:
        """The memories of a folder, in the order of their addresses, without reserved namespaces."""
        snapshot = self.repository.store.at(None)
        names = set(memories_of(snapshot, self.repository.summarize(at=None).namespaces))
        prefix = f"{folder.namespace}:{folder.prefix}" if folder.prefix else None
        if folder.namespace is not None and folder.namespace not in names:
            return []
        namespaces = [folder.namespace] if folder.namespace else []
        try:
            addresses = list(self.repository.keys(namespaces=namespaces, prefix=prefix))
        except NotFound:
            return []
        return [address for address in addresses if address.namespace in names and folder.holds(address)]

    def _edit(self, path: str, change: Callable[[str], str]) -> str:
        """Replace the text of a file, and return the new one."""
        address, after = file_path(path), ""

        def revise(record: Record) -> Record:
            nonlocal after
            after = change(projection(record))
            active = active_facets(record)
            metadata = without(active[-1].metadata, OF_THE_WORDS)
            confidence = max(facet.confidence for facet in active)
            rest = tuple(facet for facet in record if facet not in active)
            return (*rest, Memory.of(after, confidence=confidence, metadata=metadata))

        try:
            self.repository.edit(address.full_key, revise)
        except NotFound as error:
            raise no_such_path(path) from error
        return after


def _offer(address: Address, files: Sequence[str]) -> str:
    """The command that ties a new memory to the code that it names, for the person who reviews the agent's memories."""
    if not files:
        return ""
    tie = shlex.join(("memoir", "edit", address.short_key, "--about", "auto"))
    return f"\nIt names {', '.join(files)}: in a shell, `{tie}` ties it to that code."


def _check_fields(command: object) -> None:
    """Refuse a command that is unknown, or lacks a field."""
    name = str(getattr(command, "command", None))
    if name not in _FIELDS:
        raise ToolFailure(f"Error: there is no command {name!r}; there are {', '.join(_FIELDS)}")
    for field, kind in _FIELDS[name].items():
        if not isinstance(getattr(command, field, None), kind):
            raise ToolFailure(f"Error: the command {name!r} needs the field {field!r}, of the type {kind.__name__}")


EDIT_HEADING = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
MAX_LINES = 999_999
MAX_CHARACTERS = 16_000
"""The most lines and characters shown at once, as in the tool's own description."""
_WIDTH = 6
_AROUND = 2
_NAMED = 5
"""The most lines that are named if a text occurs several times."""
_LONGEST_QUOTE = 1_000


def number_lines(path: str, content: str, view_range: Sequence[int] | None = None) -> str:
    """Show a file, or the lines from the first to the last of a range (-1: to the end)."""
    lines = content.split("\n")
    if len(lines) > MAX_LINES:
        raise ToolFailure(f"File {path} exceeds maximum line limit of {MAX_LINES:,} lines.")
    first, last = _bounds(view_range, len(lines)) if view_range else (1, len(lines))
    rows = _numbers(lines[first - 1 : last], first)
    return f"Here's the content of {path} with line numbers:\n{cut(rows)}"


def _bounds(view_range: Sequence[int], count: int) -> tuple[int, int]:
    """Return the first and the last line of a range."""
    if len(view_range) == 2 and all(type(number) is int for number in view_range):
        first, last = view_range[0], count if view_range[1] == -1 else min(view_range[1], count)
        if 1 <= first <= last:
            return first, last
    raise ToolFailure(
        f"Invalid `view_range` parameter: {list(view_range)}. It should be within the range [1, {count}]."
    )


def _numbers(lines: Iterable[str], first: int) -> list[str]:
    return [f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first)]


def cut(lines: Sequence[str], how: str = "view them with view_range") -> str:
    """The lines that fit, at least the first, and how to see the rest."""
    rows: list[str] = []
    room = MAX_CHARACTERS
    for line in lines:
        room -= len(line) + 1
        if room < 0 and rows:
            rest = len(lines) - len(rows)
            rows.append(f"[{rest:,} more {'line' if rest == 1 else 'lines'}: {how}]")
            break
        rows.append(line[:MAX_CHARACTERS])
    return "\n".join(rows)


def only_line(content: str, old: str, path: str) -> int:
    """Return the line in which a text begins that must occur exactly once in the content."""
    quoted = old if len(old) <= _LONGEST_QUOTE else f"{old[:_LONGEST_QUOTE]}…"
    if not old or old not in content:
        raise ToolFailure(f"No replacement was performed, old_str `{quoted}` did not appear verbatim in {path}.")
    lines = list(islice(_lines_of(content, old), _NAMED))
    if len(lines) > 1:
        more = content.count(old) - len(lines)
        raise ToolFailure(
            f"No replacement was performed. Multiple occurrences of old_str `{quoted}` in lines: "
            f"{', '.join(map(str, lines))}{f' and {more:,} more' if more > 0 else ''}. Please ensure it is unique"
        )
    return lines[0]


def _lines_of(content: str, old: str) -> Iterator[int]:
    """The line numbers of all occurrences of a text, computed in one pass."""
    line, before, at = 1, 0, content.find(old)
    while at >= 0:
        line, before = line + content.count("\n", before, at), at
        yield line
        at = content.find(old, at + 1)


def around(content: str, line: int) -> str:
    """The lines around a line, with their numbers."""
    first = max(line - _AROUND, 1)
    return cut(_numbers(content.split("\n")[first - 1 : line + _AROUND], first))


def insert(content: str, line: int, new: str) -> str:
    """Insert a text after a line; 0 is the beginning."""
    lines = content.removesuffix("\n").split("\n")
    if type(line) is not int or not 0 <= line <= len(lines):
        raise ToolFailure(f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}].")
    end = "\n" if content.endswith("\n") else ""
    return "\n".join([*lines[:line], new.removesuffix("\n"), *lines[line:]]) + end
