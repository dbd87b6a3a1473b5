"""Digests of purged memories, which tell when commits of another store would bring one back.

    memoir-purged:  a random key, then a keyed BLAKE2b digest of the content of each memory, one a line; where all of a
                    namespace was purged, of its name, a null and the content

The digests are of use only to this store. As with any digest, someone with the file can test a guess at a memory.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memoir.errors import DamagedStore
from memoir.git.fsync import replace
from memoir.git.git import PURGED
from memoir.git.objects import Oid, blake2b
from memoir.records.damage import read_or_empty
from memoir.store.history import changes
from memoir.store.store import Store
from memoir.taxonomy.paths import from_key

FILE = PURGED
_BYTES = 16


def _read_digests(git_dir: Path) -> list[bytes]:
    try:
        return [bytes.fromhex(line) for line in (git_dir / FILE).read_text("ascii", "replace").split()]
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise DamagedStore(f"the file {FILE!r} of the store cannot be read", "a backup of the store has it") from error


def add(git_dir: Path, contents: Iterable[str]) -> None:
    """Note the contents of memories that were purged."""
    key, *digests = _read_digests(git_dir) or [os.urandom(_BYTES)]
    digests += [_digest(key, content) for content in sorted(contents)]
    replace(git_dir / FILE, b"".join(each.hex().encode() + b"\n" for each in dict.fromkeys([key, *digests])))


def in_namespace(key: bytes, content: str) -> str:
    """The text to note for a content that was purged only in the namespace of a key."""
    return f"{from_key(key).namespace}\0{content}"


def _digest(key: bytes, content: str) -> bytes:
    return blake2b(content.encode(), key=key, size=_BYTES)


def purged_in(store: Store, before: Mapping[str, Oid], after: Mapping[str, Oid]) -> Iterator[tuple[str, bytes]]:
    """The refs whose commits since `before` contain purged memories, and the first such key of each."""
    key, *digests = _read_digests(store.git_dir)
    stones = frozenset(digests)
    known = [f"^{oid}" for oid in {*before.values()}]
    for ref, tip in after.items():
        if before.get(ref) == tip or not store.reader.has(tip):
            continue
        ids = store.git.read("rev-list", "--topo-order", "--reverse", str(tip), *known, "--").decode().split()
        if found := next(_purged_keys(store, [Oid.fromhex(each) for each in ids], key, stones), None):
            yield ref, found


def _purged_keys(store: Store, commits: list[Oid], key: bytes, stones: frozenset[bytes]) -> Iterator[bytes]:
    """The keys that commits write, compared with their first parents, with memories whose digests are in `stones`."""
    for commit in store.commits(commits):
        puts = [(each.key, each.new) for each in changes(store, commit) if each.new]
        values = store.reader.read([oid for _, oid in puts], "blob")
        for (name, _), data in zip(puts, values, strict=True):
            contents = [facet.content for facet in read_or_empty(data)]
            told = [*contents, *(in_namespace(name, content) for content in contents)]
            if any(_digest(key, text) in stones for text in told):
                yield name
