"""The versions of memories and the commits that made them, for `blame` and `log`."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import NotFound
from memoir.memory.read import near_miss, require_namespaces
from memoir.records.damage import past_record
from memoir.records.record import Record
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, from_key

if TYPE_CHECKING:
    from memoir.store import history
    from memoir.store.change_table import Range

_BATCH = 100
"""Versions that are read at once."""


def revision_hint(store: Store, word: str) -> str | None:
    """A hint for a revision that was given as a key; None if the word is not a revision."""
    return f"{word!r} is a revision: 'memoir log --at {word}'" if store.resolve(word) else None


class MemoryVersion(NamedTuple):
    """One version of a path."""

    commit: Commit
    """The commit that made it."""
    operation: str
    """The change: `added`, `modified`, `removed`, `moved` or `merged`."""
    address: Address
    """The path at that time."""
    record: Record | None
    """The record after it; None if it was removed."""
    before: Record | None = None
    """The record before the commit, if the operation modified one."""


def blame(store: Store, address: Address, snapshot: Snapshot, limit: int | None = None) -> Iterator[MemoryVersion]:
    """Every version of a path and of its earlier paths, newest first; read in batches."""
    rest = islice(_versions(store, address, snapshot), limit)
    first = next(rest, None)
    if first is None:
        raise NotFound(
            f"no memory at {address.full_key}, now or before",
            near_miss(snapshot, address, past=False),
            keys=[address.full_key],
        )
    versions = chain((first,), rest)
    while batch := list(islice(versions, _BATCH)):
        contents = snapshot.blobs(oid for version in batch for oid in (version.value, version.before))
        records = {oid: past_record(content) for oid, content in contents.items()}
        for v in batch:
            now, before = (records[oid] if oid else None for oid in (v.value, v.before))
            yield MemoryVersion(v.commit, v.operation, from_key(v.key), now, before)


def log(
    store: Store,
    snapshot: Snapshot,
    address: Address | None = None,
    *,
    of: Iterator[Commit] | None = None,
    names: Sequence[str] = (),
    author: str = "",
    since: int | None = None,
    until: int | None = None,
    without: Commit | None = None,
) -> Iterator[Commit]:
    """The commits that changed a path (else paths below it), the named namespaces, or anything; newest first.

    `of`, if given, are the commits to filter instead. Commits that `without` reaches are left out.

    `author` is a part of the author's name or address, in any case; `since` and `until` are seconds since 1970.
    """
    if of is not None:
        commits = of
    elif address:
        commits = _of_path(store, snapshot, address)
    elif names:
        commits = _in_namespaces(store, snapshot, names)
    else:
        from memoir.store.walk import walk_commits

        commits = walk_commits(store, snapshot.commit, since=since, until=until) if snapshot.commit else iter(())
    if without:
        from memoir.store import ancestry

        fresh = ancestry.between(store, without.id, snapshot.id) if snapshot.id else set()
        commits = (commit for commit in commits if commit.id in fresh)
    for commit in commits:
        who, when = f"{commit.author.name} <{commit.author.email}>".lower(), commit.committer.time
        if author.lower() in who and (since or when) <= when <= (until or when):
            yield commit


def _in_namespaces(store: Store, snapshot: Snapshot, names: Sequence[str]) -> Iterator[Commit]:
    """The commits that changed any of the namespaces, also those removed since."""
    commit = None
    for commit in _commits_in_ranges(store, snapshot, [_namespace_range(name) for name in names]):
        yield commit
    if commit is None:
        require_namespaces(names, snapshot)


def _of_path(store: Store, snapshot: Snapshot, address: Address) -> Iterator[Commit]:
    """The commits that changed a path; else those that changed paths below it or the namespace of its name."""
    version = None
    for version in _versions(store, address, snapshot):
        yield version.commit
    if version:
        return
    commit = None
    below = address.key + b".", address.key + b"/"
    for commit in _commits_in_ranges(store, snapshot, [below, _namespace_range(address.path)]):
        yield commit
    if commit is None:
        hint = revision_hint(store, address.path) or near_miss(snapshot, address, past=False)
        raise NotFound(f"no commit changed {address.full_key}", hint, keys=[address.full_key])


def _commits_in_ranges(store: Store, snapshot: Snapshot, ranges: "Sequence[Range]") -> Iterator[Commit]:
    from memoir.store import history

    return history.commits_touching(store, snapshot.commit, ranges) if snapshot.commit else iter(())


def _namespace_range(name: str) -> "Range":
    """The keys of a namespace."""
    return f"{name}=".encode(), f"{name}>".encode()


def _versions(store: Store, address: Address, snapshot: Snapshot) -> "Iterator[history.KeyVersion]":
    from memoir.store import history

    return history.versions(store, snapshot.commit, address.key) if snapshot.commit else iter(())
