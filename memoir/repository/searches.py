"""Finds the memories that answer a question."""

from typing import TYPE_CHECKING, cast

from memoir.progress import Progress, tell_nobody
from memoir.repository.door import check_counts
from memoir.repository.reads import Reads
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, check_namespace, only

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import closing
    from typing import BinaryIO, Unpack

    from memoir.filing.suggest import Suggestions
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.batch import BatchOutcome
    from memoir.recall.evaluate import Evaluation
    from memoir.recall.explain import Explanation
    from memoir.recall.joint_answer import Answerer
    from memoir.recall.query import QueryFields
    from memoir.repository.idle_engines import IdleEngines


class Searches(Reads):
    """The methods of `Repository` that answer questions, also from the user's own store."""

    def awaits_weights(self) -> bool:
        """Return whether the next recall must first unpack the weights of minilm, which takes some seconds."""
        from memoir.embedders.choose_embedder import embedder_of

        embedder = embedder_of(self.store)
        return embedder.learned and embedder.awaits_weights

    def embed_ahead(self, text: str, *, stored: bool = False) -> None:
        """Start embedding a text in a separate process, for the next call of `recall` or `suggest` with it.

        With `stored`, the text is for `remember` without a key. This saves time in programs that ask once, such as
        commands: only for the first text, and in a process without threads, which can be forked.
        """
        from memoir.embedders.choose_embedder import embedder_of

        if (embedder := embedder_of(self.store)).learned:
            if stored:
                from memoir.english.lexicon.spotting import with_classes

                text = with_classes(text)  # filing embeds this form first
            embedder.expect(text)

    def recall(
        self,
        query: str,
        *,
        wait: bool = False,
        joined: bool = True,
        progress: "Progress | None" = None,
        **fields: "Unpack[QueryFields]",
    ) -> "RecallAnswer":
        """Find the memories that answer a question, best first.

        The fields are the options of `memoir recall`. Without a mode, the user's setting decides, else the question is
        answered without a model. The index is completed for about a second, or with `wait` to its end. If `joined`,
        adjacent turns of a talk are one memory.

        Raises:
            InvalidInput: a field is unknown, its value has the wrong type or range, or two contradict each other.
            LlmUnavailable: the model that a field requires does not answer.
            NotFound: there is no such revision, namespace or person.
        """

        def ask(engine: "Answerer") -> "RecallAnswer":
            return engine.recall(engine.query(query, fields)._replace(joined=joined), wait=wait)

        if progress:  # a command asks once
            with self._engine(progress) as engine:
                return ask(engine)
        return self._idle_engines().ask(ask)

    def _idle_engines(self) -> "IdleEngines":
        from memoir.repository.idle_engines import IdleEngines

        stores = [self.store, self.user.store] if self.user else [self.store]
        engines = IdleEngines(stores, lambda: self._new_engine(None))
        return cast("IdleEngines", self.__dict__.setdefault("_engines", engines))  # setdefault: safe for threads

    def recall_lines(
        self,
        lines: "BinaryIO",
        *,
        wait: bool = False,
        joined: bool = True,
        progress: "Progress | None" = None,
        **fields: "Unpack[QueryFields]",
    ) -> "Iterator[BatchOutcome]":
        """Answer the questions of JSON lines `{"query": …, FIELD: …}`, each as soon as it is read.

        A line's fields take precedence over those given here. A failing line does not stop the others. `joined` is as
        for `recall`.

        Raises:
            InvalidInput: a field given here is unknown, or its value of the wrong type or range.
        """
        from memoir.recall.batch import read_lines, recall_lines
        from memoir.recall.parse import read_fields

        read_fields(fields)

        def answers() -> "Iterator[BatchOutcome]":
            with self._engine(progress, wait=wait) as engine:
                yield from recall_lines(engine, read_lines(lines), fields, joined=joined)

        return answers()

    def explain(
        self, query: str, key: str, *, progress: "Progress | None" = None, **fields: "Unpack[QueryFields]"
    ) -> "Explanation":
        """Explain the ranks of the memories at a key for a question, in the mode `simple` or `deep`.

        The fields are the options of `memoir explain`. The index is completed first.

        Raises:
            InvalidInput: as for `recall`. NotFound: the key has no active memory, or as for `recall`.
        """
        namespaces = fields.get("namespace") or ()
        namespace = only([namespaces] if isinstance(namespaces, str) else namespaces)
        target = self.address_of(key, namespace=namespace, at=fields.get("at"))
        with self._engine(progress) as engine:
            return engine.explain(engine.query(query, fields), target)

    def evaluate(
        self,
        lines: "Iterable[bytes]",
        *,
        modes: "Sequence[str]" = ("simple", "deep"),
        embedders: "Sequence[str]" = (),
        budget: int = 2000,
        progress: "Progress | None" = None,
    ) -> "Evaluation":
        """Measure how well recall finds the expected memories of questions, for each mode and each embedder.

        Args:
            lines: JSON lines `{"query": …, "expected": [KEY, …]}`; lines with an empty question are only counted.
            modes: Modes that need no model.
            embedders: Names of embedders; by default, the configured one.
            budget: The tokens of the answer within which the whole content of an expected memory counts as evidence.
            progress: Called with the number of answered questions.

        Raises:
            InvalidInput: a line is malformed, none has a question, a mode needs a model, or the budget is below 1.
            EmbedderUnavailable: an embedder cannot be used.
        """
        from memoir.recall.evaluate import evaluate

        check_counts(budget=budget)
        return evaluate(self.store, lines, modes, embedders, budget, progress or tell_nobody)

    def questions_to_fill(self, count: int, *, namespaces: "Sequence[str]" = ()) -> "Iterator[bytes]":
        """Return JSON lines for `evaluate`: memories of the store, each with an empty question for the user to fill in.

        Raises:
            InvalidInput: the count is below 1. NotFound: there is no such namespace.
        """
        from orjson import dumps

        from memoir.recall.evaluate import questions_to_fill

        check_counts(count=count)
        return (dumps(each) + b"\n" for each in questions_to_fill(self.store.head(), namespaces, count))

    def suggest(self, text: str, *, namespace: str = DEFAULT_NAMESPACE, limit: int | None = None) -> "Suggestions":
        """Return the paths nearest to a text that will be remembered, by default at most 10.

        They are the paths of the most similar memories; credentials in the text are ignored. If none is near, the rules
        of filing suggest `categories`. Nothing is written.

        Raises:
            InvalidInput: the text is empty or too long for a memory, the namespace is malformed, or the limit below 1.
        """
        from memoir.filing.suggest import LIMIT, suggest
        from memoir.records.record import Memory
        from memoir.secrets.secrets import redact

        check_counts(limit=limit)
        check_namespace(namespace)
        words = redact(Memory.of(text).content)
        return suggest(self.store, words, namespace, LIMIT if limit is None else limit)

    def _engine(self, progress: "Progress | None", *, wait: bool = False) -> "closing[Answerer]":
        from contextlib import closing

        return closing(self._new_engine(progress, wait=wait))

    def _new_engine(self, progress: "Progress | None", *, wait: bool = False) -> "Answerer":
        from memoir.recall.engine import Engine

        own = Engine(self.store, progress=progress or tell_nobody, wait=wait)
        if self.user is None:
            return own
        from memoir.recall.joint_answer import BothEngines

        return BothEngines(own, Engine(self.user.store, wait=wait))
