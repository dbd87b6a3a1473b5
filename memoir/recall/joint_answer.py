"""One answer from two stores: the project's, and the user's own."""

from operator import attrgetter
from typing import TYPE_CHECKING

from memoir.memory.read import read_both
from memoir.recall.answer import RecallAnswer, within
from memoir.recall.engine import Engine
from memoir.recall.query import Query, QueryFields

if TYPE_CHECKING:
    from memoir.recall.explain import Explanation
    from memoir.taxonomy.paths import MemoryAddress


class BothEngines:
    """Recall over the project's store and the user's, sorted by relevance, which has one scale in both."""

    def __init__(self, project: Engine, user: Engine) -> None:
        """Neither is opened yet."""
        self.project = project
        self.user = user

    def close(self) -> None:
        """Close both indexes; the stores stay open."""
        self.project.close()
        self.user.close()

    def query(self, text: str, fields: QueryFields) -> Query:
        """Make a query of a text, its fields and the project's settings; see `Engine.query`."""
        return self.project.query(text, fields)

    def explain(self, query: Query, target: "MemoryAddress") -> "Explanation":
        """Explain the rank of a memory of the project's store; see `Engine.explain`."""
        return self.project.explain(query, target)

    def recall(self, query: Query, *, wait: bool = False) -> RecallAnswer:
        """Answer a query from both stores; see `Engine.recall`.

        A revision that is not a date is looked up in the store that has it. A namespace or person may be in either
        store.
        """
        mine, theirs = read_both(
            lambda: self.project.recall(query, wait=wait), lambda: self.user.recall(query, wait=wait), query.at
        )
        if theirs is None:
            assert mine
            return mine._replace(both=True)
        theirs = _mark_as_user(theirs)
        return theirs if mine is None else _join(mine, theirs, query)


Answerer = Engine | BothEngines
"""The engine of one store, or those of both."""


def _mark_as_user(theirs: RecallAnswer) -> RecallAnswer:
    """Mark everything in an answer as from the user's store."""
    return theirs._replace(
        memories=[each._replace(store="user") for each in theirs.memories],
        standing=tuple(each._replace(store="user") for each in theirs.standing),
        insights=tuple(each._replace(store="user") for each in theirs.insights),
        raw_data=tuple(each._replace(store="user") for each in theirs.raw_data),
        both=True,
    )


def _join(mine: RecallAnswer, theirs: RecallAnswer, query: Query) -> RecallAnswer:
    """Merge both answers and cut again; at equal relevance the project's memories come first."""
    most = max(query.limit, 0 if query.limit_is_given else len(mine.memories))
    best = sorted([*mine.memories, *theirs.memories], key=attrgetter("relevance_score"), reverse=True)[:most]
    memories, omitted = within(best, query.max_chars)
    whole = mine._replace(
        memories=memories,
        omitted=mine.omitted + theirs.omitted + omitted,
        degraded=(*mine.degraded, *(f"your own store: {note}" for note in theirs.degraded)),
        usage=mine.usage.plus(theirs.usage),
        both=True,
    )
    if query.gather:
        from memoir.recall.gather import in_time

        whole = whole._replace(memories=in_time(memories), gathered=True)
    if mine.standing or theirs.standing:
        from memoir.recall.standing_instructions import with_standing

        whole = with_standing(whole, (*mine.standing, *theirs.standing), query.max_chars)
    return _with_layers(whole, theirs, query) if mine.layered or theirs.layered else whole


def _with_layers(answer: RecallAnswer, theirs: RecallAnswer, query: Query) -> RecallAnswer:
    """Add the best insights and captions of both stores."""
    from memoir.recall.beside import with_layers
    from memoir.recall.model_view import Behind

    insights = sorted([*answer.insights, *theirs.insights], key=attrgetter("relevance"), reverse=True)
    captions = sorted([*answer.raw_data, *theirs.raw_data], key=attrgetter("relevance"), reverse=True)
    return with_layers(answer, Behind(insights[: query.insights], captions[: query.captions]), query.max_chars)
