"""The searches of an agent: `Searcher` ranks the memories for a question, `Union` has what several searches found."""

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
"""How many questions are ranked at once: one, and the six that it is split into."""


class Searcher:
    """Ranks the memories for a question and those that are made of it, always with the question's own filters."""

    def __init__(self, index: Index, snapshot: Snapshot, query: Query) -> None:
        self._index, self._snapshot, self._query = index, snapshot, query
        self.queries: list[str] = []
        """What has been searched for, in order."""
        self.searches = 0
        """How often memories were ranked."""
        self._clues: Clues | None = None

    def tell(self, ranking: Ranking) -> None:
        """Tell who wants to know what one search has found."""
        tell(self._snapshot, self._query, "search", ranking)

    def clues(self) -> Clues:
        """The clues in the question itself; they are kept once it has been searched."""
        return self._clues or self._index.read(self._snapshot, lambda view: find_clues(view, self._query))

    def find(self, text: str) -> Ranking:
        """The ranking for a question."""
        self._count([text])
        return self._rank(self._index, text)

    def follow_names(self) -> Ranking:
        """The ranking for the question, with what the names in the best memories lead to, as in mode `deep`."""
        self._count([self._query.text])
        return self._index.read(self._snapshot, self._hop)

    def _hop(self, view: View) -> Ranking:
        from memoir.recall.shared_names import add_hop

        search = begin(view, self._query)
        self._clues = search.clues
        candidates = find(search)
        return add_hop(search, candidates, in_order(search, candidates), self._query.limit)

    def find_behind(self, text: str, memories: Sequence[RankedCandidate]) -> Behind:
        """The insights and captions behind the memories that were found for a question, and others that answer it."""
        from memoir.recall.beside import find_behind

        return find_behind(self._index, self._snapshot, self._query._replace(text=text), memories)

    def find_all(self, texts: Sequence[str]) -> list[Ranking | MemoirError]:
        """The ranking for each question, or why there is none: one that fails costs only itself.

        Where each waits for a server of vectors, they are ranked in parallel. Elsewhere threads would only be slower,
        because each needs files of its own, and reads them anew.
        """
        self._count(texts)
        if not self._waits():
            return [self._try(self._index, text) for text in texts]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="memoir-recall") as pool:
            return list(pool.map(self._try_apart, texts))

    def _count(self, texts: Sequence[str]) -> None:
        self.searches += len(texts)
        self.queries += [text for text in texts if text not in self.queries]

    def _waits(self) -> bool:
        from memoir.embedders.http import HttpEmbedder

        return isinstance(self._index.embedder, HttpEmbedder) and self._index.is_complete

    def _try_apart(self, text: str) -> Ranking | MemoirError:
        with closing(self._index.for_another_thread()) as index:
            return self._try(index, text)

    def _try(self, index: Index, text: str) -> Ranking | MemoirError:
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
    """The memories that several searches have found.

    The scale is their relevance, which can be compared between questions; a memory that several searches have found has
    the best of its relevances.
    """

    def __init__(self) -> None:
        self._best: dict[Place, RankedCandidate] = {}
        self._citations: dict[Place, None] = {}
        self._firsts: dict[Place, None] = {}
        self._others: dict[Place, RankedCandidate] = {}

    def add(self, ranking: Ranking) -> None:
        """Add what one search has found."""
        for each in ranking.candidates:
            best = self._best.get(each.document.place)
            if best is None or each.relevance > best.relevance:
                self._best[each.document.place] = each
        if ranking.candidates:
            self._firsts[ranking.candidates[0].document.place] = None
        self._others |= {each.document.place: each for each in ranking.others}

    def cite(self, memories: Iterable[RankedCandidate]) -> None:
        """Note that memories are evidence."""
        self._citations |= {each.document.place: None for each in memories}

    @property
    def cited(self) -> list[RankedCandidate]:
        """The memories that are evidence, in the order in which they were found."""
        return [self._best[place] for place in self._citations]

    def rank(self, limit: int) -> tuple[RankedCandidate, ...]:
        """All memories: first those that are evidence, then the others; each part by relevance.

        The best memory of every search is among the first `limit` of its part, so that no question goes without an
        answer only because the memories about another one are more alike.
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
        """The memories that no search has found good enough."""
        return tuple(each for place, each in self._others.items() if place not in self._best)


def _order(candidate: RankedCandidate) -> tuple[float, Place]:
    return (-candidate.relevance, candidate.document.place)
