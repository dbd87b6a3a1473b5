"""Answers within a budget of characters, and the cursor that continues one.

A cursor names the commit that the first page read, so that all pages are of one state of the store; the item and the
character to go on from; and, by a checksum, the call that it belongs to.
"""

import binascii
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import orjson

from memoir.errors import InvalidInput
from memoir.memory.origin import source
from memoir.records.origins import voucher_note
from memoir.records.record import ABOUT

Fields = dict[str, Any]
LONG = "content"
"""The field of an item that may be cut."""
_LEAST = 400
"""The fewest characters of an item that are shown where it is cut."""
_CURSOR_FIELD = 100
"""The most characters of a cursor."""
_WIDEST = 6
"""How many characters one character takes in JSON at most: as an escape such as \\u0000."""


class Cursor(NamedTuple):
    """Where a page begins: the state of the store, the item, and the character of the item's text."""

    commit: str = ""
    item: int = 0
    char: int = 0

    def text(self, check: str) -> str:
        """The cursor as a client passes it back."""
        return f"{self.item}.{self.char}.{check}.{self.commit}"


class ToolReply(NamedTuple):
    """An answer: fields that every page repeats, and a list of items that may be long, or of lines, by its name."""

    fields: Fields
    name: str = ""
    items: Iterable[Fields | str] = ()


def provenance(namespace: str, metadata: Mapping[str, Any]) -> Fields:
    """Who vouches for a memory, what it is from, if it names that, and the code that it is about, as that is now."""
    fields: Fields = {"origin": its} if (its := voucher_note(namespace, metadata)) else {}
    fields |= {"source": name} if (name := source(metadata)) else {}
    if ABOUT in metadata:
        from memoir.anchors.mark import notes

        fields |= {"about": places} if (places := notes(metadata)) else {}
    return fields


def checksum(tool: str, arguments: Mapping[str, Any]) -> str:
    """The checksum that tells the cursors of one call from those of another."""
    request = {name: value for name, value in arguments.items() if name != "cursor"}
    return f"{binascii.crc32(orjson.dumps([tool, request], option=orjson.OPT_SORT_KEYS)):08x}"


def read_cursor(text: str, check: str) -> Cursor:
    """Read a cursor that a client passes back.

    Raises:
        InvalidInput: it is none, or it belongs to another call.
    """
    item, _, rest = text.partition(".")
    char, _, rest = rest.partition(".")
    digest, _, commit = rest.partition(".")
    if digest != check or not item.isdecimal() or not char.isdecimal() or not commit.isalnum():
        raise InvalidInput(
            "the cursor belongs to another call", "repeat the call that gave it, with the same arguments"
        )
    return Cursor(commit, int(item), int(char))


def page(reply: ToolReply, start: Cursor, check: str, budget: int) -> Fields:
    """Return the fields of an answer with the items from a cursor on that fit, and a `cursor` if there are more.

    An item whose text is too long is cut: `truncated` is the length of the whole text and `from` where this part of
    it begins. At least one item, or 400 characters of it, is shown, however small the budget is.
    """
    if not reply.name:
        return reply.fields
    parts: list[Fields | str] = []
    room = budget - size(reply.fields) - len(reply.name) - _CURSOR_FIELD
    after: Cursor | None = None
    for number, item in enumerate(islice(reply.items, start.item, None), start.item):
        char = start.char if number == start.item else 0
        part = _part(item, char, room, needed=not parts)
        if part is None:
            after = start._replace(item=number, char=0)
            break
        parts.append(part)
        room -= size(part) + 1
        if isinstance(part, str) or isinstance(item, str):
            continue
        if (end := char + len(part.get(LONG, ""))) < len(item.get(LONG, "")):
            after = start._replace(item=number, char=end)
            break
    return {**reply.fields, reply.name: parts, **({"cursor": after.text(check)} if after else {})}


def _part(item: Fields | str, char: int, room: int, *, needed: bool) -> Fields | str | None:
    """The part of an item to show from a character of its text on: all, what fits, or None if too little would fit."""
    if isinstance(item, str):
        return item if needed or size(item) <= room else None
    rest = _from(item, char)
    if size(rest) <= room or (needed and LONG not in item):
        return rest
    if LONG not in item or (room < _LEAST and not needed):
        return None
    return _cut({**rest, "truncated": len(item[LONG])}, max(room, _LEAST))


def _from(item: Fields, char: int) -> Fields:
    """An item without the first characters of its text."""
    if not char:
        return item
    return {**item, LONG: item[LONG][char:], "from": char, "truncated": len(item[LONG])}


def _cut(item: Fields, room: int) -> Fields:
    """An item whose text is cut so that the item takes no more than `room` characters, or holds one character."""
    text = item[LONG][:room]
    while (over := size({**item, LONG: text}) - room) > 0 and len(text) > 1:
        text = text[: -max(1, min(over // _WIDEST, len(text) - 1))]
    return {**item, LONG: text}


def size(value: Any) -> int:
    """How many characters a value takes as JSON."""
    return len(orjson.dumps(value).decode())
