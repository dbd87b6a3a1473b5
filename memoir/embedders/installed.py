"""`installed`: a sentence-transformer of the user's own, which `memoir embed install --from` copied into their cache.

The folder is named after a digest of its files, and so is the embedder. The file `installed` beside it names it.
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
"""The file that names the folder of the model, and the beginning of that name."""
FORM = "form.json"
"""The file with the form of a model, in its folder."""
_HINT = "'memoir embed install --from FOLDER' installs a model"
_runs: dict[Path, Run] = {}
"""The models that are loaded, by their folders."""
os.register_at_fork(after_in_child=_runs.clear)  # prollytree's do not work in a forked process


Runner = Literal["prollytree", "onnx"]
"""What runs a model: prollytree, or ONNX Runtime of the extra `onnx`."""


class ModelForm(NamedTuple):
    """How a model is run."""

    title: str
    """What it is called, for people."""
    runner: Runner
    """What runs it."""
    pooling: str
    """How the vectors of tokens become one: `mean`, `cls`, `max` or `last`."""
    dimensions: int
    """The length of a vector; 0 where the files do not say."""
    tokens: int
    """How many tokens of a text are read."""
    document: str = ""
    """What is written before a memory."""
    query: str = ""
    """What is written before a query."""
    lowercase: bool = False
    """Whether texts are put in small letters first."""


class InstalledModel(NamedTuple):
    """A model that is installed: its name, its folder, how it is run, and the bytes that it takes."""

    name: str
    folder: Path
    form: ModelForm
    size: int


def base() -> Path:
    """The user's cache of embedders."""
    return minilm.cache().parent


def find_installed() -> InstalledModel | None:
    """The model that is installed; None if there is none, or its folder is damaged."""
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
    """Where the files of a model are in its folder."""
    return minilm.files(folder) if form.runner == "prollytree" else folder / "model"


class Installed(Embedder):
    """The embedder; loading its model waits for the first text."""

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
        except Exception as error:  # whatever native code makes of a damaged file
            raise EmbedderUnavailable(f"the model {form.title} cannot be run: {first_line(error)}", _HINT) from error


def load(folder: Path, form: ModelForm) -> Run:
    """A function that embeds a text with the model in a folder; it may raise whatever native code raises."""
    run = _load_prollytree(folder) if form.runner == "prollytree" else _load_onnx(files_of(folder, form), form)
    return (lambda text: run(text.lower())) if form.lowercase else run


def _load_prollytree(folder: Path) -> Run:
    model = minilm.read_model(folder)
    return lambda text: array("f", model.embed(text))


def _load_onnx(files: Path, form: ModelForm) -> Run:
    from memoir.embedders import onnx

    return onnx.open_model(files, form.pooling)


def first_line(error: Exception) -> str:
    """What went wrong, without the lines of native code that follow it."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
