"""`Union`: what several searches have found, each memory once, on one scale."""

from collections.abc import Iterable

from memoir.index.neighbours import Place
from memoir.recall.ranked import RankedCandidate
from memoir.recall.ranking import Ranking


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
