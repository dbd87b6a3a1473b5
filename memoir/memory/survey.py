"""Surveys of a store by the counts in its nodes.

No memory is loaded. A survey at depth N costs O(prefixes * log n): it goes from one prefix to the next, and the tree
counts the keys between them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from memoir.memory import read
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import is_prefix_glob, literal_prefix
from memoir.taxonomy.paths import Address


class Survey(NamedTuple):
    """Counts of paths by namespace and by prefix, and the keys that match.

    Attributes:
        namespaces: The number of paths of each namespace.
        prefixes: The number of paths below each prefix, by namespace; empty without a depth.
        matches: The paths that match, by namespace; empty without globs.
        cut_at: The address to continue after, when a limit cut the keys.
        layers: The namespaces whose paths are not memories of the user: they are counted by namespace only.
        stale: The insights among the keys that are out of date, by namespace.
        user: The survey of the user's own store, if it was surveyed too.
    """

    namespaces: dict[str, int]
    prefixes: dict[str, dict[str, int]]
    matches: dict[str, list[str]]
    cut_at: Address | None
    layers: frozenset[str] = frozenset()
    stale: Mapping[str, list[str]] = {}
    user: "Survey | None" = None

    @property
    def total(self) -> int:
        """How many paths there are in all namespaces but layers."""
        return sum(count for name, count in self.namespaces.items() if name not in self.layers)


def summarize(
    snapshot: Snapshot,
    names: Sequence[str] = (),
    *,
    depth: int | None = None,
    globs: Sequence[str] = (),
    limit: int | None = None,
    after: Address | None = None,
) -> Survey:
    """Survey some namespaces (all by default; then layers are only counted).

    `depth` is the number of segments by which paths are grouped; a shorter path is a group of its own. With `globs`,
    only paths that match one of them are grouped and listed, at most `limit` at a time.
    """
    counts = read.select_namespaces(snapshot, names)
    apart = frozenset() if names else _layers(snapshot, counts)
    rest = [name for name in counts if name not in apart]
    prefixes = {name: _prefixes(snapshot, name, depth, globs) for name in rest} if depth else {}
    matches: dict[str, list[str]] = {name: [] for name in rest} if globs else {}
    addresses: Iterator[Address] = read.keys(snapshot, rest, globs, after=after) if globs else iter(())
    page = list(islice(addresses, limit))
    for address in page:
        matches[address.namespace].append(address.path)
    cut_at = page[-1] if page and next(addresses, None) is not None else None
    return Survey(counts, prefixes, matches, cut_at, apart, _stale(snapshot, page))


def count_memories(snapshot: Snapshot, counts: Mapping[str, int], most: int) -> int | None:
    """How many active memories are in some namespaces, given with their numbers of paths; None above `most` paths.

    The tree counts paths alone: all records are read.
    """
    if sum(counts.values()) > most:
        return None
    from memoir.records.damage import readable
    from memoir.records.record import active_facets

    entries = chain.from_iterable(snapshot.scan(*read.key_range(name)) for name in counts)
    records = (readable(snapshot, key, value) for key, value in entries)
    return sum(len(active_facets(record)) for record in records if record)


def describe_size(snapshot: Snapshot, counts: Mapping[str, int], most: int) -> str:
    """How many active memories are at how many paths of some namespaces; the first only of at most `most` paths."""
    total = sum(counts.values())
    paths = "1 path" if total == 1 else f"{total:,} paths"
    memories = count_memories(snapshot, counts, most)
    several = "memories" if memories is None else "1 memory" if memories == 1 else f"{memories:,} memories"
    return f"{several} at {paths}"


def _stale(snapshot: Snapshot, places: Sequence[Address]) -> dict[str, list[str]]:
    """The insights at some places that are out of date, by namespace."""
    insights = [place for place in places if place.may_be_insight]
    if not insights:
        return {}
    from memoir.memory.staleness import Staleness

    paths: dict[str, list[str]] = {}
    for place, is_stale in Staleness(snapshot).among(insights).items():
        if is_stale:
            paths.setdefault(place.namespace, []).append(place.path)
    return paths


def _layers(snapshot: Snapshot, names: Iterable[str]) -> frozenset[str]:
    """Those of some namespaces that are layers; the name of a layer has a colon."""
    if not any(":" in name for name in names):
        return frozenset()
    from memoir.memory.layer_namespaces import layers

    return layers(snapshot).intersection(names)


def _prefixes(snapshot: Snapshot, name: str, depth: int, globs: Sequence[str]) -> dict[str, int]:
    if globs and not (len(globs) == 1 and is_prefix_glob(globs[0])):
        groups = _groups_of_matches(snapshot, name, depth, globs)
    else:
        groups = _groups(snapshot, name, depth, literal_prefix(globs[0]) if globs else "")
    counts: dict[str, int] = {}
    for prefix, count in groups:
        counts[prefix] = counts.get(prefix, 0) + count
    return dict(sorted(counts.items()))


def _groups(snapshot: Snapshot, name: str, depth: int, start: str) -> Iterator[tuple[str, int]]:
    """The prefixes of a key range with their counts.

    A prefix may come twice, for the path itself and for the paths below it: `a-b` sorts between
    `a` and `a.b`, because '-' sorts before '.'.
    """
    low, high = read.key_range(name, start)
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


def _groups_of_matches(snapshot: Snapshot, name: str, depth: int, globs: Sequence[str]) -> Iterator[tuple[str, int]]:
    for address in read.keys(snapshot, [name], globs):
        yield ".".join(address.path.split(".")[:depth]), 1
