"""The tools without the protocol: checks a call, makes it, and fits the answer into the budget."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import InvalidInput, MemoirError
from memoir.mcp.call import Cursor, Fields, ToolCall, checksum, hint_of_tools, page, read_cursor, size
from memoir.mcp.client_store import StorePlace
from memoir.mcp.tools import BY_NAME, TOOLS, Tool
from memoir.program import runnable
from memoir.taxonomy.paths import check_namespace
from memoir.visible import neutralise_all

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

BUDGET = 4_000
"""How many characters an answer takes at most, unless the server is told otherwise."""
_NO_COMMIT = "0"
"""Stands in a cursor for a branch without a commit."""


class ToolAnswer(NamedTuple):
    """The fields of an answer, and whether they describe a failure."""

    fields: Fields
    failed: bool = False


class Service:
    """The tools of one server: for a store or a part of it, with answers of a limited length.

    Raises:
        InvalidInput: the namespace is malformed.
    """

    def __init__(
        self, place: StorePlace, *, namespace: str | None = None, read_only: bool = False, budget: int = BUDGET
    ) -> None:
        self.place = place
        self.namespace = check_namespace(namespace) if namespace else None
        self.budget = budget
        self.calls = 0
        """How many calls were made."""
        self.tools = [tool for tool in TOOLS if tool.read_only or not read_only]

    def tool(self, name: str) -> Tool | None:
        """Return the tool of a name, if this server offers it."""
        tool = BY_NAME.get(name)
        return tool if tool in self.tools else None

    def answer(self, tool: Tool, arguments: Mapping[str, Any], client: str = "mcp") -> ToolAnswer:
        """Make one call; a failure is an answer, too, which the agent can act on."""
        self.calls += 1
        try:
            return ToolAnswer(self._answer(tool, arguments, client))
        except MemoirError as error:
            return ToolAnswer(self._failure(error), failed=True)

    def _failure(self, error: MemoirError) -> Fields:
        """The fields of a failure, with its details if the budget has room for them."""
        hint = runnable(hint_of_tools(error.hint)) if error.hint else None
        fields = {"code": error.code, "message": error.message, "hint": hint}
        full: Fields = neutralise_all({"error": {**fields, **error.details}})
        return full if size(full) <= self.budget else {"error": neutralise_all(fields)}

    def _answer(self, tool: Tool, arguments: Mapping[str, Any], client: str) -> Fields:
        check_arguments(tool, arguments)
        check = checksum(tool.name, arguments)
        repository = self.place.repository()
        now = repository.store.head().commit
        here = str(now.id) if now else _NO_COMMIT
        start = read_cursor(arguments["cursor"], check) if "cursor" in arguments else Cursor(here)
        at = arguments.get("at") or (None if start.commit in (here, _NO_COMMIT) else start.commit)
        call = ToolCall(repository, arguments, at, self.namespace, client)
        reply = tool.call(call)
        # Nothing is hidden in its texts, as on a terminal; the characters that pages count are these.
        reply = reply._replace(fields=neutralise_all(reply.fields), items=map(neutralise_all, reply.items))
        fields = page(reply, start, check, self.budget)
        problem = None if tool.read_only else repository.remotes.sync_after_write().problem
        return {**fields, "not_synced": neutralise_all(problem)} if problem else fields


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that do not fit a tool's schema.

    Raises:
        InvalidInput: the first of them is named.
    """
    from jsonschema.exceptions import best_match

    if unknown := arguments.keys() - tool.properties.keys():
        names = ", ".join(tool.properties) or "none"
        raise InvalidInput(f"{tool.name} has no argument {min(unknown)!r}", f"its arguments: {names}")
    if error := best_match(_validator(tool.name).iter_errors(dict(arguments))):
        raise InvalidInput(f"{error.json_path.removeprefix('$.')}: {error.message}")


@cache
def _validator(name: str) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator

    return Draft202012Validator(BY_NAME[name].schema)
