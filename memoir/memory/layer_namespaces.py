"""Layers: namespaces that memoir itself writes beside a namespace of memories.

Sources of `default` are in `default:raw`, insights in `default:insights`. A namespace is a layer only if memoir has
marked it, by a record in the namespace `memoir:layers` whose path names the kind and the namespace:

    memoir:layers=raw.default    memoir:layers=insights.user_3a_alice

The bytes of a mark are always the same, so that branches which both make a layer merge. Anyone with git can write a
record there: it is a mark only if its bytes are exactly those that memoir writes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memoir.errors import Conflict, InvalidInput, NotFound
from memoir.git.objects import Oid, object_id, sha1, sha256
from memoir.memory import read
from memoir.memory.read import count_below, key_range, namespaces, require_namespaces, select_namespaces
from memoir.records.record import Memory, encode
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import LAYERS_NAMESPACE, MEMOIR_NAMESPACES, RAW_SUFFIX, Address, check_namespace, from_key

RAW, INSIGHTS = "raw", "insights"
"""The kinds of layers: sources and insights."""
KINDS = (RAW, INSIGHTS)
_SINCE = "1970-01-01T00:00:00Z"
_CODES = {ord(sign): f"_{ord(sign):x}_" for sign in "_:@"}
"""The codes of the characters that a namespace may have and a segment of a path may not, and of `_`."""
_SIGNS = {code: chr(sign) for sign, code in _CODES.items()}


def layer_of(kind: str, namespace: str) -> str:
    """The layer of a namespace: `default:raw`."""
    return f"{check_namespace(namespace)}:{kind}"


def layers(snapshot: Snapshot) -> frozenset[str]:
    """The namespaces that are layers: O(layers + log n)."""
    marks = snapshot.tree.scan(*key_range(LAYERS_NAMESPACE))
    return frozenset(layer for key, oid in marks if (layer := _layer_of(from_key(key))) and oid == _mark_id(layer, oid))


def source_layers(snapshot: Snapshot, names: Iterable[str]) -> frozenset[str]:
    """The namespaces among `names` that hold segments of sources."""
    candidates = {name for name in names if name.endswith(RAW_SUFFIX)}
    return layers(snapshot) & candidates if candidates else frozenset()


def memories_of(snapshot: Snapshot, names: Iterable[str]) -> Iterator[str]:
    """The namespaces among `names` that hold the user's memories: neither layers nor memoir's own."""
    apart = layers(snapshot).union(MEMOIR_NAMESPACES)
    return (name for name in names if name not in apart)


def namespaces_to_list(snapshot: Snapshot, selection: Sequence[str]) -> list[str]:
    """The namespaces to list: the selected ones, or without a selection all but layers."""
    names, apart = select_namespaces(snapshot, selection), frozenset() if selection else layers(snapshot)
    return [name for name in names if name not in apart]


def require_prefix(snapshot: Snapshot, names: Sequence[str], prefix: str) -> None:
    """Check that one of the namespaces has a path at or under a prefix."""
    try:
        read.require_prefix(snapshot, names, prefix)
    except NotFound as error:
        for address in (Address(layer, prefix) for layer in sorted(layers(snapshot).difference(names))):
            if count_below(snapshot, address):
                error.hint = f"a layer has it: 'memoir ls {address.full_key}'"
        raise


def searchable(snapshot: Snapshot, selection: Sequence[str], sources: str = "yes") -> list[str]:
    """The namespaces to search: those of memories, and their layers of sources.

    The selection may name layers; without one, all namespaces of memories are searched. `sources` says whether to
    search the sources: `yes`, `no` or `only`.
    """
    require_namespaces(selection, snapshot)
    names, known = [*(selection or memories_of(snapshot, namespaces(snapshot)))], layers(snapshot)
    said = sorted(layer for layer in known if layer.endswith(RAW_SUFFIX))  # the namespace may have no memories
    if selection:
        said = [layer for layer in said if layer.removesuffix(RAW_SUFFIX) in names]
    return [*dict.fromkeys([*(() if sources == "only" else names), *(() if sources == "no" else said)])]


def mark(snapshot: Snapshot, kind: str, namespace: str) -> Mapping[bytes, bytes]:
    """The edits that create a namespace's layer; none if it exists already.

    Raises:
        Conflict: the namespace of the layer already holds memories.
        InvalidInput: the namespace is a layer itself, belongs to memoir, or is malformed.
    """
    name, address = layer_of(kind, namespace), mark_of(kind, namespace)
    if namespace in MEMOIR_NAMESPACES or namespace in layers(snapshot):
        raise InvalidInput(f"{namespace} cannot have layers of its own", "choose another namespace with -n")
    if name in layers(snapshot):
        return {}
    if count := snapshot.tree.count(*key_range(name)):
        raise Conflict(
            f"{name} would be a layer, but holds {count:,} {'memory' if count == 1 else 'memories'} of its own",
            f"choose another namespace with -n, or move them: 'memoir mv {name}:PATH PATH'",
        )
    return {address.key: _mark_bytes(name)}


def may_be_in_layer(address: Address) -> bool:
    """Whether the namespace of an address is named like a layer; only `layers` knows if it is one."""
    return address.namespace.rpartition(":")[2] in KINDS


def refuse_layers(snapshot: Snapshot, addresses: Sequence[Address]) -> None:
    """Refuse addresses in layers: only memoir writes there."""
    for name in {address.namespace for address in addresses if may_be_in_layer(address)}:
        if name in layers(snapshot):
            base = name.rpartition(":")[0]
            raise InvalidInput(
                f"{name} is a layer, which only memoir writes",
                f"remember it in {base!r}" if base in namespaces(snapshot) else "choose another namespace",
            )


def mark_problem(address: Address, value: bytes | None) -> str | None:
    """The fault of a record in `memoir:layers`, or only of its path if `value` is None; None if there is no fault."""
    layer = _layer_of(address)
    if layer is None:
        return "it names no layer that memoir makes"
    return None if value in (None, _mark_bytes(layer)) else f"it is not how memoir marks {layer}"


def refuse_mark(snapshot: Snapshot, address: Address, value: bytes) -> None:
    """Refuse a record for `memoir:layers` that is not a mark, or whose layer already holds memories.

    Raises:
        InvalidInput: it is not a mark. Conflict: its namespace holds memories and is not a layer.
    """
    if problem := mark_problem(address, value):
        raise InvalidInput(f"{address.full_key}: {problem}; {LAYERS_NAMESPACE} is memoir's own, not for memories")
    namespace, _, kind = str(_layer_of(address)).rpartition(":")
    mark(snapshot, kind, namespace)


def mark_of(kind: str, namespace: str) -> Address:
    """The address of the mark of a namespace's layer."""
    plain = check_namespace(namespace).translate(_CODES)
    return Address(LAYERS_NAMESPACE, f"{kind}.{plain}")


def _layer_of(mark: Address) -> str | None:
    """The layer that a mark names; None if it is not a mark that memoir makes."""
    kind, _, plain = mark.path.partition(".")
    namespace = re.sub("|".join(_SIGNS), lambda code: _SIGNS[code[0]], plain) if "_" in plain else plain
    try:
        return layer_of(kind, namespace) if kind in KINDS and mark_of(kind, namespace) == mark else None
    except InvalidInput:
        return None


def _mark_bytes(layer: str) -> bytes:
    """The bytes of a mark."""
    return encode([Memory(f"{layer} is a layer of {layer.rpartition(':')[0]}", 1.0, _SINCE)])


def _mark_id(layer: str, like: Oid) -> bytes:
    """The git id of the mark of a layer, in the hash format of another id."""
    return object_id(sha256 if len(like) == len(sha256(b"")) else sha1, "blob", _mark_bytes(layer))
