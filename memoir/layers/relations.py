"""Relations: find the memories related to one, and the reasons.

Two memories are related by a link in metadata, by names that few others have, by adjacent places in a sequence, and by
similar meaning. Each relation has a weight from 0 to 1; a memory's score is their sum.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp
from typing import NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.index.entities import IndexedEntity
from memoir.index.filters import Filter
from memoir.index.grouping import idf
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.active import Facet
from memoir.memory.links import links_of
from memoir.memory.read import require_record
from memoir.recall.places import facets_at
from memoir.records.metadata import EDGES, LINKS
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address

DEFAULT_LIMIT = 10
LINK, ENTITY, SEQUENCE, LIKENESS = "link", "entity", "sequence", "likeness"
_WEIGHTS = {LINK: 1.0, ENTITY: 0.8, LIKENESS: 0.6, SEQUENCE: 0.4}
"""The greatest weight of each kind of relation: a link set by somebody beats findings of memoir."""
_MOST_NAMES = 8
_FEW, _FEW_SHARE = 10, 0.1
"""A name relates nothing if it is in more memories than both this number and this share of all."""
_RARITY = 5.0
"""The summed idf of shared names at which their relation reaches 1 - 1/e of its greatest weight."""
_NEAREST = 20
_VERBS = {
    "derives_from": "derives from", "causes": "causes", "calls": "calls", "imports": "imports",
    "supersedes": "supersedes",
}  # fmt: skip


class Relation(NamedTuple):
    """A relation between two memories: its kind, the reason in words, and its weight."""

    kind: str
    why: str
    weight: float


class Relative(NamedTuple):
    """A related memory, and all relations to it, the strongest first."""

    entry: Facet
    relations: list[Relation]

    @property
    def score(self) -> float:
        """The sum of the weights."""
        return sum(relation.weight for relation in self.relations)


class Relatives(NamedTuple):
    """The memories related to one, best first, the number left out by the limit, and what the index lacks."""

    address: Address
    relatives: list[Relative]
    omitted: int
    degraded: tuple[str, ...]


Relations = Iterator[tuple[int, Relation]]
"""Pairs of a document's id and a relation to it."""


def find_relatives(index: Index, snapshot: Snapshot, address: Address, limit: int) -> Relatives:
    """The memories related to those at a path, best first."""
    record = require_record(snapshot, address)
    matches = index.read(snapshot, lambda view: _relate(view, address, record))
    page = matches[:limit]
    entries = facets_at(snapshot, [document.place for document, _ in page])
    relatives = [Relative(each, relations) for each, (_, relations) in zip(entries, page, strict=True)]
    return Relatives(address, relatives, len(matches) - len(page), tuple(index.degraded))


def _relate(view: View, address: Address, record: Record) -> list[tuple[IndexedDocument, list[Relation]]]:
    own = list(view.documents(view.select(Filter(paths=frozenset([address]))).ids()))
    best: dict[int, dict[tuple[str, str], Relation]] = defaultdict(dict)
    for identity, relation in _relations(view, address, record, own):
        which = relation.kind, relation.why if relation.kind == LINK else ""  # of other kinds keep the strongest
        best[identity][which] = max(best[identity].get(which, relation), relation, key=lambda one: one.weight)
    for document in own:
        best.pop(document.id, None)
    documents = {document.id: document for document in view.documents(list(best))}
    matches = [
        (documents[each], sorted(relations.values(), key=lambda one: -one.weight)) for each, relations in best.items()
    ]
    return sorted(matches, key=lambda each: (-sum(one.weight for one in each[1]), each[0].place))


def _relations(view: View, address: Address, record: Record, own: Sequence[IndexedDocument]) -> Relations:
    yield from _by_link(view, address, record, [document.id for document in own])
    for document in own:
        yield from _namesakes(view, document)
        yield from _neighbours(view, document)
        yield from _alike(view, document)


def _by_link(view: View, address: Address, record: Record, own: Sequence[int]) -> Relations:
    """Yield the memories linked from the memory, those that link to it, and those with a link to the same target.

    For a linked segment, its passages that contain the memory word for word, if any.
    """
    passages = set(view.passages_of(own).values())
    for edge, target in links_of(record):
        linked = view.select(Filter(paths=frozenset([target]))).ids()
        for identity in passages.intersection(linked) or linked:
            yield identity, Relation(LINK, f"this {_VERBS[edge]} it", _WEIGHTS[LINK])
        for identity in _link_sources(view, edge, target):
            yield identity, Relation(LINK, f"both {_infinitive(edge)} {target.short_key}", _WEIGHTS[LINK] / 2)
    for edge in EDGES:
        for identity in _link_sources(view, edge, address):
            yield identity, Relation(LINK, f"it {_VERBS[edge]} this", _WEIGHTS[LINK])


def _link_sources(view: View, edge: str, target: Address) -> set[int]:
    names = {target.full_key} | ({target.path} if target.namespace == DEFAULT_NAMESPACE else set())
    return {each for name in names for each in view.select(Filter(metadata=((f"{LINKS}.{edge}", name),))).ids()}


def _infinitive(edge: str) -> str:
    verb, *rest = _VERBS[edge].split(" ")
    return " ".join([verb.removesuffix("s"), *rest])


def _namesakes(view: View, document: IndexedDocument) -> Relations:
    """Yield the memories that name the same people or things, if few do."""
    total = view.total()
    entities = view.entities(Filter((document.address.namespace,))).of_document(document.id, document.content)
    namesakes: dict[int, list[IndexedEntity]] = defaultdict(list)
    for each in [each for each in entities if len(each.documents) <= max(_FEW, _FEW_SHARE * total)][:_MOST_NAMES]:
        for identity in each.documents:
            namesakes[identity].append(each)
    for identity, names in namesakes.items():
        rarity = sum(idf(total, len(each.documents)) for each in names)
        why = f"both name {', '.join(each.name for each in names)}"
        yield identity, Relation(ENTITY, why, _WEIGHTS[ENTITY] * (1 - exp(-rarity / _RARITY)))


def _neighbours(view: View, document: IndexedDocument) -> Relations:
    """Yield the memories right before and after one in its sequence, such as a conversation."""
    for distance, (address, ordinal) in view.around(document.place, 1):
        for each in view.documents(view.select(Filter(paths=frozenset([address]))).ids()):
            if each.ordinal == ordinal:
                side = "before" if distance < 0 else "after"
                yield each.id, Relation(SEQUENCE, f"it comes right {side} this", _WEIGHTS[SEQUENCE])


def _alike(view: View, document: IndexedDocument) -> Relations:
    """Yield the memories with similar vectors."""
    vector = view.vector(document.content)
    if vector is None:
        return
    floor = vector.leader.floor
    near = view.select(Filter((document.address.namespace,))).by_vector(vector, _NEAREST)
    for identity, cosine in near:
        if cosine > floor:
            weight = _WEIGHTS[LIKENESS] * (cosine - floor) / (1 - floor)
            yield identity, Relation(LIKENESS, f"alike in meaning ({cosine:.2f})", min(weight, _WEIGHTS[LIKENESS]))
