"""Layers: namespaces that memoir itself writes, beside the memories of another namespace.

What was said in `default` lies in `default:raw`, what was understood in `default:insights`. A namespace is a layer only
if memoir has marked it, by a record in the namespace `memoir:layers` whose path names the kind and the namespace:

    memoir:layers=raw.default    memoir:layers=insights.user_3a_alice

The mark is one record that is always the same bytes, so that branches which both make a layer merge.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memoir.errors import Conflict, InvalidInput
from memoir.memory.read import key_range, namespaces, require_namespaces
from memoir.memory.record import Memory, encode
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import LAYERS_NAMESPACE, RAW_SUFFIX, TAXONOMY_NAMESPACE, Address, check_namespace, from_key

RAW, INSIGHTS = "raw", "insights"
"""The kinds of layers: what was said, and what was understood."""
KINDS = (RAW, INSIGHTS)
_SINCE = "1970-01-01T00:00:00Z"
_OUTSIDE = "[_:@]"
"""The characters that a namespace may have and a segment of a path may not, and `_`, which marks their codes."""


def layer_of(kind: str, namespace: str) -> str:
    """The layer of a namespace: `default:raw`.

    Raises:
        InvalidInput: the namespace is malformed.
    """
    return f"{check_namespace(namespace)}:{kind}"


def layers(snapshot: Snapshot) -> frozenset[str]:
    """The namespaces that are layers: O(their number + log n)."""
    return frozenset(_layer_of(from_key(key)) for key, _ in snapshot.tree.scan(*key_range(LAYERS_NAMESPACE)))


def sources_of(snapshot: Snapshot, names: Iterable[str]) -> frozenset[str]:
    """Those of some namespaces that hold segments of sources."""
    candidates = {name for name in names if name.endswith(RAW_SUFFIX)}
    return layers(snapshot) & candidates if candidates else frozenset()


def memories_of(snapshot: Snapshot, names: Iterable[str]) -> Iterator[str]:
    """Those of some namespaces that hold memories of the user: neither layers nor the namespaces of memoir itself."""
    apart = layers(snapshot) | {LAYERS_NAMESPACE, TAXONOMY_NAMESPACE}
    return (name for name in names if name not in apart)


def searchable(snapshot: Snapshot, selection: Sequence[str], sources: str = "yes") -> list[str]:
    """The namespaces that a search reads: those of memories, and the layers of what was said in them.

    Args:
        snapshot: The memories.
        selection: The namespaces that are wanted; a layer among them is read as well. None are all of memories.
        sources: Whether to read what was said in them: `yes`, `no`, or `only` that.

    Raises:
        InvalidInput: a namespace is malformed. NotFound: none of them exists.
    """
    require_namespaces(selection, snapshot)
    names, known = [*(selection or memories_of(snapshot, namespaces(snapshot)))], layers(snapshot)
    said = [layer for name in names if (layer := f"{name}:{RAW}") in known] if sources != "no" else []
    return [*dict.fromkeys([*(() if sources == "only" else names), *said])]


def mark(snapshot: Snapshot, kind: str, namespace: str) -> Mapping[bytes, bytes]:
    """The edits that make a namespace's layer: none if it is one already.

    Raises:
        Conflict: there are memories in the layer's namespace, and it is no layer.
        InvalidInput: the namespace is a layer itself, belongs to memoir, or is malformed.
    """
    name, place = layer_of(kind, namespace), _mark_of(kind, namespace)
    if namespace in (LAYERS_NAMESPACE, TAXONOMY_NAMESPACE) or namespace in layers(snapshot):
        raise InvalidInput(f"{namespace} cannot have layers of its own", "choose another namespace with -n")
    if snapshot.tree.get([place.key]):
        return {}
    if count := snapshot.tree.count(*key_range(name)):
        raise Conflict(
            f"{name} would be a layer, but holds {count:,} memories of its own",
            f"choose another namespace with -n, or move them: 'memoir mv {name}:PATH PATH'",
        )
    text = f"{name} is a layer of {namespace}"
    return {place.key: encode([Memory(text, 1.0, _SINCE)])}


def refuse_layers(snapshot: Snapshot, places: Sequence[Address]) -> None:
    """Refuse places in layers: only memoir writes there.

    Raises:
        InvalidInput: one is in a layer.
    """
    for name in {place.namespace for place in places if place.namespace.rpartition(":")[2] in KINDS}:
        if name in layers(snapshot):
            base = name.rpartition(":")[0]
            raise InvalidInput(
                f"{name} is a layer, which only memoir writes",
                f"remember it in {base!r}" if base in namespaces(snapshot) else "choose another namespace",
            )


def _mark_of(kind: str, namespace: str) -> Address:
    plain = re.sub(_OUTSIDE, lambda sign: f"_{ord(sign[0]):x}_", check_namespace(namespace))
    return Address(LAYERS_NAMESPACE, f"{kind}.{plain}")


def _layer_of(mark: Address) -> str:
    """The layer that a mark is for."""
    kind, _, plain = mark.path.partition(".")
    return f"{re.sub('_([0-9a-f]+)_', lambda code: chr(int(code[1], 16)), plain)}:{kind}"
