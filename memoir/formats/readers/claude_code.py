"""Claude Code: MEMORY.md with its topic files, and CLAUDE.md with what it imports.

Auto memory is in `~/.claude/projects/<folder, other characters than letters and digits as ->/memory`, or in a project's
`.claude/memory`. A topic file is a memory; the type in its frontmatter gives its path. The index in MEMORY.md only
names these files; all other text there is memories as well. The folders of the worktrees of one repository are merged:
if several have a topic file, the newest is active.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

from memoir.errors import InvalidInput, MemoirError
from memoir.formats.found import Finding, Found, Place, Refused, each_file, known_time
from memoir.formats.markdown import path_of, read_note
from memoir.formats.readers import agents_md
from memoir.formats.section import read_points
from memoir.git.git import around
from memoir.git.objects import sha1

INDEX = "MEMORY.md"
_RULES = ("CLAUDE.md", "CLAUDE.local.md", "*/CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/*.md")
_LEVELS = {"user": "profile", "feedback": "preferences", "project": "project", "reference": "knowledge"}
"""The first level of a topic file's path, by its type."""
_ENTRY = re.compile(r"^[ \t]*[-*+][ \t]+\[[^\]]*\]\((?P<file>[^)\s]+\.md)\).*$", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?@(?P<file>[^\s@`]+)[ \t]*$", re.MULTILINE)
_DEPTH = 4
"""How deep imports are followed, as in Claude Code."""


def home() -> Path:
    """The folder of Claude Code."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"))


def memory_folder(project: str | Path) -> Path:
    """Where Claude Code keeps the auto memory of a project."""
    return home() / "projects" / re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(project)) / "memory"


def recognize(place: Place) -> str | None:
    """Why a place has memories of Claude Code; None if it has none."""
    if not place.is_folder:
        name = place.path.name
        return f"{name} is Claude Code's" if name in (INDEX, "CLAUDE.md", "CLAUDE.local.md") else None
    names = (INDEX, f"memory/{INDEX}", f".claude/memory/{INDEX}", "CLAUDE.md", ".claude/CLAUDE.md")
    found = next((name for name in names if place.has(name)), None)
    return f"it has {found}" if found else None


def read(place: Place) -> Iterator[Finding]:
    """The topic files and points of a project, of a memory folder, or of one file."""
    if not place.is_folder and place.path.name != INDEX:
        yield from _read_rules(Place(place.path.absolute().parent), [place.path.name])
        return
    if not place.is_folder:
        yield from _read_memory([Place(place.path.absolute().parent)])
        return
    yield from _read_memory([Place(folder) for folder in _folders(place.path) if folder.is_dir()])
    if not place.has(INDEX):
        yield from _read_rules(place, place.matching(*_RULES))


def _folders(root: Path) -> Iterator[Path]:
    """The root if it is a memory folder; else the memory folders of the project and its worktrees."""
    if (root / INDEX).exists():
        yield root
        return
    yield from (root / "memory", root / ".claude" / "memory")
    yield from (memory_folder(tree) for tree in _worktrees(root))


def _worktrees(root: Path) -> list[str]:
    """The folders of all worktrees, if a folder is the root of a git checkout; else the folder alone."""
    if (root / ".git").exists():
        done = around(root, "worktree", "list", "--porcelain", "-z")
        trees = [os.fsdecode(line[9:]) for line in done.stdout.split(b"\0") if line.startswith(b"worktree ")]
        if not done.returncode and trees:
            return trees
    return [str(root)]


def _read_memory(places: Sequence[Place]) -> Iterator[Finding]:
    topics: dict[str, list[tuple[float, Place]]] = defaultdict(list)
    for place in places:
        for name in place.matching("*.md"):
            time = place.time(name)
            topics[name].append((time.timestamp() if time else 0.0, place))
    for name, versions in topics.items():
        yield from _read_topic(name, [place for _, place in sorted(versions, key=itemgetter(0))[::-1]])


def _read_topic(name: str, places: Sequence[Place]) -> Iterator[Finding]:
    """The memories of a file in each folder with it, newest first; those only in older versions are superseded."""
    seen: set[str] = set()
    for at, place in enumerate(places):
        for found in each_file(place, [name], partial(_of_folder, place)):
            if not isinstance(found, Found) or found.group is not None or found.key is not None:
                yield found
                continue
            digest = sha1(f"{found.content}".encode(errors="surrogatepass")).hex()[:8]
            if digest not in seen:
                yield found._replace(id=f"{found.id}@{digest}", active=False) if at else found
            seen.add(digest)


def _of_folder(place: Place, name: str, text: str) -> Iterator[Finding]:
    """The memories of one file in a memory folder."""
    if name.rpartition("/")[2] == INDEX:
        there = set(place.names)
        kept = _ENTRY.sub(lambda match: "" if match["file"].removeprefix("./") in there else match[0], text)
        yield from read_points(name, kept, ("project",), place.time(name), group=f"memory/{INDEX}")
        return
    note = read_note(text)
    if not note.text.strip():
        raise InvalidInput("it has no text")
    inner = note.front.get("metadata")
    fields = {**(inner if isinstance(inner, dict) else {}), **note.front}
    kind = str(fields.get("type", "")).strip().lower()
    stem = re.sub(rf"^{re.escape(kind)}[_-]", "", name.removesuffix(".md")) if kind else name[:-3]
    said = {field: fields[field] for field in ("name", "description", "type") if isinstance(fields.get(field), str)}
    time = known_time(fields.get("modified"))
    path = path_of(_LEVELS.get(kind, "project"), *stem.split("/"))
    metadata = {"source": f"memory/{name}", **said}
    text, above = note.text.strip(), note.above_words
    yield Found(f"memory/{name}", name, text, path, time or place.time(name), metadata, above=above)


def _read_rules(root: Place, names: Sequence[str]) -> Iterator[Finding]:
    """The points of CLAUDE.md and similar files, and of the files that they import."""
    seen: set[str] = set()
    waiting = [(name, 0) for name in names]
    while waiting:
        name, depth = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        try:
            text = root.text(name)
        except (MemoirError, OSError) as error:
            yield Refused(name, str(error))
            continue
        for match in _IMPORT.finditer(text):
            target = _imported(root, name, match["file"])
            if target is None:
                line = text.count("\n", 0, match.start("file")) + 1
                yield Refused(f"{name}:{line}", f"it imports {match['file']}, which is not a file of this project")
            elif depth < _DEPTH:
                waiting.append((target, depth + 1))
        yield from _points(root, name, _IMPORT.sub("", text))


def _points(root: Place, name: str, text: str) -> Iterator[Finding]:
    try:
        yield from read_points(name, text, _base(root, name), root.time(name))
    except MemoirError as error:
        yield Refused(name, error.message)


def _base(root: Place, name: str) -> tuple[str, ...]:
    """The first levels of the paths of a file's points."""
    if root.path.resolve() == home().resolve():
        return ("preferences",)
    folder, _, file = name.rpartition("/")
    if file in agents_md.ROOTS:  # so that importing by both kinds brings its points only once
        return agents_md.base(name)
    if file.startswith("CLAUDE"):
        return ("project", *(part for part in folder.split("/") if part and part[0] != "."))
    return ("project", file.partition(".")[0])


def _imported(root: Place, name: str, target: str) -> str | None:
    """The name of an imported file; None if it is not in the project, which imports must not leave."""
    here = (root.path / name).parent
    real = Path(os.path.realpath(here / os.path.expanduser(target)))
    base = Path(os.path.realpath(root.path))
    return real.relative_to(base).as_posix() if real.is_file() and real.is_relative_to(base) else None
