"""The base classes of legs and channels, the two ways to find and score candidates.

The legs' scores are fused into one score; each channel adds a share of the best possible fused score.
`memoir.recall.channels` lists all of them.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from memoir.index.documents import IndexedDocument
from memoir.index.selection import DocumentSelection, Score
from memoir.index.view import View
from memoir.recall.clues import Clues
from memoir.recall.query import Query
from memoir.setting import Config, Setting

Weight = Setting[float] | float
"""The weight of a leg or a channel: a setting, or a number that users cannot change."""
FAIR = 0.75
"""The fraction of the ideal BM25 from which a match counts as a full one."""
READ_CHARACTERS = 10_000
"""The characters of a memory in which words, names and dates are looked for."""


class Search:
    """The input of legs and channels: a query, its clues, and `among`, the documents that may be found."""

    def __init__(self, view: View, query: Query, clues: Clues, among: DocumentSelection) -> None:
        self.view, self.query, self.clues, self.among = view, query, clues, among

    @cached_property
    def known(self) -> float:
        """The best BM25 of the query's own words, relative to the ideal."""
        words = self.clues.words
        return max([score for _, score in self.among.by_words(words.terms, 1)], default=0.0) / words.ideal


class ScoreSource:
    """The base of legs and channels: a name and a weight."""

    name: str
    """The key of its weight."""
    weight: Weight

    def weight_in(self, config: Config) -> float:
        """Its weight under some settings; 0 switches it off."""
        return self.weight.read(config) if isinstance(self.weight, Setting) else self.weight


class Leg(ScoreSource):
    """A leg proposes documents with a score, and scores the proposals of others."""

    title: str
    """Its heading in a trace for people."""
    rank_column: str
    score_column: str

    def find(self, search: Search) -> Sequence[Score]:
        """The best `search.query.pool` documents and their scores, best first."""
        raise NotImplementedError

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The scores of documents proposed by others, by id; a document without a score is left out."""
        raise NotImplementedError

    def trust(self, search: Search) -> float:
        """The fraction of its weight that counts in this search, from 0 to 1."""
        return 1.0

    def floor(self, search: Search) -> float:
        """The highest score that an unrelated document may have by chance."""
        return 0.0

    def scale(self, search: Search, best: float) -> float:
        """The score that a blend counts as 1: the best score, or more if the best is poor."""
        return best

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """How well the best match answers the query, from 0 to 1, regardless of the other matches.

        `fullest` is the id of the best match; None if only its score counts.
        """
        return min(best, 1.0)


class Channel(ScoreSource):
    """A channel adds to the scores of documents, and may propose some. A trace has a column of its name."""

    finds = False
    """Whether it also proposes documents."""
    answers = False
    """Whether its evidence is proof that a memory is the answer, whatever the legs say."""

    suffices = True
    """Whether its evidence alone admits a memory to an answer, without any from a leg."""

    def find(self, search: Search) -> Sequence[int]:
        """The ids of the documents that it proposes."""
        return ()

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The evidence for documents, by id; a missing document gets 0.

        From 0 to 1; above 1 only where it must outweigh the legs.
        """
        raise NotImplementedError
