"""The first answers of a server, before the SDK is loaded, which takes ten times as long as everything else.

A host that starts a session waits for the handshake and the list of tools, and begins without the tools if they come
late. Both are always the same, and are what the SDK answers: `tests/mcp/test_handshake.py` compares them. Then the SDK
reads the same requests and goes on. Whatever else a client begins with is left to the SDK.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from memoir.mcp.service import Service
from memoir.mcp.tools import INSTRUCTIONS
from memoir.mcp.wire import Wire
from memoir.version import __version__

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
