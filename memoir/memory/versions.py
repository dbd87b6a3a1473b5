"""The history of memories: `blame`, `log`, `show` and `diff`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.memory import read
from memoir.memory.facets import locate
from memoir.memory.read import count_below, near_miss, require_namespaces
from memoir.records.damage import past_record
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.globs import matcher
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.taxonomy.paths import Address, address, from_key
from memoir.tree.diff import Delta, diff

if TYPE_CHECKING:
    from memoir.store import history
    from memoir.store.commit import Commit
    from memoir.store.walk import ChangeTable, Range


def is_key(store: Store, word: str, *revisions: str, names: Sequence[str] = ()) -> bool:
    """Whether a word that names no revision is a path or prefix, now or at one of some revisions."""
    if store.resolve(word) is not None:
        return False
    try:
        target = address(word, *names[:1])
    except InvalidInput:
        return False
    snapshots = (store.at(revision) for revision in ("HEAD", *revisions))
    return any(snapshot.tree.get([target.key]) or count_below(snapshot, target) for snapshot in snapshots)


@contextmanager
def key_for_revision(store: Store) -> Iterator[None]:
    """If a key is given as a revision, which looks alike, add a hint to the error: the commands that read a key."""
    try:
        yield
    except NotFound as error:
        word = error.details.get("revision")
        if word and is_key(store, word):
            error.hint = f"{word!r} is a key: 'memoir get {word}' reads it, 'memoir blame {word}' shows its versions"
        raise


def revision_hint(store: Store, word: str) -> str | None:
    """The hint for a revision that is given as a key; None if the word is not a revision."""
    return f"{word!r} is a revision: 'memoir log --at {word}'" if store.resolve(word) else None


class MemoryVersion(NamedTuple):
    """One version of a path.

    Attributes:
        commit: The commit that made it.
        operation: What it did: `added`, `modified`, `removed`, `moved` or `merged`.
        address: The path at that time.
        record: The record after it; None if it was removed.
        before: The record before the commit, if the operation modified one.
    """

    commit: "Commit"
    operation: str
    address: Address
    record: Record | None
    before: Record | None = None


class Difference(NamedTuple):
    """A path whose record differs.

    Attributes:
        address: The path.
        operation: `added`, `modified` or `removed`.
        old: The record before; None if there was none.
        new: The record after; None if there is none.
    """

    address: Address
    operation: str
    old: Record | None
    new: Record | None


class Comparison(NamedTuple):
    """How two commits differ.

    Attributes:
        old: The id of the older commit; None for a store before its first.
        new: The id of the newer commit; None for a store before its first.
        differences: The paths that differ between them.
    """

    old: Oid | None
    new: Oid | None
    differences: Iterator[Difference]


class RevisionContent(NamedTuple):
    """A commit with what it changed; or with the record at `target` there, or the one memory of it that is named."""

    commit: "Commit | None"
    differences: Sequence[Difference] = ()
    target: MemoryAddress | None = None
    record: Record = ()


def blame(
    store: Store, address: Address, snapshot: Snapshot, limit: int | None = None, *, table: "ChangeTable | None" = None
) -> list[MemoryVersion]:
    """Every version of a path, newest first, also under earlier paths. A `table` makes long histories fast to search.

    Raises:
        NotFound: no commit ever stored anything there.
    """
    versions = list(islice(_versions(store, address, snapshot, table), limit))
    if not versions:
        raise NotFound(
            f"no memory at {address.full_key}, now or before", near_miss(snapshot, address), keys=[address.full_key]
        )
    contents = snapshot.blobs(oid for version in versions for oid in (version.value, version.before))
    records = {oid: past_record(content) for oid, content in contents.items()}
    return [
        MemoryVersion(
            v.commit, v.operation, from_key(v.key), *(records[oid] if oid else None for oid in (v.value, v.before))
        )
        for v in versions
    ]


def log(
    store: Store,
    snapshot: Snapshot,
    address: Address | None = None,
    *,
    names: Sequence[str] = (),
    author: str = "",
    since: int | None = None,
    until: int | None = None,
    without: "Commit | None" = None,
    table: "ChangeTable | None" = None,
) -> "Iterator[Commit]":
    """The commits that changed a path (else those below it), or some namespaces, or anything; newest first.

    Commits that `without` reaches are left out. A `table` makes long histories fast to search.

    `author` is a part of the author's name or address, in any case; `since` and `until` are seconds since 1970.
    """
    if address:
        commits = _of_path(store, snapshot, address, table)
    elif names:
        commits = _in_namespaces(store, snapshot, names, table)
    else:
        commits = _all(store, snapshot, since, until)
    if without:
        fresh = _commits_since(store, snapshot, without)
        commits = (commit for commit in commits if commit.id in fresh)
    for commit in commits:
        who, when = f"{commit.author.name} <{commit.author.email}>".lower(), commit.committer.time
        if author.lower() in who and (since or when) <= when <= (until or when):
            yield commit


def _commits_since(store: Store, snapshot: Snapshot, without: "Commit") -> set[Oid]:
    """The commits that a snapshot's commit reaches and another does not."""
    from memoir.store import history

    return history.between(store, without.id, snapshot.commit.id) if snapshot.commit else set()


def _all(store: Store, snapshot: Snapshot, since: int | None, until: int | None) -> "Iterator[Commit]":
    from memoir.store.walk import walk_commits

    return walk_commits(store, snapshot.commit, since=since, until=until) if snapshot.commit else iter(())


def _in_namespaces(
    store: Store, snapshot: Snapshot, names: Sequence[str], table: "ChangeTable | None"
) -> "Iterator[Commit]":
    """The commits that changed one of some namespaces; a namespace may have been removed since."""
    commit = None
    for commit in _commits_in_ranges(store, snapshot, [_namespace(name) for name in names], table):
        yield commit
    if commit is None:
        require_namespaces(names, snapshot)


def _of_path(store: Store, snapshot: Snapshot, address: Address, table: "ChangeTable | None") -> "Iterator[Commit]":
    """The commits that changed a path; if there are none, a path below it; else the namespace of its name."""
    version = None
    for version in _versions(store, address, snapshot, table):
        yield version.commit
    if version:
        return
    commit = None
    below = address.key + b".", address.key + b"/"
    for commit in _commits_in_ranges(store, snapshot, [below, _namespace(address.path)], table):
        yield commit
    if commit is None:
        hint = revision_hint(store, address.path) or near_miss(snapshot, address)
        raise NotFound(f"no commit changed {address.full_key}", hint, keys=[address.full_key])


def _commits_in_ranges(
    store: Store, snapshot: Snapshot, ranges: "Sequence[Range]", table: "ChangeTable | None"
) -> "Iterator[Commit]":
    from memoir.store import history

    return history.commits_touching(store, snapshot.commit, ranges, table) if snapshot.commit else iter(())


def _namespace(name: str) -> "Range":
    """The keys of a namespace."""
    return f"{name}=".encode(), f"{name}>".encode()


def _versions(
    store: Store, address: Address, snapshot: Snapshot, table: "ChangeTable | None"
) -> "Iterator[history.KeyVersion]":
    from memoir.store import history

    return history.versions(store, snapshot.commit, address.key, table) if snapshot.commit else iter(())


def show(store: Store, revision: str, target: MemoryAddress | None = None) -> RevisionContent:
    """Show a commit and what it changed, or the record at a path, or one memory of it, as it was there."""
    if target is None:
        with key_for_revision(store):
            commit = store.commit(revision)
        return RevisionContent(commit, list(commit_differences(store, commit)))
    snapshot = store.at(revision)
    record = read.require_record(snapshot, target.place)
    if target.id:
        ((target, at),) = locate(record, [target]).items()
        record = (record[at],)
    return RevisionContent(snapshot.commit, target=target, record=record)


def compare(
    store: Store,
    old: str | None,
    new: str | None,
    globs: Sequence[str] = (),
    names: Sequence[str] = (),
    under: Sequence[Address] = (),
) -> Comparison:
    """Compare two revisions: `new` is the current one by default, `old` the commit before it. See `differences`."""
    with key_for_revision(store):
        after = store.at(new or "HEAD")
        before = store.at(old) if old is not None else _parent(store, after)
    rows = differences(before, after, globs, names, under)
    return Comparison(before.commit and before.commit.id, after.commit and after.commit.id, rows)


def _parent(store: Store, snapshot: Snapshot) -> Snapshot:
    if snapshot.commit is None:
        raise NotFound("there is no commit to compare yet", "'memoir remember' creates the first")
    return store.of(next(iter(snapshot.commit.parents), None))


def differences(
    old: Snapshot,
    new: Snapshot,
    globs: Sequence[str] = (),
    names: Sequence[str] = (),
    under: Sequence[Address] = (),
) -> Iterator[Difference]:
    """The paths that differ between two snapshots, in key order; `under` limits them to some paths and all below."""
    require_namespaces(names, old, new)
    deltas = (delta for delta in diff(old.tree, new.tree) if not under or _is_under(from_key(delta.key), under))
    yield from _describe(new, deltas, globs, names)


def _is_under(address: Address, prefixes: Sequence[Address]) -> bool:
    """Whether a path is one of the prefixes, or below one."""
    return any(
        address.namespace == prefix.namespace and f"{address.path}.".startswith(f"{prefix.path}.")
        for prefix in prefixes
    )


def commit_differences(store: Store, commit: "Commit") -> Iterator[Difference]:
    """The paths that a commit changed, compared with its first parent."""
    from memoir.store import history

    yield from _describe(store.of(commit.id), history.changes(store, commit), (), ())


def _describe(
    snapshot: Snapshot, deltas: Iterable[Delta], globs: Sequence[str], names: Sequence[str]
) -> Iterator[Difference]:
    matches = matcher(globs)
    rest = ((d, from_key(d.key)) for d in deltas)
    selection = ((d, a) for d, a in rest if matches(a.path) and (not names or a.namespace in names))
    while batch := list(islice(selection, 500)):
        contents = snapshot.blobs(oid for d, _ in batch for oid in (d.old, d.new))
        for delta, at in batch:
            old, new = (past_record(contents[oid]) if oid else None for oid in (delta.old, delta.new))
            yield Difference(at, delta.operation, old, new)
