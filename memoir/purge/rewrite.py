"""Rewrites every commit that has something to purge: the same time, author and message with another tree.

The new value at a key depends only on the key and the old value. So equal trees stay equal, and the change list of a
rewritten commit follows from the old trees. A commit whose tree, parents and message are unchanged is kept.
"""

import re
from collections.abc import Iterator

from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid, Unread
from memoir.git.pack_writer import PackWriter
from memoir.git.ssh_signatures import SshKey, sign, split
from memoir.purge.wanted import BLOT, Wanted
from memoir.store import commit as commits
from memoir.store.commit import BULK, ChangeList, Commit
from memoir.store.history import changes
from memoir.store.store import Store
from memoir.store.walk import everything, has_memories
from memoir.tree.edit import apply
from memoir.tree.node import decode

_ID = rb"\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b"
_SIGNED_TAG = rb"-----BEGIN (?:SSH|PGP) SIGNATURE-----"


class Rewriting:
    """Rewrites the commits of a store into a pack.

    Attributes:
        commits: The new commit by each changed one; unchanged ones are left out.
        unsigned: The commits and tags whose signature the new ones lack.
        untold: The ids of commits that changed only purged namespaces; their messages are dropped.
        places: The new value, or None, by each key and value that is changed or removed.
    """

    def __init__(self, store: Store, wanted: Wanted, pack: PackWriter, key: SshKey | None) -> None:
        self._store, self._wanted, self._pack, self._key = store, wanted, pack, key
        self._nodes: dict[Oid, tuple[tuple[bytes, Oid], ...]] = {}
        self._roots: dict[Oid, Oid] = {}
        self._tags: dict[Oid, Oid] = {}
        self._suspects = self._find_suspects()
        self.commits: dict[Oid, Oid] = {}
        self.unsigned: list[Oid] = []
        self.untold: set[bytes] = set()
        self.places: dict[tuple[bytes, Oid], Oid | None] = {}

    def _find_suspects(self) -> dict[Oid, bytes]:
        """The values of the store that may contain something to purge."""
        values = self._store.snapshot(None).values((oid, oid) for oid in self._all_values())
        return {oid: d for oid, d in values if not isinstance(d, Unread) and self._wanted.may_be_in(d)}

    def _all_values(self) -> Iterator[Oid]:
        form = "--batch-check=%(objecttype) %(objectname)"
        with self._store.git.stream("cat-file", "--batch-all-objects", "--unordered", form) as lines:
            for line in lines:
                if line.startswith(b"blob "):
                    yield Oid.fromhex(line[5:].decode())

    def run(self) -> None:
        """Rewrite every commit reachable from a ref or a log, parents first."""
        for commit in list(everything(self._store))[::-1]:
            if has_memories(self._store, commit):
                self._rewrite(commit)
            else:  # code is unchanged; the final search reports what it contains
                self._roots[commit.tree] = commit.tree
                self._rewrite(commit._replace(changes=None))

    def _rewrite(self, commit: Commit) -> None:
        (data,) = self._store.reader.read([commit.id], "commit")
        plain, signature = split(data)
        tree = self._root(commit)
        parents = tuple(self.commits.get(parent, parent) for parent in commit.parents)
        header, gap, body = plain.partition(b"\n\n")
        message, between, trailers = body.rstrip(b"\n").rpartition(b"\n\n")
        if commit.changes is None:
            message, between, trailers = body, b"", b""
        new_message = self.without(self._without_beginning(message))
        if self._wanted.whole.has_all(self._store, commit):
            self.untold.add(str(commit.id).encode())
            new_message = BLOT.encode()
        if (tree, parents, new_message) == (commit.tree, commit.parents, message):
            return
        if commit.changes is not None:
            trailers = commits.trailer_lines(self._new_change_list(commit))
        lines = [line for line in header.split(b"\n") if not line.startswith((b"tree ", b"parent "))]
        heads = [f"tree {tree}".encode(), *(f"parent {parent}".encode() for parent in parents)]
        new = b"\n".join([*heads, *lines]) + gap + new_message + between + trailers
        if signature and self._key:
            new = sign(new, self._key, self._store.id_size)
        elif signature:
            self.unsigned.append(commit.id)
        self.commits[commit.id] = self._pack.add("commit", new)

    def _without_beginning(self, message: bytes) -> bytes:
        text = message.decode("utf-8", "surrogateescape")
        return self._wanted.without_beginning(text).encode("utf-8", "surrogateescape")

    def without(self, text: bytes, *, scan: bool = True) -> bytes:
        """A message without the purged text, and with the ids of the new commits."""
        old = text.decode("utf-8", "surrogateescape")
        return self.with_new_ids(self._wanted.blotted(old, scan=scan).encode("utf-8", "surrogateescape"))

    def with_new_ids(self, text: bytes) -> bytes:
        """A text with the ids of old commits replaced by the new ones."""
        return re.sub(_ID, lambda match: self._new_id(match[0]), text)

    def _new_id(self, text: bytes) -> bytes:
        oid = Oid.fromhex(text.decode())
        new = self.commits.get(oid) or self._tags.get(oid)
        return str(new).encode() if new else text

    def tag(self, oid: Oid, data: bytes) -> Oid:
        """The new object of an annotated tag; unchanged if nothing changes."""
        if oid in self._tags:
            return self._tags[oid]
        unsigned, *signatures = re.split(b"(?m)^(?=%s)" % _SIGNED_TAG, data)
        first, _, rest = unsigned.partition(b"\n")
        target = Oid.fromhex(first.removeprefix(b"object ").decode())
        kind = re.search(rb"(?m)^type (\w+)$", rest)
        new = self.commits.get(target, target)
        if kind and kind[1] == b"tag":
            new = self.tag(target, self._store.reader.read([target], "tag")[0])
        text = self.without(rest)
        if (new, text) == (target, rest):
            return oid
        self.unsigned += [oid] if signatures else []
        self._tags[oid] = self._pack.add("tag", f"object {new}\n".encode() + text)
        return self._tags[oid]

    def value(self, key: bytes, oid: Oid | None) -> Oid | None:
        """The new value for a value at a key; None if it is removed."""
        if oid is None or not (oid in self._suspects or self._wanted.takes_key(key)):
            return oid
        if (key, oid) not in self.places:
            new: Oid | None = None
            if not self._wanted.takes_key(key):
                rest = self._wanted.rest_of(self._suspects[oid], key)
                new = oid if rest == self._suspects[oid] else None if rest is None else self._pack.add("blob", rest)
            else:
                self._wanted.note_removal(key, self._store.reader.read([oid], "blob")[0])
            if new == oid:
                return oid
            self.places[key, oid] = new
        return self.places[key, oid]

    def _root(self, commit: Commit) -> Oid:
        if commit.tree not in self._roots:
            self._roots[commit.tree] = self._new_root(commit)
        return self._roots[commit.tree]

    def _new_root(self, commit: Commit) -> Oid:
        tree = self._store.of(commit.id).tree
        if tree.root == commit.tree:
            hits = self._hits(commit.tree, root=True)
            edits = {key: new for key, oid in hits if (new := self.value(key, oid)) != oid}
            return apply(tree, edits, self._pack) if edits else commit.tree
        # Another program's tree, out of shape: if something is removed, none of its nodes can be reused.
        before = dict(tree.scan())
        after = {key: self.value(key, oid) for key, oid in before.items()}
        if after == before:
            return commit.tree
        return apply(self._store.tree(None), {key: oid for key, oid in after.items() if oid}, self._pack)

    def _hits(self, node_id: Oid, *, root: bool = False) -> tuple[tuple[bytes, Oid], ...]:
        """The keys below a node whose values may change; each node is read once."""
        if node_id not in self._nodes:
            (data,) = self._reader.read([node_id], "tree")
            node = decode(data, self._store.id_size, root=root)
            if node.counts is None:
                pairs = zip(node.keys, node.ids, strict=True)
                hits = [(key, oid) for key, oid in pairs if oid in self._suspects or self._wanted.takes_key(key)]
            else:
                hits = [hit for child in node.ids for hit in self._hits(child)]
            self._nodes[node_id] = tuple(hits)
        return self._nodes[node_id]

    @property
    def _reader(self) -> ObjectReader:
        return self._store.reader

    def _new_change_list(self, commit: Commit) -> ChangeList:
        """The change list of a rewritten commit relative to its new first parent."""
        old = self._store.commits(commit.parents[:1])
        base = self._root(old[0]) if old else None
        deltas = [(each.key, each.old, each.new) for each in changes(self._store, commit)]
        real = [(key, self.value(key, one), self.value(key, two)) for key, one, two in deltas]
        put = tuple(sorted(key for key, one, two in real if two is not None and one != two))
        forget = tuple(sorted(key for key, one, two in real if two is None and one is not None))
        listed = commit.changes.moves if commit.changes else ()
        moves = tuple((a, b) for a, b in listed if a in forget and b in put)
        total = len(put) + len(forget)
        return ChangeList(base, moves=moves, bulk=total) if total > BULK else ChangeList(base, put, forget, moves)
