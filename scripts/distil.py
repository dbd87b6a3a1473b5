"""Write the table of the embedder `static` and the list of synonyms, from the weights of all-MiniLM-L6-v2.

    memoir embed install
    pip install numpy safetensors       # for this script alone
    python scripts/distil.py [--outputs FILE.npy]

The weights are Apache-2.0 (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), and so are both files.

The model reads every piece of its vocabulary alone, as `[CLS] piece [SEP]`, and its output is the mean over the three
positions. These outputs are centred and reduced to their first principal components. A row is rounded to 8 bits a
component; its weight is the scale of these times ln(1 + the piece's number). Pieces that no word of a text can have,
such as punctuation, are left out. Synonyms are whole words whose outputs have nearly the same direction
(`synonyms.py`).

The model takes about five minutes of one core; --outputs keeps what it makes in a file, and reads that file if it
exists. Another machine may round a few numbers differently.
"""

import argparse
import json
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import synonyms
from safetensors.numpy import load_file

from memoir.embedders import minilm, static
from memoir.embedders.static import FILE, words
from memoir.english.word_forms import FILE as SYNONYMS

DIMENSIONS = 128
_HEADS = 12
_LAYERS = 6
_BATCH = 512
_CLS, _SEP = 101, 102
_WEIGHT_UNIT = 1 << 22
"""A weight of 1, as a whole number: the largest one is below 1 << 23."""

Array: TypeAlias = Any
"""A numpy array."""


class Model:
    """all-MiniLM-L6-v2, a BERT, in as much of numpy as texts of three pieces need."""

    def __init__(self, folder: Path) -> None:
        """Read the weights."""
        self._weights = load_file(folder / "model.safetensors")
        self._prefix = "bert." if any(name.startswith("bert.") for name in self._weights) else ""

    def outputs(self, pieces: Array) -> Array:
        """The mean output for each piece alone, by its number."""
        batches = [pieces[start : start + _BATCH] for start in range(0, len(pieces), _BATCH)]
        return np.concatenate([self._forward(np.array([[_CLS, piece, _SEP] for piece in batch])) for batch in batches])

    def _forward(self, numbers: Array) -> Array:
        tables = [self._weight(f"embeddings.{name}_embeddings") for name in ("word", "position", "token_type")]
        x = self._norm(tables[0][numbers] + tables[1][: numbers.shape[1]] + tables[2][0], "embeddings")
        for number in range(_LAYERS):
            layer = f"encoder.layer.{number}"
            attention = self._linear(self._attention(x, f"{layer}.attention.self"), f"{layer}.attention.output.dense")
            x = self._norm(x + attention, f"{layer}.attention.output")
            inner = _gelu(self._linear(x, f"{layer}.intermediate.dense"))
            x = self._norm(x + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output")
        return x.mean(1)

    def _attention(self, x: Array, name: str) -> Array:
        heads = (*x.shape[:2], _HEADS, x.shape[2] // _HEADS)
        query, key, value = (
            self._linear(x, f"{name}.{part}").reshape(heads).transpose(0, 2, 1, 3) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(heads[-1])
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        return (shares / shares.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(x.shape)

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self._weight(name).T + self._weight(name, "bias")

    def _norm(self, x: Array, name: str) -> Array:
        offsets = x - x.mean(-1, keepdims=True)
        unit = offsets / np.sqrt((offsets**2).mean(-1, keepdims=True) + 1e-12)
        return unit * self._weight(f"{name}.LayerNorm") + self._weight(f"{name}.LayerNorm", "bias")

    def _weight(self, name: str, kind: str = "weight") -> Array:
        return self._weights[f"{self._prefix}{name}.{kind}"]


def _gelu(x: Array) -> Array:
    """Give x × Φ(x), with the error function of Abramowitz and Stegun, 7.1.26."""
    y = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * y)
    factors = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0)
    erf = 1 - np.polyval(factors, t) * np.exp(-y * y)
    return 0.5 * x * (1 + np.sign(x) * erf)


def principal_components(outputs: Array) -> Array:
    """The first principal components of some outputs, each with the sign that makes its greatest direction positive."""
    offsets = outputs - outputs.mean(0)
    _, directions = np.linalg.eigh(offsets.T @ offsets / len(offsets))
    directions = directions[:, ::-1][:, :DIMENSIONS]
    greatest = directions[np.abs(directions).argmax(0), np.arange(DIMENSIONS)]
    return offsets @ (directions * np.sign(greatest))


def pack(vocabulary: list[str], rows: Array) -> bytes:
    """The file: the pieces that a word can have, sorted, and their rows (`memoir.embedders.static`)."""
    pairs = sorted((piece.encode(), number) for number, piece in enumerate(vocabulary) if _is_in_words(piece))
    names, numbers = [name for name, _ in pairs], np.array([number for _, number in pairs])
    largest = np.abs(rows[numbers]).max(1) / 127
    components = (np.round(rows[numbers] / largest[:, None]) + 128).astype("u1")
    weights = np.round(largest * np.log1p(numbers) * _WEIGHT_UNIT).astype("<u4")
    bounds = np.cumsum([0, *map(len, names)]).astype("<u4")
    header = static.HEADER.pack(static.MAGIC, len(names), rows.shape[1], bounds[-1])
    return b"".join([header, weights.tobytes(), bounds.tobytes(), *names, components.tobytes()])


def _is_in_words(piece: str) -> bool:
    plain = piece.removeprefix("##")
    return words(plain) == [plain]


def main() -> None:
    """Read the weights, run the model on every piece, and write the table and the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=Path, metavar="FILE.npy", help="where the model's outputs are kept")
    cache: Path | None = parser.parse_args().outputs
    numbers = json.loads((minilm.folder() / "tokenizer.json").read_bytes())["model"]["vocab"]
    vocabulary = sorted(numbers, key=lambda piece: int(numbers[piece]))
    if cache and cache.exists():
        outputs = np.load(cache)
    else:
        outputs = Model(minilm.folder()).outputs(np.arange(len(vocabulary)))
        if cache:
            np.save(cache, outputs)
    FILE.write_bytes(pack(vocabulary, principal_components(outputs.astype("f8"))))
    SYNONYMS.write_text("\n".join(synonyms.lines(vocabulary, outputs.astype("f8"))) + "\n")
    for file in (FILE, SYNONYMS):
        print(f"{file}: {file.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
