"""Install a sentence-transformer: copy it into the user's cache, run it once, and make it the one in use."""

import json
import shutil
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile
from zipfile import Path as ZipPath

from memoir.embedders.embedder import MINILM_DIMENSION
from memoir.embedders.installed import (
    FORM,
    POINTER,
    InstalledModel,
    ModelForm,
    Runner,
    base,
    files_of,
    first_line,
    load,
    size_of,
)
from memoir.errors import EmbedderUnavailable, InvalidInput, MemoirError, NotFound
from memoir.git.fsync import sync
from memoir.git.lock import waited_for

Place = Path | ZipPath
_MOST_TOKENS = 512
"""The most tokens of a text; the time grows with their square."""
_OFFSET_OF_POSITIONS = 2
"""The first positions of RoBERTa-like models, unused by tokens."""
_POOLING = {
    "cls": "cls", "cls_token": "cls", "mean": "mean", "mean_tokens": "mean", "max": "max", "max_tokens": "max",
    "lasttoken": "last",
    "mean_sqrt_len_tokens": "mean",  # differs only in length, and only directions
}  # fmt: skip
_POOLINGS = ", ".join(sorted(set(_POOLING.values())))
_QUERY, _DOCUMENT = ("query",), ("document", "passage", "corpus")
"""The names of the prompts for queries and for documents."""
_BESIDE = ("config.json", "tokenizer.json")
_MODULES = ("Transformer", "Pooling", "Normalize")
_NEEDED = "it needs config.json, tokenizer.json, and model.safetensors or model.onnx"


class ModelSource(NamedTuple):
    """A model to install: its form, and its files by target name."""

    form: ModelForm
    files: Mapping[str, Place]


def read_source(file: str) -> ModelSource:
    """Read a model's configuration.

    Raises:
        NotFound: there is no such folder or file.
        InvalidInput: it is not a model that can be run here; the message has the reason.
    """
    root = _root(Path(file))
    modules = _modules(root)
    inner = root / modules["Transformer"] if modules.get("Transformer") else root
    if missing := [name for name in _BESIDE if not (inner / name).is_file()]:
        raise InvalidInput(f"{file} has no {' and no '.join(missing)}", _NEEDED)
    config = _read(inner / "config.json")
    pooling = _read(root / (modules.get("Pooling") or "1_Pooling") / "config.json")
    mode = _pooling(pooling)
    runner, models = _choose(inner, _obstacle(config, mode))
    query, document = _prompts(_read(root / "config_sentence_transformers.json"))
    sentences = _read(inner / "sentence_bert_config.json")
    form = ModelForm(
        _title(Path(file), config), runner, mode, _whole(pooling, "word_embedding_dimension", "embedding_dimension"),
        _tokens(config, sentences), document, query, sentences.get("do_lower_case") is True,
    )  # fmt: skip
    return ModelSource(form, {name: inner / name for name in _BESIDE} | models)


def _root(path: Path) -> Place:
    """The folder of a model: the given one, or the outermost model folder in an archive."""
    if path.is_dir():
        return path
    if not path.is_file():
        raise NotFound(f"there is no {path}", "name a folder, or a zip archive of one")
    try:
        archive = ZipFile(path)
    except BadZipFile as error:
        raise InvalidInput(f"{path} is neither a folder nor a zip archive", _NEEDED) from error
    for mark in ("modules.json", "tokenizer.json"):
        folders = [name[: -len(mark)] for name in archive.namelist() if name.rpartition("/")[2] == mark]
        if folders:
            return ZipPath(archive, min(folders, key=lambda folder: (folder.count("/"), folder)))
    raise InvalidInput(f"{path} holds no model", _NEEDED)


def _read(place: Place) -> dict[str, Any]:
    """The object in a JSON file; empty if the file is missing."""
    if not place.is_file():
        return {}
    value = _parse(place)
    if not isinstance(value, dict):
        raise InvalidInput(f"{place.name} of the model is not a JSON object")
    return value


def _parse(place: Place) -> Any:
    try:
        return json.loads(place.read_bytes())
    except ValueError as error:
        raise InvalidInput(f"{place.name} of the model is not JSON: {error}") from error


def _modules(root: Place) -> dict[str, str]:
    """The folder of each module, by the module's type."""
    listing = root / "modules.json"
    rows = _parse(listing) if listing.is_file() else []
    try:
        modules = {row["type"].rpartition(".")[2]: row.get("path", "") for row in rows}
    except (TypeError, KeyError, AttributeError) as error:
        raise InvalidInput("modules.json of the model is not a list of modules") from error
    if others := [name for name in modules if name not in _MODULES]:
        raise InvalidInput(
            f"the model has a module {others[0]!r}, which memoir does not compute", f"it knows {', '.join(_MODULES)}"
        )
    return modules


def _pooling(config: Mapping[str, Any]) -> str:
    """The pooling of a model; by default the mean, as in sentence-transformers."""
    start, named = "pooling_mode_", config.get("pooling_mode", [])
    modes = [named] if isinstance(named, str) else list(named)
    modes = modes or [name.removeprefix(start) for name, on in config.items() if name.startswith(start) and on is True]
    if len(modes) > 1 or any(mode not in _POOLING for mode in modes):
        raise InvalidInput(f"the model pools by {' and '.join(map(str, modes))}", "memoir pools by one of " + _POOLINGS)
    return _POOLING[modes[0]] if modes else "mean"


def _obstacle(config: Mapping[str, Any], pooling: str) -> str | None:
    """Why prollytree cannot run a model; None if it can."""
    if config.get("model_type") != "bert":
        return f"the type is {config.get('model_type')!r}"
    if config.get("hidden_size") != MINILM_DIMENSION:
        return f"the dimensions are {config.get('hidden_size')}"
    return None if pooling == "mean" else f"the pooling is {pooling!r}"


def _choose(inner: Place, obstacle: str | None) -> tuple[Runner, dict[str, Place]]:
    """Choose the runtime (prollytree if possible), and the files with the weights."""
    weights = inner / "model.safetensors"
    if weights.is_file() and not obstacle:
        return "prollytree", {"model.safetensors": weights}
    for folder in (inner, inner / "onnx"):
        if (folder / "model.onnx").is_file():
            models = {name: folder / name for name in ("model.onnx", "model.onnx_data", "model.onnx.data")}
            return "onnx", {name: model for name, model in models.items() if model.is_file()}
    if weights.is_file():
        runs = f"prollytree runs BERT models of {MINILM_DIMENSION} dimensions that pool by the mean"
        raise InvalidInput(
            f"{runs}; in this model {obstacle}",
            "put the model beside it as model.onnx (Optimum exports it), and pip install 'memoir[onnx]'",
        )
    raise InvalidInput("the model has neither model.safetensors nor model.onnx", _NEEDED)


def _prompts(config: Mapping[str, Any]) -> tuple[str, str]:
    """The prefixes of queries and of documents."""
    prompts = config.get("prompts")
    if not isinstance(prompts, dict):
        return "", ""
    default = prompts.get(config.get("default_prompt_name") or "", "")

    def of(names: tuple[str, ...]) -> str:
        return str(next((prompts[name] for name in names if name in prompts), default) or "")

    return of(_QUERY), of(_DOCUMENT)


def _tokens(config: Mapping[str, Any], sentences: Mapping[str, Any]) -> int:
    """The tokens of a text that are read: as many as in training, and not more than positions."""
    positions = _whole(config, "max_position_embeddings") or _MOST_TOKENS
    if "roberta" in str(config.get("model_type")) or config.get("model_type") in ("camembert", "mpnet"):
        positions -= _OFFSET_OF_POSITIONS
    return max(min(_whole(sentences, "max_seq_length") or positions, positions, _MOST_TOKENS), 1)


def _whole(config: Mapping[str, Any], *names: str) -> int:
    """The first of the fields that is a positive integer, else 0."""
    return next((config[name] for name in names if type(config.get(name)) is int and config[name] > 0), 0)


def _title(path: Path, config: Mapping[str, Any]) -> str:
    """The name that a model was saved under, else its file's."""
    name = config.get("_name_or_path")
    own = path.resolve().name if path.is_dir() else path.stem
    return (name if isinstance(name, str) and name else own).rstrip("/").rpartition("/")[2]


_BLOCK = 1 << 20
_TEXTS = ("We test with pytest.", "The cat sleeps.")
"""Two texts that a model must distinguish to be installed."""


def install(file: str) -> InstalledModel:
    """Copy a model into the user's cache, if it can be run, replacing the one there.

    Raises:
        NotFound: there is no such folder or file.
        InvalidInput: it is not a model that can be run here.
        EmbedderUnavailable: the packages that run it are missing, or the cache cannot be written.
    """
    try:
        return _install(read_source(file), base())
    except (BadZipFile, RuntimeError, zlib.error) as error:  # RuntimeError: an encrypted archive
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
    """Copy the files of a model; return the SHA-256 of them and its form."""
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
    """Make a tokenizer truncate texts, but not pad them, which only takes time."""
    try:
        fields: dict[str, Any] = json.loads(place.read_bytes())
        fields |= {"truncation": {"max_length": tokens, "strategy": "LongestFirst", "stride": 0}, "padding": None}
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"tokenizer.json of the model cannot be read: {error}") from error
    return json.dumps(fields, ensure_ascii=False).encode()


def _check(folder: Path, form: ModelForm) -> ModelForm:
    """Run the model, and return its form with the dimensions."""
    try:
        run = load(folder, form)
        one, other = map(run, _TEXTS)
    except MemoirError:
        raise
    except Exception as error:  # native code may raise anything for unsuitable files
        raise InvalidInput(f"the model cannot be run by {form.runner}: {first_line(error)}") from error
    if form.dimensions not in (0, len(one)):
        raise InvalidInput(f"the model gives {len(one)} dimensions, and says that it has {form.dimensions}")
    if not all(map(isfinite, one)) or not any(one) or one == other:
        raise InvalidInput("the model gives no vectors that tell texts apart")
    return form._replace(dimensions=len(one))


def _point(cache: Path, name: str) -> None:
    """Make a model the installed one, and remove older ones."""
    draft = cache / f".{POINTER}.new"
    draft.write_text(name + "\n", encoding="utf-8")
    draft.replace(cache / POINTER)
    for old in cache.glob(f"{POINTER}-*"):
        if old.name != name:
            shutil.rmtree(old, ignore_errors=True)
