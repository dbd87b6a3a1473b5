"""Check a proof of `memoir prove` with Python's standard library alone: python verify_proof.py PROOF [COMMIT].

It follows docs/format.md, "Proofs", and shares no code with memoir. Exit status 0 if the proof holds, else 1.
"""

import base64
import hashlib
import json
import re
import sys
import zlib
from itertools import pairwise
from pathlib import Path

FIELDS = ["memoir-proof", "hash", "commit", "key", "record", "objects", "sha256"]
SIZES = {"sha1": 20, "sha256": 32}
WHO = rb" [^\n]*> \d{1,10} [+-]\d{4}\n"
COUNT = rb"[1-9]\d{0,14}"
MOST_BYTES, MOST_OBJECTS = 16 << 20, 44


def verify(text: bytes, commit: str | None = None) -> tuple[str, str, str | None]:
    """The commit, the key and the record (None: there is none) that a proof proves; ValueError if it does not hold."""
    line = text.removesuffix(b"\n")
    before, mark, _ = line.rpartition(b',"sha256":"')
    _require(before and line == before + mark + hashlib.sha256(before).hexdigest().encode() + b'"}', "it was changed")
    fields = json.loads(line)
    plain = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    _require(list(fields) == FIELDS and plain == line, "the fields are not a proof's")
    version, algorithm, claimed, key, record, packed, _ = fields.values()
    _require(type(version) is int and version == 1 and algorithm in SIZES, "the version or the hash is unknown")
    _require(isinstance(key, str) and (record is None or isinstance(record, str)), "key and record are not text")
    _require(isinstance(packed, list) and 2 <= len(packed) <= MOST_OBJECTS, "it has too few objects, or too many")
    data, *nodes = map(_unpack, packed)
    tree = rb"[0-9a-f]{%d}" % (2 * SIZES[algorithm])
    header = re.match(b"tree (%s)\n(?:parent %s\n)*author%scommitter%s" % (tree, tree, WHO, WHO), data)
    _require(_oid(algorithm, "commit", data).hex() == claimed == (commit or claimed), "it is of another commit")
    _require(header, "the commit is malformed")
    wanted, low, high, count, version = bytes.fromhex(header[1].decode()) if header else b"", None, None, None, 0
    for depth, node in enumerate(nodes):
        _require(_oid(algorithm, "tree", node) == wanted, "a node is missing")
        form, rows = entries(node, algorithm, depth == 0)
        is_leaf, version = form == 0, version or form
        _require(form in (0, version), "the nodes are of two formats")
        keys = [row[0] for row in rows]
        _require(_is_increasing(keys), "the keys of a node are not sorted")
        _require(low in (None, *keys[:1]) and (high is None or keys[-1] < high), "a node has keys of another one")
        _require(count in (None, sum(row[2] for row in rows)), "a node has not as many keys as its parent says")
        _require(is_leaf == (depth == len(nodes) - 1), "the nodes do not end in a leaf")
        if not is_leaf:
            place = max(sum(name <= key.encode() for name in keys) - 1, 0)
            (low, wanted, count), high = rows[place], (*keys, None)[place + 1]
    found = {name: value for name, value, _ in rows}.get(key.encode())
    _require(found == (None if record is None else _oid(algorithm, "blob", record.encode())), "the leaf says otherwise")
    return claimed, key, record


def _require(condition: object, reason: str) -> None:
    if not condition:
        raise ValueError(reason)


def _unpack(text: str) -> bytes:
    stream = zlib.decompressobj()
    data = stream.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
    _require(stream.eof and not stream.unused_data, "an object is too long, or something follows it")
    return data


def _oid(algorithm: str, kind: str, data: bytes) -> bytes:
    return hashlib.new(algorithm, b"%s %d\0" % (kind.encode(), len(data)) + data).digest()


def _is_increasing(names: list[bytes]) -> bool:
    return all(one < two for one, two in pairwise(names))


def entries(data: bytes, algorithm: str, is_root: bool) -> tuple[int, list[tuple[bytes, bytes, int]]]:
    """A node's format (0: a leaf), and its entries by key: the key, an id, and how many keys are below."""
    found = re.findall(rb"(\d+) ([^\0]+)\0(.{%d})" % SIZES[algorithm], data, re.DOTALL)
    _require(b"".join(b"%s %s\0%s" % row for row in found) == data, "a node is malformed")
    _require(
        _is_increasing([name + b"/" * (mode == b"40000") for mode, name, _ in found]), "a node is out of git's order"
    )
    marks = [row for row in found if is_root and row[1].startswith(b"memoir-format-")]
    empty = _oid(algorithm, "blob", b"")
    names = [b"memoir-format-1", b"memoir-format-2"][: len(marks)]
    _require(bool(marks) == is_root and marks == [(b"100644", name, empty) for name in names], "no marker")
    rows = [row for row in found if row not in marks]
    if all(mode == b"100644" and b"=" in name for mode, name, _ in rows) and (rows or is_root):
        return 0, [(name, value, 1) for _, name, value in rows]
    version = 2 if any(name == b";" for _, name, _ in rows) else 1
    _require(not is_root or len(marks) == version, "the marker is of another format")
    return version, _second_format(rows, empty) if version == 2 else _first_format(rows)


def _first_format(rows: list[tuple[bytes, bytes, bytes]]) -> list[tuple[bytes, bytes, int]]:
    names = [re.fullmatch(b"(%s);(.*=.*)" % COUNT, name, re.DOTALL) for mode, name, _ in rows if mode == b"40000"]
    _require(rows and len(names) == len(rows) and all(names), "a node has a strange entry")
    return sorted((name[2], row[2], int(name[1])) for name, row in zip(names, rows, strict=True) if name)


def _second_format(rows: list[tuple[bytes, bytes, bytes]], empty: bytes) -> list[tuple[bytes, bytes, int]]:
    notes = [row for row in rows if row[0] != b"40000"]
    note = notes and re.fullmatch(b"(.*=.*);(%s(?:,%s)*)" % (COUNT, COUNT), notes[0][1], re.DOTALL)
    first, counts = (note[1], note[2].split(b",")) if note else (b"", [])
    named = [row for row in rows if row not in notes and row[1].startswith(b";") and (row[1] == b";" or b"=" in row[1])]
    is_plain = len(notes) == 1 and notes[0][::2] == (b"100644", empty) and len(named) == len(rows) - 1
    _require(is_plain and len(counts) == len(named), "a node has a strange entry")
    children = sorted((name[1:] or first, value) for _, name, value in named)
    return [(key, value, int(count)) for (key, value), count in zip(children, counts, strict=True)]


if __name__ == "__main__":
    try:
        print("commit {}\nkey {}\nrecord {}".format(*verify(Path(sys.argv[1]).read_bytes(), *sys.argv[2:3])))
    except (ValueError, TypeError, zlib.error) as error:
        sys.exit(f"not proved: {error}")
