"""The kinds of tools that memories can be imported from, which `docs/import.md` describes."""

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
"""In the order in which a place is recognized: the first that fits is taken."""
_SAME_KIND = {"claude-md": "claude-code"}
"""Names of targets whose files a kind of another name reads."""
_READ_BY = {
    "chatgpt": "chatgpt-export",
    "claude": "claude-code or claude-export",
    **dict.fromkeys(("cline", "copilot", "cursor", "gemini", "windsurf"), "agents-md"),
}
"""Names that people give to tools, and the kinds that read what these keep."""


def choose(name: str, place: "Place") -> tuple[Kind, str | None]:
    """The kind of that name, or for `auto` the one that a place is of, and what shows that."""
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
