"""Consolidating: near-duplicates are superseded, what is merely alike is proposed; all in one commit.

Likeness never decides that two memories are one. What says the same in the same words (`memoir.filing.sameness`) is
superseded by the memory that stands for it; whatever else is above the threshold is a candidate, which is superseded
only if somebody names it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoir.errors import EmbedderUnavailable, InvalidInput, NotFound
from memoir.filing.duplicates import Held, Pair, active, duplicates
from memoir.filing.likeness import Progress, Vectors, alike
from memoir.index.embedders.choose import embedder_of
from memoir.index.embedders.embedder import Embedder
from memoir.index.index import Index
from memoir.index.vectors import unit
from memoir.index.view import View
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.read import records
from memoir.memory.record import Memory, Record, encode, trimmed
from memoir.store.commit import Commit
from memoir.store.digest import sha1
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address

THRESHOLD = 0.95
"""The cosine from which two memories are proposed."""


class Found(NamedTuple):
    """The near-duplicates of a snapshot, and what is merely alike; each sorted by the older memory's path."""

    duplicates: list[Pair]
    candidates: list[Pair]


class Consolidated(NamedTuple):
    """What was superseded, what was only proposed, and the commit (None if nothing changed, or it was only tried)."""

    superseded: list[Pair]
    candidates: list[Pair]
    commit: Commit | None


def identity(pair: Pair) -> str:
    """The name of a candidate, which stands for both memories as they are: if one changes, it names nothing."""
    parts = (part for held in (pair.older, pair.newer) for part in (held.address.full_key, *held.memory[:3]))
    return sha1("\0".join(map(str, parts)).encode()).hex()[:12]


def look(
    snapshot: Snapshot,
    index: Index,
    *,
    threshold: float = THRESHOLD,
    namespaces: Sequence[str] = (),
    progress: Progress = lambda done, total: None,
) -> Found:
    """Find what could be consolidated. Where the index's vectors are needed, it is completed first.

    Raises:
        EmbedderUnavailable: the embedder failed, so that there are no vectors to compare.
    """
    held = active(snapshot, namespaces)
    learned = index.embedder is None or index.embedder.learned

    def found(vectors: Vectors) -> Found:
        same = [Pair(older, newer, _cosine(vectors, older, newer)) for older, newer in duplicates(held)]
        gone = {(pair.older.address, pair.older.ordinal) for pair in same}
        rest = [one for one in held if (one.address, one.ordinal) not in gone]
        return Found(_sorted(same), _sorted(alike(rest, vectors, threshold, progress, learned=learned)))

    if index.embedder and not learned:
        return found(_computed(index.embedder))

    def read(view: View) -> Found | None:
        return found(_kept(view, view.embedder)) if view.embedder else None

    index.begin(wait=True)
    if (answer := index.read(snapshot, read)) is None:
        reason = index.degraded[0].partition(";")[0] if index.degraded else "there is no embedder"
        raise EmbedderUnavailable(f"memories cannot be compared: {reason}")
    return answer


def named(found: Found, names: Sequence[str]) -> list[Pair]:
    """The candidates of some names.

    Raises:
        NotFound: there is no such candidate.
    """
    known = {identity(pair): pair for pair in found.candidates}
    if missing := [name for name in names if name not in known]:
        raise NotFound(f"no candidate {', '.join(missing)}", "'memoir consolidate --dry-run' lists the candidates")
    return [known[name] for name in dict.fromkeys(names)]


def supersede(
    store: Store,
    found: Found,
    accepted: Sequence[Pair] = (),
    options: WriteOptions = DEFAULTS,
) -> Consolidated:
    """Supersede the near-duplicates and the candidates that were accepted.

    A memory that changed since it was looked at is left as it is.
    """
    if options.dry_run:
        return Consolidated(found.duplicates, found.candidates, None)
    wanted = _sorted([*found.duplicates, *accepted])
    rest = [pair for pair in found.candidates if pair not in accepted]
    if not wanted:
        return Consolidated([], rest, None)
    standing: list[Pair] = []

    def change(head: Snapshot) -> Change:
        standing[:], edits = _edits(head, wanted)
        return Change(list(edits.items()), options.message or _subject(len(standing)))

    commit = write(store, change, branch=options.branch, reason="consolidate")
    return Consolidated(standing, rest, commit)


def consolidate(
    store: Store,
    *,
    threshold: float = THRESHOLD,
    accept: Sequence[str] = (),
    choose: Callable[[list[Pair]], list[Pair]] | None = None,
    namespaces: Sequence[str] = (),
    indexing: Progress = lambda done, total: None,
    comparing: Progress = lambda done, total: None,
    options: WriteOptions = DEFAULTS,
) -> Consolidated:
    """Supersede near-duplicates, the candidates named in `accept`, and those that `choose` picks from the rest.

    Raises:
        InvalidInput: the threshold is not a cosine from 0.5 to 1, or the message looks like a credential.
        NotFound: there is no such candidate.
        EmbedderUnavailable: there are no vectors to compare.
    """
    check_message(options)
    if not 0.5 <= threshold <= 1:
        raise InvalidInput(f"threshold must be a cosine from 0.5 to 1, not {threshold:g}")
    index = Index(store, embedder_of(store), indexing)
    head = store.head(options.branch)
    found = look(head, index, threshold=threshold, namespaces=namespaces, progress=comparing)
    accepted = named(found, accept)
    if choose and not options.dry_run:
        accepted += choose([pair for pair in found.candidates if pair not in accepted])
    return supersede(store, found, accepted, options)


def _subject(count: int) -> str:
    return f"consolidate {count} near-duplicate{'s' if count != 1 else ''}"


def _sorted(pairs: Sequence[Pair]) -> list[Pair]:
    return sorted(pairs, key=lambda pair: (pair.older.address, pair.older.ordinal))


def _computed(embedder: Embedder) -> Vectors:
    return lambda held: unit(embedder.embed([held.memory.content])[0])


def _kept(view: View, embedder: Embedder) -> Vectors:
    """Each memory's own vector, without its neighbours: the one that is kept, or a new one."""
    kept, computed = view.kept_vectors(), _computed(embedder)
    return lambda held: kept(held.memory.content) or computed(held)


def _cosine(vectors: Vectors, older: Held, newer: Held) -> float:
    if older.memory.content == newer.memory.content:
        return 1.0
    return sum(a * b for a, b in zip(vectors(older), vectors(newer), strict=True))


def _edits(head: Snapshot, pairs: Sequence[Pair]) -> tuple[list[Pair], dict[bytes, bytes]]:
    """Those of the pairs that are so still, and the records that mark them."""
    places = {held.address for pair in pairs for held in (pair.older, pair.newer)}
    stored = records(head, places, listed=True)
    standing = [pair for pair in pairs if all(_stands(stored, held) for held in (pair.older, pair.newer))]
    changed: dict[Address, Record] = {}
    for older, newer, _ in standing:
        record = changed.get(older.address, stored[older.address])
        changed[older.address] = _marked(record, older.ordinal, newer.address)
    return standing, {place.key: encode(trimmed(record)) for place, record in changed.items()}


def _stands(stored: dict[Address, Record], held: Held) -> bool:
    """Whether a memory is still what it was."""
    record = stored.get(held.address, ())
    return held.ordinal < len(record) and record[held.ordinal] == held.memory


def _marked(record: Record, ordinal: int, by: Address) -> Record:
    def marked(memory: Memory) -> Memory:
        return memory.superseded()._replace(metadata={**memory.metadata, "superseded_by": by.full_key})

    return tuple(marked(memory) if at == ordinal else memory for at, memory in enumerate(record))
