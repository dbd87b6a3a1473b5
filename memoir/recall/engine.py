"""`IntelligentSearchEngine`: recall as a library; the command line is a client of it."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from memoir.errors import InvalidInput, LlmUnavailable, NotFound
from memoir.index.embedders.choose import embedder_of
from memoir.index.index import Index, IndexLiesError
from memoir.llm.configured import model_of
from memoir.llm.model import Model
from memoir.memory.read import require_namespaces
from memoir.recall import people, simple
from memoir.recall.request import Request, checked
from memoir.recall.result import IntelligentSearchResult, Recalled
from memoir.recall.settings import Settings
from memoir.recall.settings import read as read_settings
from memoir.settings import RECALL_MODE, RERANK, note
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address
from memoir.times import now

if TYPE_CHECKING:
    from memoir.recall.explain import Explained

Namespace = str | tuple[str, ...]
"""`"user:alice"` or `("user", "alice")`."""


class StoreOwner(Protocol):
    """What holds an open store, such as `memoir.Repository`."""

    @property
    def store(self) -> Store:
        """The open store."""


class Results(list[IntelligentSearchResult]):
    """What `search` returns: a list, which may also be awaited. `answer` tells how it was found."""

    def __init__(self, answer: Recalled) -> None:
        super().__init__(answer.memories)
        self.answer = answer

    def __await__(self) -> Generator[None, None, "Results"]:
        """The list itself: the work is done by now."""
        return self
        yield


class IntelligentSearchEngine:
    """Recall over one store. Its methods may be called from several threads, one after another."""

    def __init__(
        self,
        store: Store | StoreOwner,
        model: Model | str | None = None,
        *,
        progress: Callable[[int, int], None] = lambda done, total: None,
        wait: bool = False,
    ) -> None:
        """Nothing is opened yet. A model is named, or given; by default it is the one that the settings name.

        A store with many memories that are not indexed yet answers from those that are, the newest first, and each
        recall indexes more; `Recalled.degraded` says so. With `wait` every recall completes the index first.
        """
        self.store = store if isinstance(store, Store) else store.store
        self._model = model
        self._lock = RLock()
        self._index: Index | None = None
        self._progress = progress
        self._wait = wait

    def close(self) -> None:
        """Close the index; the store stays open."""
        if self._index:
            self._index.close()

    def search(
        self,
        query: str,
        namespace: Namespace | Sequence[Namespace] = (),
        limit: int | None = None,
        *,
        mode: str | None = None,
        at_commit: str | None = None,
        person_filter: str | None = None,
        return_prompts: bool = False,
        wait: bool = False,
        **options: Any,
    ) -> Results:
        """Find memories. Without a mode it is the user's `memoir.recall.mode`, else `simple`, which asks no model.

        `namespace` is one, or a list of them; none means all. `options` are those of `Request`. With
        `return_prompts` the metadata holds `llm_prompts` as well. `wait` completes the index first.

        Raises:
            InvalidInput: an unknown mode or another bad value (a ValueError). LlmUnavailable: no answer from a model.
            NotFound: no such revision, namespace or person.
        """
        if mode is not None:
            RECALL_MODE.parse(mode, "mode")
        request = checked(query, now=now(), namespaces=_names(namespace), limit=limit, person=person_filter, **options)
        answer = self.recall(request, mode=mode, at=at_commit, wait=wait)
        for result in answer.memories:
            result.metadata.setdefault("step_timings", answer.timings)
            if return_prompts:
                result.metadata.setdefault("llm_prompts", answer.prompts)
        return Results(answer)

    def recall(
        self,
        request: Request,
        *,
        mode: str | None = None,
        at: str | None = None,
        model: str | None = None,
        wait: bool = False,
    ) -> Recalled:
        """Answer a checked request; see `search`. A model named here wins over the engine's own.

        A mode or a rerank that the request names is kept to. One that only the user's settings name falls back to
        the ranking where no model can be asked, and the answer's `degraded` says so.

        Raises:
            InvalidInput: a rerank in a mode of models, or a model for a recall that asks none.
            LlmUnavailable: no answer from a model that the request asks for.
            NotFound: no such revision, namespace or person.
        """
        with self._lock:
            settings, chosen = self.settings(), self.mode(mode)
            _check_fit(request, settings, chosen, model)
            insisted = mode is not None if chosen != "simple" else request.rerank is not None
            notes = note(self.store.ignored_settings, "recall", "embed", "llm")
            snapshot = self.store.at(at)
            self.index().begin(wait=wait or self._wait)
            try:
                answer = self._asked(snapshot, request, settings, chosen, model)
            except LlmUnavailable as error:
                if insisted:
                    raise
                notes.append(f"{_by_whom(settings, chosen)}, but {error.message}; ranked without a model")
                answer = self._ranked(snapshot, request, settings)
            return replace(answer, degraded=(*notes, *answer.degraded)) if notes else answer

    def _asked(
        self, snapshot: Snapshot, request: Request, settings: Settings, mode: str, named: str | None
    ) -> Recalled:
        """Answer with the model that the mode or the rerank needs, if one does."""
        model = self.model(named) if _asks(request, settings, mode) else None
        return self._surely(snapshot, request, settings, model, mode)

    def _ranked(self, snapshot: Snapshot, request: Request, settings: Settings) -> Recalled:
        """Answer by ranking alone."""
        return self._surely(snapshot, request, settings._replace(rerank="none"), None, "simple")

    def _surely(
        self, snapshot: Snapshot, request: Request, settings: Settings, model: Model | None, mode: str
    ) -> Recalled:
        """Answer; once more from a fresh index if the store does not hold what the index says."""
        try:
            self._require(snapshot, request)
            return self._recall(snapshot, request, settings, model, mode)
        except IndexLiesError:
            self.index().discard()
            return self._recall(snapshot, request, settings, model, mode)

    def _require(self, snapshot: Snapshot, request: Request) -> None:
        """Check that whom and where a request is about is known at all."""
        require_namespaces(request.namespaces, snapshot)
        if request.person is not None:
            name = request.person
            try:
                self.index().read(snapshot, lambda view: people.require(view, name))
            except NotFound:
                if self.index().is_complete:
                    raise

    def _recall(
        self, snapshot: Snapshot, request: Request, settings: Settings, model: Model | None, mode: str
    ) -> Recalled:
        if mode == "simple" or model is None:
            return simple.recall(self.index(), snapshot, request, settings, model)
        from memoir.recall import chosen

        return chosen.recall(self.index(), snapshot, request, settings, model, mode)

    def explain(self, request: Request, address: Address, *, at: str | None = None) -> "Explained":
        """Why `simple` recall ranks a path where it does; see `memoir.recall.explain`. It completes the index first."""
        from memoir.recall.explain import explain

        with self._lock:
            snapshot = self.store.at(at)
            self.index().begin(wait=True)
            self._require(snapshot, request)
            return explain(self.index(), snapshot, request, self.settings(), address)

    def settings(self) -> Settings:
        """The settings of ranked recall in force.

        Raises:
            InvalidInput: one of them is bad.
        """
        return read_settings(self.store.config)

    def mode(self, wanted: str | None = None) -> str:
        """The mode wanted, else the user's setting, else `simple`: a key in the environment changes nothing."""
        return wanted or self.settings().mode

    def model(self, named: str | None = None) -> Model:
        """The model to ask: one named here, the engine's, the environment's, the settings', or the default.

        Raises:
            LlmUnavailable: none is configured.
        """
        if named is None and self._model is not None and not isinstance(self._model, str):
            return self._model
        own = self._model if isinstance(self._model, str) else None
        found = model_of(self.store.config, named or own)
        if found is None:
            raise LlmUnavailable(
                "no language model is configured",
                "set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway; --mode simple needs none",
            )
        return found

    def index(self) -> Index:
        """The store's index."""
        if self._index is None:
            self._index = Index(self.store, embedder_of(self.store), self._progress)
        return self._index


def _asks(request: Request, settings: Settings, mode: str) -> bool:
    """Whether a recall asks a model."""
    return mode != "simple" or (request.rerank or settings.rerank) == "llm"


def _by_whom(settings: Settings, mode: str) -> str:
    """The setting by which a model was to be asked."""
    return f"{RECALL_MODE.key} is {mode}" if mode != "simple" else f"{RERANK.key} is {settings.rerank}"


def _check_fit(request: Request, settings: Settings, mode: str, model: str | None) -> None:
    if request.rerank not in (None, "none") and mode != "simple":
        raise InvalidInput(f"rerank is for simple recall, not {mode}", "ask with mode simple, or without rerank")
    if model is not None and not _asks(request, settings, mode):
        raise InvalidInput("simple recall asks no model", "add --mode single or --mode tiered, or leave out the model")


def _names(namespace: Namespace | Sequence[Namespace]) -> list[str]:
    """The namespaces meant by a name, a tuple of its parts, or a list of either."""
    if isinstance(namespace, str):
        return [namespace]
    if isinstance(namespace, tuple):
        return [":".join(str(part) for part in namespace)] if namespace else []
    return [name for one in namespace for name in _names(one)]
