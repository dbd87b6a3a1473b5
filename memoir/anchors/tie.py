"""Tie memories to code: make anchors from `FILE[:L1[-L2]]`, from a text that names files, or from older anchors."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from memoir.anchors.mark import GONE, Checker
from memoir.anchors.working_tree import MOST_BYTES, TooLarge, WorkingTree
from memoir.errors import InvalidInput, NotFound
from memoir.records.anchor import (
    Anchor,
    CitedLines,
    blob_id,
    is_inside,
    lines_at,
    read_spec,
    split_lines,
    with_anchors,
)
from memoir.records.record import ABOUT, without

AUTO = "auto"
"""The word for the files that the memory's text names."""
_NAMED = re.compile(r"[\w./\\-]*\w\.[A-Za-z]\w{0,9}(?::[0-9]{1,9}(?:-[0-9]{1,9})?)?")
"""A possible file name in a text: it ends in an extension, optionally with line numbers."""
_MOST_NAMED = 5
"""The most files that are taken from one text."""
_LONGEST_TEXT = 10_000
"""How many characters of a text are searched for file names."""


def tie(tree: WorkingTree | None, specs: Sequence[str], text: str = "") -> list[Anchor]:
    """Make anchors from `FILE[:L1[-L2]]`, for the present state of each; `auto` means the files that the text names.

    Names are relative to the current directory, or else to the root of the project; without a project, `tree` is None.

    Raises:
        InvalidInput: there is no project, a file is outside of it or too large, or a line is not there.
        NotFound: there is no such file.
    """
    names = [name for spec in specs for name in (find_named(tree, text) if spec == AUTO else [spec])]
    if specs and tree is None:
        raise InvalidInput("this store lies in no project, so a memory cannot be about a file", "leave out --about")
    if not names or tree is None:
        return []
    commit = tree.head()
    return [_anchor_of(tree, name, commit) for name in dict.fromkeys(names)]


def _anchor_of(tree: WorkingTree, spec: str, commit: str | None) -> Anchor:
    name, span = read_spec(spec)
    if span and locate(tree, spec) and _read(tree, spec) is not None:
        name, span = spec, None  # the file's own name ends like that
    file = locate(tree, name)
    if file is None:
        raise InvalidInput(f"{name} is not a file of the project at {tree.root}", "name a file below it")
    try:
        text = tree.read(file)
    except TooLarge as error:
        most = MOST_BYTES >> 20
        raise InvalidInput(f"{file} is larger than {most} MiB, too large to compare", "name a smaller file") from error
    if text is None:
        raise NotFound(f"there is no file {file} in {tree.root}", "name it from the current directory")
    lines = split_lines(text)
    if span and span[1] > len(lines):
        raise InvalidInput(f"{file} has no line {span[1]}: it has {len(lines)}", f"write --about {file}")
    digits = len(commit) if commit else 40
    return Anchor(file, blob_id(text, digits), commit, _without_credential(lines_at(lines, *span)) if span else None)


def _without_credential(lines: CitedLines) -> CitedLines:
    """Remove the beginning of lines if it looks like a credential."""
    from memoir.secrets.secrets import redact

    return lines if redact(lines.words) == lines.words else lines._replace(words="")


def _read(tree: WorkingTree, name: str) -> bytes | None:
    file = locate(tree, name)
    try:
        return tree.read(file) if file else None
    except TooLarge:
        return b""


def locate(tree: WorkingTree, name: str) -> str | None:
    """The path relative to the project's root of a file named relative to here or to the root; None if outside."""
    root = os.path.realpath(tree.root)
    for base in (os.getcwd(), root) if "\0" not in name else ():
        path = os.path.realpath(os.path.join(base, name))
        file = os.path.relpath(path, root)
        if path != root and is_inside(file) and (os.path.exists(path) or base == root):
            return file
    return None


def require_file(tree: WorkingTree | None, name: str) -> str | None:
    """The path of a file or folder relative to the project's root, None for the root itself; the file may be gone.

    Raises:
        InvalidInput: there is no project, or the file is outside of it.
    """
    file = None if tree is None else locate(tree, name)
    if tree and "\0" not in name and os.path.realpath(name) == os.path.realpath(tree.root):
        return None
    if file is None:
        where = f"the project at {tree.root}" if tree else "a project: this store lies in none"
        raise InvalidInput(f"{name} is not a file of {where}", "name a file below it")
    return file


def find_named(tree: WorkingTree | None, text: str) -> list[str]:
    """The existing files of the project that a text names, with the lines that it names, as `FILE[:L1[-L2]]`.

    A name without a folder stands for the only file of that name in git.
    """
    if tree is None:
        return []
    return list(dict.fromkeys(_named(tree, text)))[:_MOST_NAMED]


def _named(tree: WorkingTree, text: str) -> Iterator[str]:
    for spec in dict.fromkeys(match[0] for match in _NAMED.finditer(text[:_LONGEST_TEXT])):
        with suppress(InvalidInput, NotFound):
            name, _ = read_spec(spec)
            if "/" not in name and _read(tree, name) is None and len(files := tree.by_name.get(name, ())) == 1:
                spec = files[0] + spec.removeprefix(name)
            yield _anchor_of(tree, spec, None).spec


def tie_again(tree: WorkingTree | None, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata with anchors made again where their text is, or begins, now; otherwise lines keep their numbers.

    Raises:
        InvalidInput: there is no project. NotFound: a file is gone.
    """
    if tree is None:
        raise InvalidInput("this store is in no project, so there are no files to check")
    commit, fresh = tree.head(), []
    for each in Checker(tree).check(metadata):
        if each.state == GONE:
            hint = "name the file that took its place with --about"
            raise NotFound(f"there is no file {each.anchor.file} any more", hint)
        fresh.append(_anchor_of(tree, f"{tree.root}/{each.now or each.anchor.spec}", commit))
    return with_anchors(without(metadata, (ABOUT,)), fresh)
