"""Stubs of the APIs that hosts other than Claude Code speak: each request is kept, and answered with "ok"."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

from stub_server import StubServer

_ITEM = {
    "type": "message",
    "id": "msg_stub",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "ok", "annotations": []}],
}
_USAGE = {
    "input_tokens": 1,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 1,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 2,
}
_RESPONSE = {"id": "resp_stub", "object": "response", "status": "completed", "output": [_ITEM], "usage": _USAGE}
_CHUNK = {"id": "chat_stub", "object": "chat.completion.chunk", "created": 1, "model": "stub"}


def responses() -> bytes:
    """A stream of OpenAI's Responses API."""
    return _response(_ITEM, {**_ITEM, "content": []})


def responses_call(name: str, **arguments: Any) -> bytes:
    """The same, with the call of a tool."""
    call = {"type": "function_call", "id": "fc_stub", "call_id": "call_stub", "name": name, "status": "completed"}
    return _response({**call, "arguments": json.dumps(arguments)}, {**call, "arguments": ""})


def _response(item: dict[str, Any], begun: dict[str, Any]) -> bytes:
    return _events(
        {"type": "response.created", "response": {**_RESPONSE, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**_RESPONSE, "output": [item]}},
    )


def completions() -> bytes:
    """A stream of OpenAI's Chat Completions API."""
    return _completion({"content": "ok"}, "stop")


def completions_call(name: str, **arguments: Any) -> bytes:
    """The same, with the call of a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": "call_stub", "type": "function", "function": function}
    return _completion({"content": None, "tool_calls": [call]}, "tool_calls")


def _completion(delta: dict[str, Any], end: str) -> bytes:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    first = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": end}
    return _events({**_CHUNK, "choices": [first]}, {**_CHUNK, "choices": [last], "usage": usage}) + b"data: [DONE]\n\n"


def gemini() -> bytes:
    """A stream of Google's Gemini API."""
    return _candidate({"text": "ok"})


def gemini_call(name: str, **arguments: Any) -> bytes:
    """The same, with the call of a tool."""
    return _candidate({"functionCall": {"name": name, "args": arguments}})


def _candidate(part: dict[str, Any]) -> bytes:
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    content = {"role": "model", "parts": [part]}
    return _events({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage})


def _events(*events: dict[str, Any]) -> bytes:
    pairs = ((f"event: {event['type']}\n" if "type" in event else "", json.dumps(event)) for event in events)
    return "".join(f"{name}data: {data}\n\n" for name, data in pairs).encode()


class ChatApi(StubServer):
    """A stub that gives one answer to everything."""

    def __init__(self, answer: bytes, respond: Callable[[str], bytes | None] = lambda body: None) -> None:
        """`respond` gives another answer to a request, by its body; None: the one for everything."""
        self.bodies: list[str] = []
        self.respond = respond
        super().__init__(_handler(self, answer))


def _handler(api: ChatApi, answer: bytes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            api.bodies.append(body)
            self._send(api.respond(body) or answer, "text/event-stream")

        def do_GET(self) -> None:
            self._send(b'{"data": [], "models": []}', "application/json")

        def _send(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler
