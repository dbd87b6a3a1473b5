"""memoir-ai: the prolly tree of a store, read without its own package, with every commit of the current branch.

A commit holds `data/prolly_config_tree_config` with the root's hash. A node is a list of keys and a list of values,
each with its length; in an inner node the values are the hashes of its children. Nodes are files named by their hash
(`.git/prolly/nodes/files`), or git blobs listed in `data/prolly_hash_mappings`. Unlike the package's own listing, this
reads more than 1,024 keys. No program in the store is run.

A value is JSON: content, confidence, timestamp (seconds since 1970), and since version 2 `entries`, a memory each.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from memoir.errors import InvalidInput, MemoirError
from memoir.formats.found import Finding, Found, Place, Refused, SourceCommit, as_rows, when
from memoir.git.git import Git
from memoir.git.object_reader import GitConversation
from memoir.git.objects import Unread
from memoir.taxonomy.paths import MAX_SEGMENTS

_CONFIG, _MAPPINGS = "data/prolly_config_tree_config", "data/prolly_hash_mappings"
_OWN = re.compile(r"(?:taxonomy:v\d+:|codebase:onboard|project:onboard|metrics\.)")
"""The keys that memoir-ai uses for other data than memories."""
_MOST_NODES = 1 << 22
_LEAVES = 4096
_HASH_DIGITS = 64
_MAPPING = re.compile(r"[0-9a-f]{64}:[0-9a-f]{40,64}")


def recognize(place: Place) -> str | None:
    """Why a folder is a store of memoir-ai; None if it is not."""
    if place.has(_CONFIG) and place.has(".git"):
        return f"it has {_CONFIG}"
    return "it has .git/memoir-backend" if place.has(".git/memoir-backend") else None


def read(place: Place) -> Iterator[Finding]:
    """The memories that each commit has changed.

    Raises:
        InvalidInput: it is no store of memoir-ai, or its nodes are kept in a way that cannot be read here.
    """
    if not recognize(place):
        raise InvalidInput(f"{place.path} is no store of memoir-ai", "name the folder that has data/ and .git/")
    store = _Store(place.path)
    before: dict[bytes, bytes] = {}
    for commit in store.commits():
        try:
            after = store.memories(commit)
        except MemoirError as error:
            yield Refused(f"commit {commit.id[:12]}", error.message)
            continue
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                yield from _changes(key, before.get(key), after.get(key), commit)
        before = after


class _Node(NamedTuple):
    """A node of the tree."""

    keys: list[bytes]
    values: list[bytes]
    is_leaf: bool


class _Store:
    """The git repository of a store, and its nodes."""

    def __init__(self, folder: Path) -> None:
        self._git = Git(folder / ".git")
        self._objects = GitConversation(self._git)
        self._files = folder / ".git" / "prolly" / "nodes" / "files"
        lock = folder / ".git" / "memoir-backend"
        backend = lock.read_text("utf-8", "replace").strip() if lock.is_file() else ""
        if backend == "rocksdb":
            raise InvalidInput("the nodes of this store are in RocksDB", "copy it into one of memoir-ai's file backend")
        self._parsed = lru_cache(_LEAVES)(self._read_node)
        self._mappings: dict[str, str] = {}
        """The blobs of nodes by hash, from the newest commit, which mostly has all, or from the commit being read."""

    def commits(self) -> Iterator[SourceCommit]:
        """The commits of the current branch, along first parents, oldest first."""
        form = "%H%x00%at%x00%an%x00%ae%x00%s"
        lines = self._git.read("log", "--first-parent", "--reverse", f"--format={form}", "HEAD", "--")
        for line in lines.decode("utf-8", "replace").split("\n"):
            if line.count("\0") == 4:
                oid, time, name, email, subject = line.split("\0")
                moment = datetime.fromtimestamp(int(time), UTC) if time.isdecimal() else None
                yield SourceCommit(oid, moment, name, email, subject)

    def memories(self, commit: SourceCommit) -> dict[bytes, bytes]:
        """The values of all keys at a commit."""
        config = self._blob(f"{commit.id}:{_CONFIG}")
        root = _root_of(config) if config else None
        if root is None:
            return {}
        found: dict[bytes, bytes] = {}
        waiting, count = [root], 0
        while waiting:
            if (count := count + 1) > _MOST_NODES:
                raise InvalidInput("its tree has too many nodes")
            node = self._node(waiting.pop(), commit.id)
            if node.is_leaf:
                found |= zip(node.keys, node.values, strict=False)
            else:
                waiting += [value.hex() for value in node.values]
        return found

    def _node(self, name: str, commit: str) -> _Node:
        """The node with a hash, at a commit."""
        if len(name) != _HASH_DIGITS:
            raise InvalidInput("a node of its tree contains an invalid hash")
        if name not in self._mappings and not (self._files / name).is_file():
            for revision in ("HEAD", commit):
                if name not in self._mappings:
                    self._mappings |= self._read_mappings(revision)
        return self._parsed(name, self._mappings.get(name, ""))

    def _read_node(self, name: str, oid: str) -> _Node:
        path = self._files / name
        data = path.read_bytes() if path.is_file() else self._blob(oid) if oid else None
        if data is None:
            raise InvalidInput(f"node {name[:12]} of its tree is gone", "memoir-ai has collected it")
        return _parse_node(data)

    def _read_mappings(self, revision: str) -> dict[str, str]:
        lines = (self._blob(f"{revision}:{_MAPPINGS}") or b"").decode("ascii", "replace").splitlines()
        return dict(line.split(":", 1) for line in lines if _MAPPING.fullmatch(line))

    def _blob(self, name: str) -> bytes | None:
        (answer,) = self._objects.ask([name.encode()])
        return None if answer is None or answer.kind != "blob" or isinstance(answer.data, Unread) else answer.data


def _root_of(config: bytes) -> str | None:
    try:
        root = orjson.loads(config).get("root_hash")
        return bytes([*root]).hex() if root else None  # not bytes(root): of a number, that would be so many zeros
    except (ValueError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{_CONFIG} is malformed") from error


def _parse_node(data: bytes) -> _Node:
    """A node: keys, an absent schema, values, an absent schema, and whether it is a leaf."""
    keys, at = _list(data, 0)
    at = _absent(data, at)
    values, at = _list(data, at)
    at = _absent(data, at)
    return _Node(keys, values, data[at : at + 1] == b"\1")


def _list(data: bytes, at: int) -> tuple[list[bytes], int]:
    count, at = _number(data, at), at + 8
    found = []
    for _ in range(count):
        size = _number(data, at)
        if at + 8 + size > len(data):
            raise InvalidInput("a node of its tree is cut off")
        found.append(data[at + 8 : at + 8 + size])
        at += 8 + size
    return found, at


def _number(data: bytes, at: int) -> int:
    if at + 8 > len(data):
        raise InvalidInput("a node of its tree is cut off")
    return int.from_bytes(data[at : at + 8], "little")


def _absent(data: bytes, at: int) -> int:
    if data[at : at + 1] != b"\0":
        raise InvalidInput("a node of its tree has a schema, unlike memoir-ai's nodes")
    return at + 1


def _changes(key: bytes, old: bytes | None, new: bytes | None, commit: SourceCommit) -> Iterator[Finding]:
    """The changes of a commit at a key: new, changed and removed memories."""
    name = key.decode("utf-8", "surrogateescape")
    try:
        before, after = _entries(name, old), _entries(name, new)
    except InvalidInput as error:
        yield Refused(f"{name} at {commit.id[:12]}", error.message)
        return
    for identity in before:
        if identity not in after:
            yield before[identity]._replace(content=None, commit=commit)
    for identity, found in after.items():
        if found != before.get(identity):
            yield found._replace(commit=commit)


def _entries(name: str, value: bytes | None) -> dict[str, Found]:
    """The memories of a key by their ids; none for memoir-ai's other data."""
    if value is None or _OWN.match(name.partition(":")[2]) or _OWN.match(name):
        return {}
    try:
        fields = orjson.loads(value)
    except ValueError as error:
        raise InvalidInput("its value is not JSON") from error
    if not isinstance(fields, dict):
        raise InvalidInput("its value is not a memory")
    namespace, path = _place(name, fields)
    rest = {each: fields[each] for each in fields if each not in _FIELDS}
    found: dict[str, Found] = {}
    for entry in as_rows(fields.get("entries")) or [fields]:
        content = entry.get("content")
        own = {each: entry[each] for each in entry if each not in _FIELDS}
        identity = f"{name}#{entry.get('timestamp')}"
        while identity in found:
            identity += "'"
        found[identity] = Found(
            identity, name, content if isinstance(content, str) else json.dumps(content), path,
            when(entry.get("timestamp")), {**rest, **own}, entry.get("confidence", 1.0),
            entry.get("status") != "superseded", namespace,
        )  # fmt: skip
    return found


_FIELDS = frozenset(
    ("content", "key", "namespace", "confidence", "timestamp", "entries", "schema_version", "status", "related_keys")
)


def _place(name: str, fields: Mapping[str, Any]) -> tuple[str, str]:
    """The namespace and the path of a key; the namespace itself may contain colons."""
    namespace = fields.get("namespace")
    if isinstance(namespace, str) and name.startswith(f"{namespace}:"):
        path = name.removeprefix(f"{namespace}:")
    else:
        namespace, _, path = name.rpartition(":")
    segments = re.sub(r"[^\w.-]+", "_", path).strip(".").split(".")
    kept = [segment.lstrip("-") or "_" for segment in segments]
    if len(kept) > MAX_SEGMENTS:
        kept = [*kept[: MAX_SEGMENTS - 1], "_".join(kept[MAX_SEGMENTS - 1 :])]
    return namespace or "default", ".".join(kept)
