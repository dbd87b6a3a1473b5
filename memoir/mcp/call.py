"""One call of a tool: the part of the store that it may see, and its reply, page by page.

Hints name tools instead of the services' commands, which an agent behind MCP may not be able to run. A page has a
budget of characters, and a cursor continues it. The cursor holds the commit that the first page read, so that all
pages show the same state of the store; the item and the character to go on from; and a checksum of the call.
"""

import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from memoir.errors import InvalidInput
from memoir.memory.speaker import source
from memoir.records.origins import voucher_note
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, MemoryAddress, address, from_key

if TYPE_CHECKING:
    from memoir.repository.repository import Repository
    from memoir.store.commit import ChangeList, Commit


class ToolCall(NamedTuple):
    """One call of a tool: the store, the arguments, and what the server is restricted to."""

    repository: "Repository"
    """The store."""
    arguments: Mapping[str, Any]
    """The arguments, which fit the tool's schema."""
    at: str | None = None
    """The revision to read at; None for now."""
    namespace: str | None = None
    """The only namespace that may be seen; None for all."""
    client: str = "mcp"
    """The name of the client, stored as the source of its memories."""

    @property
    def namespaces(self) -> Sequence[str]:
        """The namespaces to search; none stands for all."""
        return (self.namespace,) if self.namespace else ()

    @property
    def home(self) -> str:
        """The default namespace for keys without one."""
        return self.namespace or DEFAULT_NAMESPACE

    def place(self, key: str) -> Address:
        """Return the address for a new memory."""
        place = address(key, self.home)
        self._require_shown(place, key)
        return place

    def target(self, key: str) -> MemoryAddress:
        """Return the address that a key names, as every command reads it."""
        target = self.repository.address_of(key, namespace=self.home, at=self.at)
        self._require_shown(target.place, key)
        return target

    def _require_shown(self, address: Address, key: str) -> None:
        if not self.shows(address):
            raise InvalidInput(f"this server shows the namespace {self.namespace!r} only", f"leave out {key!r}")

    def shows(self, address: Address) -> bool:
        """Whether an address is in the part of the store that this server shows."""
        return self.namespace in (None, address.namespace)

    def message(self, commit: "Commit") -> str:
        """The message of a commit; withheld if it may quote memories that this server does not show."""
        if self.namespace is None or self._shows_all(commit.changes):
            return commit.message
        return "(withheld: the commit may have changed other namespaces, too)"

    def _shows_all(self, changes: "ChangeList | None") -> bool:
        if changes is None or changes.bulk:
            return False
        keys = [*changes.put, *changes.forget, *chain.from_iterable(changes.moves)]
        return all(self.shows(from_key(key)) for key in keys)


_TOOLS = {
    "ls": "summarize keys",
    "blame": "history blame",
    "diff": "history diff",
    "log": "history log",
    "timeline": "history timeline",
    "why": "history why",
    **{name: name for name in ("forget", "get", "lexicon", "recall", "remember", "status", "suggest", "summarize")},
}
"""The tool, with its argument, for each command that has one; other commands need a shell."""
_COMMAND = re.compile(r"'memoir ([a-z]+)((?: [^' ]+)*)'")
_OPTION = re.compile(r" --?[a-z-]+ [^' ]+")
_WORDS = (
    ("; if it is not a credential, pass --allow-secret", ""),
    ("; --prefix includes what is below", "; a glob includes what is below"),
    ("choose another namespace with -n, or ", "choose another namespace, or "),
    ("; -n chooses a namespace", ""),
    ("'memoir sources' lists the sources", "'recall' finds what sources say"),
    ("--merge-policy ", "the policy "),
)
"""Texts about command-line options, with their replacements about arguments."""


def hint_of_tools(hint: str) -> str:
    """Replace commands in a hint by the tools that do the same."""
    for command, argument in _WORDS:
        hint = hint.replace(command, argument)
    return _COMMAND.sub(_tool, hint)


def _tool(match: re.Match[str]) -> str:
    command, arguments = match.groups()
    if command not in _TOOLS:
        return match[0]
    place = _OPTION.sub("", arguments)
    if command == "ls":
        place = f" {place.strip().rpartition(':')[2]}.*" if place else " *"  # patterns match paths, without namespaces
    return f"'{_TOOLS[command]}{place}'"


Fields = dict[str, Any]
LONG = "content"
"""The field of an item that may be cut."""
_LEAST = 400
"""The fewest characters of a cut item that are shown."""
_DIGITS = 18
"""The most digits of a number in a cursor, which is a position in a list or a text."""
_CURSOR_FIELD = 100
"""The most characters of a cursor."""
_WIDEST = 6
"""The most characters that one character takes in JSON: an escape such as \\u0000."""


class Cursor(NamedTuple):
    """Where a page begins: the state of the store, the item, and the character of the item's text."""

    commit: str = ""
    item: int = 0
    char: int = 0

    def text(self, check: str) -> str:
        """The cursor as a client passes it back."""
        return f"{self.item}.{self.char}.{check}.{self.commit}"


class ToolReply(NamedTuple):
    """An answer: fields that every page repeats, and the name and the items of a list that may need several pages."""

    fields: Fields
    name: str = ""
    items: Iterable[Fields | str] = ()


def provenance(namespace: str, metadata: Mapping[str, Any]) -> Fields:
    """The origin of a memory, its source if it has one, and the present state of the code that it is about."""
    fields: Fields = {"origin": its} if (its := voucher_note(namespace, metadata)) else {}
    fields |= {"source": name} if (name := source(metadata)) else {}
    if ABOUT in metadata:
        from memoir.anchors.mark import notes

        fields |= {"about": places} if (places := notes(metadata)) else {}
    return fields


def checksum(tool: str, arguments: Mapping[str, Any]) -> str:
    """The checksum of a call, by which its cursors are recognized."""
    request = {name: value for name, value in arguments.items() if name != "cursor"}
    try:
        text = orjson.dumps([tool, request], option=orjson.OPT_SORT_KEYS)
    except TypeError as error:
        raise InvalidInput("an argument is not valid Unicode text") from error
    return f"{binascii.crc32(text):08x}"


def read_cursor(text: str, check: str) -> Cursor:
    """Read a cursor that a client passes back."""
    item, _, rest = text.partition(".")
    char, _, rest = rest.partition(".")
    digest, _, commit = rest.partition(".")
    if digest != check or not _is_place(item) or not _is_place(char) or not commit.isalnum():
        raise InvalidInput(
            "the cursor belongs to another call", "repeat the call that gave it, with the same arguments"
        )
    return Cursor(commit, int(item), int(char))


def _is_place(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS


def page(reply: ToolReply, start: Cursor, check: str, budget: int) -> Fields:
    """Return the fields of an answer with as many items from a cursor on as fit, and a `cursor` if there are more.

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
    """The item from a character of its text on, cut to fit; None if too little would fit."""
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
    if not char or LONG not in item:
        return item
    return {**item, LONG: item[LONG][char:], "from": char, "truncated": len(item[LONG])}


def _cut(item: Fields, room: int) -> Fields:
    """Cut an item's text so that the item takes at most `room` characters; at least one character stays."""
    text = item[LONG][:room]
    while (over := size({**item, LONG: text}) - room) > 0 and len(text) > 1:
        text = text[: -max(1, min(over // _WIDEST, len(text) - 1))]
    return {**item, LONG: text}


def size(value: Any) -> int:
    """How many characters a value takes as JSON."""
    return len(orjson.dumps(value).decode())
