"""What the keys of a command name: paths, single memories of them, and the matches of globs."""

from collections.abc import Iterable, Sequence

from memoir.errors import InvalidInput
from memoir.memory.read import in_namespace, keys
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import is_glob
from memoir.taxonomy.memory_address import MemoryAddress, memory_address
from memoir.taxonomy.paths import Address, check_namespace


def memory_addresses(keys_: Sequence[str], namespace: str) -> list[MemoryAddress]:
    """The addresses of some keys, each once."""
    return _in_namespace((memory_address(key, namespace) for key in keys_), namespace)


def expand(snapshot: Snapshot, keys_: Sequence[str], namespace: str, *, prefix: bool = False) -> list[MemoryAddress]:
    """The addresses that some keys name, each once: a path, a memory of it, or the paths that match a glob.

    With `prefix`, all addresses at or under each key. A glob or prefix without any is returned as it is.
    """
    each = (target for key in keys_ for target in _expand(snapshot, key, namespace, prefix=prefix))
    return _in_namespace(each, namespace)


def _in_namespace(all_targets: Iterable[MemoryAddress], namespace: str) -> list[MemoryAddress]:
    once = list(dict.fromkeys(all_targets))
    in_namespace([target.place for target in once], namespace)
    return once


def _expand(snapshot: Snapshot, key: str, namespace: str, *, prefix: bool) -> Iterable[MemoryAddress]:
    name, _, path = key.rpartition(":")
    if is_glob(path):
        if not path.isprintable():
            raise InvalidInput(f"not a glob: {path!r}", "a glob has no control characters")
        place = Address(check_namespace(name or namespace), path)
        matches = list(keys(snapshot, [place.namespace], [path]))
        return map(MemoryAddress, matches or [place])
    target = memory_address(key, namespace)
    if not prefix:
        return [target]
    if target.id:
        raise InvalidInput(f"{key} names one memory, --prefix many", "leave out one of them")
    return map(MemoryAddress, list(keys(snapshot, [target.namespace], prefix=target.path)) or [target.place])
