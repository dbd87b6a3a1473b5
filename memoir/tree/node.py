"""Nodes of the prolly tree as git trees: encoding, decoding, the order of entries.

* A leaf's entries are `<key>` -> blob, one value each.
* An internal node's entries are `<count>;<first key>` -> child node, `count` being the values below.
* The root has one entry more: an empty blob named `memoir-format-1`, so that the format's
  version can be read before anything is decoded.

The count stands in front of the key because behind it, it breaks git's delta compression.
Keys hold `=` and child names `;`, so neither can be taken for the other or for the marker.

A node may come from anywhere. What `decode` gives out is well-formed as a node, whoever wrote it; whether it stands
where it belongs, and counts rightly, is checked elsewhere (`memoir.tree.shape`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import lt

from memoir.errors import DamagedStore
from memoir.git.objects import Oid

FORMAT_MARKER = b"memoir-format-1"
_MARKER_PREFIX = b"memoir-format-"
_BLOB, _TREE = b"100644", b"40000"
EMPTY_BLOBS = (
    bytes.fromhex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
    bytes.fromhex("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"),
)
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


class OtherFormat(DamagedStore):
    """A commit whose memories have a format that this memoir does not know."""


class TreeNode:
    """A decoded node: parallel lists sorted by key. `counts` is None in a leaf.

    Invariant: `keys` is increasing, in a leaf strictly, and of the same length as `ids` (and `counts`).
    """

    __slots__ = ("counts", "ids", "keys")

    def __init__(self, keys: Sequence[bytes], ids: Sequence[Oid], counts: Sequence[int] | None) -> None:
        self.keys = keys
        self.ids = ids
        self.counts = counts

    @property
    def total(self) -> int:
        """How many values the node's subtree holds."""
        return len(self.keys) if self.counts is None else sum(self.counts)

    def child_for(self, key: bytes) -> int:
        """The position of the child whose range holds the key (the first also holds all before it)."""
        return max(bisect_right(self.keys, key) - 1, 0)


EMPTY = TreeNode((), (), None)


@lru_cache(maxsize=4)
def _entry(id_size: int) -> re.Pattern[bytes]:
    return re.compile(rb"(\d+) ([^\0]+)\0(.{%d})" % id_size, re.DOTALL)


@lru_cache(maxsize=_KEPT)
def decode(data: bytes, id_size: int, *, root: bool = False) -> TreeNode:
    """Read a git tree as a node.

    Raises:
        DamagedStore: the tree is not a node, or not a root where one is expected.
    """
    entries = _entries(data, id_size)
    if root:
        entries = _without_marker(entries)
    elif not entries:
        raise DamagedStore("a tree of the store is empty")
    if entries and entries[0][0] == _TREE:
        return _internal(entries)
    if any(mode != _BLOB or _EQUALS not in name for mode, name, _ in entries):
        raise DamagedStore("a tree of the store has an entry that memoir did not write")
    return TreeNode([name for _, name, _ in entries], [Oid(oid) for _, _, oid in entries], None)


def _entries(data: bytes, id_size: int) -> list[_Entry]:
    """The entries of a git tree, which must be whole and in git's order, each name once."""
    entries: list[_Entry] = _entry(id_size).findall(data)
    if sum(len(mode) + len(name) for mode, name, _ in entries) + (2 + id_size) * len(entries) != len(data):
        raise DamagedStore("a tree of the store is cut short")
    names = [_sorts_as(mode, name) for mode, name, _ in entries]
    if not all(map(lt, names, names[1:])):
        raise DamagedStore("a tree of the store is out of git's order")
    return entries


def _without_marker(entries: list[_Entry]) -> list[_Entry]:
    markers = [entry for entry in entries if entry[1].startswith(_MARKER_PREFIX)]
    if not markers:
        raise NotMemoirs("this commit holds no memories: its tree has no memoir format marker")
    mode, name, oid = markers[-1]
    if name != FORMAT_MARKER or len(markers) > 1:
        raise OtherFormat(
            f"the store has the format {name.decode(errors='replace')!r}", "a newer memoir may be able to read it"
        )
    if mode != _BLOB or oid not in EMPTY_BLOBS:
        raise DamagedStore("the format marker of a commit is not an empty file")
    return [entry for entry in entries if entry[1] != FORMAT_MARKER]


def _internal(entries: list[_Entry]) -> TreeNode:
    rows = []
    for mode, name, oid in entries:
        count, semicolon, key = name.partition(b";")
        number = count.isdigit() and count[:1] != b"0" and len(count) <= _MOST_DIGITS
        if mode != _TREE or not semicolon or not number or _EQUALS not in key:
            raise DamagedStore("an internal node of the store has an entry that memoir did not write")
        rows.append((key, Oid(oid), int(count)))
    rows.sort()
    return TreeNode([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])


def encode_leaf(entries: Iterable[tuple[bytes, Oid]], marker: Oid | None) -> bytes:
    """The git tree of a leaf; `marker` is the id of the empty blob if the leaf is the root."""
    return _encode([(_BLOB, key, oid) for key, oid in entries], marker)


def encode_internal(entries: Iterable[tuple[bytes, Oid, int]], marker: Oid | None) -> bytes:
    """The git tree of an internal node, given each child's first key, id and count."""
    return _encode([(_TREE, b"%d;%s" % (count, key), oid) for key, oid, count in entries], marker)


def _encode(entries: list[_Entry], marker: Oid | None) -> bytes:
    if marker is not None:
        entries.append((_BLOB, FORMAT_MARKER, marker))
    entries.sort(key=lambda entry: _sorts_as(entry[0], entry[1]))
    return b"".join(b"%s %s\0%s" % (mode, name, oid) for mode, name, oid in entries)


def _sorts_as(mode: bytes, name: bytes) -> bytes:
    """Git compares the names of trees as if they ended in a slash."""
    return name + b"/" if mode == _TREE else name
