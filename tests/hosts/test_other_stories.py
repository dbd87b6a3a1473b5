"""The story of `test_story.py` with real Codex, Gemini CLI and OpenCode, where npm has put them, and stub models.

npm install --prefix .hosts @openai/codex @google/gemini-cli opencode-ai && pytest -n0 -m hosts
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from chat_apis import ChatApi, completions, completions_call, gemini, gemini_call, responses, responses_call
from hosts.programs import BIN, FOUND_OUT, RULE, codex_settings
from support import Memoir

pytestmark = pytest.mark.hosts


class Host(NamedTuple):
    """One host: its command with a prompt to come, its configuration for a stub, and what its model says.

    Attributes:
        package: Its npm package.
        command: Its command line, without the prompt.
        file: Its own configuration, below HOME.
        settings: The text of that file, for the URL of a stub.
        environment: Variables that it needs, for the URL of a stub.
        answer: What the stub says.
        call: What the stub says to run a command in the shell.
        returned: What stands in a request that has the command's output.
    """

    package: str
    command: list[str]
    file: str
    settings: Callable[[str], str]
    environment: Callable[[str], Mapping[str, str]]
    answer: bytes
    call: Callable[[str], bytes]
    returned: str


def opencode_settings(url: str) -> str:
    options = {"baseURL": f"{url}/v1", "apiKey": "x"}
    mock = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"mock": {"name": "mock"}}}
    return json.dumps({"provider": {"mock": mock}, "model": "mock/mock", "permission": {"bash": {"*": "ask"}}})


HOSTS = {
    "codex": Host(
        "@openai/codex",
        ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
        ".codex/config.toml",
        codex_settings,
        lambda url: {"MOCK_KEY": "x"},
        responses(),
        lambda command: responses_call("exec_command", cmd=command),
        '"function_call_output"',
    ),
    "gemini": Host(
        "@google/gemini-cli",
        ["gemini", "-m", "gemini-2.5-flash", "-p"],
        ".gemini/settings.json",
        lambda url: '{"security": {"auth": {"selectedType": "gemini-api-key"}}}',
        lambda url: {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"},
        gemini(),
        lambda command: gemini_call("run_shell_command", command=command, description="a note"),
        '"functionResponse"',
    ),
    "opencode": Host(
        "opencode-ai",
        ["opencode", "run"],
        ".config/opencode/opencode.json",
        opencode_settings,
        lambda url: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
        completions(),
        lambda command: completions_call("bash", command=command, description="a note"),
        '"role":"tool"',
    ),
}


class Session(NamedTuple):
    """A host in a project, with its stub."""

    host: Host
    memoir: Memoir
    api: ChatApi

    def ask(self, prompt: str) -> list[str]:
        """Ask in a new session, and return the requests that reached the model."""
        before = len(self.api.bodies)
        name, *arguments = self.host.command
        env = {**os.environ, **self.host.environment(self.api.url), "PWD": str(self.memoir.folder)}
        done = subprocess.run(
            [BIN / name, *arguments, prompt],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=self.memoir.folder,
            env=env,
            timeout=300,  # OpenCode fetches packages when it starts
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return self.api.bodies[before:]

    def learn(self, request: str) -> bytes | None:
        """A model that runs the command for remembering as it was told to, once."""
        told = re.search(r"""`([^`]+ remember) \\?(["'])ONE FACT""", request)
        if not told or self.host.returned in request.replace('": ', '":') or '"tools"' not in request:
            return None
        return self.host.call(f"{told[1]} {told[2]}{FOUND_OUT}{told[2]} -p debugging.tests.login")


@pytest.mark.parametrize("name", HOSTS)
def test_the_second_session_knows_what_the_first_one_learnt(tmp_path: Path, name: str) -> None:
    host = HOSTS[name]
    if not (BIN / host.command[0]).exists():
        pytest.skip(f"{host.command[0]} is not installed: npm install --prefix .hosts {host.package}")
    memoir = Memoir(tmp_path / "my project")
    memoir.folder.mkdir()
    config = Path(os.environ["HOME"], host.file)
    config.parent.mkdir(parents=True)
    with ChatApi(host.answer) as api:
        config.write_text(before := host.settings(api.url))
        session = Session(host, memoir, api)
        memoir.ok("init")
        memoir.ok("setup", name)
        memoir.ok("capture", "on")

        # Without a permission the agent is told, but its command does not get through.
        api.respond = session.learn
        first, *_ = session.ask("Why does the login test fail?")
        assert "it is empty so far" in first
        assert memoir.content("debugging.tests.login") is None

        memoir.ok("setup", name, "--allow")
        session.ask(f"Why does the login test fail? {RULE}")
        assert memoir.content("debugging.tests.login") == FOUND_OUT
        (waiting,) = memoir.json("capture", "review")["proposals"]
        assert "make lint" in waiting["content"] and waiting["source"] == name
        memoir.ok("capture", "accept", "--all")

        api.respond = lambda request: None
        *_, second = session.ask("Push this, please.")
        assert FOUND_OUT in second and f"capture:{name}" in second

        memoir.ok("setup", name, "--remove")
        after = json.loads(config.read_text()) if config.suffix == ".json" else config.read_text()
        if isinstance(after, dict):
            after.pop("$schema", None)  # OpenCode adds it itself
        assert after == (json.loads(before) if isinstance(after, dict) else before)
        *_, third = session.ask("Push this, please.")
        assert FOUND_OUT not in third and " recall " not in third
