"""The weights of all-MiniLM-L6-v2 that come with memoir, and laying them out as prollytree's embedder reads them.

The file, `minilm.bin`, holds 8 bits a number: a header; JSON with the tensors' names and shapes; then each tensor: a
matrix as its rows' scales (32-bit floats) and its rows (a byte a number, 128 more than the number), anything else as
32-bit floats. All of it is little-endian. `scripts/quantise.py` writes it.

Laid out are `model.safetensors` (each number times its row's scale), `tokenizer.json` and `config.json`: 91 MB, once a
machine; and another 44 MB without the vocabulary's rows but with `SLOTS`, for `memoir.embedders.minilm`.
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
"""The SHA-256 of the `model.safetensors` that is laid out."""
SIZE = 90_864_160
"""Its bytes."""
WHOLE_SUM, QUERY_SUM = 2_538_958_757, 2_397_482_065
"""The CRC-32 of the files of each layout, in the order of `FILES`; the slots of the one for a query are left out."""
MAGIC = b"memoir minilm 1\n"
HEADER = Struct("<16sI")
"""The magic, and the length of the JSON."""
MIDDLE = 128
"""The byte of the number 0."""
TOKENS = 128
"""How many tokens of a text are read."""
VOCABULARY = Path(__file__).with_name("vocabulary.txt")
"""The word pieces; it begins with the words that texts have most often."""
_MOST_COMMON = 7_000
"""The entries that are taken for common words: "home", "value", "task"."""
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
"""What prollytree reads."""
SLOTS = TOKENS - 2
"""Rows in the layout for one query: one for each token that a text may have beside `[CLS]` and `[SEP]`."""
_WORDS = "embeddings.word_embeddings.weight"
"""The tensor of the vocabulary's rows."""
_FLOAT = 4
_ROW = MINILM_DIMENSION * _FLOAT
_WORDS_AT = (1 + 1 + 512 + 2) * _ROW
"""Where its data begins: after those of a bias, a weight, the positions, and the types of tokens."""
_LENGTH = Struct("<Q")
_FLOATS = Struct("<256f")
ROOM = 150_000_000
"""Bytes that the cache needs to have free."""
NOWHERE = Path(os.devnull)
"""What stands in for the user's cache folder where nothing says which it is: no folder can be made below it."""
REMEDY = (
    "make room there, name another folder by PROLLYTREE_EMBEDDER_CACHE, "
    "or 'memoir config memoir.embed.provider static --global'"
)
"""What somebody can do where the weights cannot be laid out."""


@cache
def _common_words() -> frozenset[str]:
    with VOCABULARY.open(encoding="utf-8") as file:
        return frozenset(line.rstrip("\n") for line, _ in zip(file, range(_MOST_COMMON), strict=False))


def is_common(word: str) -> bool:
    """Whether a word in small letters is one that texts about anything have."""
    return word in _common_words()


def are_laid_out(folder: Path) -> bool:
    """Whether a folder holds the weights: it gets its name only once they are whole, and after that for a query."""
    with suppress(OSError):
        return (folder / MODEL).stat().st_size == SIZE and (query_folder(folder) / MODEL).is_file()
    return False


def are_sound(folder: Path) -> bool:
    """Whether a folder still holds the weights as they were laid out; a wrong number has wrong vectors, and no error.

    It takes 25 ms, a quarter of what loading them takes.
    """
    return are_laid_out(folder) and _sum(folder) == WHOLE_SUM


def are_sound_for_query(layout: Path) -> bool:
    """The same for the layout for one query."""
    return _sum(layout, SLOTS) == QUERY_SUM


def _sum(folder: Path, slots: int = 0) -> int | None:
    """The CRC-32 of a layout's files without the rows of slots; None if they cannot be read."""
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
    """Where the layout for one query is, beside a folder of whole weights: `…/query/MODEL/REVISION`."""
    return Path(folder.parents[1], "query", *folder.parts[-2:])


def slot_name(slot: int) -> str:
    """The word of a slot, in the tokenizer of the layout for one query."""
    return f"s{slot}"


def read_row(file: int, number: int) -> bytes:
    """The row of the word piece with a number in 32-bit floats, from the descriptor of the file that came with memoir.

    What is laid out may be damaged, and to check all of it takes longer than to compute some rows.
    """
    _, length = HEADER.unpack(os.pread(file, HEADER.size, 0))
    scales = HEADER.size + length + 2 * _ROW + (512 + 2) * (_FLOAT + MINILM_DIMENSION)
    (scale,) = memoryview(os.pread(file, _FLOAT, scales + number * _FLOAT)).cast("f")
    row = os.pread(file, MINILM_DIMENSION, scales + _PIECES * _FLOAT + number * MINILM_DIMENSION)
    return array("f", [scale * (byte - MIDDLE) for byte in row]).tobytes()


def write_row(file: int, slot: int, row: bytes) -> None:
    """Write a row into a slot, by the descriptor of the layout for one query."""
    os.pwrite(file, row, _row_at(file, len(SPECIAL) + slot))


def _row_at(file: int, number: int) -> int:
    (header,) = _LENGTH.unpack(os.pread(file, _LENGTH.size, 0))
    return int(_LENGTH.size + header + _WORDS_AT + number * _ROW)


def obstacle(folder: Path) -> str | None:
    """Why the weights cannot be laid out in a folder, or None if nothing is known to stand in the way."""
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
    """Lay the weights out in a folder, unless they are; of several processes one does it, and the others wait for it.

    Those that are damaged are laid out again. Progress is in bytes, at first 0 by who lays them out.

    Raises:
        EmbedderUnavailable: the cache cannot be written, or the file that came with memoir is damaged.
    """
    if are_sound(folder):  # who may not write there can use them
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with waited_for(folder.parent / f"{folder.name}.lock"):
            if not are_sound(folder):
                _replace(folder, progress)
    except (OSError, ReadOnlyStore) as reason:
        raise EmbedderUnavailable(
            f"minilm's weights cannot be laid out in {folder.parent}: {getattr(reason, 'strerror', None) or reason}",
            REMEDY,
        ) from reason


def _replace(folder: Path, progress: Progress) -> None:
    """Write the files beside the folder, and give them its name when they are on the disk. Call it with the lock."""
    import json
    import shutil
    import tempfile

    for left in folder.parent.glob(f".{folder.name}-*"):  # of a process that was killed
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
        for new, place, pieces in ((query, query_folder(folder), slots), (whole, folder, words)):
            (new / "config.json").write_text(json.dumps({**_CONFIG, "vocab_size": len(pieces)}), "utf-8")
            (new / "tokenizer.json").write_bytes(_tokenizer(pieces))
            sync(new / "config.json", new / "tokenizer.json")
            shutil.rmtree(place, ignore_errors=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            new.rename(place)


def _write_models(whole: Path, query: Path, progress: Progress) -> str:
    """Write the model of both layouts to the disk, each into a new folder; the SHA-256 of the whole one."""
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
    """BERT's tokenizer over a vocabulary, without padding: a short text would take six times as long with it."""
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
    """The parts of the file `model.safetensors` that the weights' file is laid out as: whole, and for one query.

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
    """The rows of the special tokens, and of no word."""
    words = VOCABULARY.read_text(encoding="utf-8").splitlines()
    numbers = map(words.index, SPECIAL)
    return b"".join(rows[number * _ROW : (number + 1) * _ROW] for number in numbers) + bytes(SLOTS * _ROW)


def _read_header(data: bytes) -> tuple[list[tuple[str, list[int]]], int]:
    """The tensors' names and shapes, and where the first one begins."""
    import json

    magic, length = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise _damage("its header is wrong")
    header: dict[str, Any] = json.loads(data[HEADER.size : HEADER.size + length])
    return header["tensors"], HEADER.size + length


def _matrix(data: memoryview, count: int, columns: int) -> bytes:
    """A matrix in 32-bit floats.

    The four bytes of a float are four functions of the byte of its number, so each row takes four translations, which
    is fifty times as fast as a multiplication a number.
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
