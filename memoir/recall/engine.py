"""`Engine`: answers queries over one store, by ranking or by a model."""

from contextlib import ExitStack
from threading import RLock
from typing import TYPE_CHECKING, Protocol

from memoir.embedders.choose_embedder import embedder_of
from memoir.errors import LlmUnavailable, NotFound
from memoir.index.index import Index, IndexMismatch
from memoir.index.view import View
from memoir.llm.usage import Stopwatch
from memoir.memory.layer_namespaces import layers
from memoir.memory.read import require_namespaces
from memoir.progress import Progress, tell_nobody
from memoir.recall.answer import RecallAnswer, add_authors, answer
from memoir.recall.channels import find
from memoir.recall.clues import require_person
from memoir.recall.mark_disputes import mark_disputes
from memoir.recall.parse import parse
from memoir.recall.query import Query, QueryFields
from memoir.recall.ranking import Ranking, begin, cut, in_order, revive
from memoir.recall.second_step import add_second_step
from memoir.records.record import ABOUT
from memoir.setting_rules import note
from memoir.settings import RECALL_MODE, RERANK
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

if TYPE_CHECKING:
    from memoir.embedders.embedder import Embedder
    from memoir.llm.conversation import ModelConversation
    from memoir.llm.model import Model
    from memoir.recall.explain import Explanation
    from memoir.taxonomy.paths import MemoryAddress

_SPARE = 20
"""How many extra memories are fetched if stale ones are to be left out: as many files as one check compares."""


def recall(index: Index, snapshot: Snapshot, query: Query, talk: "ModelConversation | None" = None) -> RecallAnswer:
    """Answer in mode `simple`: rank, rerank if the query says so, cut, fetch.

    Only the rerank `llm` needs `talk`.
    """
    steps = talk.stopwatch if talk else Stopwatch()
    with steps("total_search"):
        ranking = _update_and_rank(index, snapshot, query, steps)
        candidates = ranking.candidates
        if talk:
            from memoir.recall.rerank import in_models_order

            candidates = in_models_order(talk, ranking)
        return answer(index, snapshot, ranking._replace(candidates=cut(candidates, query)), steps, talk)


def _update_and_rank(index: Index, snapshot: Snapshot, query: Query, steps: Stopwatch) -> Ranking:
    """Update the index and rank in one read, timed as two steps."""
    with ExitStack() as first_step:
        first_step.enter_context(steps("step1_path_discovery"))

        def work(view: View) -> Ranking:
            first_step.close()
            with steps("ranking"):
                return _rank(view, query)

        return index.read(snapshot, work)


def _rank(view: View, query: Query) -> Ranking:
    search = begin(view, query)
    candidates = find(search)
    ranking = in_order(search, candidates)
    if query.rerank == "deterministic":
        from memoir.recall import rerank

        ranking = rerank.by_words(view, ranking)
    if query.gather and not query.limit_is_given:
        from memoir.recall.gather import with_listed

        ranking = with_listed(view, ranking)
    return revive(add_second_step(search, candidates, ranking, query.limit))


class StoreOwner(Protocol):
    """An object with an open store, such as `memoir.Repository`."""

    @property
    def store(self) -> Store:
        """The open store."""


class Engine:
    """Recall over one store. Its methods may be called from several threads, one after another."""

    def __init__(
        self,
        store: Store | StoreOwner,
        model: "Model | str | None" = None,
        *,
        embedder: "Embedder | None" = None,
        progress: Progress = tell_nobody,
        wait: bool = False,
    ) -> None:
        """Nothing is opened yet. Model and embedder default to those of the settings.

        If many memories are not indexed yet, recall answers from the indexed ones, the newest first, says so in
        `RecallAnswer.degraded`, and indexes more each time. With `wait` every recall completes the index first.
        """
        self.store = store if isinstance(store, Store) else store.store
        self._model = model
        self._lock = RLock()
        self._index: Index | None = None
        self._progress = progress
        self._wait = wait
        self._embedder = embedder

    def close(self) -> None:
        """Close the index; the store stays open."""
        if self._index:
            self._index.close()

    def query(self, text: str, fields: QueryFields) -> Query:
        """Make a query of a text, its fields and the store's settings; see `memoir.recall.parse`."""
        return parse(text, fields, self.store.config)

    def recall(self, query: Query, *, wait: bool = False) -> RecallAnswer:
        """Answer a query; `wait` completes the index first.

        If no model can be asked, a mode or rerank named by the caller is an error; one from the user's settings falls
        back to ranking, and the answer's `degraded` says so.
        """
        with self._lock:
            notes = note(self.store.git_settings.ignored, "recall", "embed", "llm")
            snapshot = self.store.at(query.at)
            query = _without_expired(query, snapshot)
            self.index().begin(wait=wait or self._wait, threads=query.needs_threads)
            try:
                answer = self._answer(snapshot, query)
            except LlmUnavailable as error:
                if query.insists:
                    raise
                notes.append(f"{_setting_of(query)}, but {error.message}; ranked without a model")
                answer = self._answer(snapshot, query._replace(mode="simple", rerank="none"))
            return answer._replace(degraded=(*notes, *answer.degraded)) if notes else answer

    def _answer(self, snapshot: Snapshot, query: Query) -> RecallAnswer:
        """Answer; if the index contradicts the store, discard it and answer again."""
        model = self._model_of(query)
        try:
            self._check_known(snapshot, query)
            return self._recall(snapshot, query, model)
        except IndexMismatch:
            self.index().discard()
            return self._recall(snapshot, query, model)

    def _model_of(self, query: Query) -> "Model | None":
        """The model that a query needs; if it could do without, the configured one or None."""
        if query.asks_model:
            return self.model(query.model)
        return self._choose_model(query.model) if query.may_ask_model else None

    def _check_known(self, snapshot: Snapshot, query: Query) -> None:
        """Check that the namespaces and the person of a query exist."""
        require_namespaces(query.where.namespaces, snapshot)
        if (name := query.where.person) is not None:
            try:
                self.index().read(snapshot, lambda view: require_person(view, name))
            except NotFound:
                if self.index().is_complete:
                    raise

    def _recall(self, snapshot: Snapshot, query: Query, model: "Model | None") -> RecallAnswer:
        wide = query._replace(limit=query.limit + _SPARE) if query.fresh else query
        answer = self._mark_stale(self._find(snapshot, wide, model))
        answer = answer._replace(memories=add_authors(self.store, snapshot, answer.memories))
        if query.fresh:
            answer = _without_stale(answer, query.limit)
        if query.where.sources != "no" and layers(snapshot):
            from memoir.recall.standing_instructions import add_standing

            answer = add_standing(self.index(), snapshot, query, answer)
        if query.gather:
            from memoir.recall.gather import in_time

            answer = answer._replace(memories=in_time(answer.memories), gathered=True)
        if query.context:
            from memoir.recall.beside import add_context

            answer = add_context(self.index(), snapshot, query, answer)
        if query.insights or query.captions:
            from memoir.recall.beside import add_layers

            answer = add_layers(self.index(), snapshot, query, answer)
        return mark_disputes(self.index(), snapshot, query, answer)

    def _mark_stale(self, answer: RecallAnswer) -> RecallAnswer:
        """Mark the memories of an answer with the state of the code that they are about."""
        if not any(ABOUT in each.metadata for each in answer.memories):
            return answer
        from memoir.anchors.mark import mark_metadata

        marked = mark_metadata(self.store, [each.metadata for each in answer.memories])
        memories = [each._replace(metadata=dict(of)) for each, of in zip(answer.memories, marked, strict=True)]
        return answer._replace(memories=memories)

    def _find(self, snapshot: Snapshot, query: Query, model: "Model | None") -> RecallAnswer:
        talk = self._talk(query, model)
        if query.mode == "deep":
            from memoir.recall import deep

            return deep.recall(self.index(), snapshot, query, talk)
        if query.mode == "agent":
            from memoir.recall import agent

            return agent.recall(self.index(), snapshot, query, talk)
        if query.mode == "simple" or talk is None:
            return recall(self.index(), snapshot, query, talk)
        from memoir.recall import by_model

        return by_model.recall(self.index(), snapshot, query, talk)

    def _talk(self, query: Query, model: "Model | None") -> "ModelConversation | None":
        if model is None:
            return None
        from memoir.recall.by_model import converse

        return converse(query, model, self.index())

    def explain(self, query: Query, target: "MemoryAddress") -> "Explanation":
        """Explain the ranks of the memories at an address; see `memoir.recall.explain`.

        The index is completed first.

        If the mode does more than rank, the query is answered, too, and the ranks are those of the answer.
        """
        from memoir.recall.explain import explain, in_answer

        with self._lock:
            snapshot = self.store.at(query.at)
            query = _without_expired(query, snapshot)
            self.index().begin(wait=True, threads=query.needs_threads)
            self._check_known(snapshot, query)
            ranks = query.mode == "simple" or (query.mode == "deep" and not self._model_of(query))
            plain_query = query if ranks else query._replace(mode="simple", rerank="none")
            explanation = explain(self.index(), snapshot, plain_query, target)
            return explanation if ranks else in_answer(explanation, query, self.recall(query, wait=True))

    def model(self, name: str | None = None) -> "Model":
        """The model to ask: `name`, else that of the engine, the environment, the settings, or the default.

        Raises:
            LlmUnavailable: none is configured.
        """
        model = self._choose_model(name)
        if model is None:
            raise LlmUnavailable(
                "no language model is configured",
                "set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway; --mode simple --rerank none needs none",
            )
        return model

    def _choose_model(self, name: str | None) -> "Model | None":
        if name is None and self._model is not None and not isinstance(self._model, str):
            return self._model
        from memoir.llm.conversation import choose_model

        own = self._model if isinstance(self._model, str) else None
        return choose_model(self.store.config, name or own)

    def index(self) -> Index:
        """The store's index."""
        if self._index is None:
            self._index = Index(self.store, self._embedder or embedder_of(self.store), self._progress)
        return self._index


def _without_expired(query: Query, snapshot: Snapshot) -> Query:
    """Make a query skip memories that have expired now, or by the commit that it asks about."""
    if query.expired:
        return query
    then = snapshot.commit.committer.time if query.at is not None and snapshot.commit else query.now
    return query._replace(where=query.where._replace(holds_at=float(then)))


def _without_stale(answer: RecallAnswer, limit: int) -> RecallAnswer:
    """Remove the memories whose code has changed or is gone."""
    if not any(ABOUT in each.metadata for each in answer.memories):
        return answer._replace(memories=answer.memories[:limit])
    from memoir.anchors.mark import is_stale

    return answer._replace(memories=[each for each in answer.memories if not is_stale(each.metadata)][:limit])


def _setting_of(query: Query) -> str:
    """The setting that asked for a model."""
    return f"{RECALL_MODE.key} is {query.mode}" if query.mode != "simple" else f"{RERANK.key} is {query.rerank}"
