"""Which hits have to do with a question, beside the best of them: for lists, and for what a reader is shown."""

from collections.abc import Sequence

from memoir.english.excerpts import score
from memoir.english.requests import asks_for_the_assistants_words
from memoir.memory.passages import ASSISTANT, role_of
from memoir.recall.quotes import Weights
from memoir.recall.result import IntelligentSearchResult
from memoir.recall.scoring import ASSISTANT_FACTOR

_TELLING = 0.85
"""What a hit has at least: its share of the question's words plus its nearness, each 1 in the best hit.

One word that many texts have is not enough, unless the meaning is near as well.
"""


def telling(hits: Sequence[IntelligentSearchResult], question: str, weights: Weights) -> list[IntelligentSearchResult]:
    """The hits that have to do with the question, beside the best of them; what an assistant said has to have more."""
    other = 1.0 if asks_for_the_assistants_words(question) else ASSISTANT_FACTOR
    words = {id(hit): score(hit.content, weights) for hit in hits}
    near = {id(hit): max(hit.ranking.get("cosine") or 0.0, 0.0) for hit in hits}
    most, nearest = max(words.values(), default=0.0), max(near.values(), default=0.0)

    def strength(hit: IntelligentSearchResult) -> float:
        share = words[id(hit)] / most if most else 0.0
        factor = other if role_of(hit.speaker or "") == ASSISTANT else 1.0
        return factor * (share + (near[id(hit)] / nearest if nearest else share))

    return [hit for hit in hits if strength(hit) >= _TELLING]
