"""Texts that are sought in files and in other texts, whatever white space these have: a document breaks its lines."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

_CUT = " …"
"""How a caption ends that has only the beginning of a text."""
_LEAST = 4
"""The characters of a text from which its beginning is taken out of a caption."""


class _Forms(NamedTuple):
    """How a text may be written in a file, with one blank for each white space."""

    word: tuple[bytes, ...]
    """Its longest word, in all forms: this is quickly looked for."""
    plain: bytes
    json: tuple[bytes, ...]
    """As JSON has it, in UTF-8 or in ASCII alone."""


class Sought:
    """Some texts that are sought in files."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._forms = {text: _forms_of(text) for text in texts if text.strip()}

    @property
    def texts(self) -> Collection[str]:
        """The texts."""
        return self._forms.keys()

    def is_in(self, data: bytes) -> bool:
        """Whether a file has one of them."""
        return any(self.found_in(data))

    def found_in(self, data: bytes) -> Iterator[str]:
        """Those of them that a file has."""
        near = {text: forms for text, forms in self._forms.items() if any(word in data for word in forms.word)}
        if near:
            white, escapes = _white_space()
            flat, as_json = white.sub(b" ", data), escapes.sub(lambda match: match[1] or b" ", data)
            for text, forms in near.items():
                if forms.plain in flat or any(form in as_json for form in forms.json):
                    yield text

    def drop(self, texts: Iterable[str]) -> None:
        """Seek some of them no longer."""
        for text in texts:
            del self._forms[text]


def places(sought: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a text has another one: from where, and to where."""
    if sought.strip():
        yield from (match.span() for match in _pattern(sought).finditer(text))


def without_cut(caption: str, texts: Iterable[str], blot: str) -> str:
    """A caption without the beginning of one of some texts at its end, where it is cut."""
    words = caption.removesuffix(_CUT)
    for text in (on_one_line(text.strip()) for text in texts) if words != caption else ():
        for length in range(min(len(text), len(words)), _LEAST - 1, -1):
            if words.endswith(text[:length]):
                return words[:-length] + blot
    return caption


def on_one_line(text: str) -> str:
    """A text with one blank for each white space."""
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
    """A text as a record has it."""
    import orjson

    return orjson.dumps(text)


@cache
def _white_space() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """White space as it is, and as JSON may have it, where an escaped backslash is one character."""
    spaces = [char for char in map(chr, range(0x3001)) if char.isspace()]
    plain = b"|".join(re.escape(char.encode()) for char in spaces)
    escaped = b"|".join({re.escape(form) for char in spaces for form in _in_json(char)})
    return re.compile(b"(?:%s)+" % plain), re.compile(rb"(\\\\)|(?:%s|%s)+" % (escaped, plain))
