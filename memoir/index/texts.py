"""The contents of documents as the index keeps them: memories as they are, passages compressed.

The words of a passage stand in its segment too, and sources are far longer than memories.
"""

import zlib
from functools import cache

import apsw

from memoir.english.stopwords import STOP_WORDS

_RAW = -15
"""The window of a compressed text without zlib's header."""
_LEVEL = 9


def compress(text: str) -> bytes:
    """A text in about 0.57 of its bytes."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_common())
    return packer.compress(text.encode()) + packer.flush()


def content_of(value: "apsw.SQLiteValue") -> str:
    """A content as it was, of the value that the table `document` has; it is also a function of SQL.

    Raises:
        apsw.CorruptError: it is none.
    """
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompressobj(_RAW, zdict=_common()).decompress(value).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise apsw.CorruptError("a passage cannot be read") from error


def register(database: apsw.Connection) -> None:
    """Make `content_of` known to SQL."""
    database.create_scalar_function("content_of", lambda *value: content_of(value[0]), 1, deterministic=True)


@cache
def _common() -> bytes:
    """Words that are in most texts; what is compressed with others cannot be read."""
    return " ".join(sorted(STOP_WORDS)).encode()
