"""Check a proof of `memoir prove` with Python's standard library alone: python verify_proof.py PROOF [COMMIT].

It follows docs/format.md, "Proofs", and shares no code with memoir. Exit status 0 if the proof holds, else 1.
"""

import base64
import hashlib
import json
import re
import sys
import zlib
from pathlib import Path

FIELDS = ["memoir-proof", "hash", "commit", "key", "record", "objects", "sha256"]
TYPES = [int, str, str, str, str | None, list, str]
WHO, KEY, COUNT = rb" [^\n]*> \d{1,10} [+-]\d{4}\n", rb".*=.*", rb"[1-9]\d{0,14}"


def verify(text: bytes, commit: str | None = None) -> tuple[str, str, str | None]:
    """The commit, the key and the record (None: there is none) that a proof proves; ValueError if it does not hold."""
    line = text.removesuffix(b"\n")
    before, _, digest = line.rpartition(b',"sha256":"')
    _need(digest == hashlib.sha256(before).hexdigest().encode() + b'"}', "it was changed")
    fields = json.loads(line)
    _need(line == json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode(), "it is not plain JSON")
    _need(list(fields) == FIELDS and all(map(isinstance, fields.values(), TYPES)), "it is not a proof")
    version, algorithm, claimed, key, record, packed, _ = fields.values()
    _need((type(version), version) == (int, 1) and algorithm in ("sha1", "sha256"), "it is of another version")
    _need(2 <= len(packed) <= 44, "it has too few objects, or too many")
    streams = [(zlib.decompressobj(), base64.b64decode(each, validate=True)) for each in packed]
    data, *nodes = [stream.decompress(each, 16 << 20) for stream, each in streams]
    _need(all(each.eof and not each.unused_data for each, _ in streams), "an object does not end where it should")

    def oid(kind: bytes, content: bytes) -> bytes:
        return hashlib.new(algorithm, b"%s %d\0" % (kind, len(content)) + content).digest()

    empty, size = oid(b"blob", b""), len(oid(b"blob", b""))
    tree = b"[0-9a-f]{%d}\n" % (2 * size)
    header = re.match(b"tree %s(parent %s)*author%scommitter%s" % (tree, tree, WHO, WHO), data)
    _need(header and oid(b"commit", data).hex() == claimed == (commit or claimed), "it is of another commit")
    first, ends, total, wanted = None, None, None, bytes.fromhex(data[5 : 5 + 2 * size].decode())
    for number, node in enumerate(nodes, 1):
        _need(oid(b"tree", node) == wanted, "a node is missing")
        rows = re.findall(rb"(\d+) ([^\0]+)\0(.{%d})" % size, node, re.DOTALL)
        order = [name + b"/" * (mode == b"40000") for mode, name, _ in rows]
        _need(node == b"".join(b"%s %s\0%s" % row for row in rows) and order == sorted(set(order)), "a malformed node")
        if number == 1:
            marks = [row for row in rows if row[1].startswith(b"memoir-format-")]
            rows, form = [row for row in rows if row not in marks], len(marks)
            _need(form and marks == [(b"100644", b"memoir-format-%d" % n, empty) for n in (1, 2)[:form]], "no marker")
        is_leaf = number == len(nodes)
        entries = [(name, value, 1) for _, name, value in rows] if is_leaf else _children(rows, form, empty)
        keys = [name for name, _, _ in entries]
        _need(keys == sorted(set(keys)), "the keys of a node are not sorted")
        _need(first in (None, *keys[:1]) and (ends is None or keys[-1] < ends), "a node has keys of another one")
        _need(total in (None, sum(count for *_, count in entries)), "a node has not as many keys as its parent says")
        if not is_leaf:
            place = max(sum(name <= key.encode() for name in keys) - 1, 0)
            (first, wanted, total), ends = entries[place], (*keys, None)[place + 1]
    _need(all(mode == b"100644" and b"=" in name for mode, name, _ in rows), "the last node is not a leaf")
    found = {name: value for name, value, _ in entries}.get(key.encode())
    _need(found == (None if record is None else oid(b"blob", record.encode())), "the leaf says otherwise")
    return claimed, key, record


def _children(rows: list[tuple[bytes, bytes, bytes]], form: int, empty: bytes) -> list[tuple[bytes, bytes, int]]:
    """The children of a node of the first or second format: the first key, the id, and how many keys are below."""
    trees = [(name, value) for mode, name, value in rows if mode == b"40000"]
    notes = [name for mode, name, value in rows if (mode, value) == (b"100644", empty)]
    _need(trees and len(notes) == form - 1 and len(trees) + len(notes) == len(rows), "a node has a strange entry")
    pattern = b"%s;%s" % (COUNT, KEY) if form == 1 else b";(%s)?" % KEY
    _need(all(re.fullmatch(pattern, name, re.DOTALL) for name, _ in trees), "a node has a child with a strange name")
    if form == 1:
        children = [(*name.split(b";", 1)[::-1], value) for name, value in trees]
        return sorted((key, value, int(count)) for key, count, value in children)
    _need(re.fullmatch(b"%s;%s(,%s)*" % (KEY, COUNT, COUNT), notes[0], re.DOTALL), "a node has no counts")
    _need(b";" in dict(trees), "a node has no first child")
    low, _, counts = notes[0].rpartition(b";")
    keys = sorted((name[1:] or low, value) for name, value in trees)
    return [(*each, int(count)) for each, count in zip(keys, counts.split(b","), strict=True)]


def _need(condition: object, reason: str) -> None:
    if not condition:
        raise ValueError(reason)


if __name__ == "__main__":
    _ = len(sys.argv) in (2, 3) or sys.exit("usage: python verify_proof.py PROOF [COMMIT]")
    try:
        print("commit {}\nkey {}\nrecord {}".format(*verify(Path(sys.argv[1]).read_bytes(), *sys.argv[2:3])))
    except (ValueError, TypeError, zlib.error) as error:
        sys.exit(f"not proved: {error}")
