"""How long a primer may be, and how texts of a store are quoted in it and in the answer to a prompt.

Every host takes 8,000 characters and 2,400 tokens; some cut a longer text, some drop it. Tokens are estimated without
a tokenizer: 3.5 ASCII characters each, or 2 bytes of UTF-8 for other characters. English needs fewer tokens than that,
code and Chinese about as many.
"""

import re
from collections.abc import Container, Mapping
from typing import Any, Protocol

import orjson

from memoir.memory.active import Facet
from memoir.memory.speaker import said, source
from memoir.records.origins import CAPTURE, voucher_note
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, MemoryAddress
from memoir.visible import escape_json

MOST_CHARACTERS = 8_000
MOST_TOKENS = 2_400
USUAL_CHARACTERS = 6_000
LEAST_CHARACTERS = 200
_MOST_FOR_CHANGES, _PART_FOR_CHANGES = 1_200, 5
"""The characters that rules leave for the last changes; in a short primer, such as that of the user's own store beside
a project's, a fifth of it."""
_ASCII_PER_TOKEN = 3.5
_BYTES_PER_TOKEN = 2
_PLAIN_NAME = re.compile("[a-zA-Z0-9_.:@#/-]+").fullmatch


def tokens(text: str) -> int:
    """The tokens that a text takes, estimated and rounded up."""
    characters, size = len(text), len(text.encode(errors="replace"))
    if size == characters:
        return -int(-characters // _ASCII_PER_TOKEN)
    ascii_ = sum(map(str.isascii, text))
    return -int(-(ascii_ / _ASCII_PER_TOKEN + (size - ascii_) / _BYTES_PER_TOKEN) // 1)


def quote(text: str, most: int) -> str:
    """A text as a JSON string on one line, cut to a number of characters, with invisible characters escaped."""
    short = text if len(text) <= most else text[: most - 1].rstrip() + "…"
    literal = orjson.dumps(short.encode(errors="replace").decode()).decode()
    return literal if literal.isascii() and literal.isprintable() else escape_json(literal)


def quote_name(text: str) -> str:
    """A path or name, quoted unless it is plain."""
    return text if _PLAIN_NAME(text) else quote(text, MOST_CHARACTERS)


class LineBudget:
    """The room that is left for lines, in characters and in tokens."""

    def __init__(self, characters: int, most_tokens: int = MOST_TOKENS) -> None:
        self.characters = min(characters, MOST_CHARACTERS)
        self.tokens = most_tokens
        self.for_changes = min(_MOST_FOR_CHANGES, self.characters // _PART_FOR_CHANGES)

    def take(self, *lines: str, keep: int = 0) -> bool:
        """Take room for lines with their line breaks; take none if fewer than `keep` characters would be left."""
        text = "".join(f"{line}\n" for line in lines)
        if len(text) > self.characters - keep or tokens(text) > self.tokens:
            return False
        self.characters -= len(text)
        self.tokens -= tokens(text)
        return True


_LONGEST_SOURCE = 60
_LONGEST_DISPUTED = 80


class Words(Protocol):
    """The common part of stored memories and recalled ones."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def timestamp(self) -> str:
        """The time from which it holds."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata."""


def line(address: Address | MemoryAddress, memory: Words, most: int, *, to_the_minute: bool = False) -> str:
    """A line that quotes a memory: its path, then the text of `cited`."""
    return f"- {quote_name(address.short_key)}: {cited(address, memory, most, to_the_minute=to_the_minute)}"


def cited(address: Address | MemoryAddress, memory: Words, most: int, *, to_the_minute: bool = False) -> str:
    """A memory in quotation marks: speaker and content, cut to some characters, and notes.

    The notes are its origin, its source if it has one, its date, and changes of the code that it is about.
    """
    place, day = named_source(memory.metadata), memory.timestamp[: 16 if to_the_minute else 10].replace("T", " ")
    vouched = voucher_note(address.namespace, memory.metadata, quote_name)
    if vouched == CAPTURE and place.startswith(f'from "{CAPTURE}:'):
        vouched = ""  # the source says it already
    notes = ", ".join(filter(None, (vouched, place, day, *_code_warnings(memory.metadata))))
    return f"{quote(said(memory.content, memory.metadata), most)} ({notes})"


def unfiled(address: MemoryAddress, memory: Words, most: int) -> str:
    """A line that quotes a memory in the inbox; without its path if the line has all its text, by which to file it."""
    is_whole = len(memory.content) <= most and said(memory.content, memory.metadata) == memory.content
    if is_whole and address.namespace == DEFAULT_NAMESPACE:
        return f"- {cited(address, memory, most)}"
    return line(address, memory, most)


def named_source(metadata: Mapping[str, Any]) -> str:
    """The source of a memory, quoted; empty if it has none."""
    name = source(metadata)
    return f"from {quote(name, _LONGEST_SOURCE)}" if name else ""


def _code_warnings(metadata: Mapping[str, Any]) -> list[str]:
    """The changes of the code that a memory is about, if any."""
    if ABOUT not in metadata:
        return []
    from memoir.anchors.mark import warnings

    return warnings(metadata, quote_name)


def dispute(newer: Facet, older: Facet, quoted: Container[MemoryAddress] = ()) -> str:
    """Two memories that contradict each other, the newer one first; a memory that is `quoted` already is only named."""
    names = (quote_name(each.target.short_key) if each.target in quoted else disputed(each) for each in (newer, older))
    return " disputes the older ".join(names)


def disputed(each: Facet) -> str:
    """A memory that another contradicts: its address, its day, and how it begins."""
    words = quote(said(each.memory.content, each.memory.metadata), _LONGEST_DISPUTED)
    return f"{quote_name(each.target.short_key)} ({each.memory.timestamp[:10]}: {words})"
