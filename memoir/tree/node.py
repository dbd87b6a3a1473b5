"""Nodes of the prolly tree as git trees: encoding, decoding, the order of entries.

* A leaf's entries are `<key>` -> blob, one value each.
* An internal node's entries are `;` -> its first child, `;<first key>` -> each other child, and an empty blob named
  `<first key>;<count>,<count>,...`: the node's first key, and the values below each child, in the order of their keys.
* The root has an empty blob for each format up to its own: `memoir-format-1` says to every memoir that there are
  memories here, `memoir-format-2` that one which knows the first format alone must not read them.

The name of a child must not change when something below it does: git's sparse walk (`pack.useSparse`, its default)
takes two folders for versions of each other if their paths are equal, and only then sees what the other side of a fetch
has already. So counts and the node's own first key are kept beside the children. In the first format, which is still
read, the children were named `<count>;<first key>`, and one more memory sent whole subtrees.

Keys hold `=` and child names begin with `;`, so neither can be taken for the other or for the marker.

A node may come from anywhere. What `decode` gives out is well-formed as a node, whoever wrote it; whether it stands
where it belongs, and counts rightly, is checked elsewhere (`memoir.tree.shape`).
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
"""The format that is written; trees of the older ones are still read."""
_BLOB, _TREE = b"100644", b"40000"
EMPTY_BLOBS = (
    Oid.fromhex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
    Oid.fromhex("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"),
)
_EMPTY_BLOB = {len(oid): oid for oid in EMPTY_BLOBS}
MAX_HEIGHT = 42
"""No key has a higher level (`memoir.tree.chunking`), so memoir writes no higher tree; a higher one is meant to exhaust
its reader."""
_MOST_DIGITS = 15
_KEPT = 512
"""Nodes that are kept decoded: whoever goes through commits meets most nodes again in the next one."""
_EQUALS = ord("=")  # a byte is found faster by its number than as bytes
_Entry = tuple[bytes, bytes, bytes]
"""Mode, name and id of a git tree's entry, as the tree has them."""


class NotMemoirs(DamagedStore):
    """A commit that holds something other than memories: its tree has no format marker."""


_OF_CODE = "'memoir undo' takes back a push of code onto a branch of memories; 'memoir checkout BRANCH' goes to another"


class OtherFormat(DamagedStore):
    """A commit whose memories have a format that this memoir does not know."""


class TreeNode:
    """A decoded node: parallel sequences sorted by key. `counts` is None in a leaf.

    `version` is the format of the root or of an internal node; a leaf below the root is the same in all (0).

    Invariant: `keys` is increasing, in a leaf strictly, and of the same length as `ids` (and `counts`).
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
        """How many values the node's subtree holds."""
        return len(self.keys) if self.counts is None else sum(self.counts)

    def holds_any(self, ids: Iterable[bytes]) -> bool:
        """Whether it holds one of some ids."""
        return not set(ids).isdisjoint(self.ids)

    def child_for(self, key: bytes) -> int:
        """The position of the child whose range holds the key (the first also holds all before it)."""
        return max(bisect_right(self.keys, key) - 1, 0)

    def children_within(self, low: bytes, high: bytes) -> Sequence[Oid]:
        """The children that may hold a key with low <= key < high; others hold none."""
        return self.ids[self.child_for(low) : bisect_left(self.keys, high)]


EMPTY = TreeNode((), (), None, FORMAT)


class _Leaf(TreeNode):
    """A sound leaf below a root. Its ids are made when somebody wants them: to check a whole tree takes the keys."""

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
        """Whether it holds one of some ids."""
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
        DamagedStore: the tree is not a node, or not a root where one is expected.
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
    """A sound leaf, as nearly all nodes are, in a third of the time that it takes to find a fault in another."""
    keys: list[bytes] = _value(id_size).findall(data)
    if sum(map(len, keys)) + (len(b"100644 \0") + id_size) * len(keys) != len(data) or not keys:
        return None
    return _Leaf(keys, data, id_size) if all(map(lt, keys, keys[1:])) else None


def _entries(data: bytes, id_size: int) -> list[_Entry]:
    """The entries of a git tree, which must be whole and in git's order, each name once."""
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
        return _of_first_format(children, others)
    notes = [_note(entry) for entry in others]
    if not notes or names[0] != b";" or not all(name.startswith(b";") and _EQUALS in name for name in names[1:]):
        raise _not_written()
    first, counts = min(notes)
    if len(notes) > 1 or len(counts) != len(names):  # as where another git has merged two versions of the node
        counts = [0] * len(names)  # no child holds as few, so the shape is wrong
    rows = sorted((name[1:] or first, Oid(oid)) for _, name, oid in children)
    return TreeNode([key for key, _ in rows], [oid for _, oid in rows], counts, 2)


def _note(entry: _Entry) -> tuple[bytes, list[int]]:
    """A node's first key and the counts of its children, from the name of the empty blob beside them."""
    mode, name, oid = entry
    first, _, last = name.rpartition(b";")
    counts = last.split(b",")
    if _EQUALS not in first or not all(map(_is_count, counts)) or mode != _BLOB or oid not in EMPTY_BLOBS:
        raise _not_written()
    return first, list(map(int, counts))


def _is_count(digits: bytes) -> bool:
    return digits.isdigit() and digits[:1] != b"0" and len(digits) <= _MOST_DIGITS


def _of_first_format(children: list[_Entry], others: list[_Entry]) -> TreeNode:
    rows = []
    for _, name, oid in children:
        count, semicolon, key = name.partition(b";")
        if others or not semicolon or not _is_count(count) or _EQUALS not in key:
            raise _not_written()
        rows.append((key, Oid(oid), int(count)))
    rows.sort()
    return TreeNode([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], 1)


def _not_written() -> DamagedStore:
    return DamagedStore("an internal node of the store has an entry that memoir did not write")


def encode_leaf(entries: Iterable[tuple[bytes, Oid]], marker: Oid | None, version: int = FORMAT) -> bytes:
    """The git tree of a leaf; `marker` is the id of the empty blob if the leaf is the root."""
    return _encode([(_BLOB, key, oid) for key, oid in entries], marker, version)


def encode_internal(entries: Sequence[tuple[bytes, Oid, int]], marker: Oid | None, version: int = FORMAT) -> bytes:
    """The git tree of an internal node, given each child's first key, id and count, in the order of the keys.

    Raises:
        DamagedStore: a count is 0, as `decode` gives it where a node's own counts contradict each other.
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
    """Git compares the names of trees as if they ended in a slash."""
    return name + b"/" if mode == _TREE else name
