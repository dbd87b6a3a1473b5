"""The kinds of tools that memories can be imported from. To add one, write a reader and add a row."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput

if TYPE_CHECKING:
    from memoir.formats.found import Place, Reader

TARGETS = ("claude-code", "claude-md", "agents-md", "obsidian")
"""What memories can be exported to (`memoir.formats.give`)."""
AUTO = "auto"
"""The name by which the kind is recognized by its content."""


class Kind(NamedTuple):
    """A kind of tool."""

    name: str
    """Its name for `--from`. The module of that name in `memoir.formats.readers` has `read`, and `recognize`, which
    says what of a place shows that it is of this kind, or None."""
    title: str
    """Whose files these are."""
    path: str
    """What PATH names."""
    result: str
    """What becomes of them."""

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
        Kind(
            "memoir-ai",
            "memoir-ai 0.2",
            "the folder of its store",
            "every memory at its key, with status and time; every commit of the current branch",
        ),
        Kind(
            "letta",
            "Letta",
            "an agent's folder `memory` (MemFS), or an `.af` file",
            "a memory for each file, with its commits; an agent's blocks by headings, its messages as a conversation",
        ),
        Kind(
            "claude-mem",
            "claude-mem",
            "its database, the folder with it, or its JSON export",
            "observations and summaries at `project.NAME`; prompts as conversations",
        ),
        Kind(
            "mem0",
            "mem0",
            "its history database, or its Markdown or JSON export",
            "filed memories; each addition, update and deletion is a commit",
        ),
        Kind(
            "beads",
            "beads",
            "a project, or a file of issues",
            "issues at `project.tasks`, what was remembered at `project.notes`",
        ),
        Kind(
            "mcp-memory",
            "the MCP reference server and its forks",
            "the file of the graph",
            "observations and relations at `entity.TYPE.NAME`",
        ),
        Kind(
            "chatgpt-export",
            "ChatGPT",
            "the zip archive or the folder of an export",
            "memories, filed; the branch of each conversation that was shown last",
        ),
        Kind(
            "claude-export",
            "Claude.ai",
            "the zip archive or the folder of an export",
            "memories at `profile` and `project.NAME`; projects; the newest branch of each conversation",
        ),
        Kind(
            "claude-code",
            "Claude Code",
            "a project, a memory folder, or a file of them",
            "topic files by their type; points of MEMORY.md and CLAUDE.md by heading; worktrees are merged",
        ),
        Kind("obsidian", "Obsidian", "a vault", "a note is a memory, its folders are its path"),
        Kind(
            "basic-memory",
            "basic-memory",
            "the folder of a project, or a note",
            "observations by note and category, relations, and the other points",
        ),
        Kind(
            "agents-md",
            "AGENTS.md, GEMINI.md, .cursorrules, .cursor/rules, copilot-instructions, memory-bank and others",
            "a project, or one of the files",
            "points by heading, at `project`",
        ),
    )
}
"""In the order in which a place is recognized: the first that fits is taken."""
_SAME_KIND = {"claude-md": "claude-code"}
"""Names of targets whose files a kind of another name reads."""


def choose(name: str, place: "Place") -> tuple[Kind, str | None]:
    """The kind of that name, or for `auto` the one that a place is of, and what shows that."""
    if name != AUTO:
        kind = KINDS.get(_SAME_KIND.get(name, name))
        if kind is None:
            raise InvalidInput(f"no kind named {name!r}", f"there are: {', '.join((*KINDS, AUTO))}")
        return kind, None
    for kind in KINDS.values():
        if reason := kind.recognize(place):
            return kind, reason
    raise InvalidInput(
        f"{place.path} is of no kind that memoir recognizes",
        f"name the kind with --from: {', '.join(KINDS)}; 'memoir import FILE' reads what 'memoir export' wrote, "
        "--from obsidian any folder of Markdown notes, 'memoir ingest FILE' any text",
    )
