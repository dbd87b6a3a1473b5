"""Reads the one JSON object that a host writes to a hook's standard input."""

import os

import orjson

MOST_BYTES = 8 << 20
"""The size of a payload from which on it is ignored."""
_CHUNK = 1 << 20
_TRIES = 20
"""How often an input that may be whole, but has not ended, is parsed."""


class NotAPayload(ValueError):
    """Standard input holds no JSON object, or one that is too large."""


def read_payload(descriptor: int = 0) -> dict[str, object]:
    """The JSON object on standard input.

    Some hosts leave the input open for ever, so it is also taken as soon as it is whole. An object that is too large is
    read to its end all the same, because a host that cannot write may fail.

    Raises:
        NotAPayload: there is none, or it is too large.
    """
    data, tries = bytearray(), 0
    while chunk := os.read(descriptor, _CHUNK):
        if len(data) <= MOST_BYTES:
            data += chunk
        if tries < _TRIES and chunk.rstrip().endswith(b"}"):
            tries += 1
            if (payload := _parse(data)) is not None:
                return payload
    if (payload := _parse(data)) is None:
        raise NotAPayload(f"more than {MOST_BYTES >> 20} MiB" if len(data) > MOST_BYTES else "no JSON object")
    return payload


def _parse(data: bytearray) -> dict[str, object] | None:
    if len(data) > MOST_BYTES:
        return None
    try:
        payload = orjson.loads(data)
    except ValueError:
        return None
    return payload if isinstance(payload, dict) else None
