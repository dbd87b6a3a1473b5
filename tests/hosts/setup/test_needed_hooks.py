"""Hooks are there while they have something to do: capture and sync bring theirs, and take them away."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support import COMMAND, Memoir

from memoir.hosts.doctor import examine

ONE = {"SessionStart"}
CAPTURE = {"SessionStart", "UserPromptSubmit", "Stop", "PostCompact"}


@pytest.fixture
def settings() -> Path:
    return Path(os.environ["HOME"], ".claude/settings.json")


def hooks(settings: Path) -> dict[str, Any]:
    found = json.loads(settings.read_text())["hooks"]
    assert isinstance(found, dict)
    return found


def test_capture_brings_its_hooks_and_takes_them_away(memoir: Memoir, settings: Path) -> None:
    settings.parent.mkdir()
    mine = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}, "model": "x"}'
    settings.write_text(mine)
    memoir.ok("setup", "claude", "--allow", "--recall-on-prompt")
    assert hooks(settings).keys() == {"SessionStart", "UserPromptSubmit", "Stop"} and len(hooks(settings)["Stop"]) == 1
    plain = settings.read_text()

    on = memoir.json("capture", "on")["hosts"]
    assert on == [{"host": "claude", "scope": "global", "files": [str(settings)], "problem": None}]
    assert hooks(settings).keys() == CAPTURE and len(hooks(settings)["Stop"]) == 2
    (prompt,) = hooks(settings)["UserPromptSubmit"]
    assert " --recall " in prompt["hooks"][0]["command"], "what was asked for stays"
    assert "Bash(memoir recall:*)" in settings.read_text()
    assert memoir.json("capture", "on")["hosts"] == [], "nothing more to do"

    memoir.ok("capture", "off")
    assert json.loads(settings.read_text()) == json.loads(plain)
    memoir.ok("capture", "on")
    memoir.ok("setup", "claude", "--remove")
    assert settings.read_text() == mine


def test_a_setup_after_capture_on_has_its_hooks(memoir: Memoir, settings: Path) -> None:
    memoir.ok("capture", "on")
    memoir.ok("setup", "claude")

    assert hooks(settings).keys() == CAPTURE


def test_hooks_stay_while_another_store_needs_them_and_a_projects_own_follow_its_store(
    memoir: Memoir, settings: Path, tmp_path: Path
) -> None:
    other = Memoir(tmp_path / "other")
    other.folder.mkdir()
    other.ok("init")
    memoir.ok("setup", "claude")
    other.ok("setup", "claude", "--project")
    memoir.ok("capture", "on")
    other.ok("capture", "on")
    local = other.folder / ".claude/settings.local.json"
    assert hooks(settings).keys() == hooks(local).keys() == CAPTURE

    below = Memoir(other.folder / "src")
    below.folder.mkdir()
    below.ok("capture", "off")
    assert hooks(settings).keys() == CAPTURE and hooks(local).keys() == ONE, "from a folder below, too"


def test_sync_at_the_end_of_sessions_has_a_hook_of_its_own(memoir: Memoir, settings: Path) -> None:
    memoir.ok("setup", "claude")
    done = memoir.run("config", "--global", "memoir.sync", "on-session-end")
    assert "Claude Code: its hooks are up to date" in done.err
    assert hooks(settings).keys() == {*ONE, "SessionEnd"}
    memoir.ok("config", "--global", "memoir.sync", "after-write")
    assert hooks(settings).keys() == ONE
    memoir.ok("setup", "claude", MEMOIR_SYNC="on-session-end")
    assert hooks(settings).keys() == {*ONE, "SessionEnd"}


def test_what_codex_trusts_keeps_its_place(memoir: Memoir) -> None:
    file = Path(os.environ["HOME"], ".codex/hooks.json")
    memoir.ok("setup", "codex")
    both = json.loads(file.read_text())
    both["hooks"]["SessionStart"].append({"hooks": [{"type": "command", "command": "beep"}]})
    file.write_text(json.dumps(both))

    memoir.ok("capture", "on")

    after = json.loads(file.read_text())["hooks"]
    assert after["SessionStart"] == both["hooks"]["SessionStart"] and after.keys() == CAPTURE


def test_the_plugin_for_opencode_hands_over_prompts_only_then(memoir: Memoir) -> None:
    plugin = Path(os.environ["HOME"], ".config/opencode/plugins/memoir.js")
    memoir.ok("setup", "opencode")
    assert "const options = null" in plugin.read_text()
    memoir.ok("capture", "on")
    assert "const options = []" in plugin.read_text()
    memoir.ok("setup", "opencode", "--remove")
    assert not plugin.exists()


def test_a_host_that_cannot_be_changed_does_not_keep_capture_from_being_switched(
    memoir: Memoir, settings: Path
) -> None:
    memoir.ok("setup", "claude")
    settings.write_text(settings.read_text().replace(str(COMMAND), "/gone/memoir") + "// a comment")

    assert memoir.json("capture", "on")["on"] is True
    assert "// a comment" in settings.read_text()


def test_doctor_names_a_host_whose_hooks_are_behind(memoir: Memoir, settings: Path) -> None:
    memoir.ok("setup", "claude", "--allow")
    before = settings.read_text()
    memoir.ok("capture", "on")
    settings.write_text(before)

    (check,) = (each for each in examine(str(memoir.folder)) if each.name == "host claude")
    assert check.health == "warning" and check.fix == "memoir setup claude --allow"
    memoir.ok(*str(check.fix).split()[1:])
    assert hooks(settings).keys() == CAPTURE and "Bash(memoir recall:*)" in settings.read_text()


def test_a_removal_names_what_was_said_and_what_deletes_it(memoir: Memoir) -> None:
    memoir.ok("setup", "claude")
    assert memoir.json("setup", "claude", "--remove")["notes"] == []
    memoir.ok("capture", "on")
    memoir.ok("setup", "claude")
    payload = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s",
        "cwd": str(memoir.folder),
        "prompt": "We use tabs.",
    }
    memoir.ok("hook", "claude", "UserPromptSubmit", stdin=json.dumps(payload))

    (note,) = memoir.json("setup", "claude", "--remove")["notes"]
    assert "1 store" in note and "memoir capture off --purge" in note
    memoir.ok("capture", "off", "--purge")
    assert memoir.json("setup", "claude", "--remove")["notes"] == []


def test_memory_md_is_in_step_only_if_that_was_asked_for(memoir: Memoir, settings: Path) -> None:
    memoir.ok("setup", "claude")
    assert "--memory-md" not in settings.read_text()

    memoir.ok("setup", "claude", "--memory-md")
    commands = {event: groups[0]["hooks"][0]["command"] for event, groups in hooks(settings).items()}
    assert commands.keys() == {"SessionStart", "SessionEnd"}
    assert all(" --memory-md " in command for command in commands.values())
    memoir.ok("capture", "on")
    assert settings.read_text().count(" --memory-md ") == 2, "what was asked for stays"
    assert memoir.run("setup", "codex", "--memory-md").status == 2


def test_the_hooks_of_tools_are_written_if_asked_for_and_stay_until_removed(memoir: Memoir, settings: Path) -> None:
    memoir.ok("setup", "claude", "--recall-on-file", "--recall-on-failure")

    assert hooks(settings).keys() == {"SessionStart", "PreToolUse", "PostToolUseFailure"}
    assert hooks(settings)["PreToolUse"][0]["matcher"] == "Read|Edit|MultiEdit|Write|NotebookEdit"
    assert hooks(settings)["PostToolUseFailure"][0]["matcher"] == "Bash"
    memoir.ok("capture", "on")
    assert {"PreToolUse", "PostToolUseFailure"} < hooks(settings).keys(), "what was asked for stays"
    memoir.ok("setup", "claude", "--remove")
    assert not settings.exists() or "memoir" not in settings.read_text()


def test_a_host_without_such_events_says_so(memoir: Memoir) -> None:
    file = memoir.json("setup", "codex", "--recall-on-file", status=2)["error"]
    failure = memoir.json("setup", "gemini", "--recall-on-failure", status=2)["error"]

    assert file["message"] == "Codex has no hook that can add memories before a file is read"
    assert (failure["message"], failure["hint"]) == (
        "Gemini CLI has no event for a command that failed",
        "leave out --recall-on-failure",
    )
