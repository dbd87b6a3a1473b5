"""The contents of documents as the index keeps them: memories as they are, the passages of a segment compressed as one.

The words of a passage stand in its segment too, and sources are far longer than memories. A document's `content` is the
text of a memory, or the number of a row of the table `segment`, which has the texts of all its passages.
"""

import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Any

import apsw

from memoir.english.stopwords import STOP_WORDS

_RAW = -15
"""The window of a compressed text without zlib's header."""
_LEVEL = 9


def content(document: str) -> str:
    """SQL for the content of a document."""
    return (
        f"CASE typeof({document}.content) WHEN 'integer' THEN part_of("
        f"(SELECT texts FROM segment WHERE id = {document}.content), {document}.ordinal) ELSE {document}.content END"
    )


def compress(texts: Sequence[str]) -> bytes:
    """Some texts in about half of their bytes."""
    lengths = " ".join(str(len(text)) for text in texts)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_common())
    return packer.compress("\n".join((lengths, "".join(texts))).encode()) + packer.flush()


def part_of(value: Any, number: Any) -> str:
    """One of some compressed texts, by its place from 0; it is also a function of SQL.

    Raises:
        apsw.CorruptError: there is none.
    """
    try:
        return str(_parts(value)[number])
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise apsw.CorruptError("a passage cannot be read") from error


def register(database: apsw.Connection) -> None:
    """Make `part_of` known to SQL."""
    database.create_scalar_function("part_of", lambda *values: part_of(*values), 2, deterministic=True)


@lru_cache(maxsize=64)
def _parts(value: bytes) -> list[str]:
    """The texts: those of one segment are mostly asked for one after another."""
    lengths, _, text = zlib.decompressobj(_RAW, zdict=_common()).decompress(value).decode().partition("\n")
    bounds = accumulate(map(int, lengths.split()), initial=0)
    return [text[start:end] for start, end in pairwise(bounds)]


@cache
def _common() -> bytes:
    """Words that are in most texts; what is compressed with others cannot be read."""
    return " ".join(sorted(STOP_WORDS)).encode()
