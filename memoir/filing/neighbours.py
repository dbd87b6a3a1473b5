"""The memories that have a say in where a new one is filed: those most like it, by both legs of the recall index.

They are scored as `recall` would, but for what only a question has: times, people, boosts and decay.
"""

import apsw

from memoir.filing.evidence_naming import Neighbour
from memoir.index import lexical, vectors
from memoir.index.embedders.embedder import Embedder
from memoir.index.filters import Filter, condition
from memoir.recall import fusion, legs

MOST = 8
"""How many are given."""
_POOL = 20
"""How many each leg brings in."""


def neighbours(database: apsw.Connection, text: str, namespace: str, embedder: Embedder | None) -> list[Neighbour]:
    """The filed memories of a namespace that are most like a text, best first.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    words = lexical.terms(database, text)
    vector = vectors.unit(embedder.embed([text], query=True)[0]) if embedder else None
    weights = fusion.Legs(float(bool(words.terms)), embedder.trust if embedder else 0.0)
    scan = embedder is not None and embedder.learned  # hashed vectors find hardly more than words do
    where = condition(database, Filter((namespace,)))
    floor = embedder.floor if embedder else 0.0
    near = legs.candidates(database, words.terms, vector, where, _POOL, scan=scan)
    found = [candidate for candidate in near if candidate.bm25 or (candidate.cosine or 0.0) > floor]
    if not found:
        return []
    best = fusion.best(found)
    fusion.blend(found, best, weights)
    found.sort(key=lambda candidate: (-candidate.fused, *candidate.document.place))
    quality = fusion.quality(best, words.ideal, weights) / (found[0].fused or 1.0)
    return [Neighbour(voter.document.address.path, min(quality * voter.fused, 1.0)) for voter in found[:MOST]]
