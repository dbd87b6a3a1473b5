"""One call of a tool, and the part of the store that it may see.

Its hints are in the words of the tools: services speak of commands, which an agent behind MCP may not be able to run.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, address, from_key

if TYPE_CHECKING:
    from memoir.repository.repository import Repository
    from memoir.store.commit import ChangeList, Commit


class ToolCall(NamedTuple):
    """One call of a tool: the store, the arguments, and what the server is restricted to.

    Attributes:
        repository: The store.
        arguments: The arguments, which fit the tool's schema.
        at: The revision to read at; None for now.
        namespace: The only namespace that may be seen; None for all.
        client: The name of the client, the source of what it remembers.
    """

    repository: "Repository"
    arguments: Mapping[str, Any]
    at: str | None = None
    namespace: str | None = None
    client: str = "mcp"

    @property
    def namespaces(self) -> Sequence[str]:
        """The namespaces to search; none stands for all."""
        return (self.namespace,) if self.namespace else ()

    @property
    def home(self) -> str:
        """The namespace of keys that name none."""
        return self.namespace or DEFAULT_NAMESPACE

    def place(self, key: str) -> Address:
        """Return the address of the path that a new memory is for."""
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
        """The message of a commit; it may quote what the commit changed outside of the part that this server shows."""
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
"""The tool, and what it is asked for, in place of a command; all others are for a shell."""
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
"""What else is said of options, and how it is said of arguments."""


def hint_of_tools(hint: str) -> str:
    """A hint that names tools where it named commands that are tools, too."""
    for command, argument in _WORDS:
        hint = hint.replace(command, argument)
    return _COMMAND.sub(_tool, hint)


def _tool(match: re.Match[str]) -> str:
    command, arguments = match.groups()
    if command not in _TOOLS:
        return match[0]
    place = _OPTION.sub("", arguments)
    if command == "ls":
        place = f" {place.strip().rpartition(':')[2]}.*" if place else " *"  # patterns are of paths alone
    return f"'{_TOOLS[command]}{place}'"
