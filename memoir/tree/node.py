"""Nodes of the prolly tree as git trees: their encoding, decoding and order of entries.

* A leaf's entries are `<key>` -> blob, one value each.
* An internal node's entries are `;` -> its first child, `;<first key>` -> each other child, and an empty blob named
  `<first key>;<count>,<count>,...`: the node's first key, and the number of values below each child, in key order.
* The root has an empty blob for each format up to its own: `memoir-format-1` tells every memoir that there are memories
  here, `memoir-format-2` keeps versions that know only the first format from reading them.

A child's name must not change when something below it does: git's sparse walk (`pack.useSparse`, the default)
recognises versions of a folder by equal paths, and otherwise sends objects that the other side of a fetch already has.
So counts and the node's own first key are kept beside the children. In the first format, which is still read, children
were named `<count>;<first key>`, and one new memory sent whole subtrees.

Keys contain `=` and child names begin with `;`, so neither can be mistaken for the other or for the marker.

A node may come from anywhere. `decode` returns only well-formed nodes; `memoir.tree.shape` checks their position and
counts.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import lt

from memoir.errors import DamagedStore
from memoir.git.objects import Oid

_MARKER_PREFIX = b"memoir-format-"
MARKERS = (b"memoir-format-1", b"memoir-format-2")
FORMAT = len(MARKERS)
"""The format that is written; trees of older formats are still read."""
_BLOB, _TREE = b"100644", b"40000"
EMPTY_BLOBS = (
    Oid.fromhex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
    Oid.fromhex("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"),
)
_EMPTY_BLOB = {len(oid): oid for oid in EMPTY_BLOBS}
MAX_HEIGHT = 42
"""The greatest level of a key (`memoir.tree.chunking`), so memoir writes no higher tree; a higher one is an attack."""
_MOST_DIGITS = 15
_KEPT = 512
"""The decoded nodes that are cached: a walk through commits meets most nodes again in the next one."""
_EQUALS = ord("=")  # finding a byte by its number is faster
_Entry = tuple[bytes, bytes, bytes]
"""The mode, name and id of an entry in a git tree, as stored."""


class NotMemoirs(DamagedStore):
    """A commit without memories: its tree has no format marker."""


_OF_CODE = "'memoir undo' takes back a push of code onto a branch of memories; 'memoir checkout BRANCH' goes to another"


class OtherFormat(DamagedStore):
    """A commit with memories in a format that this memoir does not know."""


class TreeNode:
    """A decoded node: parallel sequences sorted by key. `counts` is None in a leaf.

    `version` is the format of a root or an internal node; 0 for a leaf below the root, which is the same in all.

    Invariant: `keys` increases, in a leaf strictly, and has the same length as `ids` (and `counts`).
    """

    __slots__ = ("_ids", "counts", "keys", "version")

    def __init__(
        self, keys: Sequence[bytes], ids: Sequence[Oid], counts: Sequence[int] | None, version: int = 0
    ) -> None:
        self.keys = keys
        self._ids = ids
        self.counts = counts
        self.version = version

    @property
    def ids(self) -> Sequence[Oid]:
        """The ids of the values or children."""
        return self._ids

    @property
    def total(self) -> int:
        """The number of values in the node's subtree."""
        return len(self.keys) if self.counts is None else sum(self.counts)

    def holds_any(self, ids: Iterable[bytes]) -> bool:
        """Whether it has any of the ids."""
        return not set(ids).isdisjoint(self.ids)

    def child_for(self, key: bytes) -> int:
        """The index of the child whose range includes the key (the first also includes all before it)."""
        return max(bisect_right(self.keys, key) - 1, 0)

    def children_within(self, low: bytes, high: bytes) -> Sequence[Oid]:
        """The children that may have a key with low <= key < high."""
        return self.ids[self.child_for(low) : bisect_left(self.keys, high)]


EMPTY = TreeNode((), (), None, FORMAT)


class _Leaf(TreeNode):
    """A sound leaf below a root. Its ids are parsed on demand, because checking a tree needs only keys."""

    __slots__ = ("_data", "_id_size")

    def __init__(self, keys: Sequence[bytes], data: bytes, id_size: int) -> None:
        super().__init__(keys, (), None)
        self._data = data
        self._id_size = id_size

    @property
    def ids(self) -> Sequence[Oid]:
        """The ids of the values."""
        self._ids = self._ids or list(map(Oid, _id_of_value(self._id_size).findall(self._data)))
        return self._ids

    def holds_any(self, ids: Iterable[bytes]) -> bool:
        """Whether it has any of the ids."""
        return any(oid in self._data for oid in ids) and super().holds_any(ids)


@lru_cache(maxsize=4)
def _entry(id_size: int) -> re.Pattern[bytes]:
    return re.compile(rb"(\d+) ([^\0]+)\0(.{%d})" % id_size, re.DOTALL)


@lru_cache(maxsize=4)
def _value(id_size: int) -> re.Pattern[bytes]:
    return re.compile(rb"100644 ([^\0=]*=[^\0]*)\0.{%d}" % id_size, re.DOTALL)


@lru_cache(maxsize=4)
def _id_of_value(id_size: int) -> re.Pattern[bytes]:
    return re.compile(rb"100644 [^\0]*\0(.{%d})" % id_size, re.DOTALL)


@lru_cache(maxsize=_KEPT)
def decode(data: bytes, id_size: int, *, root: bool = False) -> TreeNode:
    """Read a git tree as a node.

    Raises:
        DamagedStore: the tree is not a node, or not a root although one is expected.
    """
    if not root and (leaf := _leaf(data, id_size)):
        return leaf
    entries, version = _entries(data, id_size), 0
    if root:
        entries, version = _without_marker(entries)
    elif not entries:
        raise DamagedStore("a tree of the store is empty")
    if children := [entry for entry in entries if entry[0] == _TREE]:
        node = _internal(children, [entry for entry in entries if entry[0] != _TREE])
        if root and node.version != version:
            raise DamagedStore("the root of a tree of the store has the marker of another format")
        return node
    if any(mode != _BLOB or _EQUALS not in name for mode, name, _ in entries):
        raise DamagedStore("a tree of the store has an entry that memoir did not write")
    return TreeNode([name for _, name, _ in entries], [Oid(oid) for _, _, oid in entries], None, version)


def _leaf(data: bytes, id_size: int) -> TreeNode | None:
    """Read a sound leaf, as nearly all nodes are, in a third of the time of the full check; None for other nodes."""
    keys: list[bytes] = _value(id_size).findall(data)
    if sum(map(len, keys)) + (len(b"100644 \0") + id_size) * len(keys) != len(data) or not keys:
        return None
    return _Leaf(keys, data, id_size) if all(map(lt, keys, keys[1:])) else None


def _entries(data: bytes, id_size: int) -> list[_Entry]:
    """The entries of a git tree, which must be complete and in git's order, without duplicates."""
    entries: list[_Entry] = _entry(id_size).findall(data)
    if sum(len(mode) + len(name) for mode, name, _ in entries) + (2 + id_size) * len(entries) != len(data):
        raise DamagedStore("a tree of the store is cut short")
    names = [_sorts_as(mode, name) for mode, name, _ in entries]
    if not all(map(lt, names, names[1:])):
        raise DamagedStore("a tree of the store is out of git's order")
    return entries


def _without_marker(entries: list[_Entry]) -> tuple[list[_Entry], int]:
    markers = [entry for entry in entries if entry[1].startswith(_MARKER_PREFIX)]
    if not markers:
        raise NotMemoirs("this commit holds no memories: its tree has no memoir format marker", _OF_CODE)
    names = tuple(name for _, name, _ in markers)
    if names != MARKERS[: len(names)]:
        raise OtherFormat(
            f"the store has the format {names[-1].decode(errors='replace')!r}", "a newer memoir may be able to read it"
        )
    if any(mode != _BLOB or oid not in EMPTY_BLOBS for mode, _, oid in markers):
        raise DamagedStore("the format marker of a commit is not an empty file")
    return [entry for entry in entries if not entry[1].startswith(_MARKER_PREFIX)], len(markers)


def _internal(children: list[_Entry], others: list[_Entry]) -> TreeNode:
    names = [name for _, name, _ in children]
    if not names[0].startswith(b";"):
        return _internal_of_first_format(children, others)
    notes = [_parse_counts(entry) for entry in others]
    if not notes or names[0] != b";" or not all(name.startswith(b";") and _EQUALS in name for name in names[1:]):
        raise _unknown_entry()
    first, counts = min(notes)
    if len(notes) > 1 or len(counts) != len(names):  # another git may have merged two versions of the node
        counts = [0] * len(names)  # impossible counts, so that the shape check fails
    rows = sorted((name[1:] or first, Oid(oid)) for _, name, oid in children)
    return TreeNode([key for key, _ in rows], [oid for _, oid in rows], counts, 2)


def _parse_counts(entry: _Entry) -> tuple[bytes, list[int]]:
    """Parse a node's first key and its children's counts from the name of the empty blob."""
    mode, name, oid = entry
    first, _, last = name.rpartition(b";")
    counts = last.split(b",")
    if _EQUALS not in first or not all(map(_is_count, counts)) or mode != _BLOB or oid not in EMPTY_BLOBS:
        raise _unknown_entry()
    return first, list(map(int, counts))


def _is_count(digits: bytes) -> bool:
    return digits.isdigit() and digits[:1] != b"0" and len(digits) <= _MOST_DIGITS


def _internal_of_first_format(children: list[_Entry], others: list[_Entry]) -> TreeNode:
    rows = []
    for _, name, oid in children:
        count, semicolon, key = name.partition(b";")
        if others or not semicolon or not _is_count(count) or _EQUALS not in key:
            raise _unknown_entry()
        rows.append((key, Oid(oid), int(count)))
    rows.sort()
    return TreeNode([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], 1)


def _unknown_entry() -> DamagedStore:
    return DamagedStore("an internal node of the store has an entry that memoir did not write")


def encode_leaf(entries: Iterable[tuple[bytes, Oid]], marker: Oid | None, version: int = FORMAT) -> bytes:
    """The git tree of a leaf; `marker` is the id of the empty blob if the leaf is the root."""
    return _encode([(_BLOB, key, oid) for key, oid in entries], marker, version)


def encode_internal(entries: Sequence[tuple[bytes, Oid, int]], marker: Oid | None, version: int = FORMAT) -> bytes:
    """The git tree of an internal node, given each child's first key, id and count, in key order.

    Raises:
        DamagedStore: a count is 0, as `decode` returns it for contradicting counts.
    """
    if not all(count for _, _, count in entries):
        raise DamagedStore("a node of the store does not say how many memories it holds", "run 'memoir fsck --repair'")
    if version == 1:
        return _encode([(_TREE, b"%d;%s" % (count, key), oid) for key, oid, count in entries], marker, version)
    first, oid, _ = entries[0]
    counts = b",".join(b"%d" % count for _, _, count in entries)
    children = [(_TREE, b";", oid), *((_TREE, b";" + key, oid) for key, oid, _ in entries[1:])]
    return _encode([*children, (_BLOB, b"%s;%s" % (first, counts), _EMPTY_BLOB[len(oid)])], marker, version)


def _encode(entries: list[_Entry], marker: Oid | None, version: int) -> bytes:
    if marker is not None:
        entries.extend((_BLOB, name, marker) for name in MARKERS[:version])
    entries.sort(key=lambda entry: _sorts_as(entry[0], entry[1]))
    return b"".join(b"%s %s\0%s" % (mode, name, oid) for mode, name, oid in entries)


def _sorts_as(mode: bytes, name: bytes) -> bytes:
    """Git's sort key of a name: those of trees are compared as if they ended in a slash."""
    return name + b"/" if mode == _TREE else name
