"""Searches files and texts for texts, ignoring differences in white space, such as line breaks of a document."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

_CUT = " …"
"""The end of a caption that has only the beginning of a text."""
_LEAST = 4
"""The fewest characters of a text's beginning that are removed from a caption."""


class _Forms(NamedTuple):
    """The forms of a text in a file, with one blank for each run of white space."""

    word: tuple[bytes, ...]
    """Its longest word in all forms, which is quick to search for."""
    plain: bytes
    json: tuple[bytes, ...]
    """The text in JSON, in UTF-8 or only ASCII."""


class Sought:
    """Texts to search for in files."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._forms = {text: _forms_of(text) for text in texts if text.strip()}

    @property
    def texts(self) -> Collection[str]:
        """The texts."""
        return self._forms.keys()

    def is_in(self, data: bytes) -> bool:
        """Whether a file contains any of the texts."""
        return any(self.found_in(data))

    def found_in(self, data: bytes) -> Iterator[str]:
        """The texts that a file contains."""
        near = {text: forms for text, forms in self._forms.items() if any(word in data for word in forms.word)}
        if near:
            white, escapes = _white_space()
            flat, as_json = white.sub(b" ", data), escapes.sub(lambda match: match[1] or b" ", data)
            for text, forms in near.items():
                if forms.plain in flat or any(form in as_json for form in forms.json):
                    yield text

    def drop(self, texts: Iterable[str]) -> None:
        """Stop searching for texts."""
        for text in texts:
            del self._forms[text]


def places(sought: str, text: str) -> Iterator[tuple[int, int]]:
    """The start and end of each occurrence of `sought` in a text."""
    if sought.strip():
        yield from (match.span() for match in _pattern(sought).finditer(text))


def without_cut(caption: str, texts: Iterable[str], blot: str) -> str:
    """A truncated caption without the beginning of any of the texts at its end."""
    words = caption.removesuffix(_CUT)
    for text in (on_one_line(text.strip()) for text in texts) if words != caption else ():
        for length in range(min(len(text), len(words)), _LEAST - 1, -1):
            if words.endswith(text[:length]):
                return words[:-length] + blot
    return caption


def on_one_line(text: str) -> str:
    """A text with one blank for each run of white space."""
    return re.sub(r"\s+", " ", text)


@cache
def _pattern(sought: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, re.split(r"\s+", sought))))


def _forms_of(text: str) -> _Forms:
    word = max(text.split(), key=len)
    line = on_one_line(text)
    return _Forms((word.encode(), *_in_json(word)), line.encode(), _in_json(line))


def _in_json(text: str) -> tuple[bytes, ...]:
    import json

    return as_json(text)[1:-1], json.dumps(text)[1:-1].encode()


def as_json(text: str) -> bytes:
    """A text as JSON, as in a record."""
    import orjson

    return orjson.dumps(text)


@cache
def _white_space() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Patterns for plain white space, and for that in JSON, where an escaped backslash is one character."""
    spaces = [char for char in map(chr, range(0x3001)) if char.isspace()]
    plain = b"|".join(re.escape(char.encode()) for char in spaces)
    escaped = b"|".join({re.escape(form) for char in spaces for form in _in_json(char)})
    return re.compile(b"(?:%s)+" % plain), re.compile(rb"(\\\\)|(?:%s|%s)+" % (escaped, plain))
