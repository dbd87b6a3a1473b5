"""Prompts as text files, and the functions that put data into them."""

import os
import re
from functools import cached_property, lru_cache

from memoir.errors import InvalidInput
from memoir.setting import Config
from memoir.settings import PROMPT_FILES


class Prompts:
    """The prompts in a folder: `NAME.txt`, with `{name}` where data goes."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.template = lru_cache(self._template)

    def _template(self, name: str) -> str:
        return self._read(f"{name}.txt").decode().strip()

    def fill(self, name: str, **values: str) -> str:
        """Put data into a prompt; braces in the data have no meaning."""
        return re.sub(r"\{(\w+)\}", lambda place: values[place[1]], self.template(name))

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the texts of all prompts (32 hex digits), so that cached answers can depend on it."""
        import json
        from hashlib import sha256

        files = sorted(os.listdir(self._folder))
        return sha256(json.dumps([[name, self._read(name).decode()] for name in files]).encode()).hexdigest()[:32]

    def _read(self, file: str) -> bytes:
        with open(os.path.join(self._folder, file), "rb") as text:
            return text.read()


def beside(module: str) -> Prompts:
    """The prompts in the folder `prompts` next to a module, given its `__file__`."""
    return Prompts(os.path.join(os.path.dirname(module), "prompts"))


def read_instructions(config: Config) -> dict[str, str]:
    """The instructions by which the user replaces those of steps (`memoir.prompt.STEP`), by the steps' names."""
    files = {step: setting.read(config) for step, setting in PROMPT_FILES.items()}
    return {step: _instructions(step, file) for step, file in files.items() if file}


def _instructions(step: str, file: str) -> str:
    setting = PROMPT_FILES[step].key
    try:
        with open(os.path.expanduser(file), encoding="utf-8") as text:
            return text.read().removeprefix(f"step: {step}\n")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it is not UTF-8"
        hint = f"without a file of your own: memoir config --global --unset {setting}"
        raise InvalidInput(f"{setting}: {file} cannot be read: {why}", hint) from error


def quote(text: str) -> str:
    """Write a text as a JSON string in one line, so that it cannot end the string or the line, or be invisible."""
    from json.encoder import encode_basestring  # a recall that asks no model loads no `json`

    return printable(encode_basestring(text))


def one_line(text: str) -> str:
    """Write a text verbatim in one line: only its line breaks become spaces, and invisible characters escapes."""
    return printable(" ".join(text.splitlines()))


def printable(text: str) -> str:
    """Replace the invisible characters of a text, line breaks included, by JSON escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(char: str) -> str:
    from json.encoder import encode_basestring_ascii

    return encode_basestring_ascii(char)[1:-1]
