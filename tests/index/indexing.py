"""Stores in memory, a stub of an embedder, and functions that read all of an index for comparisons."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, cast

import apsw
from objects import Objects

from memoir.embedders.embedder import Embedder, Vector
from memoir.embedders.hashing import HashEmbedder
from memoir.errors import EmbedderUnavailable
from memoir.git.objects import Oid
from memoir.index import state
from memoir.index.documents import content
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.request import LIMITS, Limits
from memoir.index.signatures import PER_BLOCK
from memoir.recall.channels import weights
from memoir.recall.query import Query
from memoir.recall.ranking import Ranking, rank
from memoir.records.record import Memory, encode
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import address
from memoir.tree.tree import Tree

Contents = Mapping[str, Sequence[Memory]]
"""The memories at each key (`path` or `namespace:path`)."""

NOW = 1_767_323_045.0
"""2026-01-02T03:04:05Z."""
How = Mapping[str, Any]
"""Options of a query: fields of `Query` and of `Filter`, and some of the `weights`."""
WIDE: How = {"pool": 1000}


def memory(content: str, when: str = "2026-01-01T00:00:00Z", *, active: bool = True, **metadata: Any) -> Memory:
    """A memory as it is stored."""
    return Memory(content, 1.0, when, "active" if active else "superseded", metadata)


def links_to(*targets: str, edge: str = "derives_from") -> Memory:
    """A memory that links to some full keys."""
    return memory("x", links={edge: list(targets)})


def marks(*kinds: str) -> "Contents":
    """The marks of layers of `default`, as memoir writes them."""
    since = "1970-01-01T00:00:00Z"
    return {f"memoir:layers:{kind}.default": [memory(f"default:{kind} is a layer of default", since)] for kind in kinds}


def name(number: int) -> str:
    """A name without digits that sorts like a number, so that paths are not in a sequence."""
    return "".join(chr(ord("a") + number // 26**place % 26) for place in (2, 1, 0))


class MemoryStore:
    """As much of a store as an index needs, without git: snapshots of any contents."""

    def __init__(self, git_dir: Path, limits: Limits = LIMITS) -> None:
        self.git_dir = git_dir
        self.limits = limits
        self.objects = Objects()

    def tree(self, root: Oid | None) -> Tree:
        return self.objects.tree(root)

    def snapshot(self, contents: Contents) -> Snapshot:
        values = {address(key).key: encode(record) for key, record in contents.items() if record}
        return Snapshot(self.objects, self.objects.build(values), None)

    def index(self, embedder: Embedder | None = None) -> Index:
        return Index(cast(Store, self), embedder, limits=self.limits)


@contextmanager
def memory_store(limits: Limits = LIMITS) -> Iterator[MemoryStore]:
    """A store in memory with a folder for its index; for properties, whose examples each need one."""
    with TemporaryDirectory() as folder:
        yield MemoryStore(Path(folder), limits)


class Stub(Embedder):
    """An embedder that counts letters, notes what it was asked, and can be made to fail."""

    learned = True
    trust = unknown_trust = 1.0
    floor = 0.0

    def __init__(self, name: str = "stub", dimensions: int = 26, *, learned: bool = True) -> None:
        self.name = name
        self.learned = learned
        self.texts: list[str] = []
        self.fails_after: int | None = None
        self._dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.fails_after is not None and len(self.texts) >= self.fails_after:
            raise EmbedderUnavailable(f"{self.name} is down")
        self.texts += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        vector = array("f", [0.01] * self._dimensions)
        for char in text.casefold():
            vector[ord(char) % self._dimensions] += 1.0
        return vector


def ask(text: str, how: How = MappingProxyType({}), **options: Any) -> Query:
    """A query at the time `NOW`, with the defaults of all options that are not given."""
    fields = {**how, **options}
    where = Filter(**{name: fields.pop(name) for name in Filter._fields if name in fields})
    numbers = weights({}) | fields.pop("weights", {})
    return Query(text, NOW, numbers, where, limit_is_given="limit" in fields, **fields)


def ranking(index: Index, snapshot: Snapshot, query: str, settings: How = WIDE, **options: Any) -> Ranking:
    """Rank what a query finds in a snapshot."""
    return index.read(snapshot, lambda view: rank(view, ask(query, settings, **options)))


def find(index: Index, snapshot: Snapshot, query: str, settings: How = WIDE, **options: Any) -> list[str]:
    """The full keys that a query finds, best first."""
    return [c.document.address.full_key for c in ranking(index, snapshot, query, settings, **options).candidates]


def traces(index: Index, snapshot: Snapshot, query: str, settings: How = WIDE, **options: Any) -> Any:
    """How a query was understood, and every candidate with all its numbers."""
    clues, candidates = ranking(index, snapshot, query, settings, **options)[:2]
    return clues.words.terms, clues.people, clues.spans, [candidate.trace() for candidate in candidates]


def holdings(index: Index, snapshot: Snapshot) -> dict[str, Any]:
    """All that an index holds of a snapshot, without the ids that it numbers documents by."""
    return index.read(snapshot, lambda view: _holdings(view.database))


def _holdings(database: apsw.Connection) -> dict[str, Any]:
    texts = content("document")
    columns = f"namespace, path, ordinal, sequence, place, {texts}, content_id, person, learnt, occurred"
    embeddings = database.execute(
        "SELECT d.namespace, d.path, d.ordinal, v.value FROM document d JOIN embedding v ON v.document = d.id"
        " ORDER BY d.namespace, d.path, d.ordinal"
    )
    database.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.instances USING fts5vocab(main, words, instance)")
    return {
        "total": state.total(database),
        "documents": database.execute(f"SELECT {columns} FROM document ORDER BY namespace, path, ordinal").fetchall(),
        "segments": [texts for (texts,) in database.execute("SELECT texts FROM segment ORDER BY texts")],
        "words": database.execute(
            "SELECT d.namespace, d.path, d.ordinal, i.term, i.col, i.offset FROM temp.instances i"
            " JOIN document d ON d.id = i.doc ORDER BY 1, 2, 3, 4, 5, 6"
        ).fetchall(),
        "people": database.execute("SELECT * FROM person").fetchall(),
        "names": database.execute("SELECT * FROM name").fetchall(),
        "pending": database.execute("SELECT count(*) FROM pending").get,
        "embedding": embeddings.fetchall(),
        "signature": _signatures(database),
    }


def _signatures(database: apsw.Connection) -> dict[Any, bytes]:
    """The rows of the blocks that hold a signature, by their documents' places; each must be that of a document."""
    rows: dict[int, bytes] = {}
    for block, value in database.execute("SELECT block, value FROM signature"):
        signs = cast(bytes, value)
        width = len(signs) // PER_BLOCK
        rows |= {int(str(block)) * PER_BLOCK + at: signs[at * width :][:width] for at in range(PER_BLOCK)}
    places = "SELECT namespace, path, ordinal FROM document WHERE id = ?"
    signatures = {database.execute(places, (document,)).fetchone(): row for document, row in rows.items() if any(row)}
    assert None not in signatures
    return signatures


def hash_embedder() -> HashEmbedder:
    """The embedder `hash`."""
    return HashEmbedder()
