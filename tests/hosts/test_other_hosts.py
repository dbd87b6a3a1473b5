"""Real Codex and Gemini CLI against stubs of their APIs, and OpenCode's plugin in Node, where npm has put them.

    npm install --prefix .hosts @openai/codex @google/gemini-cli && pytest -n0 -m hosts

Of OpenCode only the plugin runs here; `test_other_stories.py` runs OpenCode itself.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from chat_apis import ChatApi, gemini, responses
from hosts.programs import codex_settings, program, run
from support import Memoir, built_once

MEMORY = "Use pytest, not unittest."

pytestmark = pytest.mark.hosts


@built_once
def project(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.testing", MEMORY)


def test_codex_hears_the_primer_once_it_trusts_the_hooks(project: Memoir, tmp_path: Path) -> None:
    codex, home = program("codex"), tmp_path / "codex"
    home.mkdir()
    with ChatApi(responses()) as api:
        config = codex_settings(api.url)
        (home / "config.toml").write_text(config)
        env = {"CODEX_HOME": str(home), "MOCK_KEY": "x"}
        ask = [codex, "exec", "--skip-git-repo-check", "Which test runner do we use?"]

        project.ok("setup", "codex", **env)
        run(ask, project.folder, **env)
        assert MEMORY not in api.bodies[-1], "no trust yet"
        (note,) = json.loads(project.ok("setup", "codex", "--check", "--json", **env))["notes"]
        assert "not yet trusted" in note
        run([*ask, "--dangerously-bypass-hook-trust"], project.folder, **env)
        assert api.bodies[-1].count(MEMORY) == 1
        project.ok("setup", "codex", "--remove", **env)
        assert (home / "config.toml").read_text() == config and not (home / "hooks.json").exists()


def test_codex_keeps_its_trust_of_a_hook_when_capture_brings_others(project: Memoir, tmp_path: Path) -> None:
    codex, home = program("codex"), tmp_path / "codex"
    home.mkdir()
    with ChatApi(responses()) as api:
        config = codex_settings(api.url)
        env = {"CODEX_HOME": str(home), "MOCK_KEY": "x"}
        project.env.update(env)
        project.ok("setup", "codex")
        ((key, digest),) = hooks_of(codex, project.folder, **env).items()
        (home / "config.toml").write_text(f'{config}[hooks.state."{key}"]\ntrusted_hash = "{digest}"\n')

        project.ok("capture", "on")
        run([codex, "exec", "--skip-git-repo-check", "Which test runner do we use?"], project.folder, **env)
        log = Path(os.environ["HOME"], ".local/state/memoir/hooks.log")
        trouble = log.read_text() if log.exists() else "nothing in the log"
        assert MEMORY in api.bodies[-1], f"the hook for the start is still trusted; {trouble}"
        assert project.json("capture", "status")["turns"] == 0, "the others are not yet"
        (note,) = project.json("setup", "codex", "--check")["notes"]
        assert "not yet trusted" in note

        states = (
            f'[hooks.state."{key}"]\ntrusted_hash = "{digest}"\n'
            for key, digest in hooks_of(codex, project.folder, **env).items()
        )
        (home / "config.toml").write_text(config + "".join(states))
        assert project.json("setup", "codex", "--check")["notes"] == []
        run([codex, "exec", "--skip-git-repo-check", "Which test runner do we use?"], project.folder, **env)
        assert project.json("capture", "status")["turns"] > 0


def hooks_of(codex: str, folder: Path, **env: str) -> dict[str, str]:
    """The digests of the hooks that Codex has found, by the names under which it would keep its trust of them."""
    about = {"clientInfo": {"name": "memoir-tests", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "hooks/list", "params": {"cwds": [str(folder)]}},
    ]
    with subprocess.Popen(
        [codex, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder,
        stderr=subprocess.DEVNULL, env={**os.environ, **env},
    ) as server:  # fmt: skip
        assert server.stdin and server.stdout
        server.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
        server.stdin.flush()
        answer = next(answer for line in server.stdout if (answer := json.loads(line)).get("id") == 2)
        server.kill()
    return {hook["key"]: hook["currentHash"] for each in answer["result"]["data"] for hook in each["hooks"]}


def test_gemini_cli_hears_the_primer(project: Memoir) -> None:
    cli, home = program("gemini"), Path(os.environ["HOME"])
    settings = home / ".gemini/settings.json"
    settings.parent.mkdir()
    before = '{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}}'
    settings.write_text(before)
    with ChatApi(gemini()) as api:
        env = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": api.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        project.ok("setup", "gemini")
        run([cli, "-p", "Which test runner do we use?", "-m", "gemini-2.5-flash"], project.folder, **env)
        assert api.bodies[-1].count(MEMORY) == 1
        project.ok("setup", "gemini", "--remove")
        assert "memoir" not in settings.read_text()


def test_the_plugin_for_opencode_adds_the_primer_once_a_session(project: Memoir, tmp_path: Path) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    project.ok("setup", "opencode", "--project")
    script = tmp_path / "try.mjs"
    script.write_text(f"""
        import {{ Memoir }} from {json.dumps(str(project.folder / ".opencode/plugins/memoir.js"))}
        const hooks = await Memoir({{ directory: {json.dumps(str(project.folder))} }})
        const turns = []
        for (const number of [1, 2]) {{
          const output = {{ message: {{ id: "msg_" + number }}, parts: [{{ type: "text", text: "hello" }}] }}
          await hooks["chat.message"]({{ sessionID: "ses_1" }}, output)
          turns.push(output.parts)
        }}
        const compacting = {{ context: [] }}
        await hooks["experimental.session.compacting"]({{ sessionID: "ses_1" }}, compacting)
        console.log(JSON.stringify({{ turns, context: compacting.context }}))
    """)
    (project.folder / ".opencode/plugins/package.json").write_text('{"type": "module"}')

    done = subprocess.run([node, str(script)], capture_output=True, text=True, timeout=60, check=True)
    result: dict[str, Any] = json.loads(done.stdout)

    first, second = result["turns"]
    assert [part["type"] for part in first] == ["text", "text"] and len(second) == 1
    primer = first[1]
    assert MEMORY in primer["text"] and primer["synthetic"] is True and primer["id"].startswith("prt_")
    assert (primer["sessionID"], primer["messageID"]) == ("ses_1", "msg_1")
    assert MEMORY in result["context"][0]
