"""How long a primer may be, and how texts of a store are quoted in it and in the answer to a prompt.

Every host takes 8,000 characters and 2,400 tokens: some cut a longer text, some drop it. A token is estimated, without
a tokenizer: 3.5 ASCII characters, or 2 bytes of UTF-8 of any other character. English takes fewer than that, code and
Chinese about as many.
"""

import re
from collections.abc import Container, Mapping
from typing import Any, Protocol

import orjson

from memoir.memory.active import Facet
from memoir.memory.origin import said, source
from memoir.records.origins import CAPTURE, voucher_note
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, MemoryAddress
from memoir.visible import escape_json

MOST_CHARACTERS = 8_000
MOST_TOKENS = 2_400
USUAL_CHARACTERS = 6_000
LEAST_CHARACTERS = 200
_MOST_FOR_CHANGES, _PART_FOR_CHANGES = 1_200, 5
"""The characters that rules leave to the last changes; of a short primer, such as that of one's own store beside a
project's, the fifth part."""
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
    """A text as JSON has it, on one line, cut to a number of characters; what nobody could see becomes an escape."""
    short = text if len(text) <= most else text[: most - 1].rstrip() + "…"
    literal = orjson.dumps(short.encode(errors="replace").decode()).decode()
    return literal if literal.isascii() and literal.isprintable() else escape_json(literal)


def quote_name(text: str) -> str:
    """A path or the name of something: quoted unless it is plain."""
    return text if _PLAIN_NAME(text) else quote(text, MOST_CHARACTERS)


class LineBudget:
    """The room that is left for lines, in characters and in tokens."""

    def __init__(self, characters: int, most_tokens: int = MOST_TOKENS) -> None:
        self.characters = min(characters, MOST_CHARACTERS)
        self.tokens = most_tokens
        self.for_changes = min(_MOST_FOR_CHANGES, self.characters // _PART_FOR_CHANGES)

    def take(self, *lines: str, keep: int = 0) -> bool:
        """Use room for some lines, line breaks included; none, if that would leave fewer characters than `keep`."""
        text = "".join(f"{line}\n" for line in lines)
        if len(text) > self.characters - keep or tokens(text) > self.tokens:
            return False
        self.characters -= len(text)
        self.tokens -= tokens(text)
        return True


_LONGEST_SOURCE = 60
_LONGEST_DISPUTED = 80


class Words(Protocol):
    """What a memory of a store and one that recall has found have in common."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def timestamp(self) -> str:
        """Since when it is true."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What else is known of it."""


def line(address: Address | MemoryAddress, memory: Words, most: int, *, to_the_minute: bool = False) -> str:
    """A line that quotes a memory: its path, and what `cited` says of it."""
    return f"- {quote_name(address.short_key)}: {cited(address, memory, most, to_the_minute=to_the_minute)}"


def cited(address: Address | MemoryAddress, memory: Words, most: int, *, to_the_minute: bool = False) -> str:
    """A memory in quotation marks: who says what, cut to some characters, and since when.

    It names who vouches for it, and its source if it has one. It says if code that the memory is about has changed.
    """
    place, day = named_source(memory.metadata), memory.timestamp[: 16 if to_the_minute else 10].replace("T", " ")
    vouched = voucher_note(address.namespace, memory.metadata, quote_name)
    if vouched == CAPTURE and place.startswith(f'from "{CAPTURE}:'):
        vouched = ""  # what it is from says it
    notes = ", ".join(filter(None, (vouched, place, day, *_code(memory.metadata))))
    return f"{quote(said(memory.content, memory.metadata), most)} ({notes})"


def unfiled(address: MemoryAddress, memory: Words, most: int) -> str:
    """A line that quotes a memory of the inbox: its words alone, if all that file it are there, else with its path."""
    is_whole = len(memory.content) <= most and said(memory.content, memory.metadata) == memory.content
    if is_whole and address.namespace == DEFAULT_NAMESPACE:
        return f"- {cited(address, memory, most)}"
    return line(address, memory, most)


def named_source(metadata: Mapping[str, Any]) -> str:
    """Where a memory is from, quoted; empty if it does not say."""
    name = source(metadata)
    return f"from {quote(name, _LONGEST_SOURCE)}" if name else ""


def _code(metadata: Mapping[str, Any]) -> list[str]:
    """What became of the code that a memory is about, unless it is as it was."""
    if ABOUT not in metadata:
        return []
    from memoir.anchors.mark import warnings

    return warnings(metadata, quote_name)


def dispute(newer: Facet, older: Facet, quoted: Container[MemoryAddress] = ()) -> str:
    """Two memories that contradict each other, the newer one first; one that is quoted already is only named."""
    names = (quote_name(each.target.short_key) if each.target in quoted else disputed(each) for each in (newer, older))
    return " disputes the older ".join(names)


def disputed(each: Facet) -> str:
    """A memory that another contradicts: its address, its day, and how it begins."""
    words = quote(said(each.memory.content, each.memory.metadata), _LONGEST_DISPUTED)
    return f"{quote_name(each.target.short_key)} ({each.memory.timestamp[:10]}: {words})"
