"""`installed`: the user's own sentence-transformer, copied into their cache by `memoir embed install --from`.

The folder and the embedder are named after a digest of the model's files. The file `installed` beside the folder names
it.
"""

import json
import os
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from memoir.embedders import minilm
from memoir.embedders.embedder import Embedder, Idf, Vector
from memoir.errors import EmbedderUnavailable, MemoirError

Run = Callable[[str], Vector]
POINTER = "installed"
"""The file that names the model's folder, and the prefix of that name."""
FORM = "form.json"
"""The file in a model's folder with its form."""
_HINT = "'memoir embed install --from FOLDER' installs a model"
_runs: dict[Path, Run] = {}
"""The loaded models by folder."""
os.register_at_fork(after_in_child=_runs.clear)  # prollytree's models do not work after a fork


Runner = Literal["prollytree", "onnx"]
"""The runtime of a model: prollytree, or ONNX Runtime from the extra `onnx`."""


class ModelForm(NamedTuple):
    """How a model is run."""

    title: str
    """Its name for people."""
    runner: Runner
    """Its runtime."""
    pooling: str
    """How token vectors are pooled: `mean`, `cls`, `max` or `last`."""
    dimensions: int
    """The length of a vector; 0 if unknown."""
    tokens: int
    """How many tokens of a text are read."""
    document: str = ""
    """The prefix of a memory."""
    query: str = ""
    """The prefix of a query."""
    lowercase: bool = False
    """Whether texts are converted to lower case first."""


class InstalledModel(NamedTuple):
    """An installed model: its name, folder, form, and size in bytes."""

    name: str
    folder: Path
    form: ModelForm
    size: int


def base() -> Path:
    """The user's cache of embedders."""
    return minilm.cache().parent


def find_installed() -> InstalledModel | None:
    """The installed model; None if there is none, or its folder is damaged."""
    with suppress(OSError, ValueError, TypeError):
        name = (base() / POINTER).read_text(encoding="utf-8").strip()
        folder = base() / name
        fields = json.loads((folder / FORM).read_bytes())
        size, form = fields.pop("size"), ModelForm(**fields)
        if name.startswith(f"{POINTER}-") and size == size_of(folder, form):
            return InstalledModel(name, folder, form, size)
    return None


def size_of(folder: Path, form: ModelForm) -> int:
    """The bytes of a model's files."""
    return sum(each.stat().st_size for each in files_of(folder, form).iterdir())


def files_of(folder: Path, form: ModelForm) -> Path:
    """The place of a model's files in its folder."""
    return minilm.files(folder) if form.runner == "prollytree" else folder / "model"


class Installed(Embedder):
    """The embedder; its model is loaded on first use."""

    def __init__(self) -> None:
        self._model = find_installed()
        self.name = self._model.name if self._model else POINTER

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, with the prefix of documents before it."""
        return self._embed(texts, self._model.form.document if self._model else "")

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, with the prefix of queries before it."""
        return self._embed([query], self._model.form.query if self._model else "")[0]

    def _embed(self, texts: Sequence[str], prefix: str) -> list[Vector]:
        if self._model is None:
            raise EmbedderUnavailable("no model is installed, or it is damaged", _HINT)
        folder, form = self._model.folder, self._model.form
        try:
            if folder not in _runs:
                _runs[folder] = load(folder, form)
            return [_runs[folder](prefix + text) for text in texts]
        except MemoirError:
            raise
        except Exception as error:  # native code may raise anything for a damaged file
            raise EmbedderUnavailable(f"the model {form.title} cannot be run: {first_line(error)}", _HINT) from error


def load(folder: Path, form: ModelForm) -> Run:
    """A function that embeds a text with the model in a folder; native code may raise anything."""
    run = _load_prollytree(folder) if form.runner == "prollytree" else _load_onnx(files_of(folder, form), form)
    return (lambda text: run(text.lower())) if form.lowercase else run


def _load_prollytree(folder: Path) -> Run:
    model = minilm.read_model(folder)
    return lambda text: array("f", model.embed(text))


def _load_onnx(files: Path, form: ModelForm) -> Run:
    from memoir.embedders import onnx

    return onnx.open_model(files, form.pooling)


def first_line(error: Exception) -> str:
    """The first line of an error, without native code's trace."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
