"""The prompts' texts, files in `prompts/`, and the ways in which data is put into them."""

import json
import os
import re
from collections.abc import Sequence
from functools import cache

from memoir.taxonomy.paths import Address

_FOLDER = os.path.join(os.path.dirname(__file__), "prompts")


@cache
def template(name: str) -> str:
    """A prompt's text, with `{name}` where data goes."""
    return _read(f"{name}.txt").decode().strip()


def filled(name: str, **values: str) -> str:
    """A prompt with data in its places; braces within the data mean nothing."""
    return re.sub(r"\{(\w+)\}", lambda place: values[place[1]], template(name))


def quoted(text: str) -> str:
    """A text as a JSON string in one line: nothing in it can end the string or the line, or be invisible."""
    return "".join(char if char.isprintable() else _escaped(char) for char in json.dumps(text, ensure_ascii=False))


def written(address: Address, namespaces: Sequence[str]) -> str:
    """A path or prefix as prompts have it: with its namespace if there are several.

    One that is not well-formed, as a hostile store may hold, is quoted.
    """
    text = address.full_key if len(namespaces) > 1 else address.path
    return text if re.fullmatch(r"[\w.:@-]+", text) else quoted(text)


@cache
def fingerprint() -> str:
    """A digest of all the prompts' texts (32 hex digits), for what must not outlive a change of them."""
    from hashlib import sha256

    files = sorted(os.listdir(_FOLDER))
    return sha256(json.dumps([[name, _read(name).decode()] for name in files]).encode()).hexdigest()[:32]


def _read(file: str) -> bytes:
    with open(os.path.join(_FOLDER, file), "rb") as text:
        return text.read()


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]
