"""Export: the memories of a snapshot as JSON lines, one facet a line."""

from collections.abc import Iterator, Sequence

from memoir.memory.damage import readable
from memoir.memory.json_lines import format_line
from memoir.memory.read import key_range, namespaces, select_namespaces
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import from_key


def export_lines(snapshot: Snapshot, names: Sequence[str] = (), globs: Sequence[str] = ()) -> Iterator[bytes]:
    """Return every memory as one JSON line, in key order; an empty store that imports them gets the same root."""
    matches = matcher(globs)
    for name in sorted(
        select_namespaces(snapshot, names) if names else namespaces(snapshot), key=lambda name: name + "="
    ):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            place = from_key(key)
            if matches(place.path):
                for facet in readable(snapshot, key, value) or ():
                    yield format_line(place, facet)
