"""Check whether the code that memories are about has changed, and mark shown memories with the result.

Only shown memories are checked, within limits; git is asked at most twice, and only about files that have changed. A
result stays valid while the file has the same inode, size and time. The anchors in the metadata of a shown memory get
the fields `state` and, where they apply, `changed` and `now`; these are never stored.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.anchors.working_tree import MOST_BYTES, Stamp, TooLarge, WorkingTree, working_tree
from memoir.records.anchor import Anchor, CitedLines, anchors_of, blob_id, digest_of_lines, split_lines, write_spec
from memoir.records.record import ABOUT, Memory

if TYPE_CHECKING:
    from memoir.store.store import Store

FRESH, MOVED, CHANGED, GONE, UNKNOWN = "fresh", "moved", "changed", "gone", "unknown"
STALE = frozenset((CHANGED, GONE))
"""The states of an anchor whose code has changed or is gone."""


class Limits(NamedTuple):
    """The most files and bytes that one check reads; anchors in further files get the state `unknown`."""

    files: int = 20
    size: int = MOST_BYTES


class AnchorState(NamedTuple):
    """The present state of an anchor."""

    anchor: Anchor
    """The anchor."""
    state: str
    """`fresh`; `moved`: the same text elsewhere; `changed`; `gone`: no such file; `unknown`: not compared."""
    changed: float | None = None
    """If the text has changed, the share of lines that differ, from 0 to 1; None if the old text is not available."""
    now: str | None = None
    """Where the text is now, as `FILE:L1-L2`, if it has moved; if it has changed, where its old beginning is found."""

    @property
    def is_stale(self) -> bool:
        """Whether the code has changed or is gone."""
        return self.state in STALE


_MOST_KNOWN = 512
_known: "OrderedDict[tuple[Stamp, Anchor], AnchorState]" = OrderedDict()
"""The results of earlier checks, for long-running processes."""


class Checker:
    """Compares anchors with a working tree; None stands for no project. It reads no file twice."""

    def __init__(self, tree: WorkingTree | None, limits: Limits = Limits()) -> None:  # noqa: B008 - it never changes
        self._tree = tree
        self._files_left, self._bytes_left = limits
        self._texts: dict[str, bytes | None] = {}
        self._renames: dict[str, Mapping[str, str]] = {}

    def check(self, metadata: Mapping[str, Any]) -> list[AnchorState]:
        """The states of the anchors in a memory's metadata, in their order."""
        return [self._state(anchor) for anchor in anchors_of(metadata)]

    def _state(self, anchor: Anchor) -> AnchorState:
        tree = self._tree
        if tree is None or (anchor.commit and not tree.git_dir):
            return AnchorState(anchor, UNKNOWN)
        stamp = tree.stamp(anchor.file)
        if stamp is None:
            return self._of_missing(anchor)
        if (stamp, anchor) in _known:
            _known.move_to_end((stamp, anchor))
            return _known[stamp, anchor]
        try:
            text = self._read(anchor.file)
        except TooLarge:
            return AnchorState(anchor, UNKNOWN)
        if text is None:
            return AnchorState(anchor, GONE)
        _known[stamp, anchor] = state = self._compare(anchor, anchor.file, text)
        if len(_known) > _MOST_KNOWN:
            _known.popitem(last=False)
        return state

    def _read(self, file: str) -> bytes | None:
        """The text of a file, if the limits allow it."""
        assert self._tree
        if file not in self._texts:
            if not self._files_left:
                raise TooLarge(file)
            self._texts[file] = text = self._tree.read(file, self._bytes_left)
            self._files_left -= 1
            self._bytes_left -= len(text or b"")
        return self._texts[file]

    def _of_missing(self, anchor: Anchor) -> AnchorState:
        """The state of an anchor whose file is gone, or was renamed in git."""
        assert self._tree
        if not anchor.commit:
            return AnchorState(anchor, GONE)
        if anchor.commit not in self._renames:
            self._renames[anchor.commit] = self._tree.renames(anchor.commit)
        new = self._renames[anchor.commit].get(anchor.file)
        try:
            text = self._read(new) if new else None
        except TooLarge:
            return AnchorState(anchor, UNKNOWN)
        return self._compare(anchor, new, text) if new and text is not None else AnchorState(anchor, GONE)

    def _compare(self, anchor: Anchor, file: str, text: bytes) -> AnchorState:
        if blob_id(text, len(anchor.blob)) == anchor.blob:
            return _fresh_or_moved(anchor, file, anchor.lines)
        if anchor.lines is None:
            return self._changed(anchor, file, split_lines(text))
        lines = split_lines(text)
        first = find_lines(lines, anchor.lines)
        if first is None:
            return self._changed(anchor, file, lines)
        last = first + anchor.lines.last - anchor.lines.first
        return _fresh_or_moved(anchor, file, anchor.lines._replace(first=first, last=last))

    def _changed(self, anchor: Anchor, file: str, lines: Sequence[bytes]) -> AnchorState:
        assert self._tree
        old = self._tree.old_text(anchor.blob)
        share = None if old is None else share_changed(split_lines(old), lines, anchor.lines)
        now = write_spec(file, anchor.lines and _begin_again(lines, anchor.lines))
        return AnchorState(anchor, CHANGED, share, now if now != anchor.spec else None)


def _fresh_or_moved(anchor: Anchor, file: str, lines: CitedLines | None) -> AnchorState:
    """The state of an anchor whose text is still there."""
    if file == anchor.file and lines == anchor.lines:
        return AnchorState(anchor, FRESH)
    return AnchorState(anchor, MOVED, now=write_spec(file, lines))


def find_lines(lines: Sequence[bytes], wanted: CitedLines) -> int | None:
    """The line at which cited lines begin in a file now, nearest to their old place; None if they are not found."""
    height = wanted.last - wanted.first + 1
    begins = wanted.words.encode()
    found = [at for at, line in enumerate(lines) if begins and line.lstrip().startswith(begins)]
    for at in sorted(found, key=lambda at: abs(at + 1 - wanted.first)):
        for start in _starts(lines, at, height):
            if digest_of_lines(lines[start : start + height]) == wanted.digest:
                return start + 1
    return None


def _starts(lines: Sequence[bytes], at: int, height: int) -> Iterator[int]:
    """Possible starts of cited lines with the first non-blank line at a position: there, or at blank lines before."""
    for start in range(at, max(-1, at - height), -1):
        if start < at and lines[start]:
            return
        if start + height <= len(lines):
            yield start


def _begin_again(lines: Sequence[bytes], cited: CitedLines) -> CitedLines:
    """Changed cited lines, moved to the line that begins as they did, if there is exactly one."""
    begins = cited.words.encode()
    found = [at for at, line in enumerate(lines, 1) if begins and line.lstrip().startswith(begins)]
    first = found[0] if len(found) == 1 else cited.first
    return cited._replace(first=first, last=min(len(lines), first + cited.last - cited.first))


def share_changed(old: Sequence[bytes], new: Sequence[bytes], cited: CitedLines | None) -> float:
    """The share of lines that differ, whatever their order, from 0 to 1.

    For cited lines it is the share of them that the file no longer has; for a whole file it is 1 minus the Dice
    coefficient of the two lists of lines.
    """
    if cited:
        old = old[cited.first - 1 : cited.last]
    both = sum((Counter(old) & Counter(new)).values())
    share = both / max(1, len(old)) if cited else 2 * both / max(1, len(old) + len(new))
    return round(1 - share, 2)


Metadata = Mapping[str, Any]


def mark(store: "Store", memories: "Iterable[Memory]") -> "list[Memory]":
    """The memories, those with anchors marked with their present states."""
    memories = list(memories)
    marked = mark_metadata(store, [memory.metadata for memory in memories])
    return [
        memory if metadata is memory.metadata else memory._replace(metadata=metadata)
        for memory, metadata in zip(memories, marked, strict=True)
    ]


def mark_metadata(store: "Store", all_metadata: Sequence[Metadata]) -> list[Metadata]:
    """The metadata of some memories, with the present state of each anchor; metadata without anchors are unchanged."""
    if not any(ABOUT in metadata for metadata in all_metadata):
        return list(all_metadata)
    with working_tree(store) or nullcontext() as tree:
        checker = Checker(tree)
        return [_marked(metadata, checker) for metadata in all_metadata]


def _marked(metadata: Metadata, checker: Checker) -> Metadata:
    states = checker.check(metadata) if ABOUT in metadata else []
    return {**metadata, ABOUT: [fields_of_state(each) for each in states]} if states else metadata


def fields_of_state(of: AnchorState) -> dict[str, Any]:
    """The stored fields of an anchor, and those of its state."""
    fields = {**of.anchor.as_dict(), "state": of.state}
    if of.changed is not None:
        fields["changed"] = of.changed
    return {**fields, "now": of.now} if of.now else fields


def marked_anchors(metadata: Metadata) -> list[Metadata]:
    """The anchors of marked metadata, each with its state."""
    return [fields for _, _, fields in _states(metadata)]


def is_stale(metadata: Metadata) -> bool:
    """Whether marked metadata have an anchor whose code has changed or is gone."""
    return any(state in STALE for _, state, _ in _states(metadata))


def notes(metadata: Metadata) -> list[str]:
    """A phrase on the state of the code for each anchor of marked metadata."""
    return [_phrase(*each, str) for each in _states(metadata)]


def note(of: AnchorState) -> str:
    """A phrase on the state of an anchor."""
    return _phrase(of.anchor.spec, of.state, fields_of_state(of), str)


def warnings(metadata: Metadata, quote: Callable[[str], str] = str) -> list[str]:
    """The notes on code that has changed, moved or is gone; `quote` formats names."""
    return [_phrase(*each, quote) for each in _states(metadata) if each[1] not in (FRESH, UNKNOWN)]


def _states(metadata: Metadata) -> Iterator[tuple[str, str, Metadata]]:
    """Each anchor of marked metadata as `FILE[:L1[-L2]]`, with its state and its fields."""
    entries = metadata.get(ABOUT)
    for fields in entries if isinstance(entries, list) else ():
        for anchor in anchors_of({ABOUT: [fields]}):
            yield anchor.spec, str(fields.get("state", UNKNOWN)), fields


def _phrase(spec: str, state: str, fields: Metadata, quote: Callable[[str], str]) -> str:
    name, there = quote(spec), fields.get("now")
    now = f", now {quote(there)}" if isinstance(there, str) else ""
    share = fields.get("changed")
    words = {
        MOVED: f"{name} has moved{now}",
        GONE: f"{name} is gone",
        CHANGED: f"{name} has changed{f' by {share:.0%}' if isinstance(share, float) else ''}{now}",
    }
    return words.get(state, name)
