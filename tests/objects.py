"""An object database in memory, for tests of trees that need no git."""

from collections.abc import Mapping, Sequence
from hashlib import sha1

from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.tree.edit import apply
from memoir.tree.node import FORMAT, encode_leaf
from memoir.tree.tree import Tree


class Objects(ObjectReader, PackWriter):
    """Reads and writes objects by id, and counts both; its trees are of a format, by default the newest."""

    def __init__(self, version: int = FORMAT) -> None:
        self.version = version
        self.values: dict[Oid, bytes] = {}
        self.reads = 0
        self.writes = 0

    def add(self, kind: str, data: bytes) -> Oid:
        """Store an object under its SHA-1 id."""
        oid = Oid(sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).digest())
        self.writes += oid not in self.values
        self.values[oid] = data
        return oid

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """Read objects."""
        self.reads += len(ids)
        return [self.values[oid] for oid in ids]

    def read_some(self, ids: Sequence[Oid], kind: str, most_bytes: int) -> list[bytes]:
        """Read the first of some objects (at least one), until they take `most_bytes`."""
        contents = list[bytes]()
        for oid in ids:
            if contents and sum(map(len, contents)) >= most_bytes:
                break
            contents += self.read([oid], kind)
        return contents

    def tree(self, root: Oid | None) -> Tree:
        """A tree that has read nothing yet."""
        return Tree(self, 20, root)

    def build(self, contents: Mapping[bytes, bytes]) -> Tree:
        """The tree of some keys and values, built from scratch."""
        if self.version == FORMAT:
            return self.edit(self.tree(None), contents)
        empty = self.add("tree", encode_leaf([], self.add("blob", b""), self.version))
        return self.edit(self.tree(empty), contents)

    def edit(self, tree: Tree, edits: Mapping[bytes, bytes | None]) -> Tree:
        """The tree after some edits (None removes a key)."""
        ids = {key: None if value is None else self.add("blob", value) for key, value in edits.items()}
        return self.tree(apply(self.tree(tree.root), ids, self))

    def contents(self, tree: Tree) -> dict[bytes, bytes]:
        """All keys and values of a tree."""
        return {key: self.values[oid] for key, oid in tree.scan()}
