"""Rules files of coding agents: the headings are paths, and the points below them memories.

AGENTS.md, GEMINI.md, .cursorrules, .cursor/rules/*.mdc, .windsurfrules, .windsurf/rules/*.md,
.github/copilot-instructions.md, .github/instructions/*.md, .clinerules, .continue/rules/*.md, memory-bank/*.md. In
GEMINI.md of the user's own folder, the section of added memories is read like any other.
"""

from collections.abc import Iterator
from posixpath import basename

from memoir.formats.found import Finding, Place, each_file
from memoir.formats.section import read_points

ROOTS = ("AGENTS.md", "AGENT.md", "GEMINI.md", ".cursorrules", ".windsurfrules", ".clinerules", ".goosehints")
_FOLDERS = (
    ".cursor/rules/*.mdc", ".cursor/rules/*.md", ".windsurf/rules/*.md", ".clinerules/*.md", ".continue/rules/*.md",
    ".continue/rules.md", ".github/copilot-instructions.md", ".github/instructions/*.md", "memory-bank/*.md",
)  # fmt: skip


def recognize(place: Place) -> str | None:
    """Why a place has rules files; None if it has none."""
    if not place.is_folder:
        name = place.path.name
        is_rules = name in ROOTS or name.endswith((".mdc", "copilot-instructions.md", ".instructions.md"))
        return f"{name} is the name of a rules file" if is_rules else None
    names = _names(place)
    return f"it has {names[0]}" if names else None


def read(place: Place) -> Iterator[Finding]:
    """The points of all rules files."""
    names = _names(place) if place.is_folder else place.names
    yield from each_file(place, names, lambda name, text: read_points(name, text, base(name), place.time(name)))


def _names(place: Place) -> list[str]:
    globs = [glob for name in (*ROOTS, *_FOLDERS) for glob in (name, f"*/{name}")]
    return place.matching(*globs)


def base(name: str) -> tuple[str, ...]:
    """The first levels of the paths of a file's points; a file on one subject adds a level."""
    is_root = basename(name) in (*ROOTS, "copilot-instructions.md")
    stem = basename(name).partition(".")[0]
    folder = name.rpartition("/")[0].rpartition("/")[2] if is_root else ""
    levels = () if is_root else (stem,)
    is_hidden = folder.startswith(".") or not folder
    return ("project", *(() if is_hidden else (folder,)), *levels)
