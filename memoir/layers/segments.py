"""The segments of sources: the memories of the layer `raw`, at `sources.<source>.<number>`.

A segment is verbatim text. Its metadata are its caption, its position in the source, the source's origin, and for a
conversation the speakers, its start and its end. A turn begins at each line with a speaker's name and a colon; if some
lines only look like that, `turns` has the offsets of the real turns.

A segment's number is the last part of its path and gives its order. It is a decimal with a hyphen before its fraction:
a segment inserted between two others gets a number between theirs, so that no other path changes.

    0001, 0002, 0003; between 0002 and 0003 comes 0002-5, between 0002 and 0002-5 comes 0002-2

`read_page` reads a source with the items of each segment.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import NotFound
from memoir.memory.layer_namespaces import RAW, layer_of, layers
from memoir.memory.passages import passage_memories
from memoir.memory.read import count_below, key_range, keys, records, require_namespaces
from memoir.memory.survey import summarize
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import RAW_SUFFIX, SOURCES, Address, address, from_key

if TYPE_CHECKING:
    from memoir.index.index import Index
    from memoir.memory.active import Facet

_WIDTH = 4


def is_number(text: str) -> bool:
    """Whether a part of a path is a segment's number."""
    return bool(re.fullmatch(r"[0-9]+(?:-[0-9]+)?", text))


def value(number: str) -> Fraction:
    """The value of a number."""
    whole, _, rest = number.partition("-")
    return Fraction(int(whole + rest), 10 ** len(rest))


def between(low: Fraction, high: Fraction | None, count: int) -> list[str]:
    """`count` numbers between two, in order and well spaced; `high` is None without an upper bound."""
    if high is None:
        return [_write(int(low) + step, 0) for step in range(1, count + 1)]
    digits = 0
    while True:
        scale = 10**digits
        first, last = int(low * scale) + 1, -int(-high * scale // 1) - 1
        if (room := last - first + 1) >= count:
            return [_write(first + room * (2 * step + 1) // (2 * count), digits) for step in range(count)]
        digits += 1


def _write(value: int, digits: int) -> str:
    whole, rest = divmod(value, 10**digits)
    fraction = f"{rest:0{digits}}".rstrip("0") if digits else ""
    return f"{whole:0{_WIDTH}}-{fraction}" if fraction else f"{whole:0{_WIDTH}}"


ROOT = SOURCES
"""The first segment of every path in the layer."""


class StoredSource(NamedTuple):
    """A source of a store: name, namespace, origin, kind, and number of segments."""

    name: str
    namespace: str
    origin: str
    kind: str
    segments: int


def place_of(namespace: str, source: str, number: str) -> Address:
    """The address of a segment."""
    return address(f"{ROOT}.{source}.{number}", layer_of(RAW, namespace))


def parts_of(address: Address) -> tuple[str, str, str] | None:
    """The namespace, source and number of the segment at an address; None for any other address."""
    root, _, rest = address.path.partition(".")
    source, _, number = rest.partition(".")
    is_segment = address.namespace.endswith(RAW_SUFFIX) and root == ROOT and is_number(number)
    return (address.namespace.removesuffix(RAW_SUFFIX), source, number) if is_segment else None


def read_segments(snapshot: Snapshot, namespace: str, source: str) -> dict[str, Memory]:
    """The segments of a source by number, in order; if a merge joined several, the last one."""
    return {number: record[-1] for number, record in read_records(snapshot, namespace, source).items()}


def read_records(snapshot: Snapshot, namespace: str, source: str) -> dict[str, Record]:
    """The records of a source's segments by number, in order."""
    layer, prefix = layer_of(RAW, namespace), f"{ROOT}.{source}"
    addresses = keys(snapshot, [layer], prefix=prefix)
    entries = records(snapshot, (each for each in addresses if is_number(each.path.removeprefix(f"{prefix}."))))
    by_number = {address.path.rpartition(".")[2]: record for address, record in entries.items()}
    return {number: by_number[number] for number in sorted(by_number, key=value)}


def sources_in(snapshot: Snapshot, namespace: str) -> Iterator[StoredSource]:
    """The sources of a namespace by name: O(sources * log n)."""
    layer = layer_of(RAW, namespace)
    for prefix, count in _names(snapshot, layer).items():
        yield _describe(snapshot, namespace, prefix.partition(".")[2], count)


def with_sources(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[str]:
    """The namespaces (of the given ones, or all) with a layer of sources, even if it is now empty."""
    require_namespaces(namespaces, snapshot)
    names = {name.removesuffix(RAW_SUFFIX) for name in layers(snapshot) if name.endswith(RAW_SUFFIX)}
    return sorted(names.intersection(namespaces) if namespaces else names)


def list_sources(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[StoredSource]:
    """The sources of the namespaces (all, if empty), by namespace and name."""
    return [source for name in with_sources(snapshot, namespaces) for source in sources_in(snapshot, name)]


def find_source(snapshot: Snapshot, namespace: str, name: str) -> StoredSource | None:
    """The source with a name, or None."""
    count = count_below(snapshot, Address(layer_of(RAW, namespace), f"{ROOT}.{name}"))
    return _describe(snapshot, namespace, name, count) if count else None


def require_source(snapshot: Snapshot, namespace: str, name: str) -> StoredSource:
    """The source with a name.

    Raises:
        NotFound: there is none; the hint is the nearest name.
    """
    from difflib import get_close_matches

    if match := find_source(snapshot, namespace, name):
        return match
    close = get_close_matches(name, [source.name for source in sources_in(snapshot, namespace)], 1)
    raise NotFound(f"no source {name!r}", f"did you mean {close[0]!r}?" if close else "'memoir sources' lists them")


def _names(snapshot: Snapshot, layer: str) -> dict[str, int]:
    if not snapshot.tree.count(*key_range(layer)):
        return {}
    return summarize(snapshot, [layer], depth=2, globs=[f"{ROOT}.*"], limit=0).prefixes[layer]


def _describe(snapshot: Snapshot, namespace: str, name: str, count: int) -> StoredSource:
    first = first_segment(snapshot, namespace, name)
    metadata = first.metadata if first else {}
    return StoredSource(name, namespace, str(metadata.get("origin", "")), str(metadata.get("kind", "")), count)


def first_segment(snapshot: Snapshot, namespace: str, name: str) -> Memory | None:
    """The first segment of a source, or None."""
    low, high = key_range(layer_of(RAW, namespace), f"{ROOT}.{name}.")
    first = snapshot.tree.first(low)
    record = records(snapshot, [from_key(first)], listed=True) if first and first < high else {}
    return next(iter(record.values()))[-1] if record else None


class SourceSegment(NamedTuple):
    """A segment: its address, its passages as memories, and its items."""

    address: Address
    passages: Record
    items: "list[Facet]"


class SourcePage(NamedTuple):
    """A source, a page of its segments, and the page's last number if there are more."""

    source: StoredSource
    segments: list[SourceSegment]
    cut_at: str | None
    degraded: tuple[str, ...]


def read_page(
    index: "Index", snapshot: Snapshot, namespace: str, name: str, limit: int, after: str | None = None
) -> SourcePage:
    """Read a page of a source's segments, optionally after a number."""
    from memoir.recall.places import facets_at  # loads the index, which a list of sources does not need

    source = require_source(snapshot, namespace, name)
    start = place_of(namespace, name, after) if after else None
    layer = place_of(namespace, name, "0").namespace
    found = list(islice(keys(snapshot, [layer], prefix=f"{ROOT}.{name}", after=start), limit + 1))
    page = records(snapshot, found[:limit], listed=True)
    places = index.read(snapshot, lambda view: view.items_of(list(page)))
    items = {segment: facets_at(snapshot, its) for segment, its in places.items()}
    segments = [
        SourceSegment(address, passage_memories(record, address), items.get(address, []))
        for address, record in page.items()
    ]
    cut_at = found[limit - 1].path.rpartition(".")[2] if len(found) > limit else None
    return SourcePage(source, segments, cut_at, tuple(index.degraded))
