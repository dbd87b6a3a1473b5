"""The first answers: at once, without the SDK, and the same as the SDK's."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from support import Memoir

from memoir.mcp import server
from memoir.mcp.client_store import StorePlace
from memoir.mcp.server import Wire, build
from memoir.mcp.service import Service

Message = dict[str, Any]


def request(method: str, number: object = 1, **params: object) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": method} | ({"params": params} if params else {})


def hello(version: str = "2025-06-18", **params: object) -> Message:
    fields = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    return request("initialize", **fields | params)


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
TOOLS = request("tools/list", 2)


def lines(*messages: Message) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def begin(*messages: Message, read_only: bool = False) -> tuple[list[Message], bool, Wire]:
    """The answers without the SDK, whether it has to go on, and what it would read."""
    sink = BytesIO()
    wire = Wire(BytesIO(lines(*messages)), sink)
    goes_on = server.shake_hands(wire, Service(StorePlace(), read_only=read_only))
    return [json.loads(line) for line in sink.getvalue().splitlines()], goes_on, wire


class PatientClient(BytesIO):
    """A client that hangs up when it has two answers."""

    def __init__(self, data: bytes, sink: BytesIO) -> None:
        super().__init__(data)
        self.sink = sink

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        end = time.monotonic() + 30
        while not line and self.sink.getvalue().count(b"\n") < 2 and time.monotonic() < end:
            time.sleep(0.01)
        return line


def answers_of_sdk(service: Service, *messages: Message) -> list[Message]:
    from mcp.server.stdio import stdio_server  # the import takes a second, which every worker would spend

    sink = BytesIO()
    file: Any = Wire(PatientClient(lines(*messages), sink), sink)

    async def run() -> None:
        server = build(service)
        async with stdio_server(anyio.wrap_file(file), anyio.wrap_file(file)) as (requests, answers):
            await server.run(requests, answers, server.create_initialization_options())

    anyio.run(run)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_each_version_that_the_sdk_shakes_hands_in_is_answered_at_once() -> None:
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    assert {*HANDSHAKE_PROTOCOL_VERSIONS} == {*server.VERSIONS}


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("version", server.VERSIONS)
def test_the_first_answers_are_those_of_the_sdk(version: str, read_only: bool) -> None:
    service = Service(StorePlace(), read_only=read_only)

    for tools in (TOOLS, request("tools/list", "two", _meta={"progressToken": 0})):
        answers, goes_on, _ = begin(hello(version), READY, tools, read_only=read_only)
        assert goes_on and len(answers) == 2
        assert answers == answers_of_sdk(service, hello(version), READY, tools)


@pytest.mark.parametrize(
    "first",
    [
        hello("2026-07-28"), hello("1999-01-01"), hello(capabilities=3), hello(clientInfo={"name": "c"}),
        {**hello(), "jsonrpc": "1.0"}, request("server/discover"), TOOLS, READY,
    ],
)  # fmt: skip
def test_whatever_else_a_client_begins_with_is_left_to_the_sdk(first: Message) -> None:
    answers, goes_on, wire = begin(first, hello())

    assert answers == [] and goes_on
    assert [json.loads(wire.readline()) for _ in range(2)] == [first, hello()]


def test_a_list_of_tools_that_asks_for_more_is_left_to_the_sdk() -> None:
    for tools in (request("tools/list", 2, cursor="x"), {**TOOLS, "params": []}, {**TOOLS, "id": 1}):
        answers, goes_on, _ = begin(hello(), READY, tools)
        assert [answer["id"] for answer in answers] == [1] and goes_on


def test_the_sdk_reads_what_was_answered_and_its_answers_to_that_are_not_sent() -> None:
    call = request("tools/call", 3, name="status", arguments={})
    _, _, wire = begin(hello(), READY, TOOLS, call)

    assert [json.loads(wire.readline()) for _ in range(4)] == [hello(), READY, TOOLS, call]
    sent = wire._sink
    before = sent.tell()
    wire.write(json.dumps(request("roots/list", 1)) + "\n")
    for number in (1, 2, 3, 1):
        wire.write(json.dumps({"jsonrpc": "2.0", "id": number, "result": {}}) + "\n")
    assert isinstance(sent, BytesIO)
    rest = [json.loads(line) for line in sent.getvalue()[before:].splitlines()]
    assert [(each["id"], "method" in each) for each in rest] == [(1, True), (3, False), (1, False)]


@contextmanager
def running(memoir: Memoir, *prelude: str) -> Iterator[subprocess.Popen[str]]:
    code = "\n".join([*prelude, "from memoir.__main__ import main", "main()"])
    argv = [sys.executable, "-c", code, "mcp", "--store", str(memoir.folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=dict(os.environ)) as process:
        yield process


def test_before_the_first_answers_only_memoir_and_what_lists_the_tools_is_loaded(memoir: Memoir) -> None:
    spy = (
        "import sys, memoir.mcp.server as server",
        "server._serve = lambda *args: print(*sys.modules, file=sys.stderr, flush=True)",
    )
    with running(memoir, *spy) as process:
        out, err = process.communicate(lines(hello(), READY, TOOLS).decode() + "{}\n", timeout=60)

    assert [json.loads(line)["id"] for line in out.splitlines()] == [1, 2]
    modules = err.split()
    heavy = "mcp mcp_types pydantic pydantic_core anyio asyncio httpx2 uvicorn starlette jsonschema rich logging ssl"
    assert "memoir.mcp.service" in modules and not {*heavy.split()} & {*modules}
    assert not {"memoir.repository", "memoir.recall", "memoir.index", "memoir.memory.write"} & {*modules}
    assert sum(name.startswith("memoir") for name in modules) < 90


def test_the_first_answers_do_not_wait_for_the_sdk(memoir: Memoir, tmp_path: Path) -> None:
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp/__init__.py").write_text("raise ImportError('broken')")
    with running(memoir, f"import sys; sys.path.insert(0, {str(tmp_path)!r})") as process:
        assert process.stdin and process.stdout
        process.stdin.write(lines(hello(), READY, TOOLS).decode())
        process.stdin.flush()

        assert [json.loads(process.stdout.readline())["id"] for _ in range(2)] == [1, 2]
        process.stdin.close()
        process.kill()
