"""The real Claude Code, run in a project against a stub of the Messages API; what tests of it share.

    npm install --prefix .hosts @anthropic-ai/claude-code && pytest -n0 -m hosts

MEMOIR_TEST_CLAUDE may name another `claude`. Nothing leaves this machine.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from messages_api import Answer, MessagesApi, Request, tool_use
from support import COMMAND, PROJECT, Memoir, RunResult

HERE = PROJECT / ".hosts/node_modules/.bin/claude"
CLAUDE = os.environ.get("MEMOIR_TEST_CLAUDE") or (str(HERE) if HERE.exists() else None)

needs_claude = pytest.mark.skipif(
    not CLAUDE, reason="Claude Code is not installed: npm install --prefix .hosts @anthropic-ai/claude-code"
)


class OffPath(Memoir):
    """Runs memoir by its path in a folder that is on nobody's PATH."""

    def __init__(self, folder: Path, place: Path) -> None:
        super().__init__(folder, PATH=os.pathsep.join(each for each in _path() if each != str(COMMAND.parent)))
        place.mkdir()
        self.program = place / "memoir"
        self.program.symlink_to(COMMAND)

    def run(self, *args: str, stdin: str | bytes = b"", **env: str) -> RunResult:
        argv, everything = [str(self.program), *args], {**os.environ, **env, **self.env}
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(argv, input=data, capture_output=True, cwd=self.folder, env=everything, timeout=120)
        return RunResult(done.returncode, done.stdout.decode(), done.stderr.decode())


def _path() -> list[str]:
    return os.environ["PATH"].split(os.pathsep)


class Claude:
    """Claude Code with a configuration, a project and a model of its own."""

    def __init__(self, memoir: Memoir, config: Path, api: MessagesApi) -> None:
        self.memoir, self.config, self.api = memoir, config, api
        self.session = ""
        self.env = {
            "CLAUDE_CONFIG_DIR": str(config),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            **memoir.env,
        }
        memoir.env = self.env

    def setup(self, *args: str, status: int = 0) -> dict[str, Any]:
        return self.memoir.json("setup", "claude", *args, status=status)

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run `claude` in the project."""
        assert CLAUDE
        return subprocess.run(
            [CLAUDE, *args],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=self.memoir.folder,
            env={**os.environ, **self.env},
            timeout=120,
        )

    def ask(self, prompt: str, *args: str) -> list[str]:
        """Ask in a new session, or in that of `--resume`, and return the texts that reached the model, by request."""
        before = len(self.api.requests)
        done = self.run("-p", prompt, "--output-format", "json", *args)
        assert done.returncode == 0, done.stdout + done.stderr
        self.session = json.loads(done.stdout)["session_id"]
        return [json.dumps(request.body["messages"]) for request in self.api.requests[before:]]


def results_of(messages: list[dict[str, Any]]) -> list[str]:
    """The texts that tool calls came back with."""
    blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
    contents = [block["content"] for block in blocks if block["type"] == "tool_result"]
    return [each if isinstance(each, str) else "".join(block["text"] for block in each) for each in contents]


CHANGED_MEANWHILE = re.compile("has been modified since read|has not been read yet")
"""What Claude Code says instead of changing a file."""


def acting(*calls: tuple[str, dict[str, Any]]) -> Callable[[Request], Answer]:
    """A model that calls one tool after the other in each session, and then says that it is done.

    Claude Code changes a file only if nobody has since the model read it, and memoir may write MEMORY.md meanwhile: the
    model then reads the file and changes it again, which are the last two calls.
    """

    def respond(request: Request) -> Answer:
        results = results_of(request.body["messages"])
        done = len(results) - 2 * sum(bool(CHANGED_MEANWHILE.search(result)) for result in results)
        return tool_use(calls[done][0], **calls[done][1]) if done < len(calls) else "ok"

    return respond


def text_of(request: str) -> str:
    """All text in the messages of a request, as `Claude.ask` returns it, without the results of tools."""
    contents = [message["content"] for message in json.loads(request)]
    blocks = [[{"text": each}] if isinstance(each, str) else each for each in contents]
    return "\n".join(block["text"] for each in blocks for block in each if "text" in block)
