"""The content of a revision and the differences between two, for `show` and `diff`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, overload

from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.memory.read import count_below, key_range, require_namespaces, require_record
from memoir.records.damage import past_record
from memoir.records.record import Record
from memoir.store.snapshot import FIRST_COMMIT, Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, from_key, matcher, only
from memoir.tree.tree import LAST, Delta, diff

if TYPE_CHECKING:
    from memoir.store.commit import Commit
    from memoir.taxonomy.paths import MemoryAddress


def is_key(store: Store, word: str, *revisions: str, names: Sequence[str] = ()) -> bool:
    """Whether a word is not a revision but a path or prefix, now or at one of the given revisions."""
    if store.resolve(word) is not None or (target := _path_of(store, word, names)) is None:
        return False
    snapshots = (store.at(revision) for revision in ("HEAD", *revisions))
    return any(snapshot.tree.get([target.key]) or count_below(snapshot, target) for snapshot in snapshots)


def _path_of(store: Store, word: str, names: Sequence[str] = ()) -> Address | None:
    """The path that a word names; None if it is not a key."""
    from memoir.memory.facets import address_of

    try:
        return address_of(store.head, word, only(names[:1])).place
    except (InvalidInput, NotFound):
        return None


@contextmanager
def key_for_revision(store: Store) -> Iterator[None]:
    """If a key was given as a revision, add to the error a hint with the commands that read a key."""
    try:
        yield
    except NotFound as error:
        word = error.details.get("revision")
        if word and is_key(store, word):
            error.hint = hint_for_key(store, word)
        raise


def hint_for_key(store: Store, word: str) -> str:
    """A hint that names the commands which read a key, or a prefix, that was given in the place of a revision."""
    address = _path_of(store, word)
    if address and store.head().tree.get([address.key]):
        return f"{word!r} is a key: 'memoir get {word}' reads it, 'memoir blame {word}' shows its versions"
    return f"{word!r} is a prefix: 'memoir ls {word}' lists what is below it"


class Difference(NamedTuple):
    """A path whose record differs."""

    address: Address
    """The path."""
    operation: str
    """`added`, `modified` or `removed`."""
    old: Record | None
    """The record before; None if there was none."""
    new: Record | None
    """The record after; None if there is none."""


class Differences(Sequence[Difference]):
    """Differences in key order, read from the store on demand and kept."""

    def __init__(self, rest: Iterator[Difference]) -> None:
        self._rest = rest
        self._read: list[Difference] = []
        self._error: BaseException | None = None

    @overload
    def __getitem__(self, at: int) -> Difference: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Difference]: ...
    def __getitem__(self, at: int | slice) -> Difference | Sequence[Difference]:
        """The difference at an index, or a slice."""
        return self._read_on(at + 1 if isinstance(at, int) and at >= 0 else None)[at]

    def __len__(self) -> int:
        return len(self._read_on())

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same differences."""
        return self._read_on() == (other._read_on() if isinstance(other, Differences) else other)

    def __reduce__(self) -> tuple[type[list[Difference]], tuple[list[Difference]]]:
        """Copy or pickle as a list of all differences."""
        return list, (self._read_on(),)

    def __repr__(self) -> str:
        return repr(self._read_on())

    def _read_on(self, count: int | None = None) -> list[Difference]:
        """Read until there are `count` differences, or all; after an error, every call raises it."""
        if self._error:
            raise self._error
        try:
            self._read += islice(self._rest, None if count is None else max(count - len(self._read), 0))
        except BaseException as error:
            self._error = error
            raise
        return self._read


class Comparison(NamedTuple):
    """How two commits differ."""

    old: Oid | None
    """The id of the older commit; None for a store before its first."""
    new: Oid | None
    """The id of the newer commit; None for a store before its first."""
    differences: Sequence[Difference]
    """The paths that differ, read from the store on demand."""


class RevisionContent(NamedTuple):
    """A commit with its differences; or, with a `target`, with the record there or the one memory that is named."""

    commit: "Commit | None"
    differences: Sequence[Difference] = ()
    target: "MemoryAddress | None" = None
    record: Record = ()


def show(store: Store, revision: str, target: "MemoryAddress | None" = None) -> RevisionContent:
    """Show a commit and its differences, or with `target` the record or one memory of it in that commit."""
    if target is None:
        with key_for_revision(store):
            commit = store.commit(revision)
        return RevisionContent(commit, list(commit_differences(store, commit)))
    snapshot = store.at(revision)
    record = require_record(snapshot, target.place)
    if target.id:
        from memoir.memory import facets

        if target.names_passage:
            record = facets.require_record(snapshot, target)
        else:
            ((target, at),) = facets.locate(record, [target]).items()
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
    """Compare two revisions: `new` is the current one by default, `old` the commit before it.

    `under` limits the differences to these paths and the paths below. They come in key order.
    """
    with key_for_revision(store):
        after = store.at(new or "HEAD")
        before = _before(store, old) if old is not None else _parent(store, after)
    require_namespaces(names, before, after)
    parts = (diff(before.tree, after.tree, low, high) for low, high in _ranges(names, under))
    deltas = (each for part in parts for each in part if not under or any(map(from_key(each.key).is_under, under)))
    return Comparison(before.id, after.id, Differences(_read_differences(after, deltas, globs, names)))


def _before(store: Store, old: str) -> Snapshot:
    """The older snapshot; empty for a date before the first commit."""
    from memoir.times import looks_like_date

    try:
        return store.at(old)
    except NotFound:
        if not looks_like_date(old):
            raise
        return store.of(None)


def _parent(store: Store, snapshot: Snapshot) -> Snapshot:
    if snapshot.id is None:
        raise NotFound("there is no commit to compare yet", FIRST_COMMIT)
    return store.of(snapshot.parent)


def _ranges(names: Sequence[str], under: Sequence[Address]) -> list[tuple[bytes, bytes]]:
    """The key ranges of the namespaces or paths, sorted, with overlapping ones merged."""
    below = [(place.key, place.key + b"/") for place in under]
    apart: list[tuple[bytes, bytes]] = []
    for low, high in sorted(below or map(key_range, names)) or [(b"", LAST)]:
        if apart and low <= apart[-1][1]:
            before, end = apart.pop()
            low, high = before, max(end, high)
        apart.append((low, high))
    return apart


def commit_differences(store: Store, commit: "Commit") -> Iterator[Difference]:
    """The paths that a commit changed, compared with its first parent."""
    from memoir.store import history

    yield from _read_differences(store.of(commit.id), history.changes(store, commit), (), ())


def _read_differences(
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
