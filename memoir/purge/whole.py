"""Whole namespaces to purge, such as everything known about one person.

Equal memories in other namespaces stay: only contents that no other namespace has are searched for elsewhere. A commit
that changed nothing else loses its message, which may quote paths and memories.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.git.objects import Oid
from memoir.memory.layer_namespaces import KINDS, layer_of, mark_of
from memoir.purge.sought import Sought
from memoir.records.damage import read_or_empty
from memoir.store.commit import Commit
from memoir.store.history import changes
from memoir.store.store import Store
from memoir.store.walk import commits_of_memories, has_memories
from memoir.taxonomy.paths import MEMOIR_NAMESPACES


class Whole(NamedTuple):
    """Namespaces with their layers."""

    prefixes: tuple[bytes, ...] = ()
    """The prefixes of their keys."""
    marks: tuple[bytes, ...] = ()
    """The keys that mark their layers."""

    def has(self, key: bytes) -> bool:
        """Whether a key belongs to them."""
        return key.startswith(self.prefixes) or key in self.marks

    def has_all(self, store: Store, commit: Commit) -> bool:
        """Whether a commit changed only keys in them, and at least one."""
        is_asked = self.prefixes and has_memories(store, commit)
        keys = [each.key for each in changes(store, commit)] if is_asked else []
        return bool(keys) and all(map(self.has, keys))


def whole(namespaces: Iterable[str]) -> Whole:
    """Make a `Whole` of namespaces and their layers.

    Raises:
        InvalidInput: a name is malformed, or memoir's own.
    """
    names = [*namespaces]
    if own := next((name for name in names if name in MEMOIR_NAMESPACES), None):
        raise InvalidInput(f"{own} is memoir's own namespace", "name one that memories were remembered in")
    layers = [layer_of(kind, name) for name in names for kind in KINDS]
    marks = (mark_of(kind, name).key for name in names for kind in KINDS)
    return Whole(tuple(f"{name}=".encode() for name in [*names, *layers]), tuple(marks))


def words_of(store: Store, namespaces: Whole, shortest: int) -> Sequence[str]:
    """The contents of at least `shortest` characters that were ever in the namespaces, and nowhere else."""
    values: dict[bool, set[Oid]] = {True: set(), False: set()}
    elsewhere: set[bytes] = set()
    for commit in commits_of_memories(store) if namespaces.prefixes else ():
        for delta in changes(store, commit):
            is_inside = namespaces.has(delta.key)
            values[is_inside] |= {delta.new} if delta.new else set()
            elsewhere |= set() if is_inside else {delta.key.replace(b"=", b":")}
    words = {facet.content.strip() for data in _read_values(store, values[True]) for facet in read_or_empty(data)}
    return _not_contained(
        [word for word in words if len(word) >= shortest], chain(elsewhere, _read_values(store, values[False]))
    )


def _read_values(store: Store, values: Iterable[Oid]) -> Iterator[bytes]:
    return (data for _, data in store.snapshot(None).values((oid, oid) for oid in values))


def _not_contained(words: Sequence[str], texts: Iterable[bytes]) -> Sequence[str]:
    sought = Sought(words)
    for text in texts:
        sought.drop([*sought.found_in(text)])
    return [*sought.texts]
