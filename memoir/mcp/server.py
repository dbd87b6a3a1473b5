"""`memoir.mcp.service` over the official SDK: standard input and output, for clients of both protocol eras.

The first answers come before the SDK is loaded, which takes ten times as long as everything else. A host that starts a
session waits for the handshake and the list of tools, and begins without the tools if they come late. Both are always
the same, and are what the SDK answers: `tests/mcp/test_handshake.py` compares them. Then the SDK reads the same
requests and goes on. Whatever else a client begins with is left to the SDK.
"""

import gc
import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO, cast

import orjson

from memoir.mcp.service import Service, ToolAnswer
from memoir.mcp.tools import INSTRUCTIONS
from memoir.mcp.wire import Wire, standard_wire
from memoir.version import __version__

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server import Server, ServerRequestContext

    Context = ServerRequestContext[Any, Any]


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
    """Make one call in a thread of its own, after the client was asked for its roots if only it knows the store."""
    import mcp_types as types
    from anyio import to_thread
    from mcp.shared.exceptions import MCPError

    tool = service.tool(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"no tool named {params.name!r}")
    if service.place.asks_client and (request := await _ask_roots(service, context, params)):
        return request
    arguments, client = params.arguments or {}, _client(context)
    answer = await to_thread.run_sync(lambda: service.answer(tool, arguments, client), abandon_on_cancel=tool.read_only)
    return _result(answer)


async def _ask_roots(
    service: Service, context: "Context", params: "types.CallToolRequestParams"
) -> "types.InputRequiredResult | None":
    """Learn the client's roots: in the older era by a request to it, in the newer by an answer that asks for them."""
    import mcp_types as types
    from mcp.shared.exceptions import MCPError

    able = context.session.check_client_capability(types.ClientCapabilities(roots=types.RootsCapability()))
    if not able:
        return None
    response: Any = (params.input_responses or {}).get(_ROOTS)
    if context.session.can_send_request:
        try:
            response = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult, _PATIENCE)
        except MCPError:  # then no root has a store, and the call's own error says what to do
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
    """An answer as structured content, and as the same in text for clients that show only that."""
    import mcp_types as types
    import orjson

    text = orjson.dumps(answer.fields).decode()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=answer.fields, is_error=answer.failed
    )


VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The versions of the protocol that begin with a handshake."""
IDENTITY = {"name": "memoir", "version": __version__, "title": "memoir", "description": "git for agent memory"}


def shake_hands(wire: Wire, service: Service) -> bool:
    """Answer a client's first requests; return whether it has more to say."""
    lines, answered = list[str](), list[Any]()
    while line := wire.next():
        lines.append(line)
        message = _read(line)
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


def _read(line: str) -> Mapping[str, Any]:
    try:
        message = orjson.loads(line)
    except ValueError:
        return {}
    is_request = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    return message if is_request else {}


def _has_id(message: Mapping[str, Any]) -> bool:
    return isinstance(message.get("id"), str | int) and not isinstance(message["id"], bool)


def _is_plain(message: Mapping[str, Any]) -> bool:
    """Whether a request has no parameters but what is said of any request."""
    params = message.get("params", {})
    return _has_id(message) and isinstance(params, dict) and not params.keys() - {"_meta"}


def _is_handshake(message: Mapping[str, Any]) -> bool:
    """Whether a message begins a session of a known version, and is as it should be."""
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
