"""`minilm`: all-MiniLM-L6-v2 (384 dimensions) through prollytree's own implementation, on this machine.

Its weights do not come with memoir: `memoir embed install` puts them where prollytree looks for them.
"""

import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memoir.errors import EmbedderUnavailable
from memoir.index.embedders.embedder import Idf, Vector

REVISION = "8b3219a92973c328a8e22fadcfa821b5dc75636a"
FILES = ("config.json", "tokenizer.json", "model.safetensors")
_MODEL = "sentence-transformers_all-MiniLM-L6-v2"


def folder() -> Path:
    """Where prollytree looks for the weights: under `PROLLYTREE_EMBEDDER_CACHE`, or the user's cache folder."""
    cache = os.environ.get("PROLLYTREE_EMBEDDER_CACHE")
    return (Path(cache) if cache else default_cache()) / _MODEL / REVISION


def default_cache() -> Path:
    """Memoir's own place for weights, which it names to prollytree when nothing else is set."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "memoir" / "embedders"


def is_installed() -> bool:
    """Whether the weights are on this machine."""
    return all((folder() / name).is_file() for name in FILES)


class MiniLm:
    """The embedder; loading the weights (90 MB) waits for the first text."""

    name = f"minilm-{REVISION[:8]}"
    learned = True
    trust = unknown_trust = 1.0
    floor = 0.2

    def __init__(self) -> None:
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; the model reads the first 128 tokens of a text.

        Raises:
            EmbedderUnavailable: the weights are missing or cannot be loaded.
        """
        if self._model is None:
            self._model = _load()
        try:
            return [array("f", self._model.embed(text)) for text in texts]
        except Exception as error:  # its native code loads the weights only now
            raise _damage(error) from error

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector that a text of the same words has."""
        return self.embed([query])[0]


def _load() -> Any:
    if not is_installed():
        raise EmbedderUnavailable(f"minilm's weights are not in {folder()}", "'memoir embed install' downloads them")
    os.environ.setdefault("PROLLYTREE_EMBEDDER_CACHE", str(default_cache()))
    from prollytree import MiniLmEmbedder  # type: ignore[import-untyped]

    try:
        return MiniLmEmbedder()
    except Exception as error:  # whatever its native code makes of a damaged file
        raise _damage(error) from error


def _damage(error: Exception) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"minilm's weights cannot be used: {error}", "run 'memoir embed install' again")
