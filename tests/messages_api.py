"""A stub of the Messages API on the loopback, for tests: it answers what it was told to, or fails as it was told to.

Nothing it answers says anything about a real model's quality, and its token counts are merely plausible.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from itertools import count
from types import TracebackType
from typing import Any, NamedTuple

from stub_server import StubServer

KEY = "test-key-0123456789"
_PATH = "/v1/messages"
_NUMBERS = count(1)
_KINDS = {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error",
}  # fmt: skip


class Request(NamedTuple):
    """One request as it arrived; header names are in lower case."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prelude(self) -> str:
        """The text of the system prompt, or nothing."""
        return "".join(block["text"] for block in self.body.get("system", ()))

    @property
    def tail(self) -> str:
        """The text of the last message."""
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


class Fault(NamedTuple):
    """What goes over the wire instead of a well-formed answer; without a status, the connection is closed."""

    status: int | None = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = {}
    delay: float = 0.0


Answer = str | Fault


def filing(*paths: tuple[str, float], runner_up: str | None = None) -> str:
    """The answer of a model that files a memory."""
    second = {"path": runner_up, "confidence": 0.2} if runner_up else None
    listed = [{"path": path, "confidence": sure} for path, sure in paths]
    return json.dumps({"memory": True, "paths": listed, "runner_up": second, "reason": "it says so"})


def error(status: int, message: str = "the stub refuses", **headers: str) -> Fault:
    """An error in the API's own shape; `retry_after="7"` becomes the header `retry-after: 7`."""
    kind = _KINDS.get(status, "api_error")
    answer = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_stub"}
    return Fault(status, _dump(answer), headers={name.replace("_", "-"): value for name, value in headers.items()})


def hang_up() -> Fault:
    """The connection is closed without a word."""
    return Fault(status=None)


def slow(seconds: float) -> Fault:
    """A good answer that comes late."""
    return Fault(body=_dump(message("late")), delay=seconds)


def garbage() -> Fault:
    """Bytes that call themselves JSON."""
    return Fault(body=b'{"content": [\xff\x00')


def html(status: int = 200) -> Fault:
    """What a captive portal or a misconfigured gateway says."""
    return Fault(status, b"<!doctype html><title>Welcome</title><p>Please sign in.", "text/html; charset=utf-8")


def with_body(value: Any) -> Fault:
    """Any JSON value as the answer's whole body."""
    return Fault(body=_dump(value))


def message(text: str, **fields: Any) -> dict[str, Any]:
    """A Messages API answer with one text block; fields replace or join its own."""
    answer = {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": "stub",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage(),
    }
    return {**answer, **fields}


def tool_use(name: str, **arguments: Any) -> Fault:
    """An answer that calls a tool."""
    number = next(_NUMBERS)
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
    return with_body(message("", id=f"msg_{number}", content=[block], stop_reason="tool_use"))


def as_stream(answer: Fault) -> Fault:
    """A well-formed answer as the events of a stream; what is none stays as it is."""
    try:
        whole = json.loads(answer.body)
        blocks = whole["content"]
    except (ValueError, KeyError):
        return answer
    end = {name: whole[name] for name in ("stop_reason", "stop_sequence")}
    start = {**whole, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(blocks):
        empty, part = _parts(block)
        events += [
            {"type": "content_block_start", "index": index, "content_block": {**block, **empty}},
            {"type": "content_block_delta", "index": index, "delta": part},
            {"type": "content_block_stop", "index": index},
        ]
    events += [{"type": "message_delta", "delta": end, "usage": whole["usage"]}, {"type": "message_stop"}]
    lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return answer._replace(body="".join(lines).encode(), content_type="text/event-stream")


def _parts(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a block is at the start of its stream, and what is added to it then."""
    if block["type"] == "text":
        return {"text": ""}, {"type": "text_delta", "text": block["text"]}
    return {"input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}


def usage(read: int = 10, output: int = 5, creation: int = 0, cache: int = 0) -> dict[str, int]:
    """Token counts under the API's names."""
    return {
        "input_tokens": read,
        "output_tokens": output,
        "cache_creation_input_tokens": creation,
        "cache_read_input_tokens": cache,
    }


class MessagesApi(StubServer):
    """The stub.

    It gives the queued answers in turn, then those of `respond`, then `"ok"`; a text becomes a well-formed
    message. Every request is kept in `requests`.
    """

    def __init__(self, answers: Iterable[Answer] = (), respond: Callable[[Request], Answer] | None = None) -> None:
        self.answers = deque(answers)
        self.respond = respond or (lambda _: "ok")
        self.requests: list[Request] = []
        self.end = threading.Event()
        self._preludes: set[str] = set()
        self._lock = threading.Lock()
        super().__init__(_handler(self))

    def env(self) -> dict[str, str]:
        """The environment in which a process talks to this stub, past any proxy."""
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": KEY, "NO_PROXY": "*", "no_proxy": "*"}

    def answer(self, request: Request) -> Fault:
        """Keep a request and decide what goes back."""
        with self._lock:
            self.requests.append(request)
            answer = self.answers.popleft() if self.answers else self.respond(request)
            return with_body(message(answer, usage=self._usage(request, answer))) if isinstance(answer, str) else answer

    def _usage(self, request: Request, answer: str) -> dict[str, int]:
        """A marked prelude is written to the cache the first time and read from it afterwards."""
        cacheable = any("cache_control" in block for block in request.body.get("system", ()))
        is_known = request.prelude in self._preludes
        self._preludes |= {request.prelude} if cacheable else set()
        prelude, rest = _tokens(request.prelude), _tokens(request.tail)
        if not cacheable:
            return usage(prelude + rest, _tokens(answer))
        return usage(rest, _tokens(answer), creation=0 if is_known else prelude, cache=prelude if is_known else 0)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end.set()
        super().__exit__(kind, error, traceback)


def _handler(api: MessagesApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer, else delayed acknowledgements cost 40 ms

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            is_known = self.path.partition("?")[0] == _PATH
            answer = api.answer(Request(body, headers)) if is_known else error(404, f"no such path: {self.path}")
            self._send(as_stream(answer) if body.get("stream") else answer)

        def _send(self, fault: Fault) -> None:
            if fault.delay:
                api.end.wait(fault.delay)
            self.close_connection = fault.status is None
            if fault.status is None:
                return
            self.send_response(fault.status)
            about = {"content-type": fault.content_type, "content-length": str(len(fault.body)), **fault.headers}
            for name, value in about.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(fault.body)

        def handle(self) -> None:
            with suppress(ConnectionError):  # the client gave up, as it does when its time is out
                super().handle()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _tokens(text: str) -> int:
    return len(text) // 4 + 1 if text else 0
