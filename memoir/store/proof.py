"""Proofs that a commit has a value at a key, or none, for someone without the store.

A proof is one line of JSON: the commit object, the nodes from the root to the key's leaf, and the value. The reader of
the line recomputes every id from the bytes. docs/format.md specifies the line, and `examples/verify_proof.py` checks it
without memoir, so a change here changes a format.

The check covers what searching a tree relies on: each node begins with the key that its parent names, ends before the
next one, and has as many keys as its parent says. So only one leaf can have a key, and it shows whether the key is
there.
"""

import re
from collections.abc import Sequence
from operator import lt
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import DamagedStore, NotFound, NotProven
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid, Unread, object_id, sha1, sha256
from memoir.store.commit import Commit, parse
from memoir.store.snapshot import FIRST_COMMIT, Snapshot, tree_of
from memoir.tree.node import MAX_HEIGHT, TreeNode, decode

if TYPE_CHECKING:
    from typing import TypeGuard

VERSION = 1
HASHES = {"sha1": (sha1, 20), "sha256": (sha256, 32)}
"""The hash function of a repository's objects and the bytes of an id, by git's name."""
MOST_BYTES = 16 << 20
"""The most bytes of an object in a proof; memoir's commits and nodes have a few thousand."""
_FIELDS = ("memoir-proof", "hash", "commit", "key", "record", "objects", "sha256")
_DIGEST = b',"sha256":"'


class Proof(NamedTuple):
    """A proof: the claim and the objects that prove it."""

    hash: str
    """The hash of the repository's objects, a key in `HASHES`."""
    commit: Oid
    """The id of the commit."""
    key: bytes
    """The key, as in the tree."""
    value: bytes | None
    """The value there; None if the proof is of its absence."""
    objects: Sequence[bytes]
    """The commit object, and the nodes from the root to the leaf."""

    def __bytes__(self) -> bytes:
        """The text of the proof: one line, without its line break."""
        return _encode(self)


def prove(snapshot: Snapshot, key: bytes) -> Proof:
    """Make the proof of a snapshot's value at a key, or of its absence.

    Raises:
        NotFound: the branch has no commit. DamagedStore: the commit's tree is not in memoir's shape, as after a merge
            by another program, or the value is not text.
    """
    if snapshot.commit is None:
        raise NotFound("there is no commit yet, so there is nothing to prove", FIRST_COMMIT)
    if snapshot.tree.root != snapshot.stored_root:
        hint = "'memoir fsck --repair' corrects it in a commit of its own; then prove that"
        raise DamagedStore(f"the tree of commit {snapshot.commit.id.short} is another program's, out of shape", hint)
    reader, tree = snapshot.tree.reader, snapshot.tree
    objects = [reader.read([snapshot.commit.id], "commit")[0], *_nodes(reader, tree.root, tree.id_size, key)]
    value = snapshot.read([key]).get(key)
    if value is not None and (problem := _text_problem(value)):
        raise DamagedStore(f"the record at the key {problem}", "run 'memoir fsck'")
    name = next(name for name, (_, size) in HASHES.items() if size == tree.id_size)
    return Proof(name, snapshot.commit.id, key, value, objects)


def _text_problem(value: bytes) -> str | None:
    """The reason a value cannot be in a proof; None if it can."""
    if isinstance(value, Unread):
        return f"cannot be read: {value.reason}"
    try:
        value.decode()
    except UnicodeDecodeError:
        return "is not text"
    return None


def _nodes(reader: ObjectReader, root: Oid | None, id_size: int, key: bytes) -> list[bytes]:
    """The nodes from the root to the leaf that has, or would have, a key."""
    assert root
    nodes = reader.read([root], "tree")
    node = decode(nodes[0], id_size, root=True)
    while node.counts is not None and len(nodes) <= MAX_HEIGHT:
        nodes += reader.read([node.ids[node.child_for(key)]], "tree")
        node = decode(nodes[-1], id_size)
    return nodes


def check(proof: Proof) -> Commit:
    """Check that a proof's objects prove its claim; return the commit.

    Raises:
        NotProven: they do not.
    """
    hasher, id_size = HASHES[proof.hash]
    commit, *nodes = proof.objects
    if object_id(hasher, "commit", commit) != proof.commit:
        raise NotProven(f"the commit in the proof is not {proof.commit}")
    if not _is_whole_commit(commit, id_size):
        raise NotProven("the commit in the proof is malformed")
    try:
        parsed = parse(proof.commit, commit)
        expected, decoded = tree_of(commit), [decode(data, id_size, root=not n) for n, data in enumerate(nodes)]
    except DamagedStore as error:
        raise NotProven(f"an object in the proof is malformed: {error.message}") from error
    parent: TreeNode | None = None
    for data, node in zip(nodes, decoded, strict=True):
        if object_id(hasher, "tree", data) != expected:
            raise NotProven(f"the proof lacks the node {expected}")
        _check_place(node, parent, proof.key)
        expected = Oid() if node.counts is None else node.ids[node.child_for(proof.key)]
        parent = node
    if parent is None or parent.counts is not None:
        raise NotProven("the nodes of the proof do not lead to a leaf")
    value_id = None if proof.value is None else object_id(hasher, "blob", proof.value)
    if dict(zip(parent.keys, parent.ids, strict=True)).get(proof.key) != value_id:
        raise NotProven("the leaf in the proof holds something else at the key")
    return parsed


def _is_whole_commit(data: bytes, id_size: int) -> bool:
    """Whether a commit object has a header as git writes it."""
    oid, who = rb"[0-9a-f]{%d}\n" % (2 * id_size), rb" [^\n]*> \d{1,10} [+-]\d{4}\n"
    form = b"tree %s(?:parent %s)*author%scommitter%s" % (oid, oid, who, who)
    return re.match(form, data) is not None


def _check_place(node: TreeNode, parent: TreeNode | None, key: bytes) -> None:
    """Refuse a node whose keys contradict its parent."""
    is_sorted = all(map(lt, node.keys, node.keys[1:]))
    if parent is None or parent.counts is None:
        is_in_place = parent is None
    else:
        position = parent.child_for(key)
        ends = (*parent.keys, None)[position + 1]
        is_in_place = node.keys[0] == parent.keys[position] and (ends is None or node.keys[-1] < ends)
        is_in_place = is_in_place and node.total == parent.counts[position] and node.version in (0, parent.version)
    if not is_sorted or not is_in_place:
        raise NotProven("a node in the proof has other keys than its parent says")


def _encode(proof: Proof) -> bytes:
    import base64
    import zlib

    import orjson

    record = None if proof.value is None else proof.value.decode()
    objects = [base64.b64encode(zlib.compress(data, 9)).decode() for data in proof.objects]
    values = (VERSION, proof.hash, str(proof.commit), proof.key.decode(), record, objects)
    line = orjson.dumps(dict(zip(_FIELDS, values, strict=False)))
    return line[:-1] + _DIGEST + sha256(line[:-1]).hex().encode() + b'"}'


def read(data: bytes) -> Proof:
    """Read the line of a proof, which may end in a line break. Its claim is not checked; see `check`.

    Raises:
        NotProven: it is not a proof, or was changed in transit.
    """
    import orjson

    line = data.removesuffix(b"\n")
    before, _, digest = line.rpartition(_DIGEST)
    if not before:
        raise NotProven("this is not a proof", "'memoir prove KEY' makes one")
    if digest != sha256(before).hex().encode() + b'"}':
        raise NotProven("the proof was changed on its way", "it is one line; keep every byte of it")
    try:
        fields = orjson.loads(line)
        is_plain = tuple(fields) == _FIELDS and orjson.dumps(fields) == line
    except (ValueError, TypeError) as error:
        raise NotProven("the proof is not JSON") from error
    if not is_plain or not _has_types(fields):
        raise NotProven("the proof has fields that memoir's proofs do not have")
    return _from_fields(fields)


def _has_types(fields: dict[str, Any]) -> bool:
    version, name, commit, key, record, objects, _ = fields.values()
    return (
        type(version) is int
        and version == VERSION
        and name in HASHES
        and isinstance(commit, str)
        and isinstance(key, str)
        and (record is None or isinstance(record, str))
        and _is_list_of_strings(objects)
        and 2 <= len(objects) <= MAX_HEIGHT + 2
    )


def _is_list_of_strings(value: object) -> "TypeGuard[list[str]]":
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _from_fields(fields: dict[str, Any]) -> Proof:
    try:
        commit = Oid.fromhex(fields["commit"])
        objects = tuple(map(_inflate, fields["objects"]))
    except ValueError as error:
        raise NotProven("an object in the proof is not compressed as it should be") from error
    if str(commit) != fields["commit"]:
        raise NotProven("the commit in the proof is not an id")
    record = fields["record"]
    return Proof(fields["hash"], commit, fields["key"].encode(), None if record is None else record.encode(), objects)


def _inflate(text: str) -> bytes:
    """Decode an object: base64 of a zlib stream with nothing after it."""
    import base64
    import zlib

    stream = zlib.decompressobj()
    try:
        data = stream.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not stream.eof or stream.unused_data:
        raise ValueError("it does not end where it should")
    return data
