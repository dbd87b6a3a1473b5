"""The searches of mode `agent`: `Searcher` ranks the memories for a question, `Union` merges several rankings."""

from collections.abc import Iterable, Sequence
from contextlib import closing

from memoir.errors import MemoirError
from memoir.index.documents import Place
from memoir.index.index import Index
from memoir.index.view import View
from memoir.recall.answer import tell
from memoir.recall.channels import find
from memoir.recall.clues import Clues, find_clues
from memoir.recall.model_view import Behind
from memoir.recall.parse import check_text
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking, begin, in_order, rank
from memoir.store.snapshot import Snapshot

_AT_ONCE = 7
"""How many questions are ranked at once: the question and the six parts that it may be split into."""


class Searcher:
    """Ranks the memories for a question and the queries made from it, always with the question's own filters."""

    def __init__(self, index: Index, snapshot: Snapshot, query: Query) -> None:
        self._index, self._snapshot, self._query = index, snapshot, query
        self.queries: list[str] = []
        """The queries so far, in order."""
        self.searches = 0
        """How often memories were ranked."""
        self._clues: Clues | None = None

    def tell(self, ranking: Ranking) -> None:
        """Report the memories of one search to the query's listener."""
        tell(self._snapshot, self._query, "search", ranking)

    def clues(self) -> Clues:
        """The clues in the question itself; cached by the first search for it."""
        return self._clues or self._index.read(self._snapshot, lambda view: find_clues(view, self._query))

    def find(self, text: str) -> Ranking:
        """The ranking for a question."""
        self._count([text])
        return self._rank(self._index, text)

    def follow_names(self) -> Ranking:
        """The ranking for the question plus the memories that names lead to, as in mode `simple`."""
        self._count([self._query.text])
        return self._index.read(self._snapshot, self._hop)

    def _hop(self, view: View) -> Ranking:
        from memoir.recall.second_step import add_second_step

        search = begin(view, self._query)
        self._clues = search.clues
        candidates = find(search)
        return add_second_step(search, candidates, in_order(search, candidates), self._query.limit)

    def find_behind(self, text: str, memories: Sequence[RankedCandidate]) -> Behind:
        """The insights and captions linked to the memories found for a question, and others that answer it."""
        from memoir.recall.beside import find_behind

        return find_behind(self._index, self._snapshot, self._query._replace(text=text), memories)

    def find_all(self, texts: Sequence[str]) -> list[Ranking | MemoirError]:
        """The ranking for each question, or the error: one failure does not stop the others.

        Questions are ranked in parallel only if an embedding server is asked. Elsewhere threads would be slower,
        because each opens the index files and reads them anew.
        """
        self._count(texts)
        if not self._asks_a_server():
            return [self._rank_or_error(self._index, text) for text in texts]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="memoir-recall") as pool:
            return list(pool.map(self._rank_in_own_index, texts))

    def _count(self, texts: Sequence[str]) -> None:
        self.searches += len(texts)
        self.queries += [text for text in texts if text not in self.queries]

    def _asks_a_server(self) -> bool:
        from memoir.embedders.http import HttpEmbedder

        return isinstance(self._index.embedder, HttpEmbedder) and self._index.is_complete

    def _rank_in_own_index(self, text: str) -> Ranking | MemoirError:
        with closing(self._index.for_another_thread()) as index:
            return self._rank_or_error(index, text)

    def _rank_or_error(self, index: Index, text: str) -> Ranking | MemoirError:
        try:
            return self._rank(index, text)
        except MemoirError as error:
            return error

    def _rank(self, index: Index, text: str) -> Ranking:
        query = self._query._replace(text=check_text(text))
        ranking = index.read(self._snapshot, lambda view: rank(view, query))
        if text == self._query.text:
            self._clues = ranking.clues
        return ranking


class Union:
    """The memories of several searches, merged.

    They are compared by relevance, whose scale is the same for all questions. A memory found several times keeps its
    best relevance.
    """

    def __init__(self) -> None:
        self._best: dict[Place, RankedCandidate] = {}
        self._citations: dict[Place, None] = {}
        self._firsts: dict[Place, None] = {}
        self._others: dict[Place, RankedCandidate] = {}

    def add(self, ranking: Ranking) -> None:
        """Add the memories of one search."""
        for each in ranking.candidates:
            best = self._best.get(each.document.place)
            if best is None or each.relevance > best.relevance:
                self._best[each.document.place] = each
        if ranking.candidates:
            self._firsts[ranking.candidates[0].document.place] = None
        self._others |= {each.document.place: each for each in ranking.others}

    def cite(self, memories: Iterable[RankedCandidate]) -> None:
        """Mark memories as evidence."""
        self._citations |= {each.document.place: None for each in memories}

    @property
    def cited(self) -> list[RankedCandidate]:
        """The memories that are evidence, in the order in which they were found."""
        return [self._best[place] for place in self._citations]

    def rank(self, limit: int) -> tuple[RankedCandidate, ...]:
        """All memories: the evidence first, then the others, each part sorted by relevance.

        The best memory of every search is among the first `limit`. Otherwise many similar memories about one part of
        the question could crowd out the answer to another.
        """
        evidence = sorted(self.cited, key=_order)
        rest = sorted((each for place, each in self._best.items() if place not in self._citations), key=_order)
        room = max(limit - len(evidence), 0)
        firsts = [each for each in rest if each.document.place in self._firsts][:room]
        first_places = {each.document.place for each in firsts}
        fill = [each for each in rest if each.document.place not in first_places]
        top = room - len(firsts)
        return (*evidence, *sorted([*firsts, *fill[:top]], key=_order), *fill[top:])

    def others(self) -> tuple[RankedCandidate, ...]:
        """The memories that every search dropped."""
        return tuple(each for place, each in self._others.items() if place not in self._best)


def _order(candidate: RankedCandidate) -> tuple[float, Place]:
    return (-candidate.relevance, candidate.document.place)
