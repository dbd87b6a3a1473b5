"""Insights: what memories that belong together say as a whole, stored beside them in the layer `insights`.

They are memories like others, with history, blame and undo, and name what they rest on by `derives_from` links. Only
memoir writes them, and only those whose sources have changed are written again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from memoir.errors import NotFound
from memoir.index.index import Index
from memoir.layers.insight_nodes import ROOT_PATH, Node, nodes
from memoir.memory.insight import EXTRACTIVE, FIELD, LEAF, told_by
from memoir.memory.layers import INSIGHTS, layer_of, mark
from memoir.memory.links import FIELD as LINKS
from memoir.memory.links import links_of
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.read import keys, records
from memoir.memory.record import Memory, active_facets, encode
from memoir.memory.secrets import redact
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address
from memoir.times import format_instant, now

_QUOTED = 400
"""Characters of a quoted memory."""
ADDED, CHANGED, REMOVED = "added", "changed", "removed"


class Insight(NamedTuple):
    """An insight as it is stored.

    `is_stale` tells whether its sources have changed since; `size` is how many memories there are below it.
    """

    address: Address
    memory: Memory
    level: str
    by: str
    terms: list[str]
    size: int
    sources: list[Address]
    is_stale: bool


class Tree(NamedTuple):
    """The insights at or below a path, the root first, and how many groups of memories have none yet."""

    insights: list[Insight]
    missing: int


class Built(NamedTuple):
    """What building changed: `added`, `changed` or `removed`, each with the insight; how many stay; and the commit."""

    changes: list[tuple[str, Insight]]
    unchanged: int
    commit: Commit | None

    def count(self, change: str) -> int:
        """How many insights were changed in one way."""
        return sum(1 for kind, _ in self.changes if kind == change)


Write = Callable[[Node, Mapping[Address, str]], tuple[str, str]]
"""Words an insight: given what there should be and the texts of its sources, the text and who wrote it."""


def quote_central(node: Node, texts: Mapping[Address, str]) -> tuple[str, str]:
    """Word an insight without a model: the terms, and the most central memory."""
    text = " ".join(texts.get(node.central, "").split())
    quoted = text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"
    return (f"{', '.join(node.terms)}: {quoted}" if node.level == LEAF and node.terms else quoted), EXTRACTIVE


def build(
    store: Store, index: Index, namespace: str, options: WriteOptions = DEFAULTS, word: Write = quote_central
) -> Built:
    """Bring the insights of a namespace up to date, in one commit.

    Raises:
        Conflict: the layer's namespace holds memories of its own.
        InvalidInput: the message or the namespace is refused.
    """
    check_message(options)
    done: list[Built] = []
    written: dict[tuple[Address, str], Memory] = {}

    def change(head: Snapshot) -> Change | None:
        edits, built = _change(index, head, namespace, word, written)
        done[:] = [built]
        counts = ", ".join(f"{n:,} {kind}" for kind in (ADDED, CHANGED, REMOVED) if (n := built.count(kind)))
        return Change(edits.items(), options.message or f"build insights: {counts}") if edits else None

    change(store.head(options.branch))  # what takes long is done before the store is locked
    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason="build insights")
    return done[0]._replace(commit=commit)


def _change(
    index: Index, head: Snapshot, namespace: str, word: Write, written: dict[tuple[Address, str], Memory]
) -> tuple[dict[bytes, bytes | None], Built]:
    wanted = index.read(head, lambda view: nodes(view, namespace))
    stored = _stored(head, namespace)
    fresh = [node for node in wanted if _digest(stored.get(node.address)) != node.digest]
    texts = _texts(head, fresh)
    for node in fresh:  # leaves come first, and what is above quotes them
        memory = written.setdefault((node.address, node.digest), _memory(node, *word(node, texts)))
        texts[node.address] = memory.content
    gone = stored.keys() - {node.address for node in wanted}
    made = {node.address: written[node.address, node.digest] for node in fresh}
    edits: dict[bytes, bytes | None] = {place.key: encode([memory]) for place, memory in made.items()}
    edits |= dict.fromkeys((place.key for place in gone), None)
    if edits:
        edits |= mark(head, INSIGHTS, namespace)
    changes = [(CHANGED if place in stored else ADDED, _insight(place, memory)) for place, memory in made.items()]
    changes += [(REMOVED, _insight(place, stored[place])) for place in sorted(gone)]
    return edits, Built(changes, len(wanted) - len(fresh), None)


def _texts(head: Snapshot, fresh: Sequence[Node]) -> dict[Address, str]:
    """What the sources of some nodes say, as far as they are stored."""
    sources = dict.fromkeys(source for node in fresh for source in node.sources)
    found = records(head, sources, listed=True)
    return {place: "\n".join(facet.content for facet in active_facets(record)) for place, record in found.items()}


def _memory(node: Node, text: str, by: str) -> Memory:
    told = {"level": node.level, "by": by, "terms": list(node.terms), "size": node.size, "sources": node.digest}
    links = {"derives_from": [source.full_key for source in node.sources]}
    return Memory.of(
        redact(text) or ", ".join(node.terms),
        timestamp=format_instant(now()),
        metadata={FIELD: told, LINKS: links},
    )


def insights(index: Index, snapshot: Snapshot, namespace: str, path: str | None = None) -> Tree:
    """The insights of a namespace, the root first and each branch before its leaves; at or below a path, if given.

    Raises:
        NotFound: there is no insight at or below the path.
    """
    wanted = {node.address: node for node in index.read(snapshot, lambda view: nodes(view, namespace))}
    stored = _stored(snapshot, namespace)
    found = [
        _insight(place, memory, stale=place not in wanted or wanted[place].digest != _digest(memory))
        for place, memory in sorted(stored.items(), key=lambda each: (each[0].path != ROOT_PATH, each[0]))
        if path is None or place.path == path or place.path.startswith(f"{path}.")
    ]
    if path is not None and not found:
        raise NotFound(f"no insight at {path!r}", "'memoir insights' shows all of them")
    return Tree(found, len(wanted.keys() - stored.keys()))


def _stored(snapshot: Snapshot, namespace: str) -> dict[Address, Memory]:
    """The insights of a namespace by their places."""
    found = records(snapshot, keys(snapshot, [layer_of(INSIGHTS, namespace)]), listed=True)
    return {place: record[-1] for place, record in found.items() if told_by(record[-1])}


def _digest(memory: Memory | None) -> Any:
    return memory.metadata[FIELD].get("sources") if memory else None


def _insight(place: Address, memory: Memory, *, stale: bool = False) -> Insight:
    told: Mapping[str, Any] = memory.metadata[FIELD]
    terms = [str(term) for term in told.get("terms") or ()]
    sources = [target for _, target in links_of((memory,))]
    return Insight(
        place, memory, str(told.get("level")), str(told.get("by")), terms, int(told.get("size") or 0), sources, stale
    )
