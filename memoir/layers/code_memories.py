"""The memories about files of the project, and those of them whose code has changed."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import groupby
from typing import NamedTuple

from memoir.anchors.mark import AnchorState, Checker, Limits
from memoir.anchors.working_tree import MOST_BYTES, TooLarge, WorkingTree
from memoir.errors import InvalidInput, NotFound
from memoir.index.index import Index
from memoir.memory.active import Facet, facets
from memoir.memory.read import records
from memoir.records.anchor import read_spec, split_lines
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

_ALL = Limits(files=100_000, size=1 << 30)
"""Whoever asks for all that is stale waits for it."""
_MOST_LINES = 5_000
"""The lines of a file up to which its difference is worked out."""
_AROUND = 2
"""The lines around a change that are shown."""


class CodeMemory(NamedTuple):
    """A memory about code, and what became of each file that it is about.

    Attributes:
        facet: The memory and where it is.
        states: The states of its anchors.
        diffs: With a request for differences, those of what has changed, one for each state; else empty.
    """

    facet: Facet
    states: tuple[AnchorState, ...]
    diffs: tuple[str, ...] = ()


def about(
    index: Index, snapshot: Snapshot, tree: WorkingTree | None, file: str | None, namespaces: Sequence[str] = ()
) -> list[CodeMemory]:
    """The memories about a file or what is below a folder, sorted by key; None: those about any file."""
    places = index.read(snapshot, lambda view: view.about(file))
    wanted = [place for place in places if not namespaces or place[0].namespace in namespaces]
    checker = Checker(tree, _ALL)
    return [CodeMemory(facet, tuple(checker.check(facet.memory.metadata))) for facet in _read(snapshot, wanted)]


def _read(snapshot: Snapshot, places: Sequence[tuple[Address, int]]) -> Iterator[Facet]:
    found = records(snapshot, dict.fromkeys(address for address, _ in places), listed=True)
    for address, group in groupby(places, lambda place: place[0]):
        ordinals = {ordinal for _, ordinal in group}
        yield from (each for each in facets(address, found.get(address, ())) if each.ordinal in ordinals)


def stale(
    index: Index,
    snapshot: Snapshot,
    tree: WorkingTree | None,
    *,
    prefix: Address | None = None,
    since: str | None = None,
    diffs: bool = False,
) -> list[CodeMemory]:
    """The memories whose code has changed or is gone, sorted by key; each with the states of what is stale alone.

    Args:
        index: The index of the snapshot.
        snapshot: What is looked at.
        tree: The project; None without one.
        prefix: Only what is at or below a path.
        since: Only what is about files that differ between this revision of the project and its working tree.
        diffs: Whether the differences are wanted.

    Raises:
        InvalidInput: there is no project. NotFound: the project has no such revision.
    """
    if tree is None:
        raise InvalidInput("this store lies in no project, so there is no code to compare with")
    files = None if since is None else tree.changed_since(since)
    if since is not None and files is None:
        raise NotFound(f"the project has no revision {since!r}", "name one of the project's git repository")
    found = []
    for each in about(index, snapshot, tree, None):
        if prefix is None or each.facet.address.is_under(prefix):
            states = tuple(state for state in each.states if state.is_stale and _concerns(state, files))
            shown = tuple(_diff(tree, state) for state in states) if diffs else ()
            found += [CodeMemory(each.facet, states, shown)] if states else []
    return found


def _concerns(state: AnchorState, files: set[str] | None) -> bool:
    return files is None or state.anchor.file in files or state.now in files


def _diff(tree: WorkingTree, state: AnchorState) -> str:
    """The difference between the lines that a memory is about as they were and as they are, as `diff -u` writes it."""
    anchor = state.anchor
    file, span = read_spec(state.now or anchor.spec)
    old = tree.old_text(anchor.blob)
    if old is None:
        return f"the old text of {anchor.spec} is not in the project's history\n"
    try:
        new = tree.read(file, MOST_BYTES) or b""
    except TooLarge:
        return f"{file} is too large to compare\n"
    before = _cited(old, anchor.lines and anchor.lines[:2])
    after = _cited(new, span)
    if max(len(before), len(after)) > _MOST_LINES:
        return f"{file} is too long to compare line by line\n"
    lines = unified_diff(before, after, f"a/{anchor.file}", f"b/{file}", n=_AROUND, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _cited(text: bytes, span: tuple[int, int] | None) -> list[str]:
    lines = [line.decode("utf-8", "replace") for line in split_lines(text)] if text else []
    return lines if span is None else lines[span[0] - 1 : span[1]]
