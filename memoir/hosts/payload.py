"""What a host hands over at an event: a JSON object on standard input, and what the user typed of the prompt in it."""

import os
import re

import orjson

from memoir.sources.messages import ELEMENTS

_AROUND = re.compile(rf"<({ELEMENTS})>.*?(?:</\1>|\Z)", re.DOTALL)
"""What a host has put around a prompt; to the end, where its end tag is cut off with the rest of the prompt."""
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_MOST_WORDS = 8
"""An acknowledgement is no longer than this."""
_OWN = re.compile(r"step: [a-z]+\.[a-z0-9]+\n")


def is_own(prompt: str) -> bool:
    """Whether memoir itself asks a model this, through a gateway that lets an agent answer."""
    return bool(_OWN.match(prompt))


def strip_host_text(prompt: str) -> str:
    """The text that the user typed: a prompt without the parts that the host has added."""
    return _AROUND.sub("", prompt).strip()


def says_nothing(text: str) -> bool:
    """Whether a typed text is empty, a command of the host, or an acknowledgement such as 'ok, go ahead'."""
    if not text or text[0] in "/!#":
        return True
    from memoir.english.stopwords import ACKNOWLEDGEMENTS

    words = _WORDS.findall(text[:1000].casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and ACKNOWLEDGEMENTS.issuperset(words)


MOST_BYTES = 8 << 20
"""A larger payload is ignored."""
_CHUNK = 1 << 20
_TRIES = 20
"""How often an input that may be whole, but has not ended, is parsed."""


class NotAPayload(ValueError):
    """Standard input holds no JSON object, or one that is too large."""


def read_payload(descriptor: int = 0) -> dict[str, object]:
    """The JSON object on standard input.

    Some hosts leave the input open for ever, so it is also taken as soon as it is whole. An object that is too large is
    read to its end all the same, because a host that cannot write may fail.
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
    """The value of a text in which a host has cut an emoji in two, with a question mark for the half; else None."""
    if b"\\ud" not in data.lower():
        return None
    import json

    try:
        return orjson.loads(json.dumps(json.loads(data), ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        return None
