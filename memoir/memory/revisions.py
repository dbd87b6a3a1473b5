"""Revisions: the memories that one holds, and how two of them, or two records, differ. For `show` and `diff`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.memory.keys import count_below, key_range, require_namespaces
from memoir.records.damage import past_record
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, from_key, matcher, only
from memoir.tree.diff import Delta, diff
from memoir.tree.tree import LAST

if TYPE_CHECKING:
    from memoir.store.commit import Commit
    from memoir.taxonomy.memory_address import MemoryAddress


def is_key(store: Store, word: str, *revisions: str, names: Sequence[str] = ()) -> bool:
    """Whether a word that names no revision is a path or prefix, now or at one of some revisions."""
    if store.resolve(word) is not None:
        return False
    from memoir.memory.facets import address_of

    try:
        target = address_of(store.head, word, only(names[:1])).place
    except (InvalidInput, NotFound):
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
    target: "MemoryAddress | None" = None
    record: Record = ()


def show(store: Store, revision: str, target: "MemoryAddress | None" = None) -> RevisionContent:
    """Show a commit and what it changed, or the record at a path, or one memory of it, as it was there."""
    if target is None:
        with key_for_revision(store):
            commit = store.commit(revision)
        return RevisionContent(commit, list(commit_differences(store, commit)))
    from memoir.memory.read import require_record

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
    """Compare two revisions: `new` is the current one by default, `old` the commit before it. See `differences`."""
    with key_for_revision(store):
        after = store.at(new or "HEAD")
        before = store.at(old) if old is not None else _parent(store, after)
    rows = differences(before, after, globs, names, under)
    return Comparison(before.id, after.id, rows)


def _parent(store: Store, snapshot: Snapshot) -> Snapshot:
    if snapshot.id is None:
        raise NotFound("there is no commit to compare yet", "'memoir remember' creates the first")
    return store.of(snapshot.parent)


def differences(
    old: Snapshot,
    new: Snapshot,
    globs: Sequence[str] = (),
    names: Sequence[str] = (),
    under: Sequence[Address] = (),
) -> Iterator[Difference]:
    """The paths that differ between two snapshots, in key order; `under` limits them to some paths and all below."""
    require_namespaces(names, old, new)
    parts = (diff(old.tree, new.tree, low, high) for low, high in _ranges(names, under))
    deltas = (each for part in parts for each in part if not under or any(map(from_key(each.key).is_under, under)))
    yield from _describe(new, deltas, globs, names)


def _ranges(names: Sequence[str], under: Sequence[Address]) -> list[tuple[bytes, bytes]]:
    """The ranges of keys that hold all that is asked for, in order; no two of them meet."""
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


_LIKE, _LIKE_AT_ONE_PATH = 0.6, 0.5
"""How like its earlier form an edited memory is at least: the share of words in common (`SequenceMatcher.ratio`)."""
_MOST_PAIRS = 100_000
"""How many pairs are compared at most; where more has changed, none is an edit."""
_Key = TypeVar("_Key", int, str)


class FieldChange(NamedTuple):
    """One field of one memory, before and after; None where the memory did not have the field.

    The field is `confidence`, `timestamp`, `status` or a key of the metadata. For a memory that is in only one of the
    records it is `status`.
    """

    memory: Memory
    field: str
    old: Any
    new: Any


_Row = tuple[str, Memory]
"""The id of a memory, empty if it is the only one at its path, and the memory."""


class Turnover(NamedTuple):
    """The active memories of which the words differ between two records: each that went, with that in its place.

    One that nothing edits or supersedes went alone, and what takes nobody's place came alone. `kept` are the others,
    before and after.
    """

    pairs: list[tuple[_Row | None, _Row | None]]
    kept: list[tuple[Memory, Memory]]


def turnover(old: Record, new: Record) -> Turnover:
    """Compare two records, of which one may be empty, by the words of their active memories."""
    from memoir.memory.facets import with_ids

    rows = with_ids(old) if old else []
    before: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        before[row[1].content].append(row)
    kept: list[tuple[Memory, Memory]] = []
    came: list[_Row] = []
    for row in with_ids(new) if new else ():
        if twins := before[row[1].content]:
            kept.append((twins.pop(0)[1], row[1]))
        else:
            came.append(row)
    gone = [row for row in rows if any(row is each for each in before[row[1].content])]
    losers = [memory.content for memory in new if not memory.active]
    return Turnover(list(_pairs(gone, came, losers)), kept)


def _pairs(
    gone: Sequence[_Row], came: Sequence[_Row], losers: Sequence[str]
) -> Iterator[tuple[_Row | None, _Row | None]]:
    """Each memory that went with the one in its place: its edited form, or what superseded it, as `losers` were.

    One that is alone at its path before and after needs no such sign.
    """
    news, lost = ({at: memory.content for at, (_, memory) in enumerate(rows)} for rows in (came, gone))
    heirs = {old: new for new, old in edited(news, lost, _LIKE_AT_ONE_PATH)}
    free = iter([at for at in range(len(came)) if at not in heirs.values()])
    for old, (identity, memory) in enumerate(gone):
        is_alone = not identity and not any(other for other, _ in came)
        if old not in heirs and (is_alone or memory.content in losers) and (new := next(free, None)) is not None:
            heirs[old] = new
        yield gone[old], came[heirs[old]] if old in heirs else None
    yield from ((None, came[at]) for at in free)


def edited(news: Mapping[_Key, str], lost: Mapping[_Key, str], least: float = _LIKE) -> Iterator[tuple[_Key, _Key]]:
    """The keys of new texts that are edited forms of lost ones, and of these: the most similar pairs first."""
    if not news or not lost or len(news) * len(lost) > _MOST_PAIRS:
        return
    from difflib import SequenceMatcher

    new_words, old_words = ({key: text.split() for key, text in texts.items()} for texts in (news, lost))
    likeness = {
        (new, old): SequenceMatcher(None, new_words[new], old_words[old], autojunk=False).ratio()
        for new in news
        for old in lost
    }
    taken_new, taken_old = set[_Key](), set[_Key]()
    for (new, old), ratio in sorted(likeness.items(), key=lambda item: (-item[1], item[0])):
        if ratio >= least and new not in taken_new and old not in taken_old:
            taken_new.add(new)
            taken_old.add(old)
            yield new, old


def changes(old: Record, new: Record) -> list[FieldChange]:
    """The changed fields of each memory, in the order of the newer record; removed memories come last."""
    rest = list(old)
    field_changes: list[FieldChange] = []
    for memory in new:
        twin = next((other for other in rest if other.content == memory.content), None)
        if twin is None:
            field_changes.append(FieldChange(memory, "status", None, memory.status))
        else:
            rest.remove(twin)
            field_changes += _fields(twin, memory)
    return [*field_changes, *(FieldChange(memory, "status", memory.status, None) for memory in rest)]


def _fields(old: Memory, new: Memory) -> Iterator[FieldChange]:
    """The fields in which two memories of the same words differ."""
    for field in ("confidence", "timestamp", "status"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield FieldChange(new, field, before, after)
    for key in sorted(old.metadata.keys() | new.metadata.keys()):
        before, after = old.metadata.get(key), new.metadata.get(key)
        if before != after:
            yield FieldChange(new, key, before, after)
