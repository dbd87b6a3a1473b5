"""Consolidate a store in one commit: supersede near-duplicates and propose other similar memories.

Similarity alone never supersedes a memory. A memory is superseded by a newer one that says the same in the same words
(`memoir.english.sameness`). Any other pair whose cosine reaches the threshold is a candidate, superseded only if
somebody accepts it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from memoir.embedders.choose_embedder import embedder_of
from memoir.embedders.embedder import Embedder
from memoir.english.sameness import essence
from memoir.errors import EmbedderUnavailable, NotFound
from memoir.filing.likeness import Pair, Vectors, similar_pairs
from memoir.filing.similar import THRESHOLD
from memoir.git.objects import sha1
from memoir.index.index import Index
from memoir.index.vectors import unit
from memoir.index.view import View
from memoir.memory.active import Facet, scan
from memoir.memory.read import records
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.progress import Progress, tell_nobody
from memoir.records.metadata import agree
from memoir.records.record import Memory, Record, encode, trim
from memoir.setting import number
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address

COSINE = number(0.5, 1)
"""The bounds of a threshold."""


class DuplicatePairs(NamedTuple):
    """The near-duplicates of a snapshot, sorted by the older memory's path, and the candidates, the nearest first."""

    duplicates: list[Pair]
    candidates: list[Pair]


class Consolidation(NamedTuple):
    """The pairs that were superseded, the candidates, and the commit (None if nothing changed, or in a dry run)."""

    superseded: list[Pair]
    candidates: list[Pair]
    commit: Commit | None


def active_memories(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[Facet]:
    """The active memories of the namespaces (all, if empty), newest first."""
    return sorted(scan(snapshot, namespaces), key=lambda facet: facet.order)


def near_duplicates(facets: Sequence[Facet]) -> list[tuple[Facet, Facet]]:
    """Pairs of near-duplicates: a memory, and the first one in the sequence with the same essence.

    Both have the same namespace and people, and their metadata do not contradict each other.
    """
    groups: dict[tuple[str, frozenset[str], str], list[Facet]] = defaultdict(list)
    for facet in facets:
        groups[facet.address.namespace, facet.people, essence(facet.memory.content)].append(facet)
    return [pair for group in groups.values() if len(group) > 1 for pair in _pairs(group)]


def _pairs(group: Iterable[Facet]) -> list[tuple[Facet, Facet]]:
    unique_facets: list[Facet] = []
    pairs: list[tuple[Facet, Facet]] = []
    for facet in group:
        newer = next((other for other in unique_facets if agree(other.memory.metadata, facet.memory.metadata)), None)
        if newer:
            pairs.append((facet, newer))
        else:
            unique_facets.append(facet)
    return pairs


def candidate_id(pair: Pair) -> str:
    """The id of a candidate, a digest of both memories: it becomes invalid if one of them changes."""
    parts = (part for facet in (pair.older, pair.newer) for part in (facet.address.full_key, *facet.memory[:3]))
    return sha1("\0".join(map(str, parts)).encode()).hex()[:12]


def consolidate(
    store: Store,
    *,
    threshold: float = THRESHOLD,
    accept: Sequence[str] = (),
    choose: Callable[[list[Pair]], list[Pair]] | None = None,
    namespaces: Sequence[str] = (),
    indexing: Progress = tell_nobody,
    progress: Progress = tell_nobody,
    options: WriteOptions = DEFAULTS,
) -> Consolidation:
    """Supersede near-duplicates, the candidates with ids in `accept`, and those that `choose` picks from the rest."""
    check_message(options)
    COSINE.check(threshold, "threshold")
    index = Index(store, embedder_of(store), indexing)
    head = store.head(options.branch)
    matches = find_matches(head, index, threshold=threshold, namespaces=namespaces, progress=progress)
    picks = candidates_of(matches, accept)
    if choose and not options.dry_run:
        picks += choose([pair for pair in matches.candidates if pair not in picks])
    return supersede(store, matches, picks, options)


def find_matches(
    snapshot: Snapshot,
    index: Index,
    *,
    threshold: float = THRESHOLD,
    namespaces: Sequence[str] = (),
    progress: Progress = tell_nobody,
) -> DuplicatePairs:
    """Find the pairs to consolidate; if this needs vectors of the index, complete it first.

    Raises:
        EmbedderUnavailable: the embedder failed, so there are no vectors to compare.
    """
    facets = active_memories(snapshot, namespaces)
    is_learned = index.embedder is None or index.embedder.learned

    def match(vectors: Vectors) -> DuplicatePairs:
        same = [Pair(older, newer, _cosine(vectors, older, newer)) for older, newer in near_duplicates(facets)]
        old_places = {(pair.older.address, pair.older.ordinal) for pair in same}
        rest = [facet for facet in facets if (facet.address, facet.ordinal) not in old_places]
        similar = _sort(similar_pairs(rest, vectors, threshold, progress, learned=is_learned))
        return DuplicatePairs(_sort(same), sorted(similar, key=lambda pair: -pair.cosine))

    if index.embedder and not is_learned:
        return match(_vector_computer(index.embedder))

    def read(view: View) -> DuplicatePairs | None:
        return match(_vector_lookup(view, view.embedder)) if view.embedder else None

    index.begin(wait=True)
    if (matches := index.read(snapshot, read)) is None:
        reason = index.degraded[0].partition(";")[0] if index.degraded else "there is no embedder"
        raise EmbedderUnavailable(f"memories cannot be compared: {reason}")
    return matches


def candidates_of(matches: DuplicatePairs, ids: Sequence[str]) -> list[Pair]:
    """The candidates with the given ids.

    Raises:
        NotFound: there is no such candidate.
    """
    by_id = {candidate_id(pair): pair for pair in matches.candidates}
    if unknown_ids := [name for name in ids if name not in by_id]:
        raise NotFound(f"no candidate {', '.join(unknown_ids)}", "'memoir consolidate --dry-run' lists the candidates")
    return [by_id[name] for name in dict.fromkeys(ids)]


def supersede(
    store: Store,
    matches: DuplicatePairs,
    pairs: Sequence[Pair] = (),
    options: WriteOptions = DEFAULTS,
) -> Consolidation:
    """Supersede the near-duplicates and the accepted pairs.

    A memory that changed since it was compared is left alone.
    """
    if options.dry_run:
        return Consolidation(matches.duplicates, matches.candidates, None)
    all_pairs = _sort([*matches.duplicates, *pairs])
    rest = [pair for pair in matches.candidates if pair not in pairs]
    if not all_pairs:
        return Consolidation([], rest, None)
    current_pairs: list[Pair] = []

    def change(head: Snapshot) -> Change:
        current_pairs[:], edits = _edits(head, all_pairs)
        count = len(current_pairs)
        subject = f"consolidate {count} near-duplicate{'s' if count != 1 else ''}"
        return Change(list(edits.items()), options.message or subject)

    commit = write(store, change, branch=options.branch, reason="consolidate")
    return Consolidation(current_pairs, rest, commit)


def _sort(pairs: Iterable[Pair]) -> list[Pair]:
    return sorted(pairs, key=lambda pair: (pair.older.address, pair.older.ordinal))


def _vector_computer(embedder: Embedder) -> Vectors:
    return lambda facet: unit(embedder.embed([facet.memory.content])[0])


def _vector_lookup(view: View, embedder: Embedder) -> Vectors:
    """A function that looks up a memory's own vector (without its neighbours), or computes a missing one."""
    lookup, compute = view.vector_lookup(), _vector_computer(embedder)
    return lambda facet: lookup(facet.memory.content) or compute(facet)


def _cosine(vectors: Vectors, older: Facet, newer: Facet) -> float:
    if older.memory.content == newer.memory.content:
        return 1.0
    return sum(a * b for a, b in zip(vectors(older), vectors(newer), strict=True))


def _edits(head: Snapshot, pairs: Sequence[Pair]) -> tuple[list[Pair], dict[bytes, bytes]]:
    """The pairs whose memories have not changed, and the records that mark the older ones as superseded."""
    addresses = {facet.address for pair in pairs for facet in (pair.older, pair.newer)}
    old_records = records(head, addresses, listed=True)
    current_pairs = [
        pair for pair in pairs if all(_is_unchanged(old_records, facet) for facet in (pair.older, pair.newer))
    ]
    new_records: dict[Address, Record] = {}
    for older, newer, _ in current_pairs:
        record = new_records.get(older.address, old_records[older.address])
        new_records[older.address] = _with_superseded(record, older.ordinal, newer.address)
    return current_pairs, {address.key: encode(trim(record)) for address, record in new_records.items()}


def _is_unchanged(records: dict[Address, Record], facet: Facet) -> bool:
    record = records.get(facet.address, ())
    return facet.ordinal < len(record) and record[facet.ordinal] == facet.memory


def _with_superseded(record: Record, ordinal: int, by: Address) -> Record:
    """Mark one memory of a record as superseded by another address."""
    memory: Memory = record[ordinal].superseded()
    old_memory = memory._replace(metadata={**memory.metadata, "superseded_by": by.full_key})
    return (*record[:ordinal], old_memory, *record[ordinal + 1 :])
