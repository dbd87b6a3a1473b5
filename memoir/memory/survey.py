"""The size of a store: surveys of its paths, and counts of its memories.

A survey reads the counts in the store's nodes and loads no memory. At depth N it costs O(prefixes * log n): it goes
from one prefix to the next, and the tree counts the keys between them. Counting memories reads the records, because the
tree counts only paths.

All counts are of the user's memories. Layers, such as sources, the store's own categories and its own words are counted
apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from memoir.memory.read import count_below, key_range, keys, namespaces, scan, select_namespaces
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import (
    LEXICON_NAMESPACE,
    TAXONOMY_NAMESPACE,
    Address,
    is_prefix_glob,
    literal_prefix,
)

_OWN = {TAXONOMY_NAMESPACE: "categories", LEXICON_NAMESPACE: "own words"}
"""The content of memoir's own namespaces that are listed."""


class Survey(NamedTuple):
    """Counts of paths by namespace and by prefix, and the keys that match."""

    namespaces: dict[str, int]
    """The number of paths of each namespace."""
    prefixes: dict[str, dict[str, int]]
    """The number of paths below each prefix, by namespace; empty without a depth."""
    matches: dict[str, list[str]]
    """The paths that match, by namespace; empty without globs."""
    cut_at: Address | None
    """The address to continue after, when a limit cut the keys."""
    stale: Mapping[str, list[str]] = {}
    """The insights among the keys that are out of date, by namespace."""
    user: "Survey | None" = None
    """The survey of the user's own store, if it was surveyed too."""
    apart: Mapping[str, str] = {}
    """The namespaces outside the total and what each holds: layers and memoir's own, unless namespaces were named."""

    @property
    def total(self) -> int:
        """The number of paths with memories of the user, or in the namespaces asked for."""
        return sum(count for name, count in self.namespaces.items() if name not in self.apart)


class Size(NamedTuple):
    """How much a store or a part of it holds."""

    memories: int | None
    """The active memories of the user; None if they were not counted."""
    paths: int
    """The paths that hold memories of the user."""
    superseded: int | None = None
    """The superseded memories at these paths; None if they were not counted."""
    segments: int = 0
    """The segments of sources."""
    others: int = 0
    """The counted records of other layers, categories and own words."""


class Tally:
    """Adds up the sizes of records.

    `of_memories` are the namespaces with memories of the user, `of_sources` those with segments of sources.
    """

    def __init__(self, snapshot: Snapshot, namespaces: Iterable[str]) -> None:
        from memoir.memory.layer_namespaces import memories_of, source_layers

        names = list(namespaces)
        self.of_memories = dict.fromkeys(memories_of(snapshot, names))
        self.of_sources = source_layers(snapshot, names)
        self._active = self._paths = self._superseded = self._segments = self._others = 0

    def add(self, namespace: str, record: Record) -> None:
        """Count a record."""
        if namespace in self.of_memories:
            active = sum(memory.active for memory in record)
            self._active += active
            self._superseded += len(record) - active
            self._paths += 1
        elif namespace in self.of_sources:
            self._segments += len(record)
        else:
            self._others += len(record)

    @property
    def size(self) -> Size:
        """The counts so far."""
        return Size(self._active, self._paths, self._superseded, self._segments, self._others)


def summarize(
    snapshot: Snapshot,
    names: Sequence[str] = (),
    *,
    depth: int | None = None,
    globs: Sequence[str] = (),
    limit: int | None = None,
    after: Address | None = None,
) -> Survey:
    """Survey the namespaces; by default all, of which layers are only counted.

    `depth` is the number of segments by which paths are grouped; a shorter path is a group of its own. With `globs`,
    only paths that match one of them are grouped and listed, at most `limit` at a time.
    """
    counts = select_namespaces(snapshot, names)
    layers = frozenset() if names else _layers(snapshot, counts)
    kinds = {} if names else dict.fromkeys(layers, "a layer") | _OWN
    apart = {name: kinds[name] for name in counts if name in kinds}
    rest = [name for name in counts if name not in layers]
    prefixes = {name: _prefixes(snapshot, name, depth, globs) for name in rest} if depth else {}
    matches: dict[str, list[str]] = {name: [] for name in rest} if globs else {}
    addresses: Iterator[Address] = keys(snapshot, rest, globs, after=after) if globs else iter(())
    page = list(islice(addresses, limit))
    for address in page:
        matches[address.namespace].append(address.path)
    cut_at = page[-1] if page and next(addresses, None) is not None else None
    return Survey(counts, prefixes, matches, cut_at, _stale(snapshot, page), apart=apart)


def size_of(snapshot: Snapshot, most: int) -> Size:
    """The size of a store; its memories are counted only if it has at most `most` paths."""
    counts = namespaces(snapshot)
    tally = Tally(snapshot, counts)
    paths = sum(counts[name] for name in tally.of_memories)
    segments = sum(counts[name] for name in tally.of_sources)
    if paths > most:
        return Size(None, paths, None, segments)
    for address, record in scan(snapshot, tally.of_memories):
        tally.add(address.namespace, record)
    return tally.size._replace(paths=paths, segments=segments)


def describe_size(size: Size) -> str:
    """A size in words: `67 memories at 53 paths (and 12 superseded, 30 segments of sources)`."""
    memories = "memories" if size.memories is None else plural(size.memories, "memory", "memories")
    parts = [
        f"{size.superseded:,} superseded" if size.superseded else "",
        f"{plural(size.segments, 'segment', 'segments')} of sources" if size.segments else "",
        f"{plural(size.others, 'record', 'records')} of layers and categories" if size.others else "",
    ]
    rest = ", ".join(filter(None, parts))
    if rest and not size.paths:
        return rest
    return f"{memories} at {plural(size.paths, 'path', 'paths')}" + (f" (and {rest})" if rest else "")


def plural(count: int, one: str, many: str) -> str:
    """A number of things: `1 path`, `1,200 paths`."""
    return f"{count:,} {one if count == 1 else many}"


def _stale(snapshot: Snapshot, addresses: Sequence[Address]) -> dict[str, list[str]]:
    """The insights at the addresses that are out of date, by namespace."""
    insights = [address for address in addresses if address.may_be_insight]
    if not insights:
        return {}
    from memoir.memory.staleness import Staleness

    paths: dict[str, list[str]] = {}
    for address, is_stale in Staleness(snapshot).among(insights).items():
        if is_stale:
            paths.setdefault(address.namespace, []).append(address.path)
    return paths


def _layers(snapshot: Snapshot, names: Iterable[str]) -> frozenset[str]:
    """The namespaces that are layers; names without a colon are never layers."""
    if not any(":" in name for name in names):
        return frozenset()
    from memoir.memory.layer_namespaces import layers

    return layers(snapshot).intersection(names)


def _prefixes(snapshot: Snapshot, name: str, depth: int, globs: Sequence[str]) -> dict[str, int]:
    groups: Iterator[tuple[str, int]]
    if globs and not (len(globs) == 1 and is_prefix_glob(globs[0])):
        groups = ((".".join(each.path.split(".")[:depth]), 1) for each in keys(snapshot, [name], globs))
    else:
        groups = _groups(snapshot, name, depth, literal_prefix(globs[0]) if globs else "")
    counts: dict[str, int] = {}
    for prefix, count in groups:
        counts[prefix] = counts.get(prefix, 0) + count
    return dict(sorted(counts.items()))


def _groups(
    snapshot: Snapshot, name: str, depth: int, start: str, *, within: str | None = None
) -> Iterator[tuple[str, int]]:
    """The prefixes below `start` with their counts; with `within`, those below it, from `start` on.

    A prefix may come twice, for the path itself and for the paths below it: `a-b` sorts between
    `a` and `a.b`, because '-' sorts before '.'.
    """
    low, high = key_range(name, start if within is None else within)
    low = low if within is None else max(low, Address(name, start).key)
    key = snapshot.tree.first(low)
    while key is not None and key < high:
        segments = key.split(b".", depth)
        if len(segments) <= depth:
            count, after = 1, key + b"\0"
        else:
            below = b".".join(segments[:depth]) + b"."
            after = below[:-1] + b"/"  # '/' follows '.', so this is the end of the paths below
            count = snapshot.tree.count(max(below, low), min(after, high))
        yield b".".join(segments[:depth]).partition(b"=")[2].decode(errors="replace"), count
        key = snapshot.tree.first(after)


class Child(NamedTuple):
    """A child of a prefix: its address, the number of paths at or below it, and whether it is a path itself."""

    address: Address
    paths: int
    is_path: bool


class Level(NamedTuple):
    """The children of a prefix in key order, and the name to continue after if a limit cut them."""

    children: list[Child]
    cut_at: str | None


def children(snapshot: Snapshot, namespace: str, prefix: str, limit: int, after: str | None = None) -> Level:
    """Count the paths below a prefix by their next segment, a page at a time: O(limit * log n)."""
    names: list[str] = []
    start = f"{prefix}." if prefix else ""
    depth = start.count(".") + 1
    low = f"{start}{after}\0" if after else start
    for name, _ in _groups(snapshot, namespace, depth, low, within=start):
        if name not in names and not (after and name <= start + after and _is_path(snapshot, namespace, name)):
            names.append(name)
        if len(names) > limit:
            break
    page = [_child(snapshot, Address(namespace, name)) for name in names[:limit]]
    return Level(page, names[limit - 1].removeprefix(start) if len(names) > limit else None)


def _child(snapshot: Snapshot, address: Address) -> Child:
    own = int(_is_path(snapshot, *address))
    return Child(address, own + count_below(snapshot, address), bool(own))


def _is_path(snapshot: Snapshot, namespace: str, path: str) -> bool:
    key = Address(namespace, path).key
    return bool(snapshot.tree.count(key, key + b"\0"))
