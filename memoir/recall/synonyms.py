"""Words near in meaning: `children` in a memory, where the query has `kids`."""

from collections.abc import Mapping, Sequence

from memoir.index.documents import IndexedDocument
from memoir.recall.channel import FAIR, Channel, Search
from memoir.settings import SYNONYMS_WEIGHT


class Synonyms(Channel):
    """Adds to the memories that hold synonyms of the words that they lack.

    Not with a learned embedder, which knows what words mean, and in which sense: it found no more with them.
    """

    name = "synonyms"
    weight = SYNONYMS_WEIGHT
    suffices = False

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The BM25 by synonyms, beside that of a memory that answers in full."""
        if search.view.embedder and search.view.embedder.learned:
            return {}
        words = search.clues.words
        scores = search.view.synonym_scores(words, [document.id for document in documents])
        return {identity: min(score / (FAIR * words.ideal), 1.0) for identity, score in scores.items()}
