"""Installing a sentence-transformer: it is copied into the user's cache, run once, and then the one that is used."""

import json
import shutil
import zlib
from collections.abc import Iterator
from hashlib import sha256
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile

from memoir.errors import EmbedderUnavailable, InvalidInput, MemoirError
from memoir.git.fsync import sync
from memoir.git.lock import waited_for
from memoir.index.embedders.installed import (
    FORM,
    POINTER,
    InstalledModel,
    ModelForm,
    base,
    files_of,
    first_line,
    load,
    size_of,
)
from memoir.index.embedders.model_files import ModelSource, Place, read_source

_BLOCK = 1 << 20
_TEXTS = ("We test with pytest.", "The cat sleeps.")
"""Two texts that a model has to tell apart to be installed."""


def install(file: str) -> InstalledModel:
    """Copy a model into the user's cache in place of the one that is there, if it can be run.

    Raises:
        NotFound: there is no such folder or file.
        InvalidInput: it is not a model, or none that can be run here.
        EmbedderUnavailable: the packages that run it are missing, or the cache cannot be written.
    """
    try:
        return _install(read_source(file), base())
    except (BadZipFile, RuntimeError, zlib.error) as error:  # RuntimeError: it is encrypted
        raise InvalidInput(f"the archive {file} cannot be read: {first_line(error)}") from error


def _install(source: ModelSource, cache: Path) -> InstalledModel:
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with (
            waited_for(cache / f"{POINTER}.lock"),
            TemporaryDirectory(dir=cache, prefix=".install-", ignore_cleanup_errors=True) as scratch,
        ):
            draft = Path(scratch, "model")
            name = f"{POINTER}-{_copy(source, draft)[:8]}"
            form = _check(draft, source.form)
            size = size_of(draft, form)
            (draft / FORM).write_text(json.dumps({**form._asdict(), "size": size}), encoding="utf-8")
            shutil.rmtree(cache / name, ignore_errors=True)
            draft.rename(cache / name)
            _point(cache, name)
    except OSError as error:
        raise EmbedderUnavailable(
            f"the model cannot be installed in {cache}: {error.strerror or error}",
            "make room there, or name another folder by PROLLYTREE_EMBEDDER_CACHE",
        ) from error
    return InstalledModel(name, cache / name, form, size)


def _copy(source: ModelSource, folder: Path) -> str:
    """Copy the files of a model; the SHA-256 of what they and its form say."""
    files, digest = files_of(folder, source.form), sha256(repr(source.form._replace(title="")).encode())
    files.mkdir(parents=True)
    for name, place in sorted(source.files.items()):
        digest.update(name.encode())
        with (files / name).open("wb") as target:
            for part in [_tokenizer(place, source.form.tokens)] if name == "tokenizer.json" else _parts(place):
                target.write(part)
                digest.update(part)
    sync(*files.iterdir(), files)
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
    """The form with its dimensions, once the model has run."""
    try:
        run = load(folder, form)
        one, other = map(run, _TEXTS)
    except MemoirError:
        raise
    except Exception as error:  # whatever native code makes of files of another kind
        raise InvalidInput(f"the model cannot be run by {form.runner}: {first_line(error)}") from error
    if form.dimensions not in (0, len(one)):
        raise InvalidInput(f"the model gives {len(one)} dimensions, and says that it has {form.dimensions}")
    if not all(map(isfinite, one)) or not any(one) or one == other:
        raise InvalidInput("the model gives no vectors that tell texts apart")
    return form._replace(dimensions=len(one))


def _point(cache: Path, name: str) -> None:
    """Make a model the one that is installed, and remove those before it."""
    draft = cache / f".{POINTER}.new"
    draft.write_text(name + "\n", encoding="utf-8")
    draft.replace(cache / POINTER)
    for old in cache.glob(f"{POINTER}-*"):
        if old.name != name:
            shutil.rmtree(old, ignore_errors=True)
