"""A sentence-transformer of one layer and a dozen words, in a folder, for tests that install models."""

import json
import random
import struct
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "we", "test", "with", "pytest", "the", "cat", "sleeps", "query")
POSITIONS = 64
INNER = 8
CONFIG = {
    "hidden_act": "gelu", "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "hidden_size": 384,
    "initializer_range": 0.02, "intermediate_size": INNER, "layer_norm_eps": 1e-12,
    "max_position_embeddings": POSITIONS, "model_type": "bert", "num_attention_heads": 2, "num_hidden_layers": 1,
    "pad_token_id": 0, "position_embedding_type": "absolute", "type_vocab_size": 2, "use_cache": True,
    "vocab_size": len(WORDS),
}  # fmt: skip
MODULES = [
    {"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]


def save(folder: Path, *, seed: int = 1, **config: Any) -> Path:
    """Save the model, with some fields of its config changed; another seed gives other weights."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "config.json", {**CONFIG, **config})
    write(folder / "tokenizer.json", _tokenizer())
    write(folder / "modules.json", MODULES)
    write(folder / "1_Pooling/config.json", {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True})
    (folder / "model.safetensors").write_bytes(_weights(seed))
    return folder


def write(file: Path, value: object) -> None:
    """Write a file of JSON, in a folder that is made if it is not there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))


def _tokenizer() -> dict[str, Any]:
    numbers = {word: number for number, word in enumerate(WORDS)}
    marks = [{"SpecialToken": {"id": word, "type_id": 0}} for word in ("[CLS]", "[SEP]")]
    frame = [marks[0], {"Sequence": {"id": "A", "type_id": 0}}, marks[1]]
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0", "truncation": None,
        "padding": {"strategy": {"Fixed": POSITIONS}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                    "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [{"id": numbers[word], "content": word, **plain} for word in WORDS[:5]],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": frame, "pair": [*frame, *frame[1:]],
                           "special_tokens": {word: {"id": word, "ids": [numbers[word]], "tokens": [word]}
                                              for word in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": numbers},
    }  # fmt: skip


def _shapes() -> dict[str, list[int]]:
    size = 384
    shapes = {
        f"embeddings.{name}.weight": [rows, size]
        for name, rows in (
            ("word_embeddings", len(WORDS)),
            ("position_embeddings", POSITIONS),
            ("token_type_embeddings", 2),
        )
    }
    layer = "encoder.layer.0."
    square = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
    for name, rows, columns in (
        *((name, size, size) for name in square),
        ("intermediate.dense", INNER, size),
        ("output.dense", size, INNER),
    ):
        shapes |= {f"{layer}{name}.weight": [rows, columns], f"{layer}{name}.bias": [rows]}
    for name in ("embeddings.", f"{layer}attention.output.", f"{layer}output."):
        shapes |= {f"{name}LayerNorm.weight": [size], f"{name}LayerNorm.bias": [size]}
    return shapes  # fmt: skip


@cache
def _weights(seed: int) -> bytes:
    header, data, chance = {}, bytearray(), random.Random(seed)
    for name, shape in _shapes().items():
        count = prod(shape)
        if name.endswith("LayerNorm.weight"):
            numbers = [1.0] * count
        else:
            numbers = [0.0] * count if name.endswith("bias") else [chance.uniform(-0.3, 0.3) for _ in range(count)]
        start = len(data)
        data += struct.pack(f"<{count}f", *numbers)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(data)
