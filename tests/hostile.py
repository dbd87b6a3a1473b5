"""Commits, trees and records that memoir would never write, made object by object."""

from collections.abc import Sequence

from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.store.commit import ChangeList, Signature, encode
from memoir.store.store import Store
from memoir.tree.node import encode_internal, encode_leaf

RECORD = b'{"memories":[{"content":"fine","confidence":1.0,"timestamp":"2026-01-01T00:00:00Z","status":"active"}]}'
_DEEP = b'{"a":' * 900 + b"1" + b"}" * 900


def _facet(**values: bytes) -> bytes:
    fields = {
        "content": b'"text"', "confidence": b"1.0", "timestamp": b'"2026-01-01T00:00:00Z"', "status": b'"active"'
    } | values  # fmt: skip
    return b'{"memories":[{' + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in fields.items()) + b"}]}"


BAD_RECORDS = {
    "content a number": _facet(content=b"5"),
    "content blank": _facet(content=b'" "'),
    "content missing": b'{"memories":[{"confidence":1.0}]}',
    "timestamp null": _facet(timestamp=b"null"),
    "timestamp no date": _facet(timestamp=b'"2026-99-99T00:00:00Z"'),
    "confidence text": _facet(confidence=b'"1"'),
    "confidence 7": _facet(confidence=b"7"),
    "confidence true": _facet(confidence=b"true"),
    "status unknown": _facet(status=b'"gone"'),
    "status a list": _facet(status=b"[]"),
    "metadata a list": _facet(metadata=b"[1]"),
    "metadata null": _facet(metadata=b"null"),
    "metadata 900 deep": _facet(metadata=_DEEP),
    "a further field": _facet(more=b"1"),
    "no memories": b'{"memories":[]}',
    "memories a number": b'{"memories":5}',
    "memories a text": b'{"memories":"ab"}',
    "memories nested": b'{"memories":[[]]}',
    "a list": b"[]",
    "no JSON": b"\x00\xff",
    "nothing": b"",
}
BAD_KEYS = (
    b"default=", b"=a.b", b"default=a..b", b"default=a b", b"default=\xff\xfe", b"default=\x1b[2J", b"default=a\nb",
    b"default=" + b"a" * 250, b"default=a.b.c.d.e.f.g.h.i", b"default=a=b", b"de fault=a", b"default=.git",
)  # fmt: skip


class Forge:
    """Writes objects into a store by hand, and commits them as any writer with git could."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.pack = PackWriter(store.git, store.hash)
        self.marker = self.pack.add("blob", b"")

    def blob(self, data: bytes = RECORD) -> Oid:
        return self.pack.add("blob", data)

    def leaf(self, rows: Sequence[tuple[bytes, Oid]], *, root: bool = True) -> Oid:
        return self.pack.add("tree", encode_leaf(rows, self.marker if root else None))

    def internal(self, rows: Sequence[tuple[bytes, Oid, int]], *, root: bool = False) -> Oid:
        return self.pack.add("tree", encode_internal(sorted(rows), self.marker if root else None))

    def raw(self, *entries: tuple[bytes, bytes, Oid]) -> Oid:
        """A git tree of any modes and names, in any order."""
        return self.pack.add("tree", b"".join(b"%s %s\0%s" % entry for entry in entries))

    def commit(self, tree: Oid, *others: Oid, branch: str = "main", lies: bool = True) -> Oid:
        """Put a commit of a tree on a branch; it `lies` if its trailers say that memoir wrote it."""
        old = self.store.refs.read(f"refs/heads/{branch}")
        child = self.child(tree, old, *others, lies=lies)
        assert self.store.refs.update(f"refs/heads/{branch}", child, old, "forged")
        return child

    def child(self, tree: Oid, *above: Oid | None, lies: bool = True) -> Oid:
        """A commit of a tree that no branch knows of."""
        parents = [parent for parent in above if parent]
        base = self.store.commits(parents[:1])[0].tree if parents else None
        who = Signature("Mallory", "m@example.org", 1_700_000_000)
        data = encode(tree, parents, who, who, "hello", ChangeList(base))
        if not lies:
            data = data[: data.index(b"\n\nMemoir-")] + b"\n"
        return self.raw_commit(data)

    def raw_commit(self, data: bytes) -> Oid:
        """A commit of any bytes."""
        oid = self.pack.add("commit", data)
        self.pack.flush()
        self.pack.release()
        return oid


def bomb(forge: Forge, height: int = 40, width: int = 10) -> Oid:
    """A few trees that stand for width ** height leaves."""
    node, count = forge.leaf([(b"default=k%d" % n, forge.blob()) for n in range(width)], root=False), width
    for step in range(height):
        keys = [b"default=k0"] + [b"default=k%d.%d" % (n, step) for n in range(1, width)]
        rows = [(key, node, count) for key in keys]
        count = min(count * width, 10**14)
        node = forge.internal(rows, root=step == height - 1)
    return node


def chain(forge: Forge, length: int = 1500) -> Oid:
    """A tree of single children, deeper than any recursion goes."""
    node = forge.leaf([(b"default=a", forge.blob())], root=False)
    for step in range(length):
        node = forge.internal([(b"default=a", node, 1)], root=step == length - 1)
    return node
