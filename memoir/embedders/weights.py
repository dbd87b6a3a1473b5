"""The bundled weights of all-MiniLM-L6-v2, and how they are laid out for prollytree's embedder.

The file `minilm.bin` has 8 bits per number: a header; JSON with the tensors' names and shapes; then each tensor: a
matrix as its rows' scales (32-bit floats) and rows (one byte per number, 128 more than it), anything else as 32-bit
floats. All is little-endian. `scripts/quantise.py` writes it.

The layout is `model.safetensors` (each number times its row's scale), `tokenizer.json` and `config.json`: 91 MB, once
per machine; and another 44 MB with `SLOTS` rows instead of the vocabulary's, for `memoir.embedders.minilm`.
"""

import os
from array import array
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import Struct, error
from typing import Any
from zlib import crc32

from memoir.embedders.embedder import MINILM_DIMENSION
from memoir.errors import EmbedderUnavailable, ReadOnlyStore
from memoir.git.fsync import sync
from memoir.git.lock import waited_for
from memoir.progress import Progress, tell_nobody

FILE = Path(__file__).with_name("minilm.bin")
DIGEST = "1c59c493a127b9a1f2456bd0f6bad9030715b370af2343f57d7072026befcba3"
"""The SHA-256 of the laid out `model.safetensors`."""
SIZE = 90_864_160
"""Its size in bytes."""
WHOLE_SUM, QUERY_SUM = 2_538_958_757, 2_397_482_065
"""The CRC-32 of each layout's files, in the order of `FILES`, excluding the slots of the query layout."""
MAGIC = b"memoir minilm 1\n"
HEADER = Struct("<16sI")
"""The magic, and the length of the JSON."""
MIDDLE = 128
"""The byte of the number 0."""
TOKENS = 128
"""The tokens of a text that are read."""
VOCABULARY = Path(__file__).with_name("vocabulary.txt")
"""The word pieces, the most frequent words first."""
_MOST_COMMON = 7_000
"""The number of entries that count as common words: "home", "value", "task"."""
_PIECES = 30_522
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_CONFIG = {
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": MINILM_DIMENSION,
    "initializer_range": 0.02,
    "intermediate_size": 1536,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 512,
    "model_type": "bert",
    "num_attention_heads": 12,
    "num_hidden_layers": 6,
    "pad_token_id": 0,
    "position_embedding_type": "absolute",
    "type_vocab_size": 2,
    "use_cache": True,
    "vocab_size": _PIECES,
}
MODEL = "model.safetensors"
FILES = (MODEL, "tokenizer.json", "config.json")
"""The files that prollytree reads."""
SLOTS = TOKENS - 2
"""The rows in the query layout: one for each token of a text besides `[CLS]` and `[SEP]`."""
_WORDS = "embeddings.word_embeddings.weight"
"""The tensor of the vocabulary's rows."""
_FLOAT = 4
_ROW = MINILM_DIMENSION * _FLOAT
_WORDS_AT = (1 + 1 + 512 + 2) * _ROW
"""The offset of its data: after a bias, a weight, the positions, and the token types."""
_LENGTH = Struct("<Q")
_FLOATS = Struct("<256f")
ROOM = 150_000_000
"""The free bytes needed in the cache."""
NOWHERE = Path(os.devnull)
"""A placeholder for an unknown cache folder: no folder can be made below it."""
REMEDY = (
    "make room there, name another folder by PROLLYTREE_EMBEDDER_CACHE, "
    "or 'memoir config memoir.embed.provider static --global'"
)
"""The hint if the weights cannot be unpacked."""


@cache
def _common_words() -> frozenset[str]:
    with VOCABULARY.open(encoding="utf-8") as file:
        return frozenset(line.rstrip("\n") for line, _ in zip(file, range(_MOST_COMMON), strict=False))


def is_common(word: str) -> bool:
    """Whether a lower-case word is common in texts about anything."""
    return word in _common_words()


def are_laid_out(folder: Path) -> bool:
    """Whether a folder holds the weights: it is renamed into place only when complete, after the query layout."""
    with suppress(OSError):
        return (folder / MODEL).stat().st_size == SIZE and (query_folder(folder) / MODEL).is_file()
    return False


def are_sound(folder: Path) -> bool:
    """Whether the weights in a folder are undamaged; wrong numbers would give wrong vectors without any error.

    This takes 25 ms, a quarter of the time to load them.
    """
    return are_laid_out(folder) and _sum(folder) == WHOLE_SUM


def are_sound_for_query(layout: Path) -> bool:
    """Whether the query layout is undamaged."""
    return _sum(layout, SLOTS) == QUERY_SUM


def _sum(folder: Path, slots: int = 0) -> int | None:
    """The CRC-32 of a layout's files, excluding slots; None if they cannot be read."""
    with suppress(OSError, ValueError, error):
        with (
            (folder / MODEL).open("rb", buffering=0) as file,
            mmap(file.fileno(), 0, access=ACCESS_READ) as data,
            memoryview(data) as view,
        ):
            start = _row_at(file.fileno(), len(SPECIAL))
            total = crc32(view[start + slots * _ROW :], crc32(view[:start]))
        for name in FILES[1:]:
            total = crc32((folder / name).read_bytes(), total)
        return total
    return None


def query_folder(folder: Path) -> Path:
    """The folder of the query layout, beside that of the whole weights: `…/query/MODEL/REVISION`."""
    return Path(folder.parents[1], "query", *folder.parts[-2:])


def slot_name(slot: int) -> str:
    """The word of a slot in the query layout's tokenizer."""
    return f"s{slot}"


def read_row(file: int, number: int) -> bytes:
    """The row of a word piece, in 32-bit floats, from the descriptor of the bundled file.

    The layout may be damaged, and checking all of it takes longer than computing some rows.
    """
    _, length = HEADER.unpack(os.pread(file, HEADER.size, 0))
    scales = HEADER.size + length + 2 * _ROW + (512 + 2) * (_FLOAT + MINILM_DIMENSION)
    (scale,) = memoryview(os.pread(file, _FLOAT, scales + number * _FLOAT)).cast("f")
    row = os.pread(file, MINILM_DIMENSION, scales + _PIECES * _FLOAT + number * MINILM_DIMENSION)
    return array("f", [scale * (byte - MIDDLE) for byte in row]).tobytes()


def write_row(file: int, slot: int, row: bytes) -> None:
    """Write a row into a slot, by the descriptor of the query layout."""
    os.pwrite(file, row, _row_at(file, len(SPECIAL) + slot))


def _row_at(file: int, number: int) -> int:
    (header,) = _LENGTH.unpack(os.pread(file, _LENGTH.size, 0))
    return int(_LENGTH.size + header + _WORDS_AT + number * _ROW)


def obstacle(folder: Path) -> str | None:
    """Why the weights cannot be unpacked in a folder; None if no obstacle is known."""
    if not FILE.is_file():
        return f"{FILE.name} is missing in this installation"
    if NOWHERE in folder.parents:
        return "the cache folder is unknown (XDG_CACHE_HOME, or HOME, says where it is)"
    import shutil

    parent = next(each for each in folder.parents if each.exists())
    if not os.access(parent, os.W_OK | os.X_OK) or not parent.is_dir():
        return f"{parent} cannot be written"
    free = shutil.disk_usage(parent).free
    return f"{parent} has only {free // 1_000_000} MB free of the {ROOM // 1_000_000} it takes" if free < ROOM else None


def lay_out(folder: Path, progress: Progress = tell_nobody) -> None:
    """Lay out the weights in a folder, if needed; one process does it, the others wait.

    Damaged weights are laid out again. Progress is in bytes, and starts with 0.

    Raises:
        EmbedderUnavailable: the cache cannot be written, or the file that came with memoir is damaged.
    """
    if are_sound(folder):  # usable even if the folder is read-only
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with waited_for(folder.parent / f"{folder.name}.lock"):
            if not are_sound(folder):
                _replace(folder, progress)
    except (OSError, ReadOnlyStore) as reason:
        raise EmbedderUnavailable(
            f"minilm's weights cannot be unpacked in {folder.parent}: {getattr(reason, 'strerror', None) or reason}",
            REMEDY,
        ) from reason


def _replace(folder: Path, progress: Progress) -> None:
    """Write the files beside the folder, sync them, and rename them to it. Needs the lock."""
    import json
    import shutil
    import tempfile

    for left in folder.parent.glob(f".{folder.name}-*"):  # left by a killed process
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        dir=folder.parent, prefix=f".{folder.name}-", ignore_cleanup_errors=True
    ) as scratch:
        progress(0, SIZE)
        words = VOCABULARY.read_text(encoding="utf-8").splitlines()
        slots = [*SPECIAL, *map(slot_name, range(SLOTS))]
        digest = _write_models(whole := Path(scratch, "whole"), query := Path(scratch, "query"), progress)
        if digest != DIGEST:
            raise _damage("their SHA-256 differs")
        for new, target, pieces in ((query, query_folder(folder), slots), (whole, folder, words)):
            (new / "config.json").write_text(json.dumps({**_CONFIG, "vocab_size": len(pieces)}), "utf-8")
            (new / "tokenizer.json").write_bytes(_tokenizer(pieces))
            sync(new / "config.json", new / "tokenizer.json")
            shutil.rmtree(target, ignore_errors=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            new.rename(target)


def _write_models(whole: Path, query: Path, progress: Progress) -> str:
    """Write the models of both layouts, each into a new folder; return the SHA-256 of the whole one."""
    from hashlib import sha256

    whole.mkdir()
    query.mkdir()
    digest, done = sha256(), 0
    with (whole / MODEL).open("wb") as target, (query / MODEL).open("wb") as other:
        for part, for_query in safetensors(FILE.read_bytes()):
            target.write(part)
            other.write(for_query)
            digest.update(part)
            done += len(part)
            progress(done, SIZE)
    sync(whole / MODEL, query / MODEL)
    return digest.hexdigest()


def _tokenizer(words: list[str]) -> bytes:
    """BERT's tokenizer for a vocabulary, without padding, which would slow short texts sixfold."""
    import json

    numbers = {word: number for number, word in enumerate(words)}
    frame = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
             {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]  # fmt: skip
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return json.dumps({
        "version": "1.0",
        "truncation": {"max_length": TOKENS, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": [{"id": numbers[word], "special": True, "content": word, **plain} for word in SPECIAL],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing", "single": frame, "pair": [*frame, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {word: {"id": word, "ids": [numbers[word]], "tokens": [word]} for word in SPECIAL[2:4]},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": numbers},
    }, ensure_ascii=False).encode()  # fmt: skip


def safetensors(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the parts of `model.safetensors`, for the whole and for the query layout.

    Raises:
        EmbedderUnavailable: the data is not such a file, or not all of one.
    """
    try:
        tensors, at = _read_header(data)
        few = [(name, [len(SPECIAL) + SLOTS, *shape[1:]] if name == _WORDS else shape) for name, shape in tensors]
        yield _safetensors_header(tensors), _safetensors_header(few)
        for name, shape in tensors:
            rows, columns = shape if len(shape) == 2 else (0, shape[0])
            if rows:
                part = _matrix(memoryview(data)[at:], rows, columns)
                at += rows * (_FLOAT + columns)
            else:
                part = data[at : at + columns * _FLOAT]
                at += columns * _FLOAT
            yield part, _empty_slots(part) if name == _WORDS else part
    except (error, ValueError, LookupError, TypeError) as reason:
        raise _damage(str(reason)) from reason


def _empty_slots(rows: bytes) -> bytes:
    """The rows of the special tokens, and zeros for the slots."""
    words = VOCABULARY.read_text(encoding="utf-8").splitlines()
    numbers = map(words.index, SPECIAL)
    return b"".join(rows[number * _ROW : (number + 1) * _ROW] for number in numbers) + bytes(SLOTS * _ROW)


def _read_header(data: bytes) -> tuple[list[tuple[str, list[int]]], int]:
    """The tensors' names and shapes, and the offset of the first one."""
    import json

    magic, length = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise _damage("its header is wrong")
    header: dict[str, Any] = json.loads(data[HEADER.size : HEADER.size + length])
    return header["tensors"], HEADER.size + length


def _matrix(data: memoryview, count: int, columns: int) -> bytes:
    """A matrix in 32-bit floats.

    Each of the four bytes of a float is a function of the number's byte, so each row needs four byte translations,
    which is fifty times as fast as multiplying each number.
    """
    scales, rows = data[: count * _FLOAT].cast("f"), bytes(data[count * _FLOAT : count * (_FLOAT + columns)])
    matrix = bytearray(count * columns * _FLOAT)
    for row in range(count):
        scale, numbers = scales[row], rows[row * columns : (row + 1) * columns]
        floats = _FLOATS.pack(*[scale * number for number in range(-MIDDLE, MIDDLE)])
        start, end = row * columns * _FLOAT, (row + 1) * columns * _FLOAT
        for byte in range(_FLOAT):
            matrix[start + byte : end : _FLOAT] = numbers.translate(floats[byte::_FLOAT])
    return bytes(matrix)


def _safetensors_header(tensors: list[tuple[str, list[int]]]) -> bytes:
    import json

    header, at = {}, 0
    for name, shape in tensors:
        end = at + prod(shape) * _FLOAT
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return _LENGTH.pack(len(text)) + text


def _damage(reason: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"the weights that come with memoir cannot be used: {reason}", "install memoir again")
