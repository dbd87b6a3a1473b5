"""`memoir mcp` as hosts run it: the SDK's own client over standard input and output, in both eras of the protocol."""

import json
import os
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from support import COMMAND, Memoir

if TYPE_CHECKING:
    from mcp.client.client import Client
    from mcp_types import ListRootsResult

ERAS = ("legacy", "2026-07-28")


def talk(era: str, folder: Path, use: "Callable[[Client], Awaitable[None]]", *args: str, **fields: Any) -> None:
    """Run a client against a server that was started in another folder than the store's.

    The import of the SDK takes a second, which each worker would spend on collecting the tests.
    """
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(command=str(COMMAND), args=["mcp", *args], cwd=folder, env=dict(os.environ))

    async def run() -> None:
        with anyio.fail_after(60):
            async with Client(stdio_client(server), mode=era, **fields) as client:
                await use(client)

    anyio.run(run)


@pytest.mark.parametrize("era", ERAS)
def test_a_session(memoir: Memoir, tmp_path: Path, era: str) -> None:
    from mcp.shared.exceptions import MCPError
    from mcp_types import ListRootsResult, Root, TextContent
    from pydantic import FileUrl

    memoir.remember("preferences.coding.testing", "Use pytest, not unittest.")

    async def roots(context: object) -> "ListRootsResult":
        return ListRootsResult(roots=[Root(uri=FileUrl(memoir.folder.as_uri()))])

    async def use(client: "Client") -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert len(tools) == 9 and all(tool.output_schema is None for tool in tools.values())
        assert tools["recall"].annotations and tools["recall"].annotations.read_only_hint
        assert tools["forget"].annotations and tools["forget"].annotations.destructive_hint

        recall = await client.call_tool("recall", {"query": "which test runner?"})
        assert recall.structured_content["memories"][0].endswith("  preferences.coding.testing")
        (text,) = recall.content
        assert isinstance(text, TextContent) and json.loads(text.text) == recall.structured_content
        failure = await client.call_tool("get", {"keys": ["a.b"], "at": "nothing"})
        assert failure.is_error and failure.structured_content["error"]["code"] == "not_found"
        with pytest.raises(MCPError):
            await client.call_tool("no_such_tool", {})

        memoir.remember("ci.time", "CI has an hour.")  # another process writes
        async with anyio.create_task_group() as group:
            for number in range(6):
                arguments = {"content": f"Number {number}.", "key": f"numbers.n{number}"}
                group.start_soon(client.call_tool, "remember", arguments)
        read = await client.call_tool("get", {"keys": ["ci.time", *(f"numbers.n{number}" for number in range(6))]})
        assert [item["content"] for item in read.structured_content["items"]] == [
            "CI has an hour.",
            *(f"Number {number}." for number in range(6)),
        ]

    talk(era, tmp_path, use, list_roots_callback=roots)
    assert memoir.content("numbers.n5") == "Number 5."


def test_the_server_ends_with_its_input_and_says_nothing_but_the_protocol(memoir: Memoir, tmp_path: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
    }
    argv = memoir.argv("mcp", "--store", str(memoir.folder), "--read-only")

    done = subprocess.run(
        argv, input=json.dumps(hello) + "\n", cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    (answer,) = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (0, "")
    assert answer["result"]["protocolVersion"] == "2025-06-18" and "recall" in answer["result"]["instructions"].lower()
