"""What the real hosts write of their sessions, against stubs of their APIs, and what memoir takes from it.

npm install --prefix .hosts @anthropic-ai/claude-code @openai/codex @google/gemini-cli && pytest -n0 -m hosts
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from chat_apis import ChatApi, gemini, responses
from hosts.programs import codex_settings, program, run
from messages_api import Answer, MessagesApi, Request, message, with_body
from support import Memoir

FIRST, SECOND = "Which boat do we take?", "And when do we sail?"

pytestmark = pytest.mark.hosts


def said(memoir: Memoir, folder: Path) -> tuple[str, dict[str, Any]]:
    """The text of the only conversation in a folder, and the answer of `ingest`."""
    answer = json.loads(memoir.ok("ingest", str(folder), "--json"))
    (source,) = answer["sources"]
    assert source["kind"] == "conversation" and source["skipped_lines"] is None
    again = json.loads(memoir.ok("ingest", str(folder), "--json"))
    assert again["sources"][0]["commit_hash"] is None
    lines = memoir.ok("export", "-n", f"{source['namespace']}:raw").splitlines()
    return "".join(json.loads(line)["content"] for line in lines), answer


def respond(request: Request) -> Answer:
    """A model that has a helper look, and then answers."""
    text = json.dumps(request.body["messages"])
    if SECOND in text:
        return "At dawn."
    if FIRST not in text:
        return "There is the Gannet."
    if "tool_result" in text:
        return "The helper says: the Gannet."
    asked = {"description": "look", "prompt": "Look for boats.", "subagent_type": "general-purpose"}
    tool = {"type": "tool_use", "id": "toolu_1", "name": "Agent", "input": {**asked, "run_in_background": False}}
    blocks = [{"type": "text", "text": "I ask a helper."}, tool]
    return with_body(message("", content=blocks, stop_reason="tool_use"))


def test_a_session_of_claude_code_is_what_was_said(memoir: Memoir, tmp_path: Path) -> None:
    with MessagesApi(respond=respond) as api:
        env = {
            **api.env(),
            "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        ask = ("--output-format", "json", "-p")
        session = json.loads(run([program("claude"), *ask, FIRST], memoir.folder, **env))["session_id"]
        run([program("claude"), "--resume", session, *ask, SECOND], memoir.folder, **env)

    text, answer = said(memoir, tmp_path / "claude/projects")

    assert text == (
        f"user: {FIRST}\nassistant: I ask a helper.\nassistant: The helper says: the Gannet.\n"
        f"user: {SECOND}\nassistant: At dawn.\n"
    )
    (helper,) = answer["skipped"]
    assert helper["reason"] == "nobody speaks in it: it is the work of an agent for another agent"


def test_a_rollout_of_codex_is_what_was_said(memoir: Memoir, tmp_path: Path) -> None:
    home = tmp_path / "codex"
    home.mkdir()
    (memoir.folder / "AGENTS.md").write_text("Always be brief.\n")
    with ChatApi(responses()) as api:
        (home / "config.toml").write_text(codex_settings(api.url))
        env = {"CODEX_HOME": str(home), "MOCK_KEY": "x"}
        run([program("codex"), "exec", "--skip-git-repo-check", FIRST], memoir.folder, **env)
        run([program("codex"), "exec", "--skip-git-repo-check", "resume", "--last", SECOND], memoir.folder, **env)

    text, _ = said(memoir, home / "sessions")

    assert text == f"user: {FIRST}\nassistant: ok\nuser: {SECOND}\nassistant: ok\n"


def test_a_chat_of_gemini_cli_is_what_was_said(memoir: Memoir) -> None:
    folder = Path(os.environ["HOME"]) / ".gemini"
    folder.mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    (folder / "settings.json").write_text(json.dumps(settings))
    with ChatApi(gemini()) as api:
        env = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": api.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        ask = ("-m", "gemini-2.5-flash", "-p")
        run([program("gemini"), *ask, FIRST], memoir.folder, **env)
        run([program("gemini"), "--resume", "latest", *ask, SECOND], memoir.folder, **env)

    text, _ = said(memoir, folder / "tmp")

    assert text == f"user: {FIRST}\nassistant: ok\nuser: {SECOND}\nassistant: ok\n"
