"""What changed, when and by whom: blame, log, show and diff in terms of memories."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import NotFound
from memoir.memory.damage import past_record
from memoir.memory.read import near_miss, require_namespaces
from memoir.memory.record import Record
from memoir.store.diff import Delta, diff
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.globs import matcher
from memoir.taxonomy.paths import Address, from_key

if TYPE_CHECKING:
    from memoir.store import history
    from memoir.store.commit import Commit


class Version(NamedTuple):
    """One version of a path: who made it, by what operation, and the record then (None: removed).

    Of a modified one `before` is the record it had.
    """

    commit: "Commit"
    operation: str
    address: Address
    record: Record | None
    before: Record | None = None


class Difference(NamedTuple):
    """A path whose record differs; `operation` is added, modified or removed."""

    address: Address
    operation: str
    old: Record | None
    new: Record | None


def blame(store: Store, place: Address, snapshot: Snapshot, limit: int | None = None) -> list[Version]:
    """Every version of a path, newest first, followed through moves.

    Raises:
        NotFound: no commit ever stored anything there.
    """
    found = list(islice(_versions(store, place, snapshot), limit))
    if not found:
        raise NotFound(
            f"no memory at {place.full_key}, now or before", near_miss(snapshot, place), keys=[place.full_key]
        )
    contents = snapshot.blobs(oid for version in found for oid in (version.value, version.before))
    records = {oid: past_record(content) for oid, content in contents.items()}
    return [
        Version(v.commit, v.operation, from_key(v.key), *(records[oid] if oid else None for oid in (v.value, v.before)))
        for v in found
    ]


def log(
    store: Store,
    snapshot: Snapshot,
    place: Address | None = None,
    *,
    names: Sequence[str] = (),
    author: str = "",
    since: int | None = None,
    until: int | None = None,
) -> "Iterator[Commit]":
    """The commits that changed a path, or some namespaces, or anything; newest first.

    `author` is sought in the author's name and address, whatever its case; `since` and `until` are seconds since 1970.

    Raises:
        NotFound: no commit ever changed the path, or one of the namespaces.
    """
    commits = _commits(store, snapshot, place)
    for commit in commits if place or not names else _in_namespaces(store, snapshot, commits, names):
        who, when = f"{commit.author.name} <{commit.author.email}>".lower(), commit.committer.time
        if author.lower() in who and (since or when) <= when <= (until or when):
            yield commit


def _in_namespaces(
    store: Store, snapshot: Snapshot, commits: "Iterator[Commit]", names: Sequence[str]
) -> "Iterator[Commit]":
    """Those commits that changed one of some namespaces, which exist now or have existed."""
    found = False
    for commit in commits:
        if _touches(store, commit, names):
            found = True
            yield commit
    if not found:
        require_namespaces(names, snapshot)


def _commits(store: Store, snapshot: Snapshot, place: Address | None) -> "Iterator[Commit]":
    from memoir.store import history

    if place is None:
        yield from history.walk(store, snapshot.commit) if snapshot.commit else ()
        return
    version = None
    for version in _versions(store, place, snapshot):
        yield version.commit
    if version is None:
        raise NotFound(f"no commit changed {place.full_key}", near_miss(snapshot, place), keys=[place.full_key])


def _touches(store: Store, commit: "Commit", names: Sequence[str]) -> bool:
    from memoir.store import history

    return any(from_key(key).namespace in names for key in history.changed_keys(store, commit))


def _versions(store: Store, place: Address, snapshot: Snapshot) -> "Iterator[history.Version]":
    from memoir.store import history

    return history.versions(store, snapshot.commit, place.key) if snapshot.commit else iter(())


def differences(
    old: Snapshot, new: Snapshot, globs: Sequence[str] = (), names: Sequence[str] = ()
) -> Iterator[Difference]:
    """The paths that differ between two snapshots, in key order.

    Raises:
        NotFound: namespaces are named, and neither snapshot has any of them.
    """
    require_namespaces(names, old, new)
    yield from _described(new, diff(old.tree, new.tree), globs, names)


def commit_differences(store: Store, commit: "Commit") -> Iterator[Difference]:
    """The paths that a commit changed against its first parent."""
    from memoir.store import history

    yield from _described(store.of(commit.id), history.changes(store, commit), (), ())


def _described(
    snapshot: Snapshot, deltas: Iterator[Delta] | list[Delta], globs: Sequence[str], names: Sequence[str]
) -> Iterator[Difference]:
    matches = matcher(globs)
    rest = ((d, from_key(d.key)) for d in deltas)
    chosen = ((d, a) for d, a in rest if matches(a.path) and (not names or a.namespace in names))
    while batch := list(islice(chosen, 500)):
        contents = snapshot.blobs(oid for d, _ in batch for oid in (d.old, d.new))
        for delta, address in batch:
            old, new = (past_record(contents[oid]) if oid else None for oid in (delta.old, delta.new))
            operation = "added" if old is None else "removed" if new is None else "modified"
            yield Difference(address, operation, old, new)
