"""The history of one memory, `KEY#id`, among several at a path: the versions and differences that changed it.

An edit changes the id, so the memory is followed to its earlier form, as git follows a renamed file.
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
"""A memory before and after a change; None where it is absent."""


def versions_of(store: Store, target: MemoryAddress, snapshot: Snapshot) -> Iterator[MemoryVersion]:
    """The versions of a path in which one memory came, changed or went, newest first; each holds only that memory.

    Raises:
        InvalidInput: several memories of a version have ids that begin so. NotFound: no memory ever had such an id, or
            the path never existed.
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
            facets.ids_of(record)[_index(record, memory)] for record, memory in ((before, old), (after, new)) if memory
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
    """The differences at or below the target paths; for a target `KEY#id`, only those of that memory."""
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
    """The records at the path of a version in each parent commit; empty where there is none."""
    if version.operation not in ("moved", "merged"):
        return [version.before or ()]
    addresses = [version.address]
    found = [read.records(store.of(each), addresses, listed=True) for each in version.commit.parents]
    return [each.get(version.address, ()) for each in found]


def _whole_ids(records: Iterable[Record], target: MemoryAddress) -> set[str]:
    """The whole id of the target, from the first of the records that has such a memory; empty if none has."""
    for record in filter(None, records):
        try:
            return {facets.ids_of(record)[facets.find(record, target)]}
        except NotFound:
            continue
    return set()


def _find(old: Record, new: Record, ids: set[str]) -> _Sides:
    """A memory in two records; where only one has it, its edited form in the other, if there is one."""
    before, after = _with_id(old, ids), _with_id(new, ids)
    for gone, came in turnover(old, new).pairs if (before is None) != (after is None) else ():
        if gone and came and (gone[1] is before or came[1] is after):
            return gone[1], came[1]
    return before, after


def _with_id(record: Record, ids: set[str]) -> Memory | None:
    """The memory of a record whose id begins with one of `ids`."""
    rows = zip(facets.ids_of(record), record, strict=True)
    return next((memory for identity, memory in rows if identity.startswith(tuple(ids))), None)


def _index(record: Record, memory: Memory) -> int:
    return next(at for at, each in enumerate(record) if each is memory)
