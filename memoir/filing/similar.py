"""Find the memories that a new one may be meant to replace: those that contradict it, and those near it.

Two memories contradict each other if they give one thing different values (`memoir.english.claims`). They are near if
`consolidate` would supersede or propose one: their texts are near-duplicates (`memoir.english.sameness`), or their
cosine reaches its threshold.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import mul
from typing import TYPE_CHECKING, Literal, NamedTuple

from memoir.english.claims.claims import claims, contradict
from memoir.english.sameness import essence
from memoir.english.words import same_as_written
from memoir.errors import NotFound
from memoir.memory.active import Facet, about_the_same, may_dispute
from memoir.memory.active import facets as placed
from memoir.memory.facets import id_at
from memoir.memory.read import records, require_record
from memoir.memory.write import Combine, CommitResult, by_policy, remember
from memoir.memory.write_options import WriteOptions
from memoir.records.policy import Outcome, replace_one, said_again
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, MemoryAddress

if TYPE_CHECKING:
    from memoir.embedders.embedder import Vector
    from memoir.filing.voters import Neighbour
    from memoir.index.documents import Place
    from memoir.index.index import Index
    from memoir.index.view import View
    from memoir.store.store import Store


THRESHOLD = 0.95
"""The cosine from which two memories are near, so that `consolidate` proposes them."""


Relation = Literal["near", "contradicts"]
_MOST_COMPARED = 5
"""The most memories of a path that are compared with others."""


class SimilarMemory(NamedTuple):
    """An active memory that a new one may be meant to replace, and their relation."""

    facet: Facet
    relation: Relation
    command: str = ""
    """The command that replaces it; empty before the new one is stored."""
    is_newer: bool = False
    """Whether it is newer than the new one, and would therefore replace it."""


def find_similar(
    index: "Index", snapshot: "Snapshot", new: Facet, near: "Sequence[Neighbour] | None" = None
) -> list[SimilarMemory]:
    """The memories similar to a new one in its namespace; see `similar_among`.

    `near` are the neighbours of its text, if known.
    """
    text, namespace = new.memory.content, new.address.namespace

    def look(view: "View") -> "list[tuple[Place, bool]]":
        from memoir.filing.voters import neighbours

        others = neighbours(view, text, namespace) if near is None else near
        if not others:
            return []
        disputed = view.giving_other_values(text, namespace, [each.place for each in others])
        likeness, own = _likeness(view, text), essence(text)
        marks = ((each, likeness(each.content) >= THRESHOLD) for each in others)
        return [
            (each.place, is_near)
            for each, is_near in marks
            if is_near or each.place in disputed or essence(each.content) == own
        ]

    places = dict(index.read(snapshot, look))
    by_address = records(snapshot, dict.fromkeys(address for address, _ in places), listed=True)
    facets = [facet for address, record in by_address.items() for facet in placed(address, record)]
    return similar_among((facet for facet in facets if facet.place in places), new, lambda facet: places[facet.place])


def similar_to(index: "Index", snapshot: "Snapshot", target: MemoryAddress) -> list[SimilarMemory]:
    """The memories similar to any at an address, without duplicates."""
    own = list(placed(target.place, require_record(snapshot, target.place, prefixed=True)))[:_MOST_COMPARED]
    named = [each for each in own if not target.id or each.target.id.startswith(target.id)]
    similar = (found for each in named for found in find_similar(index, snapshot, each))
    return list({each.facet.place: each for each in similar}.values())


def find_successor(
    store: "Store", old: MemoryAddress, branch: str | None = None
) -> tuple[MemoryAddress, MemoryAddress]:
    """The addresses of a memory and of its successor: the newest similar one, not older than it.

    If the path has several memories, the newest succeeds the one there that is similar to it.

    Raises:
        NotFound: there is no successor, or nothing at the address.
    """
    from memoir.embedders.choose_embedder import embedder_of
    from memoir.index.index import Index
    from memoir.memory.move import require_active

    head = store.head(branch)
    record = require_record(head, old.place, prefixed=True)
    if not old.id and (pair := _pair_at(list(placed(old.place, record)))):
        return pair
    at = require_active(record, old)
    (loser,) = (each for each in placed(old.place, record) if each.ordinal == at)
    found = (each.facet for each in find_similar(Index(store, embedder_of(store)), head, loser))
    newer = [facet for facet in found if facet.memory.instant >= loser.memory.instant]
    if not newer:
        raise NotFound(
            f"no newer memory contradicts {old.short_key} or is near to it",
            f"name the one that takes its place: 'memoir replace {old.short_key} NEW'",
        )
    return loser.target, max(newer, key=lambda facet: facet.memory.instant).target


def _pair_at(facets: Sequence[Facet]) -> tuple[MemoryAddress, MemoryAddress] | None:
    """The only memory of a path similar to its newest one, and that one; None if there is none, or several."""
    new = min(facets, key=lambda facet: facet.order, default=None)
    similar = similar_among((each for each in facets if each is not new), new) if new else []
    return (similar[0].facet.target, new.target) if new and len(similar) == 1 else None


def similar_among(
    facets: Iterable[Facet], new: Facet, is_near: Callable[[Facet], bool] = lambda facet: False
) -> list[SimilarMemory]:
    """The memories similar to a new one: those that contradict it, then near ones, each the newest first.

    Memories newer than the new one come last. Such exist if the new one was said before they were remembered. A memory
    in the same words is not similar: it is only confirmed.
    """
    related = ((facet, _relation(facet, new, is_near)) for facet in facets)
    similar = [
        SimilarMemory(facet, relation, is_newer=facet.memory.instant > new.memory.instant)
        for facet, relation in related
        if relation
    ]
    return sorted(similar, key=lambda each: (each.is_newer, each.relation == "near", each.facet.order))


def worth_telling(similar: Iterable[SimilarMemory]) -> list[SimilarMemory]:
    """Drop newer memories unless they contradict the new one."""
    return [each for each in similar if not each.is_newer or each.relation == "contradicts"]


def offer(similar: Iterable[SimilarMemory], outcomes: Mapping[Address, Outcome]) -> list[SimilarMemory]:
    """The similar memories still active after a memory was remembered (and is active), each with its command."""
    address, outcome = next(iter(outcomes.items()))
    now = {address: list(placed(address, outcome.record)) for address, outcome in outcomes.items()}
    current = (_updated(each, now) for each in worth_telling(similar))
    rest = [each for each in current if each and outcome.new_is_active]
    is_newest = all(each.facet.memory.instant <= outcome.record[outcome.at].instant for each in rest)
    new = MemoryAddress(address, id_at(outcome.record, outcome.at)).short_key
    return [each._replace(command=replacement(each, new, is_newest=is_newest)) for each in rest]


def replacement(similar: SimilarMemory, new: str, *, is_newest: bool = False) -> str:
    """The command that makes the newer of the two memories the successor; `new` is the new one's key."""
    other = similar.facet.target.short_key
    keys = [new, other] if similar.is_newer else [other, *([] if is_newest else [new])]
    return " ".join(("memoir replace", *keys))


def _updated(similar: SimilarMemory, now: Mapping[Address, list[Facet]]) -> SimilarMemory | None:
    """Update the address of a similar memory; None if it is no longer active."""
    address, _, memory, _ = similar.facet
    if address not in now:
        return similar
    facet = next((each for each in now[address] if each.memory == memory), None)
    return similar._replace(facet=facet) if facet else None


def beside(outcomes: Mapping[Address, Outcome], new: Memory) -> list[SimilarMemory]:
    """The similar memories that stay active at the paths where a new one was remembered."""
    others = (
        facet
        for address, outcome in outcomes.items()
        for facet in placed(address, outcome.record)
        if facet.ordinal != outcome.at % len(outcome.record)
    )
    return similar_among(others, Facet(next(iter(outcomes)), 0, new))


def replacing(new: Memory, otherwise: "Combine") -> "Combine":
    """A function that replaces the memory at a path most similar to the new one; without any, `otherwise` decides.

    If the most similar one is newer, both stay. If the new one is there already in the same words, that memory is
    confirmed and becomes the successor.
    """

    def decide(address: Address, record: Record | None) -> Outcome:
        similar = similar_among(placed(address, record), Facet(address, 0, new)) if record else []
        if not record or not similar:
            return otherwise(address, record)
        if similar[0].is_newer:
            return by_policy("append", new)(address, record)
        same = next((each for each in record if each.active and same_as_written(each.content, new.content)), None)
        rest = tuple(each for each in record if each is not same)
        return replace_one(rest, similar[0].facet.memory, said_again(same, new) if same else new)

    return decide


def put_in_place(
    store: "Store", new: Memory, old: Facet, near: "Sequence[Neighbour]", options: WriteOptions
) -> CommitResult:
    """Replace a memory at its path; if the new one is stored already, that one is confirmed and moved."""
    if same := next((each.place for each in near if each.is_same), None):
        from memoir.memory.move import replace

        address, ordinal = same
        record = require_record(store.head(options.branch), address)
        (winner,) = (each for each in placed(address, record) if each.ordinal == ordinal)
        done = replace(store, old.target, winner.target, options, again=new)
        moved_from = done.new if done.new.place != old.address else None
        return CommitResult(done.commit, {old.address: done.outcome}, moved_from)
    put = partial(replace_one, old=old.memory, new=new)
    return remember(store, new, [old.address], outcome=lambda _, record: put(record or ()), options=options)


def _relation(old: Facet, new: Facet, is_near: Callable[[Facet], bool]) -> Relation | None:
    if not (may_dispute(old) and may_dispute(new) and about_the_same(old, new)):
        return None
    relation = _words_relate(old.memory.content, new.memory.content)
    is_same = same_as_written(old.memory.content, new.memory.content)
    return relation or ("near" if is_near(old) and not is_same else None)


def _words_relate(one: str, other: str) -> Relation | None:
    """The relation of two texts by their words; None if they are identical or too different."""
    if same_as_written(one, other):
        return None
    if contradict(claims(one), claims(other)):
        return "contradicts"
    return "near" if essence(one) == essence(other) else None


def _likeness(view: "View", text: str) -> Callable[[str], float]:
    """A function for the cosine of a content and the text; 0 if a learned embedder has not embedded it yet."""
    embedder = view.embedder
    if embedder is None:
        return lambda content: 0.0
    if embedder.learned:
        query = view.vector(text)
        own, look_up = query.own if query else (), view.vector_lookup()
        return lambda content: _cosine(own, look_up(content))
    from memoir.index.vectors import unit

    def compute(content: str) -> "Vector":
        return unit(embedder.embed([content])[0])

    vector = compute(text)
    return lambda content: _cosine(vector, compute(content))


def _cosine(one: Iterable[float], other: Iterable[float]) -> float:
    return float(sum(map(mul, one, other)))
