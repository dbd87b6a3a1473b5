"""`memoir.mcp.service` over the official SDK: standard input and output, for clients of both protocol eras.

The first answers are sent before the SDK is loaded, which takes ten times as long as everything else: a host that
starts a session waits for the handshake and the list of tools, and begins without the tools if they come late. These
two answers never change, and equal the SDK's: `tests/mcp/test_handshake.py` compares them. Then the SDK reads the same
requests and takes over. All other requests are left to the SDK, except lines that it cannot read: it would drop them,
and the client would wait for an answer for ever.
"""

import fcntl
import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

import orjson

from memoir.mcp.service import INSTRUCTIONS, Service, ToolAnswer
from memoir.version import __version__

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server import Server, ServerRequestContext

    Context = ServerRequestContext[Any, Any]

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
_PATIENCE_AT_END = 30.0
"""The seconds that running calls have after the client's input has ended."""


class Wire:
    """The lines of a client, and the answers to them; a file for the SDK to read from and to write to.

    The SDK drops running calls when its input ends, so it gets the end of the input only after the last answer.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.check: Callable[[str], object] = orjson.loads
        """Raises ValueError for a line that is not a message."""
        self._source, self._sink = source, sink
        self._lock = Lock()
        self._unread: list[str] = []
        self._answered: list[Any] = []
        self._open: list[Any] = []
        self._is_answered = Condition()

    def next(self) -> str:
        """The next line as it came; empty at the end."""
        return self._source.readline().decode(errors="replace")

    def answer(self, request: Any, result: object) -> None:
        """Answer a request of the client."""
        self._send({"jsonrpc": "2.0", "id": request, "result": result})

    def replay(self, lines: list[str], answered: list[Any]) -> None:
        """Let lines be read again, and drop the SDK's answers to requests that are answered already."""
        self._unread, self._answered = lines, answered

    def readline(self) -> str:
        """The next line that is a message; empty at the end."""
        while line := self._unread.pop(0) if self._unread else self.next():
            try:
                self.check(line)
                message = _parse(line)
                if "method" in message and "id" in message and not _has_id(message):
                    raise ValueError("the SDK takes it for a notification")
            except ValueError:
                if refusal := _refusal(line):
                    self._send(refusal)
            else:
                self._note(message)
                return line
        with self._is_answered:
            self._is_answered.wait_for(lambda: not self._open, _PATIENCE_AT_END)
        return ""

    def _note(self, message: Mapping[str, Any]) -> None:
        """Note that a request awaits an answer, or that a cancelled one no longer does."""
        if message.get("method") == "notifications/cancelled":
            params = message.get("params")
            self._close(params.get("requestId") if isinstance(params, dict) else None)
        elif "method" in message and "id" in message:
            with self._is_answered:
                self._open.append(message["id"])

    def _close(self, *requests: Any) -> None:
        with self._is_answered:
            for request in requests:
                if request in self._open:
                    self._open.remove(request)
            self._is_answered.notify_all()

    def write(self, text: str) -> int:
        """Send a message, unless it answers a request that is answered already."""
        message = orjson.loads(text)
        request = None if "method" in message else message.get("id")
        try:
            if request in self._answered:
                self._answered.remove(request)
            else:
                self._put(text.encode())
        except OSError:  # the client has disconnected
            self._close(*self._open)
            raise
        self._close(request)
        return len(text)

    def flush(self) -> None:
        """Each message is sent as soon as it is written."""

    def _send(self, message: object) -> None:
        self._put(orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE))

    def _put(self, data: bytes) -> None:
        with self._lock:  # errors are sent by the thread that reads
            self._sink.write(data)
            self._sink.flush()


def _refusal(line: str) -> object:
    """The error for a line that is not a message; None for a blank line or an invalid response."""
    import json

    if not line.strip():
        return None
    code, message = INVALID_REQUEST, "this is not a message of JSON-RPC 2.0"
    try:
        orjson.loads(line)
    except ValueError as error:
        code, message = PARSE_ERROR, f"this line is not JSON: {error}"
    try:
        record = json.loads(line)  # unlike orjson, it accepts half a surrogate pair
    except (ValueError, RecursionError):
        record = None
    fields = record if isinstance(record, dict) else {}
    if "method" not in fields and {"result", "error"} & fields.keys():
        return None
    request = fields["id"] if _has_id(fields) else None
    return {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}


@contextmanager
def standard_wire() -> Iterator[Wire]:
    """Standard input and output, hidden from all other code meanwhile."""
    copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3) for descriptor in (0, 1)]
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    with suppress(OSError):  # there may be no standard error
        os.dup2(2, 1)
    # A thread may still be reading at the end, so the source is not closed.
    with open(copies[0], "rb", closefd=False) as source, open(copies[1], "wb") as sink:
        try:
            yield Wire(source, sink)
        finally:
            os.dup2(copies[0], 0)
            os.dup2(copies[1], 1)
            os.close(nothing)


_ROOTS = "roots"
_PATIENCE = 5.0
"""How many seconds a client has to name its roots."""


def serve(service: Service) -> None:
    """Answer a client on standard input and output until its input ends."""
    try:
        with standard_wire() as wire:
            if shake_hands(wire, service):
                _serve(service, wire)
    except* BrokenPipeError:
        pass  # the client has gone
    finally:
        service.place.close()


def _serve(service: Service, wire: Wire) -> None:
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for plugins reads every installed package
    import anyio
    import mcp_types as types
    from mcp.server.stdio import stdio_server

    wire.check = partial(types.jsonrpc_message_adapter.validate_json, by_name=False)
    server, file = build(service), cast("TextIO", wire)
    gc.freeze()
    gc.enable()

    async def run() -> None:
        async with stdio_server(anyio.wrap_file(file), anyio.wrap_file(file)) as (requests, answers):
            await server.run(requests, answers, server.create_initialization_options())

    anyio.run(run)


def build(service: Service) -> "Server[Any]":
    """Return the SDK's server for a service."""
    import mcp_types as types
    from mcp.server import Server

    async def list_tools(context: "Context", params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool.listing) for tool in service.tools])

    async def call_tool(
        context: "Context", params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        return await _call(service, context, params)

    async def forget_roots(context: "Context", params: Any) -> None:
        service.place.roots = None

    server: Server[Any] = Server(
        IDENTITY["name"],
        version=IDENTITY["version"],
        title=IDENTITY["title"],
        description=IDENTITY["description"],
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, forget_roots)
    return server


async def _call(
    service: Service, context: "Context", params: "types.CallToolRequestParams"
) -> "types.CallToolResult | types.InputRequiredResult":
    """Make one call in a thread of its own; first ask the client for its roots if only it knows the store."""
    import mcp_types as types
    from anyio import to_thread
    from mcp.shared.exceptions import MCPError

    tool = service.tool(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"no tool named {params.name!r}; 'tools/list' lists them")
    if service.place.asks_client and (request := await _ask_roots(service, context, params)):
        return request
    arguments, client = params.arguments or {}, _client(context)
    answer = await to_thread.run_sync(lambda: service.answer(tool, arguments, client), abandon_on_cancel=tool.read_only)
    return _result(answer)


async def _ask_roots(
    service: Service, context: "Context", params: "types.CallToolRequestParams"
) -> "types.InputRequiredResult | None":
    """Get the client's roots: in the older protocol by a request, in the newer by an answer that asks for them."""
    import mcp_types as types
    from mcp.shared.exceptions import MCPError

    able = context.session.check_client_capability(types.ClientCapabilities(roots=types.RootsCapability()))
    if not able:
        return None
    response: Any = (params.input_responses or {}).get(_ROOTS)
    if context.session.can_send_request:
        try:
            response = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult, _PATIENCE)
        except MCPError:  # without roots, the call's own error says what to do
            return None
    elif response is None:
        return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
    result = types.ListRootsResult.model_validate(response, from_attributes=True)
    service.place.roots = [str(root.uri) for root in result.roots]
    return None


def _client(context: "Context") -> str:
    """The name by which the client introduced itself."""
    params = context.session.client_params
    return params.client_info.name if params and params.client_info.name else "mcp"


def _result(answer: ToolAnswer) -> "types.CallToolResult":
    """An answer as structured content, and as text for clients that show only text."""
    import mcp_types as types

    text = orjson.dumps(answer.fields).decode()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=answer.fields, is_error=answer.failed
    )


VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The versions of the protocol that begin with a handshake."""
IDENTITY = {"name": "memoir", "version": __version__, "title": "memoir", "description": "git for agent memory"}


def shake_hands(wire: Wire, service: Service) -> bool:
    """Answer a client's first requests; return whether its input goes on."""
    lines, answered = list[str](), list[Any]()
    while line := wire.next():
        lines.append(line)
        message = _parse(line)
        method = message.get("method")
        if not answered and _is_handshake(message):
            wire.answer(message["id"], _welcome(message["params"]["protocolVersion"]))
            answered.append(message["id"])
        elif answered and method == "tools/list" and _is_plain(message) and message["id"] not in answered:
            wire.answer(message["id"], {"tools": [tool.listing for tool in service.tools]})
            answered.append(message["id"])
            break
        elif not (answered and method == "notifications/initialized"):
            break
    wire.replay(lines, answered)
    return bool(line)


def _parse(line: str) -> Mapping[str, Any]:
    try:
        message = orjson.loads(line)
    except ValueError:
        return {}
    is_request = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    return message if is_request else {}


def _has_id(message: Mapping[str, Any]) -> bool:
    return isinstance(message.get("id"), str | int) and not isinstance(message["id"], bool)


def _is_plain(message: Mapping[str, Any]) -> bool:
    """Whether a request has no parameters except `_meta`."""
    params = message.get("params", {})
    return _has_id(message) and isinstance(params, dict) and not params.keys() - {"_meta"}


def _is_handshake(message: Mapping[str, Any]) -> bool:
    """Whether a message is a valid request for a session of a known version."""
    params = message.get("params")
    if message.get("method") != "initialize" or not _has_id(message) or not isinstance(params, dict):
        return False
    client = params.get("clientInfo")
    return (
        params.get("protocolVersion") in VERSIONS
        and isinstance(params.get("capabilities"), dict)
        and isinstance(client, dict)
        and isinstance(client.get("name"), str)
        and isinstance(client.get("version"), str)
    )


def _welcome(version: str) -> Mapping[str, Any]:
    return {
        "protocolVersion": version,
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": IDENTITY,
        "instructions": INSTRUCTIONS,
    }
