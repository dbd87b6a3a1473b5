"""Recall under the names of memoir-ai, for programs written for that."""

from collections.abc import Callable, Generator, Iterator, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple, Unpack, cast

from memoir.llm.model import Model
from memoir.progress import Progress, tell_nobody
from memoir.recall.answer import RecallAnswer
from memoir.recall.engine import Engine, StoreOwner
from memoir.recall.query import BoostFn, CommonFields, Query, QueryFields
from memoir.recall.result import IntelligentSearchResult
from memoir.store.store import Store


class AnswerPart(NamedTuple):
    """The memories found by one stage of a recall. The last part also has the answer, with its memories."""

    stage: str
    memories: list[IntelligentSearchResult]
    answer: RecallAnswer | None = None


def stream(query: Query, recall: Callable[[Query], RecallAnswer]) -> Iterator[AnswerPart]:
    """Recall in a new thread, and yield each part as it is found, the answer last.

    If the caller stops early, the thread still finishes its work.

    Raises:
        MemoirError: any that the recall raises.
    """
    parts: SimpleQueue[AnswerPart | BaseException] = SimpleQueue()

    def work() -> None:
        try:
            answer = recall(query._replace(listener=lambda stage, memories: parts.put(AnswerPart(stage, memories))))
            parts.put(AnswerPart("result", answer.memories, answer))
        except BaseException as error:  # raised again by the consumer
            parts.put(error)

    Thread(target=work, name="memoir-recall", daemon=True).start()
    while True:
        part = parts.get()
        if isinstance(part, BaseException):
            raise part
        yield part
        if part.answer is not None:
            return


Namespace = str | tuple[str, ...]
"""`"user:alice"` or `("user", "alice")`."""


class SearchOptions(CommonFields, total=False):
    """The options of `IntelligentSearchEngine.search`: those of `memoir recall`, and some under other names.

    `at_commit` is `at`, and `person_filter` is `person`. `boost_fn` computes a boost; only Python callers have it.
    `return_prompts` adds `llm_prompts` to the metadata. `wait` completes the index first.
    """

    at_commit: str | None
    person_filter: str | None
    boost_fn: BoostFn | None
    return_prompts: bool
    wait: bool


class ServiceOptions(SearchOptions, total=False):
    """The arguments of `IntelligentSearchEngine.search` beside the query."""

    namespace: Namespace | Sequence[Namespace]
    limit: int | None


_OTHER_NAMES = {"at_commit": "at", "person_filter": "person"}
_NOT_FIELDS = ("boost_fn", "return_prompts", "wait")


class Results(list[IntelligentSearchResult]):
    """The result of `search`: a list that may also be awaited; `answer` has the details."""

    def __init__(self, answer: RecallAnswer) -> None:
        super().__init__(answer.memories)
        self.answer = answer

    def __await__(self) -> Generator[None, None, "Results"]:
        """Return the list itself; the work is already done."""
        return self
        yield


class IntelligentSearchEngine(Engine):
    """Recall over one store. Its methods may be called from several threads, one after another."""

    def search(
        self,
        query: str,
        namespace: Namespace | Sequence[Namespace] = (),
        limit: int | None = None,
        **options: Unpack[SearchOptions],
    ) -> Results:
        """Find memories, by default in mode `memoir.recall.mode`, else `simple`, which asks no model.

        `namespace` is one namespace or a list; empty means all.
        """
        request = self._query(query, {**options, "namespace": namespace, "limit": limit})
        answer = self.recall(request, wait=options.get("wait", False))
        for result in answer.memories:
            result.metadata.setdefault("step_timings", answer.timings)
            if options.get("return_prompts"):
                result.metadata.setdefault("llm_prompts", answer.prompts)
        return Results(answer)

    def search_stream(self, query: str, **options: Unpack[ServiceOptions]) -> "Iterator[AnswerPart]":
        """Find memories as `search` does, and yield those of each stage at once.

        The last part has the answer. Before it, mode `deep` yields `retrieval` (as in `simple`) and `hop`, and mode
        `agent` yields one part `search` for each query.
        """
        wait = options.get("wait", False)
        return stream(self._query(query, options), lambda request: self.recall(request, wait=wait))

    def _query(self, text: str, options: ServiceOptions) -> Query:
        own = {name: value for name, value in options.items() if name not in _NOT_FIELDS and value is not None}
        fields = {_OTHER_NAMES.get(name, name): value for name, value in own.items()}
        fields["namespace"] = _namespaces(options.get("namespace", ()))
        return self.query(text, cast(QueryFields, fields))._replace(boost_fn=options.get("boost_fn"))


class MemoryService:
    """Recall over one store, awaited or not."""

    def __init__(
        self,
        store: Store | StoreOwner,
        model: Model | str | None = None,
        *,
        progress: Progress = tell_nobody,
        wait: bool = False,
    ) -> None:
        """See `IntelligentSearchEngine`."""
        self.engine = IntelligentSearchEngine(store, model, progress=progress, wait=wait)

    async def recall(self, query: str, **options: Unpack[ServiceOptions]) -> Results:
        """Run `recall_sync` in a thread, so that the event loop goes on."""
        from asyncio import to_thread

        return await to_thread(self.recall_sync, query, **options)

    def stream(self, query: str, **options: Unpack[ServiceOptions]) -> "Iterator[AnswerPart]":
        """Find memories part by part, as `IntelligentSearchEngine.search_stream` does."""
        return self.engine.search_stream(query, **options)

    def recall_sync(self, query: str, **options: Unpack[ServiceOptions]) -> Results:
        """Find memories; takes the options of `IntelligentSearchEngine.search` and raises its errors."""
        return self.engine.search(query, **options)


def _namespaces(namespace: Namespace | Sequence[Namespace]) -> list[str]:
    """The namespaces given as a name, as a tuple of its parts, or as a list of either."""
    if isinstance(namespace, str):
        return [namespace]
    if isinstance(namespace, tuple):
        return [":".join(str(part) for part in namespace)] if namespace else []
    return [name for one in namespace for name in _namespaces(one)]
