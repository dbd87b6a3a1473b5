"""The payload of an event: a JSON object on standard input, and the user's own text of the prompt in it."""

import os
import re

import orjson

from memoir.sources.messages import ELEMENTS

_AROUND = re.compile(rf"<({ELEMENTS})>.*?(?:</\1>|\Z)", re.DOTALL)
"""An element that a host added to a prompt; it extends to the end if its end tag was cut off."""
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_MOST_WORDS = 8
"""The most words of an acknowledgement."""
_OWN = re.compile(r"step: [a-z]+\.[a-z0-9]+\n")


def is_own(prompt: str) -> bool:
    """Whether the prompt is memoir's own request to a model, sent through a gateway to an agent."""
    return bool(_OWN.match(prompt))


def strip_host_text(prompt: str) -> str:
    """Remove from a prompt the parts that the host added, leaving the user's text."""
    return _AROUND.sub("", prompt).strip()


def says_nothing(text: str) -> bool:
    """Whether a typed text is empty, a command of the host, or an acknowledgement such as 'ok, go ahead'."""
    if not text or text[0] in "/!#":
        return True
    from memoir.english.stopwords import ACKNOWLEDGEMENTS

    words = _WORDS.findall(text[:1000].casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and ACKNOWLEDGEMENTS.issuperset(words)


MOST_BYTES = 8 << 20
"""The most bytes of a payload; a larger one is ignored."""
_CHUNK = 1 << 20
_TRIES = 20
"""How often an open input that looks complete is parsed."""


class NotAPayload(ValueError):
    """Standard input holds no JSON object, or one that is too large."""


def read_payload(descriptor: int = 0) -> dict[str, object]:
    """The JSON object on standard input.

    Some hosts never close the input, so the object is also taken as soon as it is complete. An object that is too large
    is still read to its end, because a host that cannot write may fail.
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
        payload = _parse_halves(data)
    return payload if isinstance(payload, dict) else None


def _parse_halves(data: bytearray) -> object:
    """Parse a text in which a host has cut an emoji in two; the half becomes a question mark. None if it is no JSON."""
    if b"\\ud" not in data.lower():
        return None
    import json

    try:
        return orjson.loads(json.dumps(json.loads(data), ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        return None
