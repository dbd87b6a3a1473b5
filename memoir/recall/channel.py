"""Legs and channels of recall: the two ways to find candidates and to say how good they are.

The legs' scores are fused into one number; each channel adds a share of the best fused score there could be.
`memoir.recall.channels` is the table of those there are.
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
"""The part of an ideal BM25 that a match has to reach, to count as a full one."""
READ_CHARACTERS = 10_000
"""How many characters of a memory are read for words, names and dates, by whoever looks for them."""


class Search:
    """A query and the documents to search: all that a leg or a channel is given. `among` has what may be found."""

    def __init__(self, view: View, query: Query, clues: Clues, among: DocumentSelection) -> None:
        self.view, self.query, self.clues, self.among = view, query, clues, among

    @cached_property
    def known(self) -> float:
        """What the best memory by the query's own words has of it: its BM25 beside that of one that answers in full."""
        words = self.clues.words
        return max([score for _, score in self.among.by_words(words.terms, 1)], default=0.0) / words.ideal


class ScoreSource:
    """The common base of legs and channels."""

    name: str
    """The key of its weight."""
    weight: Weight

    def weight_in(self, config: Config) -> float:
        """Its weight under some settings; 0 switches it off."""
        return self.weight.read(config) if isinstance(self.weight, Setting) else self.weight


class Leg(ScoreSource):
    """Proposes documents with a score of its own, and scores what others propose."""

    title: str
    """Its heading in a trace for people."""
    rank_column: str
    score_column: str

    def find(self, search: Search) -> Sequence[Score]:
        """The best `search.query.pool` documents with their scores, best first."""
        raise NotImplementedError

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """The scores of documents that others have found, by their ids; one without a score is left out."""
        raise NotImplementedError

    def trust(self, search: Search) -> float:
        """The part of its weight that counts in this search, from 0 to 1."""
        return 1.0

    def floor(self, search: Search) -> float:
        """The score up to which a document may have nothing to do with the query."""
        return 0.0

    def scale(self, search: Search, best: float) -> float:
        """The score that a blend counts as 1: the best one, unless even that one is poor."""
        return best

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """How well the best score answers the query, from 0 to 1, whatever the others are.

        `fullest` is the id of the document that got it, if that is to be looked at.
        """
        return min(best, 1.0)


class Channel(ScoreSource):
    """Adds to the scores of documents it has evidence for, and may propose some. A trace has a column of its name."""

    finds = False
    """Whether it proposes documents, and does not only add to those that others have found."""
    answers = False
    """Whether a memory that it has evidence for surely is what was asked for, however the legs judge it."""

    suffices = True
    """Whether its evidence lets a memory into an answer of which no leg says more than chance would."""

    def find(self, search: Search) -> Sequence[int]:
        """The ids of documents that it proposes, whatever the legs find."""
        return ()

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The channel's evidence for documents, by their ids; a document that is left out gets 0.

        It is from 0 to 1, and more only where it outweighs what the legs say.
        """
        raise NotImplementedError
