"""The check of a large record's JSON before it is decoded, which can take many times its size in memory."""

import re

_TOKEN = re.compile(rb'"[^"]*+"|[\[\]{},]')
_MOST_TOKENS = 1 << 20
"""The most tokens of JSON in one memory; its metadata may not even have as many bytes."""
_LIST_DEPTH = 2
"""The level of the list of memories, which is inside an object."""


def holds_more(data: bytes, most: int) -> bool:
    """Whether a record has more than `most` memories, or a memory with more tokens than any may have.

    The check ends at the first such memory. Errors in the JSON are left to the decoder.
    """
    if data.count(b",") < most:
        return False
    depth = memories = tokens = 0
    plain = data.replace(rb"\\", b"").replace(rb"\"", b"")  # so that the next quotation mark ends a string
    for match in _TOKEN.finditer(plain):
        mark = plain[match.start()]
        if mark in b"[{":
            depth += 1
        elif mark in b"]}":
            depth -= 1
        elif mark == ord(",") and depth == _LIST_DEPTH:
            memories, tokens = memories + 1, 0
        tokens += 1
        if memories >= most or tokens > _MOST_TOKENS:
            return True
    return False
