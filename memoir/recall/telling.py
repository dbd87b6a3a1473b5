"""Which hits have to do with a question, beside the best of them: for lists, and for what a reader is shown."""

from collections.abc import Sequence

from memoir.english.excerpts import score
from memoir.english.requests import asks_for_the_assistants_words
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words
from memoir.memory.origin import ASSISTANT, role_of
from memoir.recall.quotes import Sought, words_said
from memoir.recall.result import IntelligentSearchResult
from memoir.recall.scoring import ASSISTANT_FACTOR

_TELLING = 0.85
"""What a hit has at least: its share of the question's words plus its nearness, each 1 in the best hit.

One word that many texts have is not enough, unless the meaning is near as well.
"""


def telling(hits: Sequence[IntelligentSearchResult], question: str, wanted: Sought) -> list[IntelligentSearchResult]:
    """The hits that have to do with the question, beside the best of them; what an assistant said has to have more."""
    words = {id(hit): score(hit.content, wanted.words) for hit in hits}
    near = {id(hit): max(hit.ranking.get("cosine") or 0.0, 0.0) for hit in hits}
    most, nearest = max(words.values(), default=0.0), max(near.values(), default=0.0)

    def strength(hit: IntelligentSearchResult) -> float:
        share = words[id(hit)] / most if most else 0.0
        is_other = role_of(hit.speaker or "") == ASSISTANT and not asks_for_the_assistants_words(question)
        return (ASSISTANT_FACTOR if is_other else 1.0) * (share + (near[id(hit)] / nearest if nearest else share))

    return [hit for hit in hits if strength(hit) >= _TELLING]


_SAME = 0.8
"""The share of the words of a hit that one before it has, if it only repeats that."""
_SHOWN = 200
"""The characters by which hits are compared: those that answer."""


def without_repeats(hits: Sequence[IntelligentSearchResult], wanted: Sought) -> list[IntelligentSearchResult]:
    """The hits without those that say what one before them says on the same day, with no number of their own."""
    kept, above = list[IntelligentSearchResult](), list[tuple[str, set[str]]]()
    for hit in hits:
        said = set(plain_words(words_said(hit, wanted, _SHOWN))) - STOP_WORDS
        numbers = {word for word in said if any(map(str.isdigit, word))}
        day = hit.timestamp[:10]
        if not any(day == its and numbers <= each and len(said & each) >= _SAME * len(said) for its, each in above):
            kept.append(hit)
            above.append((day, said))
    return kept
