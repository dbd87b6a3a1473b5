"""Export memories to other tools: into a section of a notes file, or a folder of notes, that is replaced each time.

Edits made there are never overwritten before they are in the store: import them first. Memories that were imported from
the tool itself are not exported to it.
"""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.formats.found import Found, Place
from memoir.formats.kinds import TARGETS
from memoir.formats.matching import Origin, origin_of
from memoir.formats.section import (
    format_note,
    format_point,
    format_section,
    put_section,
    read_section,
    shown,
    write_notes,
    write_whole,
)
from memoir.memory.facets import with_ids
from memoir.memory.layer_namespaces import memories_of
from memoir.memory.read import key_range, require_prefix, scan, select_namespaces
from memoir.records.metadata import PIN, has_expired
from memoir.records.record import Memory
from memoir.store.locate import DIRECTORY
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, MemoryAddress, check_path
from memoir.times import now

if TYPE_CHECKING:
    from memoir.formats.bring import ForeignImport

CLAUDE_CODE, CLAUDE_MD, AGENTS_MD, OBSIDIAN = TARGETS
_FILES = {CLAUDE_CODE: "MEMORY.md", CLAUDE_MD: "CLAUDE.md", AGENTS_MD: "AGENTS.md"}
_MOST = {CLAUDE_CODE: 12_000}
"""The default limit of a section's characters: Claude Code reads 25 KB of MEMORY.md at every start."""


class GivenBack(NamedTuple):
    """The result of an export to another tool."""

    kind: str
    """The kind of tool."""
    path: Path
    """The file, or the folder of notes."""
    memories: int
    """How many memories are there now."""
    left_out: int
    """How many did not fit."""
    changed: int
    """How many files changed."""


class _Choice(NamedTuple):
    """A memory that may be exported, and its address."""

    target: MemoryAddress
    memory: Memory


def give(
    store: Store,
    snapshot: Snapshot,
    kind: str,
    path: str | os.PathLike[str] | None = None,
    *,
    prefix: str = "",
    max_chars: int | None = None,
    namespaces: Sequence[str] = (),
    force: bool = False,
) -> GivenBack:
    """Write memories for another tool; see `Repository.export_to`."""
    if kind not in TARGETS:
        raise InvalidInput(f"no kind named {kind!r} to export to", f"there are: {', '.join(TARGETS)}")
    prefix = prefix and check_path(prefix)
    place = _target_path(store, kind, path)
    names = list(memories_of(snapshot, select_namespaces(snapshot, namespaces or _default_namespace(snapshot))))
    if prefix:
        require_prefix(snapshot, names, prefix)
    choices, said = list[_Choice](), set[str]()
    for address, record in scan(snapshot, names):
        said.update(_flat(memory.content) for memory in record)
        if not prefix or address.is_under(address._replace(path=prefix)):
            pairs = [(identity, memory) for identity, memory in with_ids(record) if memory.active]
            choices += [_Choice(MemoryAddress(address, identity), memory) for identity, memory in pairs]
    wanted = [each for each in choices if not _is_theirs(origin_of(each.memory), kind)]
    wanted = [each for each in wanted if not has_expired(each.memory.metadata, now())]
    most = max_chars if max_chars is not None else _MOST.get(kind)
    kept = _within(wanted, most, kind)
    if kind == OBSIDIAN:
        changed = write_notes(
            place, dict(format_note(*each) for each in kept), lambda edit: _check_overwrite(edit, said, force)
        )
    else:
        changed = _write_section(place, kept, len(wanted) - len(kept), lambda edit: _check_overwrite(edit, said, force))
    return GivenBack(kind, place, len(kept), len(wanted) - len(kept), changed)


def _default_namespace(snapshot: Snapshot) -> list[str]:
    low, high = key_range(DEFAULT_NAMESPACE)
    return [DEFAULT_NAMESPACE] if snapshot.tree.count(low, high) else []


def _is_theirs(origin: Origin | None, kind: str) -> bool:
    """Whether the tool has the memory itself, outside of memoir's section or notes."""
    if origin is None or "#memories#" in origin.id:
        return False
    if kind in (CLAUDE_CODE, CLAUDE_MD):
        return origin.kind == CLAUDE_CODE and origin.id.startswith("memory/") == (kind == CLAUDE_CODE)
    return origin.kind == kind


def _within(choices: Sequence[_Choice], most: int | None, kind: str) -> list[_Choice]:
    """The memories that fit, pinned ones first, then the newest, sorted by address. None is cut."""
    if most is None:
        return sorted(choices)
    room = most - (len(format_section([])) if kind != OBSIDIAN else 0) - _NOTE
    kept = []
    for each in sorted(choices, key=_rank):
        size = len(format_point(each.target.short_key, each.memory.content)) + _CODE
        if size <= room:
            room -= size
            kept.append(each)
    return sorted(kept)


def _rank(choice: _Choice) -> tuple[bool, float]:
    memory = choice.memory
    return memory.metadata.get(PIN) is not True, -memory.instant.timestamp()


_NOTE, _CODE = 80, 8
"""The characters of the note on omitted memories, and of a code with the line break of its point."""


def _target_path(store: Store, kind: str, path: str | os.PathLike[str] | None) -> Path:
    """The file or folder to write to."""
    name = _FILES.get(kind)
    if path is not None:
        chosen = Path(os.path.abspath(path))
        if name and chosen.is_dir():
            return chosen / name
        return chosen / "memoir" if kind == OBSIDIAN and (chosen / ".obsidian").is_dir() else chosen
    if name is None or store.git_dir.name != DIRECTORY:
        raise InvalidInput(f"the place to export to is unknown for {kind}", "name the file or folder with -o")
    project = store.git_dir.parent
    if kind == CLAUDE_CODE:
        from memoir.formats.readers.claude_code import memory_folder

        return memory_folder(project) / name
    if not Path(os.path.realpath(project / name)).is_relative_to(os.path.realpath(project)):
        raise InvalidInput(f"{name} is a link that leads out of the project", "name the file with -o to follow it")
    return project / name


def _write_section(path: Path, choices: Sequence[_Choice], left_out: int, check: Callable[[Found], None]) -> int:
    before = path.read_bytes() if path.exists() else b""
    section = read_section(before.decode("utf-8", "surrogateescape"))
    for point in section.edits if section else ():
        check(Found(point.code, f"{path.name}:{point.line}", point.text))
    note = f"_{left_out:,} more: `memoir summarize` lists them, `memoir recall` finds them._" if left_out else ""
    text = format_section([(each.target.short_key, each.memory.content) for each in choices], note)
    after = put_section(before, text)
    if after != before:
        write_whole(str(path), after)
    return int(after != before)


def _check_overwrite(edit: Found, said: Collection[str], force: bool) -> None:
    """Refuse to overwrite an edit, unless the store has it or `force` is given."""
    if not force and _flat(edit.content or "") not in said:
        raise Conflict(
            f"{edit.where} was edited, and the store does not have that yet",
            "'memoir import --from' the same kind brings it in; --force drops it",
        )


def _flat(text: str) -> str:
    return " ".join(shown(text).replace("&lt;!--", "<!--").split())


def keep_in_step(store: Store) -> Iterator["ForeignImport | GivenBack"]:
    """Import Claude Code's new notes, then export the memories to it; yields both results.

    Nothing happens for a store without a project, or if Claude Code has no memory folder for the project yet.
    """
    from memoir.formats.bring import bring
    from memoir.formats.readers.claude_code import memory_folder

    if store.git_dir.name != DIRECTORY:
        return
    folder = memory_folder(store.git_dir.parent)
    if folder.is_dir():
        if any(folder.glob("*.md")):
            yield bring(store, Place(folder), CLAUDE_CODE)
        yield give(store, store.head(), CLAUDE_CODE)
