"""The memories that have a say in where a new one is filed: those most like it, by both legs of the recall index.

They are scored as `recall` would, but for what only a question has: times, people, boosts and decay.
"""

from memoir.filing.evidence_naming import Neighbour
from memoir.index.filters import Filter
from memoir.index.view import View
from memoir.recall import fusion, legs

MOST = 8
"""How many are given."""
_POOL = 20
"""How many each leg brings in."""


def neighbours(view: View, text: str, namespace: str) -> list[Neighbour]:
    """The filed memories of a namespace that are most like a text, best first.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    words, vector, embedder = view.words(text), view.vector(text), view.embedder
    weights = fusion.Legs(float(bool(words.terms)), embedder.trust if embedder else 0.0)
    scan = embedder is not None and embedder.learned  # hashed vectors find hardly more than words do
    among = view.select(Filter((namespace,)))
    floor = embedder.floor if embedder else 0.0
    near = legs.candidates(view, words.terms, vector, among, _POOL, scan=scan)
    found = [candidate for candidate in near if candidate.bm25 or (candidate.cosine or 0.0) > floor]
    if not found:
        return []
    best = fusion.best(found)
    fusion.blend(found, best, weights)
    found.sort(key=lambda candidate: (-candidate.fused, *candidate.document.place))
    quality = fusion.quality(best, words.ideal, weights) / (found[0].fused or 1.0)
    return [Neighbour(voter.document.address.path, min(quality * voter.fused, 1.0)) for voter in found[:MOST]]
