"""`installed`: a sentence-transformer of the user's own, which `memoir embed install --from` copied into their cache.

The folder is named after a digest of its files, and so is the embedder. The file `installed` beside it names it.
"""

import json
import os
import shutil
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile

from memoir.errors import EmbedderUnavailable, InvalidInput, MemoirError
from memoir.git.lock import open_lock
from memoir.index.embedders import minilm
from memoir.index.embedders.embedder import Embedder, Idf, Vector
from memoir.index.embedders.model_files import ModelForm, ModelSource, Place, read_source

Run = Callable[[str], Vector]
_POINTER = "installed"
_FORM = "form.json"
_HINT = "'memoir embed install --from FOLDER' installs a model"
_BLOCK = 1 << 20
_TEXTS = ("We test with pytest.", "The cat sleeps.")
"""Two texts that a model has to tell apart to be installed."""
_runs: dict[Path, Run] = {}
"""The models that are loaded, by their folders."""


class InstalledModel(NamedTuple):
    """A model that is installed: its name, its folder, how it is run, and the bytes that it takes."""

    name: str
    folder: Path
    form: ModelForm
    size: int


def _base() -> Path:
    return minilm.cache().parent


def find_installed() -> InstalledModel | None:
    """The model that is installed; None if there is none, or its folder is damaged."""
    with suppress(OSError, ValueError, TypeError):
        name = (_base() / _POINTER).read_text(encoding="utf-8").strip()
        folder = _base() / name
        fields = json.loads((folder / _FORM).read_bytes())
        size, form = fields.pop("size"), ModelForm(**fields)
        if name.startswith(f"{_POINTER}-") and size == _size(folder, form):
            return InstalledModel(name, folder, form, size)
    return None


def _size(folder: Path, form: ModelForm) -> int:
    return sum(each.stat().st_size for each in _files(folder, form).iterdir())


def _files(folder: Path, form: ModelForm) -> Path:
    """Where the files of a model are in its folder."""
    return minilm.files(folder) if form.runner == "prollytree" else folder / "model"


class Installed(Embedder):
    """The embedder; loading its model waits for the first text."""

    learned = True
    trust = unknown_trust = 1.0
    floor = 0.2

    def __init__(self) -> None:
        self._model = find_installed()
        self.name = self._model.name if self._model else _POINTER

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, with the prefix of documents before it.

        Raises:
            EmbedderUnavailable: no model is installed, or it cannot be run any more.
        """
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
                _runs[folder] = _load(folder, form)
            return [_runs[folder](prefix + text) for text in texts]
        except MemoirError:
            raise
        except Exception as error:  # whatever native code makes of a damaged file
            raise EmbedderUnavailable(f"the model {form.title} cannot be run: {_reason(error)}", _HINT) from error


def _load(folder: Path, form: ModelForm) -> Run:
    run = _load_prollytree(folder) if form.runner == "prollytree" else _load_onnx(_files(folder, form), form)
    return (lambda text: run(text.lower())) if form.lowercase else run


def _load_prollytree(folder: Path) -> Run:
    model = minilm.read_model(folder)
    return lambda text: array("f", model.embed(text))


def _load_onnx(files: Path, form: ModelForm) -> Run:
    from memoir.index.embedders import onnx

    return onnx.open_model(files, form.pooling)


def install(file: str) -> InstalledModel:
    """Copy a model into the user's cache in place of the one that is there, if it can be run.

    Raises:
        NotFound: there is no such folder or file.
        InvalidInput: it is not a model, or none that can be run here.
        EmbedderUnavailable: the packages that run it are missing, or the cache cannot be written.
    """
    try:
        return _install(read_source(file), _base())
    except (BadZipFile, RuntimeError, zlib.error) as error:  # RuntimeError: it is encrypted
        raise InvalidInput(f"the archive {file} cannot be read: {_reason(error)}") from error


def _install(source: ModelSource, base: Path) -> InstalledModel:
    try:
        base.mkdir(parents=True, exist_ok=True)
        with _turn(base), TemporaryDirectory(dir=base, prefix=".install-", ignore_cleanup_errors=True) as scratch:
            draft = Path(scratch, "model")
            name = f"{_POINTER}-{_copy(source, draft)[:8]}"
            form = _check(draft, source.form)
            size = _size(draft, form)
            (draft / _FORM).write_text(json.dumps({**form._asdict(), "size": size}), encoding="utf-8")
            shutil.rmtree(base / name, ignore_errors=True)
            draft.rename(base / name)
            _point(base, name)
    except OSError as error:
        raise EmbedderUnavailable(
            f"the model cannot be installed in {base}: {error.strerror or error}",
            "make room there, or name another folder by PROLLYTREE_EMBEDDER_CACHE",
        ) from error
    return InstalledModel(name, base / name, form, size)


@contextmanager
def _turn(base: Path) -> Iterator[None]:
    """Wait until no other process installs a model."""
    import fcntl

    descriptor = open_lock(base / f"{_POINTER}.lock")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _copy(source: ModelSource, folder: Path) -> str:
    """Copy the files of a model; the SHA-256 of what they and its form say."""
    files, digest = _files(folder, source.form), sha256(repr(source.form._replace(title="")).encode())
    files.mkdir(parents=True)
    for name, place in sorted(source.files.items()):
        digest.update(name.encode())
        with (files / name).open("wb") as target:
            for part in [_tokenizer(place, source.form.tokens)] if name == "tokenizer.json" else _parts(place):
                target.write(part)
                digest.update(part)
            target.flush()
            os.fsync(target.fileno())
    return digest.hexdigest()


def _parts(place: Place) -> Iterator[bytes]:
    with place.open("rb") as file:
        while part := file.read(_BLOCK):
            yield part


def _tokenizer(place: Place, tokens: int) -> bytes:
    """A tokenizer that cuts texts, and does not pad them, which would only take time."""
    try:
        fields: dict[str, Any] = json.loads(place.read_bytes())
        fields |= {"truncation": {"max_length": tokens, "strategy": "LongestFirst", "stride": 0}, "padding": None}
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"tokenizer.json of the model cannot be read: {error}") from error
    return json.dumps(fields, ensure_ascii=False).encode()


def _check(folder: Path, form: ModelForm) -> ModelForm:
    """The form with its dimensions, once the model has run.

    Raises:
        InvalidInput: it cannot be run, or does not do what its files say.
    """
    try:
        run = _load(folder, form)
        one, other = map(run, _TEXTS)
    except MemoirError:
        raise
    except Exception as error:  # whatever native code makes of files of another kind
        raise InvalidInput(f"the model cannot be run by {form.runner}: {_reason(error)}") from error
    if form.dimensions not in (0, len(one)):
        raise InvalidInput(f"the model gives {len(one)} dimensions, and says that it has {form.dimensions}")
    if not all(map(isfinite, one)) or not any(one) or one == other:
        raise InvalidInput("the model gives no vectors that tell texts apart")
    return form._replace(dimensions=len(one))


def _point(base: Path, name: str) -> None:
    """Make a model the one that is installed, and remove those before it."""
    draft = base / f".{_POINTER}.new"
    draft.write_text(name + "\n", encoding="utf-8")
    draft.replace(base / _POINTER)
    for old in base.glob(f"{_POINTER}-*"):
        if old.name != name:
            shutil.rmtree(old, ignore_errors=True)


def _reason(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
