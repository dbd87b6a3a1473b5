"""Insights: what memories that belong together say as a whole, stored beside them in the layer `insights`.

They are memories like others, with history, blame and undo, and name what they rest on by `derives_from` links. Only
memoir writes them, and only those whose sources have changed are written again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memoir.errors import LlmUnavailable, NotFound
from memoir.index.index import Index
from memoir.layers.insight_nodes import ROOT_PATH, Node, nodes
from memoir.layers.insight_words import Asking, Prepared, Quoting, Words, Writer
from memoir.llm.budget import Budget
from memoir.llm.choose import choose_model
from memoir.llm.conversation import Conversation
from memoir.llm.model import Usage
from memoir.llm.prompts import read_instructions
from memoir.memory.insight import FIELD, LEAF, digest_of, told_by
from memoir.memory.layers import INSIGHTS, layer_of, mark
from memoir.memory.links import FIELD as LINKS
from memoir.memory.links import links_of
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.read import keys, records
from memoir.memory.record import Memory, active_facets, encode
from memoir.memory.secrets import redact
from memoir.setting import Config, words
from memoir.store.commit import Commit
from memoir.store.digest import sha1
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address
from memoir.times import format_instant, now

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
    """What building changed: `added`, `changed` or `removed`, each with the insight; how many stay; and the commit.

    `usage` and `degraded` say what a model cost, and what was worded without it.
    """

    changes: list[tuple[str, Insight]]
    unchanged: int
    commit: Commit | None
    usage: Usage = Usage()
    degraded: tuple[str, ...] = ()

    def count(self, change: str) -> int:
        """How many insights were changed in one way."""
        return sum(1 for kind, _ in self.changes if kind == change)


def build(
    store: Store, index: Index, namespace: str, options: WriteOptions = DEFAULTS, writer: Writer | None = None
) -> Built:
    """Bring the insights of a namespace up to date, in one commit; without a writer they quote memories.

    Raises:
        Conflict: the layer's namespace holds memories of its own.
        InvalidInput: the message or the namespace is refused.
    """
    check_message(options)
    done: list[Built] = []
    asked = writer or Quoting()
    written: dict[tuple[Address, str], Words] = {}

    def change(head: Snapshot) -> Change | None:
        edits, built = _change(index, head, namespace, Prepared(asked) if done else asked, written)
        done[:] = [built]
        counts = ", ".join(f"{n:,} {kind}" for kind in (ADDED, CHANGED, REMOVED) if (n := built.count(kind)))
        return Change(edits.items(), options.message or f"build insights: {counts}") if edits else None

    if options.dry_run and isinstance(asked, Asking):
        asked = Quoting()
    change(store.head(options.branch))  # what takes long is done before the store is locked
    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason="build insights")
    if isinstance(asked, Asking):
        done[0] = done[0]._replace(usage=asked.usage, degraded=tuple(asked.degraded))
    return done[0]._replace(commit=commit)


def writer(config: Config, by: str, llm_calls: int | None = None, llm_tokens: int | None = None) -> Writer:
    """What words insights: `rules`, or the configured `model` within a budget.

    Raises:
        LlmUnavailable: no model is configured. InvalidInput: it is neither, or a setting is malformed.
    """
    words("rules", "model").check(by, "by")
    if by == "rules":
        return Quoting()
    model = choose_model(config)
    if model is None:
        raise LlmUnavailable("no language model is configured", "set ANTHROPIC_API_KEY, or leave out --by model")
    budget = Budget(llm_calls, llm_tokens)
    return Asking(Conversation(model, budget=budget, instructions=read_instructions(config)))


def _change(
    index: Index, head: Snapshot, namespace: str, writer: Writer, written: dict[tuple[Address, str], Words]
) -> tuple[dict[bytes, bytes | None], Built]:
    stored = _stored(head, namespace)
    kept = {place: memory for place, memory in stored.items() if not writer.replaces(_by(memory))}
    wanted = index.read(head, lambda view: nodes(view, namespace, kept))
    made = _write(head, wanted, stored, writer, written)
    gone = stored.keys() - {node.address for node in wanted}
    edits: dict[bytes, bytes | None] = {place.key: encode([memory]) for place, memory in made.items()}
    edits |= dict.fromkeys((place.key for place in gone), None)
    if edits:
        edits |= mark(head, INSIGHTS, namespace)
    changes = [(CHANGED if place in stored else ADDED, _insight(place, memory)) for place, memory in made.items()]
    changes += [(REMOVED, _insight(place, stored[place])) for place in sorted(gone)]
    return edits, Built(changes, len(wanted) - len(made), None)


def _write(
    head: Snapshot,
    wanted: Sequence[Node],
    stored: Mapping[Address, Memory],
    writer: Writer,
    written: dict[tuple[Address, str], Words],
) -> dict[Address, Memory]:
    """The insights that are to be written, by their places."""
    fresh = [node for node in wanted if not _is_current(node, stored.get(node.address), writer)]
    told = {node.address: node.digest.encode() for node in wanted}
    found = records(head, dict.fromkeys(source for node in fresh for source in node.sources), listed=True)
    texts = {place: "\n".join(facet.content for facet in active_facets(record)) for place, record in found.items()}
    made: dict[Address, Memory] = {}
    for node in fresh:  # leaves come first, and what is above them reads them
        key = node.address, node.digest
        words = written[key] = written.get(key) or writer.write(node, texts)
        facets = ((place, facet) for place in words.cited for facet in active_facets(found.get(place, ())))
        contents = ((place, sha1(facet.content.encode())) for place, facet in facets)
        cited = contents if node.level == LEAF else ((place, told[place]) for place in words.cited)
        memory = _memory(node, words, digest_of(cited))
        texts[node.address] = memory.content
        before = stored.get(node.address)
        if before is None or (before.content, before.metadata) != (memory.content, memory.metadata):
            made[node.address] = memory
    return made


def _is_current(node: Node, memory: Memory | None, writer: Writer) -> bool:
    return memory is not None and _digest(memory) == node.digest and not writer.replaces(_by(memory))


def _memory(node: Node, words: Words, cited: str) -> Memory:
    told = {"level": node.level, "by": words.by, "terms": list(node.terms), "size": node.size}
    digests = {"sources": node.digest, "cited": cited}
    links = {"derives_from": [source.full_key for source in words.cited]}
    text = redact(words.text) or ", ".join(node.terms) or node.address.path
    return Memory.of(text, timestamp=format_instant(now()), metadata={FIELD: told | digests, LINKS: links})


def insights(index: Index, snapshot: Snapshot, namespace: str, path: str | None = None) -> Tree:
    """The insights of a namespace, the root first and each branch before its leaves; at or below a path, if given.

    Raises:
        NotFound: there is no insight at or below the path.
    """
    stored = _stored(snapshot, namespace)
    wanted = {node.address: node for node in index.read(snapshot, lambda view: nodes(view, namespace, stored))}
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


def _by(memory: Memory) -> str:
    return str(memory.metadata[FIELD].get("by"))


def _insight(place: Address, memory: Memory, *, stale: bool = False) -> Insight:
    told: Mapping[str, Any] = memory.metadata[FIELD]
    terms = [str(term) for term in told.get("terms") or ()]
    sources = [target for _, target in links_of((memory,))]
    return Insight(
        place, memory, str(told.get("level")), str(told.get("by")), terms, int(told.get("size") or 0), sources, stale
    )
