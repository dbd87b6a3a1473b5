"""What an agent may run without asking: the commands that read, and `remember`; it comes, and goes, as all else."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support import COMMAND, PROJECT

from memoir import Repository
from memoir.cli.families import COMMANDS
from memoir.hosts.setup import setup
from memoir.hosts.setup.found import find, find_scopes
from memoir.hosts.setup.host_texts import READING, TOOLS, WRITING
from memoir.hosts.setup.recipes import GLOBAL, RECIPES, Scope, Wish
from memoir.mcp.service import TOOLS as SERVED

MINE = "Bash(memoir get:*)"
CODEX = PROJECT / ".hosts/node_modules/.bin/codex"


def wish(scope: Scope = GLOBAL, **fields: Any) -> Wish:
    return Wish(str(COMMAND), scope, allow=True, on_path=True, **fields)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("memoir.hosts.setup.setup.try_hook", lambda command, program: None)
    monkeypatch.setattr("memoir.hosts.setup.setup.try_server", lambda words: None)
    return Path(os.environ["HOME"])


@pytest.fixture
def settings(home: Path) -> Path:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    return path


def allowed(settings: Path) -> list[str]:
    entries = json.loads(settings.read_text()).get("permissions", {}).get("allow", [])
    assert isinstance(entries, list)
    return entries


def test_only_commands_that_there_are_and_none_that_takes_anything_away() -> None:
    names = {*READING, *WRITING}

    assert names <= COMMANDS.keys() and {*TOOLS} <= {tool.name for tool in SERVED}
    assert not names & {"forget", "mv", "edit", "undo", "push", "sync", "import", "export", "config", "setup", "gc"}


def test_claude_code_gets_an_entry_for_each_command_by_name_and_by_path(settings: Path) -> None:
    setup.set_up("claude", wish())

    entries = allowed(settings)
    assert "Bash(memoir recall:*)" in entries and f"Bash({COMMAND} remember:*)" in entries
    assert len(entries) == 2 * len((*READING, *WRITING))
    setup.set_up("claude", wish(mcp=True)._replace(on_path=False))
    entries = allowed(settings)
    assert "Bash(memoir recall:*)" not in entries, "another memoir may be on the PATH"
    assert "mcp__memoir__remember" in entries and "mcp__memoir__forget" not in entries
    setup.remove("claude", wish())
    assert not settings.exists()


def test_a_program_in_a_place_with_blanks_is_quoted(settings: Path) -> None:
    setup.set_up("claude", wish()._replace(program="/a b/memoir"))

    assert "Bash('/a b/memoir' recall:*)" in allowed(settings)
    setup.remove("claude", wish())
    assert not settings.exists()


@pytest.mark.parametrize("touched", [False, True])
def test_the_users_own_entries_stay_also_those_that_look_alike(settings: Path, touched: bool) -> None:
    mine = {"permissions": {"allow": ["Bash(make lint)", MINE], "deny": ["Bash(memoir forget:*)"]}}
    settings.write_text(json.dumps(mine))
    setup.set_up("claude", wish())
    assert allowed(settings).count(MINE) == 1
    setup.set_up("claude", wish(prompt="--recall"))
    assert allowed(settings).count(MINE) == 1
    if touched:  # as the host does when the user allows something for ever
        now = json.loads(settings.read_text())
        now["permissions"]["allow"].append("Bash(ls)")
        settings.write_text(json.dumps(now, indent=2))

    setup.remove("claude", wish())

    if touched:
        assert allowed(settings) == ["Bash(make lint)", MINE, "Bash(ls)"]
        assert json.loads(settings.read_text())["permissions"]["deny"] == ["Bash(memoir forget:*)"]
    else:
        assert settings.read_text() == json.dumps(mine)


def test_a_users_own_entry_is_no_setup_of_memoir(settings: Path) -> None:
    settings.write_text(json.dumps({"permissions": {"allow": [MINE]}}))

    assert find_scopes("claude") == [] and not find("claude", GLOBAL).start


def test_something_else_in_the_place_is_left_alone_and_named(settings: Path) -> None:
    settings.write_text('{"permissions": {"allow": "everything"}}')

    done = setup.set_up("claude", wish())

    assert done.refused and "permissions.allow" in str(done.changes[0].problem)
    assert settings.read_text() == '{"permissions": {"allow": "everything"}}'


def test_codex_is_said_to_keep_commands_from_writing_only_where_that_is_so(home: Path) -> None:
    def said(*, allow: bool) -> str:
        return " ".join(setup.set_up("codex", wish()._replace(allow=allow)).notes)

    assert "sandbox" in said(allow=False)
    assert "sandbox" not in said(allow=True) and "/hooks" in said(allow=True)


def test_codex_gets_a_file_of_rules_that_codex_itself_understands(home: Path) -> None:
    setup.set_up("codex", wish())

    rules = home / ".codex/rules/memoir.rules"
    assert '"memoir"' in rules.read_text() and str(COMMAND) in rules.read_text()
    if CODEX.exists():
        decisions = [decision(rules, *command) for command in (("memoir", "recall", "x"), (str(COMMAND), "remember"))]
        assert decisions == ["allow", "allow"]
        assert decision(rules, "memoir", "forget", "a.b") is None
    setup.remove("codex", wish())
    assert not rules.parent.exists()


def decision(rules: Path, *command: str) -> str | None:
    argv = [str(CODEX), "execpolicy", "check", "--rules", str(rules), *command]
    answer: dict[str, Any] = json.loads(subprocess.run(argv, capture_output=True, check=True).stdout)
    return answer.get("decision")


def test_gemini_cli_gets_a_policy_that_remembers_nothing_in_plan_mode(home: Path) -> None:
    setup.set_up("gemini", wish())

    reading, writing = tomllib.loads((home / ".gemini/policies/memoir.toml").read_text())["rule"]
    assert f"{COMMAND} recall" in reading["commandPrefix"] and "modes" not in reading
    assert "memoir remember" in writing["commandPrefix"] and "plan" not in writing["modes"]
    assert {reading["decision"], writing["decision"]} == {"allow"}


def test_the_entries_for_opencode_come_after_the_users_own_and_so_decide(home: Path) -> None:
    config = home / ".config/opencode/opencode.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"permission": {"bash": {"*": "ask"}}}')

    setup.set_up("opencode", wish())

    rules = json.loads(config.read_text())["permission"]["bash"]
    assert next(iter(rules)) == "*" and rules["memoir recall *"] == rules[f"{COMMAND} remember *"] == "allow"
    setup.remove("opencode", wish())
    assert config.read_text() == '{"permission": {"bash": {"*": "ask"}}}'


@pytest.mark.parametrize("host", ["cursor", "copilot", "zed"])
def test_a_host_without_such_a_setting_is_set_up_and_the_answer_says_so(home: Path, host: str) -> None:
    done = setup.set_up(host, wish(mcp=host == "zed"))

    assert done.installed and any(RECIPES[host].title in note and "allow" in note for note in done.notes)


def test_what_could_come_next_is_offered_once(home: Path) -> None:
    assert setup.set_up("claude", wish(prompt="--nudge")._replace(allow=False)).next == (
        "memoir setup claude --nudge --allow"
    )
    assert setup.set_up("claude", wish()).next is None
    assert setup.set_up("cursor", wish()._replace(allow=False)).next is None


def test_a_folder_without_a_store_is_told_how_to_get_one(home: Path) -> None:
    assert any("memoir init" in note for note in setup.set_up("claude", wish()).notes)
    Repository.init(".").close()
    assert setup.set_up("claude", wish()).notes == []


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "opencode"])
def test_a_later_setup_keeps_the_permissions_of_an_earlier_one_and_says_so(home: Path, host: str) -> None:
    given = setup.set_up(host, wish()).permissions

    second = setup.set_up(host, wish(prompt="--recall")._replace(allow=False))

    assert second.permissions == given > 0
    assert f"kept from an earlier setup: --allow; to drop them, 'memoir setup {host} --remove' first" in " ".join(
        second.notes
    )
    assert (found := find(host, GLOBAL)).allow and found.prompt == "--recall"


def test_a_later_setup_grants_nothing_because_of_an_entry_of_the_users_own(settings: Path) -> None:
    settings.write_text(json.dumps({"permissions": {"allow": [MINE]}}))
    plain = wish()._replace(allow=False)

    for done in (setup.set_up("claude", plain), setup.set_up("claude", plain)):
        assert done.permissions == 0 and allowed(settings) == [MINE]


def test_a_note_names_a_command_that_runs_where_the_path_does_not_lead_to_memoir(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup.set_up("claude", wish())
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    notes = setup.set_up("claude", wish()._replace(allow=False)).notes

    assert f"'{COMMAND} setup claude --remove' first" in " ".join(notes)
    assert f"'{COMMAND} init' gives a project" in " ".join(notes)
