"""The history of one memory among several at a path: the versions and differences in which `KEY#id` changed.

An edit changes the id, so a memory is followed to its earlier form, as git follows a file that was renamed.
"""

from collections.abc import Iterable, Iterator, Sequence

from memoir.errors import NotFound
from memoir.memory import facets, read
from memoir.memory.compare import turnover
from memoir.memory.revisions import Difference
from memoir.memory.versions import MemoryVersion, blame
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import MemoryAddress
from memoir.tree.tree import operation

_Sides = tuple[Memory | None, Memory | None]
"""A memory before and after a change; None where it is not there."""


def versions_of(store: Store, target: MemoryAddress, snapshot: Snapshot) -> Iterator[MemoryVersion]:
    """Of the versions of a path, newest first, those in which one memory came, changed or went, with it alone.

    Raises:
        InvalidInput: several memories of a version have ids that begin so. NotFound: none ever had, or nothing was
            ever at the path.
    """
    ids: set[str] = set()
    for version in blame(store, target.place, snapshot):
        after, befores = version.record or (), _records_before(store, version)
        ids = ids or _whole_ids((after, *befores), target)
        sides = [(before, *_find(before, after, ids)) for before in befores]
        if not ids or any(old == new for _, old, new in sides):
            continue
        before, old, new = next((each for each in sides if each[1]), sides[0])
        ids |= {
            facets.ids_of(record)[_at(record, memory)] for record, memory in ((before, old), (after, new)) if memory
        }
        is_whole = version.operation in ("moved", "merged") and new is not None and old is None
        yield version._replace(
            operation=version.operation if is_whole else operation(old, new),
            record=(new,) if new else None,
            before=(old,) if old and new else None,
        )
    if not ids:
        hint = f"'memoir blame {target.place.short_key}' shows all that was at the path"
        raise NotFound(f"no memory {target.short_key}, now or before", hint, keys=[target.full_key])


def differences_of(differences: Iterable[Difference], targets: Sequence[MemoryAddress]) -> Iterator[Difference]:
    """Of some differences, those at or below the paths given; of the path of `KEY#id` only that memory."""
    wanted = facets.by_place(targets)
    for each in differences:
        here = wanted.get(each.address, ())
        if any(not target.id and each.address.is_under(target.place) for target in targets):
            yield each
            continue
        for target in here:
            old, new = _find(each.old or (), each.new or (), {target.id})
            if old != new:
                yield Difference(each.address, operation(old, new), (old,) if old else None, (new,) if new else None)


def _records_before(store: Store, version: MemoryVersion) -> list[Record]:
    """The records at the path of a version in each commit before it; one that is empty if there is none."""
    if version.operation not in ("moved", "merged"):
        return [version.before or ()]
    places = [version.address]
    found = [read.records(store.of(each), places, listed=True) for each in version.commit.parents]
    return [each.get(version.address, ()) for each in found]


def _whole_ids(records: Iterable[Record], target: MemoryAddress) -> set[str]:
    """The whole id of the memory that a target names in the first of some records that has it."""
    for record in filter(None, records):
        try:
            return {facets.ids_of(record)[facets.find(record, target)]}
        except NotFound:
            continue
    return set()


def _find(old: Record, new: Record, ids: set[str]) -> _Sides:
    """A memory in two records; where only one has it, the other's is what it was edited to, or from."""
    before, after = _named(old, ids), _named(new, ids)
    for gone, came in turnover(old, new).pairs if (before is None) != (after is None) else ():
        if gone and came and (gone[1] is before or came[1] is after):
            return gone[1], came[1]
    return before, after


def _named(record: Record, ids: set[str]) -> Memory | None:
    """The memory of a record with one of some ids, or beginnings of ids."""
    rows = zip(facets.ids_of(record), record, strict=True)
    return next((memory for identity, memory in rows if identity.startswith(tuple(ids))), None)


def _at(record: Record, memory: Memory) -> int:
    return next(at for at, each in enumerate(record) if each is memory)
