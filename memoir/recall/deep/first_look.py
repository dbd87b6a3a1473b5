"""`FirstLook`: what a question itself finds, kept for a later read of the index while a model is asked."""

from typing import NamedTuple

from memoir.index.view import Edition, View
from memoir.recall.candidates import Candidates, find
from memoir.recall.channel import Search
from memoir.recall.clues import Clues
from memoir.recall.query import Query
from memoir.recall.ranking import Ranking, begin, in_order


class FirstLook(NamedTuple):
    """The clues in a question, and what it has found in one edition of the index."""

    clues: Clues
    candidates: Candidates
    ranking: Ranking
    edition: Edition | None

    @classmethod
    def at(cls, view: View, query: Query) -> "tuple[Search, FirstLook]":
        """Rank the documents that a query may find."""
        search = begin(view, query)
        candidates = find(search)
        return search, cls(search.clues, candidates, in_order(search, candidates), view.edition())

    def again(self, view: View, query: Query) -> "tuple[Search, FirstLook]":
        """The same in a later read: nothing is ranked again, unless the index is another one by now."""
        if self.edition is None or self.edition != view.edition():
            return self.at(view, query)
        return Search(view, query, self.clues, view.select(query.where)), self
