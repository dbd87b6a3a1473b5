"""The memories that vote on a new one's path: the most similar ones, by words and vectors.

They are scored as in `recall`, without the parts for questions: times, people, boosts and decay.
"""

from typing import TYPE_CHECKING, NamedTuple

from memoir.english.words import same_as_written
from memoir.index.documents import Place
from memoir.index.filters import Filter
from memoir.index.view import View
from memoir.recall.channel import Search
from memoir.recall.channels import LEGS, WORDS, find
from memoir.recall.clues import Clues
from memoir.recall.query import Query
from memoir.recall.scoring import fuse, quality_of
from memoir.records.metadata import BY, FILING, MOVE
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.index.stand_ins import QueryVector


MOST = 8
"""The most neighbours that vote."""
_POOL = 20
"""The least number of memories that words and vectors each propose."""


class Neighbour(NamedTuple):
    """A filed memory near a new one: its path, relevance (0 to 1), whether somebody moved it, place and content.

    `is_same` is true if it has the same words as the new one.
    """

    path: str
    relevance: float
    moved: bool = False
    place: Place = (Address("", ""), 0)
    is_same: bool = False
    content: str = ""


def neighbours(
    view: View, text: str, namespace: str, most: int = MOST, vector: "QueryVector | None" = None
) -> list[Neighbour]:
    """The `most` filed memories of a namespace most similar to a text, best first.

    `vector` is the text's, if the caller has it.
    """
    query = Query(text, 0.0, {"bm25": 1.0, "vector": 1.0}, Filter((namespace,)), pool=max(most, _POOL))
    vector = vector or view.vector(text)
    search = Search(view, query, Clues(view.words(text), vector), view.select(query.where))
    is_learned = vector is not None and vector.leader.learned
    candidates = find(search, legs=LEGS if is_learned else (WORDS,))  # hashed vectors add little to words
    evident = candidates.evident(search)
    if not evident:
        return []
    scores, _ = fuse(search, candidates, evident)
    documents = [document for document in candidates.documents if document.id in evident]
    documents.sort(key=lambda document: (-scores[document.id], *document.place))
    quality = quality_of(search, candidates, evident, whole=False) / (scores[documents[0].id] or 1.0)
    nearest = documents[:most]
    move_ids = view.with_field(f"{FILING}.{BY}", MOVE, [document.id for document in nearest])
    return [
        Neighbour(
            document.address.path,
            min(quality * scores[document.id], 1.0),
            document.id in move_ids,
            document.place,
            same_as_written(document.content, text),
            document.content,
        )
        for document in nearest
    ]
