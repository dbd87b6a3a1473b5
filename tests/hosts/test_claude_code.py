"""The real Claude Code against a stub of the Messages API: what arrives at the model, and what is left afterwards."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hosts.claude import Claude, needs_claude, results_of
from messages_api import Answer, MessagesApi, Request, tool_use
from support import COMMAND, PROJECT, Memoir

MEMORY = "Use pytest, not unittest."

pytestmark = [pytest.mark.hosts, needs_claude]


def last_result(messages: list[dict[str, Any]]) -> str:
    """The text that the last tool call came back with; empty if there was none."""
    return (results_of(messages) or [""])[-1]


def insist_on(tool: str, **arguments: Any) -> Callable[[Request], Answer]:
    """A model that calls a tool until it answers: Claude Code does not wait for a server that is still starting."""

    def respond(request: Request) -> Answer:
        result = last_result(request.body["messages"])
        if result and "No such tool available" not in result:
            return "ok"
        return tool_use(tool, **arguments)._replace(delay=0.5 if result else 0.0)

    return respond


@pytest.fixture
def claude(memoir: Memoir, tmp_path: Path, api: MessagesApi) -> Iterator[Claude]:
    memoir.remember("preferences.coding.testing", MEMORY)
    yield Claude(memoir, tmp_path / "config", api)
    shutil.rmtree(tmp_path / "config", ignore_errors=True)


def test_what_setup_promises_arrives_once_and_nothing_is_left_after_removal(claude: Claude) -> None:
    claude.setup("--mcp", "--allow")
    claude.api.respond = insist_on("mcp__memoir__recall", query="which test runner?")

    first, *_, last = claude.ask("Which test runner do we use?")
    assert first.count(MEMORY) == 1, "the primer, exactly once"
    assert "pytest, not unittest.  preferences.coding.testing" in last_result(json.loads(last)), "the tool's answer"

    claude.api.respond = lambda request: "ok"
    claude.memoir.remember("ci.time", "CI has an hour.")
    (second,) = claude.ask("And how long has CI?", "--resume", claude.session)
    assert second.count("CI has an hour.") >= 1, "the primer of now"

    claude.setup("--remove")
    (after,) = claude.ask("Which test runner do we use?")
    assert MEMORY not in after
    assert not any("memoir" in tool["name"] for tool in claude.api.requests[-1].body["tools"])
    assert not (claude.config / "settings.json").exists()
    assert "memoir" not in json.loads((claude.config / ".claude.json").read_text()).get("mcpServers", {})
    assert claude.setup("--check", status=1)["installed"] is False


def test_a_prompt_brings_what_fits_it_and_is_kept_if_capture_is_on(claude: Claude) -> None:
    facts = ({"path": f"knowledge.rivers.r{number}", "content": f"River {number} is long."} for number in range(15))
    lines = "".join(json.dumps(fact) + "\n" for fact in facts)
    claude.memoir.remember("knowledge.servers.staging", "The staging server is staging.example.org.")
    claude.memoir.ok("import", "-", stdin=lines)
    claude.memoir.ok("capture", "on")
    claude.memoir.ok("recall", "staging")  # the index is there before the session
    claude.setup("--recall-on-prompt")

    # A hook says nothing rather than too late, so a machine that is busy may need a second try.
    tries = (claude.ask("We always deploy to the staging server first. What is its address?")[0] for _ in range(3))
    assert any(request.count("staging.example.org") == 1 for request in tries)
    captures = json.loads(claude.memoir.ok("capture", "review", "--json"))["proposals"]
    assert any("always deploy" in each["content"] for each in captures)


def test_a_hook_without_its_program_or_its_store_disturbs_nothing(claude: Claude) -> None:
    claude.setup()
    settings = claude.config / "settings.json"
    settings.write_text(settings.read_text().replace(str(COMMAND), "/nowhere/memoir"))
    shutil.rmtree(claude.memoir.git_dir)

    (only,) = claude.ask("hello")
    assert MEMORY not in only and "SessionStart" not in only


def test_the_plugins_are_valid_and_work(claude: Claude) -> None:
    for folder in (PROJECT, *(PROJECT / "plugins").glob("claude-code*")):
        done = claude.run("plugin", "validate", "--strict", str(folder))
        assert done.returncode == 0, done.stdout + done.stderr

    plugin = ("--plugin-dir", str(PROJECT / "plugins/claude-code"))
    (request,) = claude.ask("Which test runner do we use?", *plugin)
    assert request.count(MEMORY) == 1
    assert "memoir:memoir-recall" in json.dumps(claude.api.requests[-1].body)
    claude.setup()
    (request,) = claude.ask("Which test runner do we use?", *plugin)
    assert request.count(MEMORY) == 1, "the plugin and the settings together say it once"
