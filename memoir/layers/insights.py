"""Insights: summaries of memories that belong together, stored in the layer `insights`.

They are memories with history, blame and undo, and name their sources by `derives_from` links. Only memoir writes them,
and only those with changed sources are rewritten.

A model writes the text of an insight; it is checked against the memories that it cites.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from memoir.english.excerpts import is_grounded
from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import sha1
from memoir.index.index import Index
from memoir.index.view import View
from memoir.layers.insight_nodes import ROOT_PATH, BuildPlan, InsightNode, nodes, plan
from memoir.layers.item_options import MODEL
from memoir.layers.reader import Account, Cost
from memoir.llm.answer_text import find_object, read_text
from memoir.llm.conversation import CallBudget, ModelConversation, begin_conversation
from memoir.llm.model import Step, beside, list_candidates
from memoir.llm.usage import Usage
from memoir.memory.layer_namespaces import INSIGHTS, layer_of, mark
from memoir.memory.links import links_of
from memoir.memory.read import keys, records
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.metadata import INSIGHT, LEAF, LINKS, digest_of, insight_fields
from memoir.records.record import Memory, Record, active_facets, encode
from memoir.secrets.secrets import redact
from memoir.setting import Config, words
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address
from memoir.times import format_instant, now

STEPS = {level: Step(f"insights.{level}", beside(__file__)) for level in ("leaf", "branch", "root")}
_MOST_SHOWN = 60
"""The most sources shown to a model, the newest."""
_LONGEST = 600
_USUAL = 150
"""The characters of a typical insight, for estimating costs."""
_FEW = 5
"""The number of answers from which a model's quality can be judged."""

Texts = Mapping[Address, str]


class InsightText(NamedTuple):
    """The text of an insight, its writer, and the sources that it cites."""

    text: str
    by: str
    sources: tuple[Address, ...]


class Writer(Protocol):
    """Writes the texts of insights."""

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """Write the text of a node from its sources' texts; None if there is none."""

    def account(self, missing: int) -> Account:
        """The cost so far, and the reasons for missing insights."""


class ModelWriter:
    """Writes insights by a model, one call each; text that its sources do not support is rejected."""

    def __init__(self, talk: ModelConversation) -> None:
        self._talk = talk
        self._written = 0

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """See `Writer`."""
        sources = _sources_to_show(node, texts)
        if not sources:
            return None
        step = STEPS[node.level]
        answer = self._talk.consult(step, _message(node, sources), _read)
        if answer is None:
            return None
        text, numbers = answer
        citations = [sources[number - 1] for number in numbers if 1 <= number <= len(sources)]
        if not is_grounded(text, [source for _, source in citations]):
            self._talk.fall_back(step.name, "the model wrote what the memories that it cites do not say")
            return None
        self._written += 1
        return InsightText(text, self._talk.model.name, tuple(source for source, _ in citations))

    def account(self, missing: int) -> Account:
        """See `Writer`; the notes advise on missing insights."""
        what = "insight is" if missing == 1 else "insights are"
        notes = [f"{missing:,} {what} still missing; {self._advice()}"] if missing else []
        return Account(self._talk.usage, None, (*self._talk.degraded, *notes))

    def _advice(self) -> str:
        usage, written = self._talk.usage, self._written
        calls = usage.calls
        if calls < _FEW or written * 2 >= calls or not usage.output_tokens:
            return "build again"
        share = f"of {calls:,} answers of {self._talk.model.name} {written:,} could be used"
        return f"{share}: 'memoir config --global memoir.llm.model NAME' names a larger model"


class Estimator:
    """Adds up the cost of a model without asking it."""

    def __init__(self) -> None:
        self._cost = Cost()

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        """Return the shared words as a placeholder for the insight."""
        sources = [(source, text.ljust(_USUAL)) for source, text in _sources_to_show(node, texts)]
        self._cost = self._cost.with_call(STEPS[node.level].prompt(_message(node, sources)))
        return InsightText(", ".join(node.terms), MODEL, node.sources)

    def account(self, missing: int) -> Account:
        """The estimated cost."""
        return Account(cost=self._cost)


def _sources_to_show(node: InsightNode, texts: Texts) -> list[tuple[Address, str]]:
    """The sources to show to a model, with their texts."""
    return [(source, texts[source]) for source in node.sources if source in texts][-_MOST_SHOWN:]


def _message(node: InsightNode, sources: Sequence[tuple[Address, str]]) -> str:
    listing = list_candidates((source.path, redact(text)) for source, text in sources)
    return f"Shared words: {', '.join(node.terms)}\n\nMemories:\n{listing}"


def _read(answer: str) -> tuple[str, list[int]] | None:
    fields: Mapping[str, Any] = find_object(answer, "insight")
    text, cited = read_text(fields.get("insight"), _LONGEST), fields.get("memories")
    numbers = list(dict.fromkeys(each for each in cited if type(each) is int)) if isinstance(cited, list) else []
    return (text, numbers) if text and numbers else None


HOW = "'memoir insights build --by model' writes them"
ADDITION, CHANGE, REMOVAL = "added", "changed", "removed"


class Insight(NamedTuple):
    """A stored insight.

    `is_stale` is true if its sources have changed since; `size` counts the memories below it.
    """

    address: Address
    memory: Memory
    level: str
    by: str
    terms: list[str]
    size: int
    sources: list[Address]
    is_stale: bool


class InsightTree(NamedTuple):
    """The insights at or below a path, the root first, and the number of groups of memories without one."""

    insights: list[Insight]
    missing: int


class Build(NamedTuple):
    """The result of a build: pairs of a change (`added`, `changed`, `removed`) and an insight, and other counts.

    `missing` counts insights that the model failed to write, and `degraded` gives the reasons; `usage` is the cost,
    `cost` the estimate of a dry run.
    """

    changes: list[tuple[str, Insight]]
    unchanged: int
    commit: Commit | None
    missing: int = 0
    usage: Usage = Usage()
    degraded: tuple[str, ...] = ()
    cost: Cost | None = None

    def count(self, change: str) -> int:
        """Count the insights with one kind of change."""
        return sum(1 for kind, _ in self.changes if kind == change)


def build(store: Store, index: Index, namespace: str, writer: Writer, options: WriteOptions = DEFAULTS) -> Build:
    """Bring the insights of a namespace up to date, in one commit."""
    check_message(options)
    work = _Work(index, namespace, writer)
    answer = work.at(store.head(options.branch)).answer  # the slow part, before the store is locked

    def change(head: Snapshot) -> Change | None:
        nonlocal answer
        edits, answer = work.at(head)
        counts = ", ".join(f"{n:,} {kind}" for kind in (ADDITION, CHANGE, REMOVAL) if (n := answer.count(kind)))
        return Change(edits.items(), options.message or f"build insights: {counts}") if edits else None

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason="build insights")
    return answer._replace(commit=commit, **writer.account(answer.missing)._asdict())


def writer(
    config: Config,
    by: str | None,
    llm_calls: int | None = None,
    llm_tokens: int | None = None,
    *,
    dry_run: bool = False,
) -> Writer:
    """The writer of insights: the configured model within a budget; in a dry run an estimator.

    Raises:
        LlmUnavailable: no model is configured. InvalidInput: `by` is not `model`, or a setting is malformed.
    """
    if by is None:
        raise InvalidInput("a model writes insights", f"{HOW}; with --dry-run it says what that would cost")
    words(MODEL).check(by, "by")
    if dry_run:
        return Estimator()
    missing, hint = "a model writes insights, and none is configured", "set ANTHROPIC_API_KEY"
    return ModelWriter(begin_conversation(config, CallBudget(llm_calls, llm_tokens), hint, missing=missing))


class _Result(NamedTuple):
    """A build at a snapshot: the values to write, and the result."""

    edits: dict[bytes, bytes | None]
    answer: Build


class _Work:
    """Builds the insights of a namespace, once per snapshot, and writes no text twice."""

    def __init__(self, index: Index, namespace: str, writer: Writer) -> None:
        self._index = index
        self._namespace = namespace
        self._writer = writer
        self._words: dict[tuple[Address, str], InsightText] = {}
        self._done: dict[bytes | None, _Result] = {}

    def at(self, head: Snapshot) -> _Result:
        """The build at a snapshot; only the first call asks the model."""
        if head.tree.root not in self._done:
            self._done[head.tree.root] = self._change(head, None if self._done else self._writer)
        return self._done[head.tree.root]

    def _change(self, head: Snapshot, writer: Writer | None) -> _Result:
        todo, fresh = self._index.read(head, lambda view: _plan(view, self._namespace))
        old = _insights_at(head, (*(node.address for node in fresh), *todo.removals))
        written = self._write(head, fresh, writer)
        new = {address: memory for address, memory in written.items() if not _is_same(memory, old.get(address))}
        edits: dict[bytes, bytes | None] = {address.key: encode([memory]) for address, memory in new.items()}
        edits |= dict.fromkeys((address.key for address in todo.removals), None)
        if edits:
            edits |= mark(head, INSIGHTS, self._namespace)
        changes = [
            (CHANGE if address in old else ADDITION, _insight(address, memory)) for address, memory in new.items()
        ]
        changes += [(REMOVAL, _insight(address, old[address])) for address in todo.removals if address in old]
        missing = len(fresh) - len(written)
        return _Result(edits, Build(changes, todo.total - len(new) - missing, None, missing))

    def _write(self, head: Snapshot, fresh: Sequence[InsightNode], writer: Writer | None) -> dict[Address, Memory]:
        """The insights that got a text, by address."""
        sources = dict.fromkeys(source for node in fresh for source in node.sources)
        source_records = records(head, sources, listed=True)
        texts = {
            address: "\n".join(facet.content for facet in active_facets(record))
            for address, record in source_records.items()
        }
        memories: dict[Address, Memory] = {}
        for node in fresh:  # leaves come first, because their texts are sources of branches
            key = node.address, node.digest
            words = self._words.get(key) or (writer and writer.write(node, texts))
            if words:
                self._words[key] = words
                memory = _memory(node, words, _digest_of_sources(node, words, source_records))
                texts[node.address] = memory.content
                memories[node.address] = memory
        return memories


def _is_same(new: Memory, old: Memory | None) -> bool:
    return old is not None and (old.content, old.metadata) == (new.content, new.metadata)


def _plan(view: View, namespace: str) -> tuple[BuildPlan, list[InsightNode]]:
    todo = plan(view, namespace)
    return todo, nodes(view, namespace, todo)


def _digest_of_sources(node: InsightNode, words: InsightText, records: Mapping[Address, Record]) -> str:
    """The digest of the sources cited by an insight."""
    if node.level != LEAF:
        return digest_of((address, node.digests[address].encode()) for address in words.sources)
    facets = ((address, facet) for address in words.sources for facet in active_facets(records.get(address, ())))
    return digest_of((address, sha1(facet.content.encode())) for address, facet in facets)


def _memory(node: InsightNode, words: InsightText, digest: str) -> Memory:
    fields = {"level": node.level, "by": words.by, "terms": list(node.terms), "size": node.size}
    digests = {"sources": node.digest, "cited": digest}
    links = {"derives_from": [source.full_key for source in words.sources]}
    text = redact(words.text) or ", ".join(node.terms) or node.address.path
    return Memory.of(text, timestamp=format_instant(now()), metadata={INSIGHT: fields | digests, LINKS: links})


def insights(index: Index, snapshot: Snapshot, namespace: str, path: str | None = None) -> InsightTree:
    """The insights of a namespace (at or below a path), the root first, each branch before its leaves.

    Raises:
        NotFound: there is no insight at or below the path.
    """
    layer, path = layer_of(INSIGHTS, namespace), path and path.removesuffix(".")
    memories = _insights_at(snapshot, keys(snapshot, [layer]))
    todo = index.read(snapshot, lambda view: plan(view, namespace))
    fresh = {*todo.addresses(layer)}
    stale = fresh.union(todo.removals)
    results = [
        _insight(address, memory, stale=address in stale)
        for address, memory in sorted(memories.items(), key=lambda each: (each[0].path != ROOT_PATH, each[0]))
        if path is None or address.is_under(Address(layer, path))
    ]
    if path is not None and not results:
        hint = "'memoir insights' shows all of them" if memories else HOW
        raise NotFound(f"no insight at {path!r}", hint)
    return InsightTree(results, len(fresh - memories.keys()))


def _insights_at(snapshot: Snapshot, addresses: Iterable[Address]) -> dict[Address, Memory]:
    """The insights stored at the addresses."""
    entries = records(snapshot, addresses, listed=True)
    return {address: record[-1] for address, record in entries.items() if insight_fields(record[-1])}


def _insight(address: Address, memory: Memory, *, stale: bool = False) -> Insight:
    fields: Mapping[str, Any] = memory.metadata[INSIGHT]
    terms = [str(term) for term in fields.get("terms") or ()]
    sources = [target for _, target in links_of((memory,))]
    level, by = str(fields.get("level")), str(fields.get("by"))
    return Insight(address, memory, level, by, terms, int(fields.get("size") or 0), sources, stale)
