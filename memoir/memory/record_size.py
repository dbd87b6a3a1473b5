"""A look at a large record's JSON before it is decoded, which would cost many times its size in memory."""

import re

_TOKEN = re.compile(rb'"[^"]*+"|[\[\]{},]')
_MOST_TOKENS = 1 << 20
"""Marks of JSON in one memory: its metadata has fewer bytes."""
_LIST_DEPTH = 2
"""The list of memories is in an object."""


def holds_more(data: bytes, most: int) -> bool:
    """Whether a record has more memories than `most`, or one with more parts than any memory may have.

    It stops at the first memory too many. What is not JSON is left to the decoder.
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
