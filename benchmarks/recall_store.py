"""A temporary store to ask, inside this process, with a stopwatch on its embedder and none of the user's settings."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter

from memoir import IntelligentSearchEngine, Repository
from memoir.embedders.embedder import Embedder, Idf, Vector
from memoir.recall.compat import Results

NOW = "2026-11-22T12:00:00Z"
"""What "last year" in a question counts from."""


class Stopwatch(Embedder):
    """An embedder that adds up the seconds another one takes."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.learned, self.is_minilm = embedder.name, embedder.learned, embedder.is_minilm
        self.trust, self.unknown_trust, self.floor = embedder.trust, embedder.unknown_trust, embedder.floor
        self.seconds = 0.0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """What the other one answers."""
        with self._running():
            return self._embedder.embed(texts)

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """What the other one answers."""
        with self._running():
            return self._embedder.embed_query(query, idf)

    @contextmanager
    def _running(self) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds += perf_counter() - start


class Measurement:
    """A store, its engine, and the seconds of its questions: all but the embedding, and the embedding."""

    def __init__(self, repository: Repository, engine: IntelligentSearchEngine, stopwatch: Stopwatch) -> None:
        self.repository, self.engine, self._stopwatch = repository, engine, stopwatch
        self.search_seconds: list[float] = []
        self.embed_seconds: list[float] = []

    def search(self, question: str, namespace: str, limit: int | None = None, mode: str = "simple") -> Results:
        """One ranked recall, timed."""
        self._stopwatch.seconds = 0.0
        start = perf_counter()
        results = self.engine.search(question, namespace, limit, mode=mode)
        seconds = perf_counter() - start
        if results.answer.degraded:
            raise SystemExit(f"degraded: {'; '.join(results.answer.degraded)}")
        self.search_seconds.append(seconds - self._stopwatch.seconds)
        self.embed_seconds.append(self._stopwatch.seconds)
        return results

    def forget_times(self) -> None:
        """Begin anew with the seconds."""
        self.search_seconds.clear()
        self.embed_seconds.clear()


def seal(embedder: str) -> None:
    """Let nothing of the user's decide: git's and memoir's settings go, the clock stands still."""
    for name in [name for name in os.environ if name.startswith(("MEMOIR_", "ANTHROPIC_"))]:
        del os.environ[name]
    os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", MEMOIR_NOW=NOW)
    os.environ["MEMOIR_EMBED_PROVIDER"] = embedder


@contextmanager
def filled(lines: Iterable[bytes]) -> Iterator[Path]:
    """The folder of a temporary store that holds some JSON lines; it has no index yet."""
    with tempfile.TemporaryDirectory(prefix="memoir-bench-") as folder:
        with Repository.init(folder) as repository:
            repository.import_lines(lines)
        yield Path(folder)


@contextmanager
def opened(folder: Path) -> Iterator[Measurement]:
    """A store to ask, with its whole index."""
    with Repository.open(folder) as repository, closing(IntelligentSearchEngine(repository)) as engine:
        index = engine.index()
        if index.embedder is None:
            raise SystemExit("there is no embedder")
        index.embedder = stopwatch = Stopwatch(index.embedder)
        index.begin(wait=True)
        index.read(repository.store.head(), lambda view: None)
        yield Measurement(repository, engine, stopwatch)
