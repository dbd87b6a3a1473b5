"""Commits that memoir did not write, read as what they hold.

A hosted merge button merges the trees of two commits entry by entry. It often gets the contents
right and the counts and cuts wrong, without a conflict. Such a tree must not be navigated (keys
could hide behind a wrong boundary) nor built upon. So its leaves alone are believed, and the
tree they ought to have is built in memory; the next write stores it.

Trailers are believed because of where commits come from: memoir's own are right, and one from elsewhere is checked
before a branch stands on it (`memoir.repair.foreign_commit`). Should its trailers lie, it is put on a list.
"""

import os
import re
from collections.abc import Container, Sequence
from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore
from memoir.git.cat_file import FoundObject
from memoir.git.objects import Oid
from memoir.git.odb import ObjectReader, PackWriter
from memoir.tree.node import TreeNode
from memoir.tree.tree import Tree, levels

# Histories that are cut off are refused: log, blame and merge would be wrong in silence.


def require_whole_store(git_dir: Path) -> None:
    """Refuse a store that is a shallow clone, or whose commits have grafted parents.

    Raises:
        DamagedStore: it is one.
    """
    for name in ("shallow", "info/grafts"):
        with suppress(OSError):
            if os.stat(git_dir / name).st_size:
                raise DamagedStore(
                    f"{git_dir} is a shallow clone: a part of its history is missing (see its file '{name}')",
                    "clone the whole store, or run 'git fetch --unshallow' in this one",
                )


def require_whole_remote(name: str, output: bytes) -> None:
    """Refuse a remote from which git took nothing because its own history is cut off.

    Raises:
        DamagedStore: git said so.
    """
    if b"shallow" in output:
        raise DamagedStore(
            f"{name} is a shallow clone: a part of its history is missing, so nothing was fetched",
            "run 'git fetch --unshallow' there, or use the store that it was cloned from",
        )


# The commits from elsewhere whose trailers say what memoir's would, and whose trees are out of shape nevertheless.
#
# The list is derived: whoever finds such a commit adds it (a fetch, a merge, `fsck --repair`), and nearly always there
# is none. Without it such a commit's counts and cuts would be believed again, and nothing else would be lost.

_DISTRUSTED = "memoir-distrusted"
_MOST_BYTES = 1 << 20
_ID_LINE = rb"(?m)^(?:[0-9a-f]{40}|[0-9a-f]{64})$"


def read_distrusted(git_dir: Path) -> frozenset[Oid]:
    """The ids of the commits."""
    try:
        with open(git_dir / _DISTRUSTED, "rb") as file:
            return frozenset(Oid.fromhex(line.decode()) for line in re.findall(_ID_LINE, file.read(_MOST_BYTES)))
    except FileNotFoundError:
        return frozenset()


def add_distrusted(git_dir: Path, commit: Oid) -> None:
    """Add a commit, unless it is on the list already."""
    if commit in read_distrusted(git_dir):
        return
    with open(git_dir / _DISTRUSTED, "ab") as file:
        file.write(commit.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


_BASE = b"Memoir-Base: "


def tree_of(commit: bytes) -> Oid:
    """The tree a commit object names, in its first line.

    Raises:
        DamagedStore: it names none.
    """
    word, _, rest = commit.partition(b" ")
    try:
        if word == b"tree":
            return Oid.fromhex(rest.partition(b"\n")[0].decode())
    except ValueError:
        pass
    raise DamagedStore("a commit of the store cannot be read", "run 'memoir fsck'")


def sound_tree(tree: Tree, commit: FoundObject, suspects: Container[Oid]) -> Tree:
    """The tree of a commit, fit to be navigated: as it is stored, or rebuilt from its leaves.

    `suspects` are the ids of commits whose trailers are not to be believed.
    """
    if is_memoirs(tree.reader, commit.data) and commit.oid not in suspects:
        return tree
    return tree if _in_shape(tree) else rebuilt(tree)


def is_memoirs(reader: ObjectReader, commit: bytes) -> bool:
    """Whether a commit says that memoir wrote it: it names its first parent's tree as what it was made from.

    The commit module's parser knows more; this one is on the way of every read.
    """
    header, _, body = commit.partition(b"\n\n")
    trailers = body.rstrip(b"\n").rpartition(b"\n\n")[2].split(b"\n")
    if not all(line.startswith(b"Memoir-") for line in trailers):
        return False
    base = next((line.removeprefix(_BASE) for line in trailers if line.startswith(_BASE)), None)
    parent = next((line[7:] for line in header.split(b"\n") if line.startswith(b"parent ")), None)
    if parent is None or base is None:
        return parent is base
    parent_commit = reader.resolve(parent.decode("ascii", "replace"))
    return parent_commit is not None and tree_of(parent_commit.data).hex().encode() == base


def _in_shape(tree: Tree) -> bool:
    from memoir.tree.shape import shape_problems

    return next(shape_problems(tree, Tree(tree.reader, tree.id_size, None)), None) is None


def rebuilt(tree: Tree) -> Tree:
    """The tree that the leaves of another ought to have, in memory."""
    from memoir.tree.edit import apply

    overlay = _Overlay(tree.reader, tree.id_size)
    root = apply(Tree(overlay, tree.id_size, None), _leaves(tree), overlay)
    return Tree(overlay, tree.id_size, root)


def _leaves(tree: Tree) -> dict[bytes, Oid]:
    """Every key and value id in a tree's leaves, whatever its internal nodes say; each node is opened once."""
    entries: dict[bytes, Oid] = {}
    nodes: list[TreeNode] = [tree.top]
    ids_so_far: set[Oid] = set()
    for _ in levels():
        if not nodes:
            break
        for node in nodes:
            if node.counts is None:
                _collect(node, entries)
        below = {oid for node in nodes if node.counts is not None for oid in node.ids} - ids_so_far
        ids_so_far |= below
        nodes = tree.nodes(list(below), keep=False)
    return entries


def _collect(leaf: TreeNode, values: dict[bytes, Oid]) -> None:
    for key, oid in zip(leaf.keys, leaf.ids, strict=True):
        if values.setdefault(key, oid) != oid:
            raise DamagedStore(
                f"a commit that memoir did not write has two values of {key.decode(errors='replace')!r}",
                "merge its parents with 'memoir merge' instead",
            )


class _Overlay(ObjectReader, PackWriter):
    """Objects that are in memory only, over those of the store."""

    def __init__(self, below: ObjectReader, id_size: int) -> None:
        from memoir.git.digest import sha1, sha256

        self._below = below
        self._digest = sha1 if id_size == 20 else sha256
        self._objects: dict[Oid, bytes] = {}

    def add(self, kind: str, data: bytes) -> Oid:
        """Keep an object in memory."""
        oid = Oid(self._digest(b"%s %d\0" % (kind.encode(), len(data)) + data))
        self._objects[oid] = data
        return oid

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """Read from memory what is there, the rest from the store."""
        rest = [oid for oid in ids if oid not in self._objects]
        from_store = dict(zip(rest, self._below.read(rest, kind), strict=True))
        return [self._objects[oid] if oid in self._objects else from_store[oid] for oid in ids]
