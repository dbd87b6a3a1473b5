"""The kinds of tools that memories can be imported from. To add one, write a reader and add a row."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput

if TYPE_CHECKING:
    from memoir.formats.found import Reader
    from memoir.formats.place import Place

AUTO = "auto"
"""The name by which the kind is recognized by its content."""


class Kind(NamedTuple):
    """A kind of tool: its name for `--from`, whose files these are, and what PATH names.

    Its module in `memoir.formats.readers`, named like it, has `read`, and `recognize`, which says what of a place shows
    that it is of this kind, or None.
    """

    name: str
    title: str
    path: str

    @property
    def read(self) -> "Reader":
        """Yields what a place has."""
        reader: Reader = self._module.read
        return reader

    @property
    def recognize(self) -> "Callable[[Place], str | None]":
        """Says why a place is of this kind; None if it is not."""
        recognize: Callable[[Place], str | None] = self._module.recognize
        return recognize

    @property
    def _module(self) -> Any:
        return import_module(f"memoir.formats.readers.{self.name.replace('-', '_')}")


KINDS = {
    kind.name: kind
    for kind in (
        Kind("memoir-ai", "memoir-ai", "the folder of its store"),
        Kind("letta", "Letta: MemFS, or an agent file", "the memory folder of an agent, or a file that ends in .af"),
        Kind("claude-mem", "claude-mem", "its database, the folder with it, or a file of its export"),
        Kind("mem0", "mem0", "its history database, or a file of its export"),
        Kind("beads", "beads", "a project, or a file of its issues"),
        Kind("mcp-memory", "the MCP server of reference, and its forks", "the file of its memory"),
        Kind("chatgpt-export", "ChatGPT", "the zip archive or the folder of an export"),
        Kind("claude-export", "Claude.ai", "the zip archive or the folder of an export"),
        Kind("claude-code", "Claude Code: auto memory and CLAUDE.md", "a project, a memory folder, or a file of them"),
        Kind("obsidian", "Obsidian", "a vault"),
        Kind("basic-memory", "basic-memory", "the folder of a project, or a note"),
        Kind("agents-md", "AGENTS.md, GEMINI.md and other rules files", "a project, or one of the files"),
    )
}
"""In the order in which a place is recognized: the first that fits is taken."""


def choose(name: str, place: "Place") -> tuple[Kind, str | None]:
    """The kind of that name, or for `auto` the one that a place is of, and what shows that.

    Raises:
        InvalidInput: there is no such kind, or the place is of none.
    """
    if name != AUTO:
        if name not in KINDS:
            raise InvalidInput(f"no kind named {name!r}", f"there are: {', '.join((*KINDS, AUTO))}")
        return KINDS[name], None
    for kind in KINDS.values():
        if reason := kind.recognize(place):
            return kind, reason
    raise InvalidInput(
        f"{place.path} is of no kind that memoir recognizes", f"name the kind with --from: {', '.join(KINDS)}"
    )
