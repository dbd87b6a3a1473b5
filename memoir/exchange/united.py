"""Paths at which what was brought together keeps memories of several sides, as nobody has written them.

That is no conflict, since nothing was changed: two stores each wrote at a path that was free, or beside what was there.
But both memories hold from then on, and perhaps only one of them is true.
"""

from collections.abc import Sequence

from memoir.git.objects import Oid
from memoir.records.damage import read_or_empty
from memoir.records.record import name_of
from memoir.store.ancestry import independent
from memoir.store.store import Store
from memoir.taxonomy.kinds import ITEM_KIND, default_policy
from memoir.taxonomy.paths import LEXICON_NAMESPACE, Address, from_key
from memoir.tree.tree import diff


def united(store: Store, tips: Sequence[Oid], merged: Oid | None) -> list[Address]:
    """Those paths, in order, of whose active memories in a commit none of the tips that it unites had all.

    Where a new memory joins the others anyway, as events and the words of the lexicon do, there is nothing to tell.
    """
    if not merged or merged in tips or len(ends := independent(store, set(tips))) < 2:
        return []
    sides, result = [store.of(each) for each in ends], store.of(merged)
    keys = set.intersection(*({delta.key for delta in diff(side.tree, result.tree)} for side in sides))
    values, before = result.read(keys), [side.read(keys) for side in sides]
    return [from_key(key) for key in sorted(values) if _is_united(key, values[key], [each.get(key) for each in before])]


def _is_united(key: bytes, value: bytes, before: Sequence[bytes | None]) -> bool:
    address, (active, *sides) = from_key(key), ([m for m in read_or_empty(v) if m.active] for v in (value, *before))
    kinds = {memory.metadata.get(ITEM_KIND) for memory in active}
    if address.namespace == LEXICON_NAMESPACE or {default_policy(address.path, kind) for kind in kinds} <= {"append"}:
        return False
    names = {*map(name_of, active)}
    return len(names) > 1 and not any(names.issubset(map(name_of, side)) for side in sides)
