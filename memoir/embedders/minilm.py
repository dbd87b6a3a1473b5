"""`minilm`: all-MiniLM-L6-v2 (384 dimensions) through prollytree's own implementation, on this machine.

Its weights are bundled, and laid out in the user's cache once per machine (`memoir.embedders.weights`).

The vector of a single query comes from a MiniLM with only the rows of its word pieces. Half of the weights are the rows
of 30,522 pieces, of which a query needs a dozen; loading all of them takes longer than the rest of a command. So a
second layout has `SLOTS` rows. A process locks it, writes the rows that it needs, and loads it. Its tokenizer knows
each slot by a name, so a text of such names has the ids of its slots. The rest is computed from the same numbers in the
same order, so the vector is identical. Other slots hold rows of earlier queries, which are never read. A row left
half-written by a killed process is rewritten by the next that needs its slot. If the layout is locked, or the text is
not plain ASCII, the whole model is used.
"""

import os
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from memoir import user_folders
from memoir.embedders import weights
from memoir.embedders.embedder import MINILM_DIMENSION, Embedder, Idf, Vector
from memoir.embedders.vector_process import ModelProcess, QueryProcess
from memoir.errors import EmbedderUnavailable
from memoir.left_process import has_threads

_PLAIN = re.compile(r"[\t\n\r -~]*")
"""ASCII without control characters: BERT's tokenizer only splits it and converts it to lower case."""
_WORDS = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
_LONGEST = 100
"""The most characters of a word; a longer one is unknown."""
_UNKNOWN = "[UNK]"


class LoneModel:
    """A model with the rows of one query, and the query's vector."""

    def __init__(self, query: list[int], slots: dict[int, int], model: Any, vector: Sequence[float]) -> None:
        self._query, self._slots, self._model, self._vector = query, slots, model, vector

    def vector(self, text: str) -> Vector | None:
        """The vector of a text made of the query's pieces only, such as the query without a date; else None."""
        numbers = _pieces(text)
        if numbers is None or not self._slots.keys() >= set(numbers):
            return None
        is_query = numbers == self._query
        return array("f", self._vector if is_query else self._model.embed(_names(numbers, self._slots)))


def load_lone(folder: Path, text: str, open_model: Callable[[Path, str], tuple[Any, list[float]]]) -> LoneModel | None:
    """Load a model for one text with `open_model`, from the layout beside the whole weights in `folder`.

    None if that is impossible: the text is not plain, or the layout is missing, in use or not writable.

    Raises whatever `open_model` raises.
    """
    if (numbers := _pieces(text)) is None:
        return None
    import fcntl

    slots = {number: slot for slot, number in enumerate(dict.fromkeys(numbers))}
    layout = weights.query_folder(folder)
    with suppress(OSError), (layout / weights.MODEL).open("r+b", buffering=0) as target:
        fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not weights.are_sound_for_query(layout):
            (layout / weights.MODEL).unlink()  # so that loading the whole model lays out both again
            return None
        with weights.FILE.open("rb", buffering=0) as source:
            for number, slot in slots.items():
                weights.write_row(target.fileno(), slot, weights.read_row(source.fileno(), number))
        return LoneModel(numbers, slots, *open_model(layout, _names(numbers, slots)))
    return None


def _pieces(text: str) -> list[int] | None:
    """The ids of the text's pieces that the model reads; None if it is not plain."""
    if not _PLAIN.fullmatch(text) or any(word in text for word in weights.SPECIAL):
        return None
    return list(_numbers(text.lower()))[: weights.TOKENS - 2]


def _names(numbers: list[int], slots: dict[int, int]) -> str:
    return " ".join(weights.slot_name(slots[number]) for number in numbers)


def _numbers(text: str) -> Iterator[int]:
    """Yield the ids of a text's pieces in the vocabulary, as BERT does: longest piece first, from the left."""
    vocabulary = b"\n" + weights.VOCABULARY.read_bytes()
    for word in _WORDS.findall(text):
        yield from _cut(word, vocabulary) or _cut(_UNKNOWN, vocabulary)


def _cut(word: str, vocabulary: bytes) -> list[int]:
    """The ids of a word's pieces; empty if it is too long or not made of pieces."""
    found: list[int] = []
    start = 0
    while start < len(word) <= _LONGEST:
        ends = range(len(word), start, -1)
        mark = "##" if start else ""
        places = ((end, vocabulary.find(f"\n{mark}{word[start:end]}\n".encode())) for end in ends)
        start, at = next(((end, at) for end, at in places if at >= 0), (len(word), -1))
        if at < 0:
            return []
        found.append(vocabulary.count(b"\n", 0, at))
    return found


REVISION = "8b3219a92973c328a8e22fadcfa821b5dc75636a"
_CACHE = "PROLLYTREE_EMBEDDER_CACHE"
_MODEL = "sentence-transformers_all-MiniLM-L6-v2"
_loading = Lock()
_models: dict[Path, Any] = {}
"""The whole models by folder; loading one (91 MB) takes as long as embedding ten texts."""
_lone: dict[Path, LoneModel | None] = {}
"""The model of this process's first query, by cache folder; None if it could not be used."""
_beside: dict[Path, QueryProcess] = {}
"""The process that embeds this process's first query, if it was announced, by cache folder."""
_runs_in = 0
"""The id of the process in which prollytree has started threads; 0 before."""


def cache() -> Path:
    """Memoir's folder below `PROLLYTREE_EMBEDDER_CACHE`, else below the user's cache folder, if known."""
    named = os.environ.get(_CACHE)
    base = Path(named) if named else (user_folders.cache() or weights.NOWHERE) / "embedders"
    return base / f"minilm-{weights.DIGEST[:8]}"


def folder() -> Path:
    """The folder in the cache where prollytree looks for the weights."""
    return files(cache())


def files(root: Path) -> Path:
    """The folder where prollytree looks for a model's files if `root` is its cache."""
    return root / _MODEL / REVISION


class MiniLm(Embedder):
    """The embedder; its model is loaded on first use."""

    name = f"minilm-{weights.DIGEST[:8]}"
    is_minilm = True
    unknown_trust = 2.0

    @property
    def awaits_weights(self) -> bool:
        """Whether the weights are not in the cache yet."""
        return not weights.are_laid_out(folder())

    def expect(self, query: str) -> None:
        """Start to embed the first query in another process, unless this one has threads."""
        root = cache()
        if beside := _beside.pop(root, None):
            beside.close()
        if root not in _models and root not in _lone and not self.awaits_weights and not has_threads():
            _beside[root] = QueryProcess(query, _embed_alone, MINILM_DIMENSION)
            _lone[root] = None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; the model reads the first 128 tokens of a text.

        Raises:
            EmbedderUnavailable: the weights cannot be laid out or loaded.
        """
        model = _load()
        try:
            return [array("f", model.embed(text)) for text in texts]
        except Exception as error:  # native code may raise anything
            raise _damage(error) from error

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, the same as for a text."""
        with _loading:
            beside = _beside.get(cache())
            vector = beside.vector(query) if beside else None
        return vector or _embed_alone(query)  # reports the error, if any


def _embed_alone(query: str) -> Vector:
    """The vector of a query: by the whole model if it is loaded, or from the second query on.

    A remainder of the first query, without its times or people, does not count as a second one.
    """
    root = cache()
    if root not in _models and not MiniLm().awaits_weights:
        with _loading, suppress(Exception):  # the whole model reports errors
            if root not in _lone:
                _lone[root] = None
                _lone[root] = load_lone(folder(), query, _load_layout)
            if (lone := _lone[root]) and (vector := lone.vector(query)):
                return vector
    return MiniLm().embed([query])[0]


def _load_layout(layout: Path, text: str) -> tuple[Any, list[float]]:
    return _open(layout.parents[1], text)


def _load() -> Any:
    root = cache()
    with _loading:
        if root not in _models:
            weights.lay_out(folder())
            try:
                _models[root], _ = _open(root)
            except Exception as error:  # native code may raise anything for a damaged file
                raise _damage(error) from error
        return _models[root]


def read_model(root: Path) -> Any:
    """Load another model of the same form; its files are as prollytree expects them in the cache `root`.

    Raises whatever prollytree's native code raises.
    """
    with _loading:
        return _open(root)[0]


def _open(root: Path, text: str = "") -> tuple[Any, list[float]]:
    """Load a model, and embed a text, which makes it read its weights from the folder in the environment.

    The variable is changed for native code only, so that other threads see the old value in `cache`. Missing files are
    an error here, because prollytree would fetch them from the network.
    """
    global _runs_in
    for name in weights.FILES:
        (files(root) / name).stat()
    if _runs_in not in (0, os.getpid()):
        elsewhere = ModelProcess(root)
        return elsewhere, list(elsewhere.embed(text))
    from prollytree import MiniLmEmbedder  # type: ignore[import-untyped]

    _runs_in = os.getpid()
    os.putenv(_CACHE, str(root))
    try:
        model = MiniLmEmbedder()
        return model, model.embed(text)
    finally:
        if before := os.environ.get(_CACHE):
            os.putenv(_CACHE, before)
        else:
            os.unsetenv(_CACHE)


def _damage(error: Exception) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"minilm's weights cannot be used: {error}", f"delete {folder()} and try again")


def _leave_to_parent() -> None:
    """In a forked process, drop everything that only works in its parent."""
    global _loading
    _loading = Lock()
    _beside.clear()
    _lone.update(dict.fromkeys((*_lone, *_models)))
    _models.clear()


os.register_at_fork(after_in_child=_leave_to_parent)
