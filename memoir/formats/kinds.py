"""The kinds of tools that memories can be imported from, which `docs/import.md` describes."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput

if TYPE_CHECKING:
    from memoir.formats.found import Place, Reader

TARGETS = ("claude-code", "claude-md", "agents-md", "obsidian")
"""The tools that memories can be exported to (`memoir.formats.give`)."""
AUTO = "auto"
"""The name that lets memoir recognize the kind by the content."""


class Kind(NamedTuple):
    """A kind of tool."""

    name: str
    """Its name for `--from`. The module of that name in `memoir.formats.readers` has `read`, and `recognize`, which
    returns why a place is of this kind, or None."""

    @property
    def read(self) -> "Reader":
        """The function that yields the findings in a place."""
        reader: Reader = self._module.read
        return reader

    @property
    def recognize(self) -> "Callable[[Place], str | None]":
        """The function that returns why a place is of this kind, or None."""
        recognize: Callable[[Place], str | None] = self._module.recognize
        return recognize

    @property
    def _module(self) -> Any:
        return import_module(f"memoir.formats.readers.{self.name.replace('-', '_')}")


KINDS = {
    name: Kind(name)
    for name in (
        "memoir-ai",
        "letta",
        "claude-mem",
        "mem0",
        "beads",
        "mcp-memory",
        "chatgpt-export",
        "claude-export",
        "claude-code",
        "obsidian",
        "basic-memory",
        "agents-md",
    )
}
"""The kinds in the order in which they are tried: the first that fits is taken."""
_SAME_KIND = {"claude-md": "claude-code"}
"""Targets whose files are read by a kind of another name."""
_READ_BY = {
    "chatgpt": "chatgpt-export",
    "claude": "claude-code or claude-export",
    **dict.fromkeys(("cline", "copilot", "cursor", "gemini", "windsurf"), "agents-md"),
}
"""Common names of tools, and the kinds that read their memories."""


def choose(name: str, place: "Place") -> tuple[Kind, str | None]:
    """The kind with a name; for `auto` the recognized kind, and how it was recognized."""
    if name != AUTO:
        kind = KINDS.get(_SAME_KIND.get(name, name))
        if kind is None:
            by = _READ_BY.get(name)
            hint = f"--from {by} reads what {name} keeps" if by else f"there are: {', '.join((*KINDS, AUTO))}"
            raise InvalidInput(f"no kind named {name!r}", hint)
        return kind, None
    found = [(kind, reason) for kind in KINDS.values() if (reason := kind.recognize(place))]
    if found:
        (kind, reason), *others = found
        more = ", ".join(f"--from {other.name}" for other, _ in others)
        return kind, f"{reason}; what else is there comes with {more}" if more else reason
    raise InvalidInput(
        f"{place.path} is of no kind that memoir recognizes",
        f"name the kind with --from: {', '.join(KINDS)}; 'memoir import FILE' reads what 'memoir export' wrote, "
        "--from obsidian any folder of Markdown notes, 'memoir ingest FILE' any text",
    )
