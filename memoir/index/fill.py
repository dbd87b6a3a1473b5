"""Computing vectors by a learned embedder, the newest memories first, for as long as a question may.

A batch that is finished is kept, whatever happens then: vectors are kept by content, and composed with those of the
neighbours once these are known too.
"""

import time
from collections.abc import Iterator

import apsw

from memoir.index import baseline, state, vectors
from memoir.index.allowance import Allowance
from memoir.index.database import writing
from memoir.index.document_text import content
from memoir.index.embedders.embedder import Embedder

SMALLEST_BATCH, LARGEST_BATCH = 8, 64
"""How many contents are embedded at once, and then kept: twice as many as before while that takes little time."""
_QUICK = 0.25
"""Seconds in which a batch may grow."""
_AT_ONCE = 5000
"""Contents that are looked up at once."""
_VECTORS_AT_ONCE = 1000
"""Vectors that one transaction composes."""

Content = tuple[bytes, str]
"""A content's id, and itself."""


def fill(database: apsw.Connection, embedder: Embedder, allowance: Allowance, progress: vectors.Progress) -> None:
    """Give waiting documents their vectors, until none waits or the allowance is over.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    with writing(database):
        state.set_embedder(database, embedder.name)
    _compose_known(database, embedder, allowance)
    while not allowance.is_over and (contents := _contents_without_vector(database, embedder)):
        _embed(database, embedder, contents, allowance, progress)
        _compose_known(database, embedder, allowance)


def _embed(
    database: apsw.Connection,
    embedder: Embedder,
    contents: list[Content],
    allowance: Allowance,
    progress: vectors.Progress,
) -> None:
    done, total = 0, max(_count(database, embedder), len(contents))
    for batch in _batches(contents):
        if not allowance.takes_more():
            return
        new_vectors = embedder.embed([content for _, content in batch])
        rows = [(embedder.name, key, vectors.unit(v).tobytes()) for (key, _), v in zip(batch, new_vectors, strict=True)]
        with writing(database):
            database.executemany("INSERT OR IGNORE INTO vector VALUES(?, ?, ?)", rows)
        done += len(batch)
        progress(done, total)


def _batches(contents: list[Content]) -> Iterator[list[Content]]:
    """The contents in batches, which grow as long as one is done quickly."""
    size, place = SMALLEST_BATCH, 0
    while place < len(contents):
        start = time.monotonic()
        yield contents[place : place + size]
        place += size
        if time.monotonic() - start < _QUICK:
            size = min(2 * size, LARGEST_BATCH)


_UNKNOWN = (
    "FROM pending p JOIN document d ON d.id = p.document"
    " WHERE NOT EXISTS (SELECT 1 FROM vector v WHERE v.embedder = ? AND v.content = d.content_id)"
)


def _contents_without_vector(database: apsw.Connection, embedder: Embedder) -> list[Content]:
    """The contents of waiting documents that have no vector yet, those that were learnt last first."""
    sql = f"SELECT d.content_id, {content('d')} {_UNKNOWN} GROUP BY d.content_id ORDER BY max(d.learnt) DESC, 1 LIMIT ?"
    return [(key, text) for key, text in database.execute(sql, (embedder.name, _AT_ONCE))]


def _count(database: apsw.Connection, embedder: Embedder) -> int:
    count: int = database.execute(f"SELECT count(DISTINCT d.content_id) {_UNKNOWN}", (embedder.name,)).get
    return count


def _compose_known(database: apsw.Connection, embedder: Embedder, allowance: Allowance) -> None:
    """Compose the vectors of the waiting documents whose own contents are known; some neighbours' may not be."""
    sql = (
        "SELECT p.document FROM pending p JOIN document d ON d.id = p.document"
        " JOIN vector v ON v.embedder = ? AND v.content = d.content_id"
    )
    ids = [document for (document,) in database.execute(sql, (embedder.name,))]
    for start in range(0, len(ids), _VECTORS_AT_ONCE):
        if start and not allowance.takes_more():
            return
        with writing(database):
            state.set_embedder(database, embedder.name)
            vectors.compose(database, embedder, ids[start : start + _VECTORS_AT_ONCE])
            baseline.measure(database)
