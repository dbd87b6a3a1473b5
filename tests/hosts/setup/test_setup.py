"""Setting up hosts: what is written, that nothing else moves, and that removal gives every file back."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support import COMMAND, without_endless_work

from memoir.errors import InvalidInput, MemoirError
from memoir.hosts import dialects
from memoir.hosts.setup import setup
from memoir.hosts.setup.found import find, find_scopes
from memoir.hosts.setup.recipes import GLOBAL, PROJECT, RECIPES, Scope, Wish

EVERYTHING: dict[str, Any] = {"mcp": True, "prompt": "--recall", "capture": True, "sync": True, "allow": True}
MINE = {
    ".claude/settings.json": '{"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}',
    ".claude.json": '{\n  "mcpServers": {"other": {"command": "o"}},\n  "projects": {}\n}',
    ".codex/config.toml": 'model = "o3"\n\n[mcp_servers.other]\ncommand = "o"',
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "beep"}]}}\n',
    ".gemini/settings.json": "{}",
    ".config/opencode/opencode.json": '{\n\t"theme": "dark",\n\t"permission": {"bash": {"*": "ask"}}\n}\n',
}
"""What users have in their files before: all on one line, with tabs, without a last line break."""


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which the hooks that are to be written are tried first."""
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("memoir.hosts.setup.setup.try_server", lambda words: None)  # tests/mcp runs it
    return Path(os.environ["HOME"])


@pytest.fixture
def home(real: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which no hook is tried, which takes longest."""
    monkeypatch.setattr("memoir.hosts.setup.setup.try_hook", lambda command, program: None)
    return real


def wish(scope: Scope = GLOBAL, **fields: Any) -> Wish:
    return Wish(str(COMMAND), scope, **fields)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fill(folder: Path) -> None:
    for name, text in MINE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


@pytest.mark.parametrize("scope", [GLOBAL, PROJECT])
@pytest.mark.parametrize("mine", [False, True], ids=["nothing before", "files before"])
def test_every_host_is_set_up_and_removed_byte_for_byte(home: Path, scope: Scope, mine: bool) -> None:
    folder = home if scope == GLOBAL else Path.cwd()
    if mine:
        fill(folder)
    before = files(folder)
    for host in (name for name, recipe in RECIPES.items() if scope in recipe.scopes):
        request = wish(scope, **{**EVERYTHING, "prompt": "--recall" if RECIPES[host].has_hooks else None})
        done = setup.set_up(host, request)
        manual = host in ("goose", "continue")
        assert done.refused is manual, done
        assert find_scopes(host) == ([] if manual else [scope])
        again = setup.set_up(host, request)
        assert {change.status for change in again.changes} == {"refused" if manual else "unchanged"}
        setup.remove(host, wish(scope))
        assert files(folder) == before, host
    if not mine:
        assert {path.name for path in folder.iterdir()} <= {".local"}, "folders that were made for it are gone, too"


def test_a_plain_setup_writes_the_one_hook_that_has_something_to_do(home: Path) -> None:
    for host, file, event in (
        ("claude", ".claude/settings.json", "SessionStart"),
        ("codex", ".codex/hooks.json", "SessionStart"),
        ("gemini", ".gemini/settings.json", "SessionStart"),
        ("cursor", ".cursor/hooks.json", "sessionStart"),
        ("copilot", ".copilot/hooks/memoir.json", "sessionStart"),
    ):
        setup.set_up(host, wish())
        assert list(json.loads((home / file).read_text())["hooks"]) == [event], host
        setup.set_up(host, wish(prompt="--nudge"))
        assert len(json.loads((home / file).read_text())["hooks"]) == 2, host
        setup.remove(host, wish())
        setup.set_up(host, wish())
        assert list(json.loads((home / file).read_text())["hooks"]) == [event], host


@pytest.mark.parametrize("host", ["gemini", "opencode", "qwen", "zed"])
def test_a_host_that_reads_comments_keeps_them(home: Path, host: str) -> None:
    changed = next(part for part in RECIPES[host].parts(wish(mcp=True)) if part.file.endswith(".json"))
    file = home / changed.file.removeprefix("~/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('// mine\n{\n  "theme": "dark", // not light\n}\n')
    before = file.read_bytes()

    for _ in range(2):
        assert setup.set_up(host, wish(mcp=True)).installed
        assert "memoir" in file.read_text() and '"dark", // not light\n' in file.read_text()
    setup.remove(host, wish())
    assert file.read_bytes() == before

    setup.set_up(host, wish(mcp=True))
    file.write_text(file.read_text().replace("dark", "light"))
    setup.remove(host, wish())
    assert "memoir" not in file.read_text() and '"light" // not light\n' in file.read_text()


def test_a_command_has_no_version_and_what_it_is_to_have(real: Path) -> None:
    setup.set_up("claude", wish(**EVERYTHING))

    hooks = json.loads((real / ".claude/settings.json").read_text())["hooks"]
    (start,) = hooks["SessionStart"]
    assert start == {
        "matcher": "startup|resume|clear|compact|fork",
        "hooks": [
            {"type": "command", "command": f"'{COMMAND}' hook claude SessionStart 2>/dev/null || true", "timeout": 10}
        ],
    }
    (prompt,) = hooks["UserPromptSubmit"]
    assert prompt["hooks"][0]["command"] == f"'{COMMAND}' hook claude UserPromptSubmit --recall 2>/dev/null || true"
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "Stop", "PostCompact", "SessionEnd"}
    setup.set_up("claude", wish(mcp=True, capture=True))
    hooks = json.loads((real / ".claude/settings.json").read_text())["hooks"]
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "Stop", "PostCompact"}
    assert " --recall " in hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    servers = json.loads((real / ".claude.json").read_text())["mcpServers"]
    assert servers == {"memoir": {"type": "stdio", "command": str(COMMAND), "args": ["mcp"]}}


def test_removal_after_a_change_of_the_user_takes_only_what_is_memoirs(home: Path) -> None:
    fill(home)
    for host in ("claude", "codex", "cursor", "gemini", "opencode"):
        setup.set_up(host, wish(**EVERYTHING))
    for name in (".claude/settings.json", ".cursor/hooks.json", ".gemini/settings.json"):
        path = home / name
        path.write_text(path.read_text().replace("{", '{"later": true,\n', 1))
    config = home / ".codex/config.toml"
    config.write_text(config.read_text() + "\n[tui]\nx = 1\n")

    for host in ("claude", "codex", "cursor", "gemini", "opencode"):
        setup.remove(host, wish())

    for name, text in MINE.items():
        now = (home / name).read_text()
        if name.endswith(".toml"):
            assert tomllib.loads(now) == {**tomllib.loads(text), "tui": {"x": 1}}
        else:
            rest = json.loads(now)
            rest.pop("later", None)
            assert rest == json.loads(text), name


def test_a_home_that_is_a_link_is_one_home_by_both_names(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = home.with_name("link")
    link.symlink_to(home)
    fill(home)
    before = files(home)
    monkeypatch.setenv("HOME", str(link))
    for host in ("claude", "codex", "gemini", "opencode"):
        setup.set_up(host, wish(**EVERYTHING))

    monkeypatch.setenv("HOME", str(home))
    for host in ("claude", "codex", "gemini", "opencode"):
        setup.remove(host, wish())

    assert files(home) == before


def test_an_entry_of_an_older_command_is_replaced_and_not_doubled(home: Path) -> None:
    fill(home)
    setup.set_up("claude", Wish("/old place/memoir", GLOBAL, mcp=True, prompt="--nudge"))
    setup.set_up("claude", wish())

    text = (home / ".claude/settings.json").read_text()
    assert "/old place" not in text and text.count("--nudge") == 1 and text.count("hook claude SessionStart") == 1
    setup.remove("claude", wish())
    assert (home / ".claude/settings.json").read_text() == MINE[".claude/settings.json"]


@pytest.mark.parametrize(
    ("host", "file", "text"),
    [
        ("claude", ".claude/settings.json", '{"a": 1} // why not'),
        ("claude", ".claude.json", '{"mcpServers": {"memoir": {"command": "somebody-elses"}}}'),
        ("codex", ".codex/config.toml", "model = \n"),
        ("codex", ".codex/config.toml", '[mcp_servers.memoir]\ncommand = "x"\n'),
        ("opencode", ".config/opencode/plugins/memoir.js", "// my own\n"),
        ("zed", ".config/zed/settings.json", '// Zed settings\n{"theme": "One" "font": 2}'),
    ],
)
def test_a_file_that_memoir_cannot_change_is_left_alone_and_printed(
    home: Path, host: str, file: str, text: str
) -> None:
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    (home / file).write_text(text)

    done = setup.set_up(host, wish(mcp=True))

    (problem,) = (change for change in done.changes if change.problem)
    assert str(problem.path) == str(home / file) and "memoir" in problem.addition and not done.installed
    setup.remove(host, wish())
    assert (home / file).read_text() == text


def test_a_later_setup_changes_what_it_names_and_keeps_the_rest(home: Path) -> None:
    tools = frozenset({dialects.FILE, dialects.FAILURE})
    setup.set_up("claude", wish(prompt="--nudge", tools=tools, memory_md=True, mcp=True, store='/notes of "us"'))

    done = setup.set_up("claude", wish(prompt="--recall"))

    now = find("claude", GLOBAL)
    assert (now.prompt, now.tools, now.memory_md, now.mcp, now.store) == (
        "--recall",
        tools,
        True,
        True,
        '/notes of "us"',
    )
    kept = "--memory-md --recall-on-file --recall-on-failure --mcp --store '/notes of \"us\"'; to drop them"
    assert f"kept from an earlier setup: {kept}" in " ".join(done.notes)
    assert done.command == f"memoir setup claude --recall-on-prompt {kept.partition(';')[0]}"
    again = setup.set_up("claude", wish(prompt="--recall", tools=tools, memory_md=True, mcp=True, store="/other"))
    assert "kept" not in " ".join(again.notes) and find("claude", GLOBAL).store == "/other"


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "opencode", "cursor", "copilot", "qwen", "crush", "zed"])
def test_the_store_that_a_host_was_given_is_kept_and_told(home: Path, host: str) -> None:
    """Else an agent would read another store than the command names, without a word."""
    setup.set_up(host, wish(mcp=True, store="/nötes"))

    done = setup.set_up(host, wish(mcp=True))

    assert find(host, GLOBAL).store == "/nötes"
    assert "kept from an earlier setup: --store '/nötes'" in " ".join(done.notes)


def test_a_command_that_does_harm_is_not_written(real: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bin" / "memoir"
    bad.parent.mkdir()
    bad.write_text("#!/bin/sh\necho hello\n")
    bad.chmod(0o755)

    with pytest.raises(MemoirError, match="nothing was written"):
        setup.set_up("claude", Wish(str(bad), GLOBAL))
    assert files(real) == {}


def test_a_path_with_a_quote_and_blanks_is_run_as_it_is(real: Path, tmp_path: Path) -> None:
    odd = tmp_path / "it's a place" / "memoir"
    odd.parent.mkdir()
    odd.symlink_to(COMMAND)

    assert setup.set_up("claude", Wish(str(odd), GLOBAL)).installed
    assert setup.check("claude", Wish(str(odd), GLOBAL)).installed
    assert setup.remove("claude", Wish(str(odd), GLOBAL)).changes[0].status == "deleted"


def test_a_check_finds_what_is_set_up_for_the_project_or_for_all(home: Path) -> None:
    assert not setup.check("claude", wish()).installed

    (change,) = setup.set_up("claude", wish(PROJECT)).changes
    found = setup.check("claude", wish())

    assert (found.installed, found.scope, [each.path for each in found.changes]) == (True, PROJECT, [change.path])
    setup.set_up("claude", wish())
    assert setup.check("claude", wish()).scope == GLOBAL


def test_an_installed_plugin_is_noticed_and_nothing_is_injected_twice(home: Path) -> None:
    file = home / ".claude/plugins/installed_plugins.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"version": 2, "plugins": {"memoir@memoir": [{"scope": "user"}]}}')

    done = setup.set_up("claude", wish())

    assert [change.status for change in done.changes] == ["absent"] and "plugin memoir@memoir" in done.notes[0]
    assert setup.check("claude", wish()).installed
    setup.set_up("claude", wish(capture=True))
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    assert set(hooks) == {"UserPromptSubmit", "Stop", "PostCompact"}, "what the plugin has not"


def test_codex_says_that_its_hooks_wait_for_trust(home: Path) -> None:
    setup.set_up("codex", wish())
    assert any("not yet trusted" in note for note in setup.check("codex", wish()).notes)

    key = json.dumps(f"{home}/.codex/hooks.json:session_start:0:0")
    (home / ".codex/config.toml").write_text(f'[hooks.state.{key}]\ntrusted_hash = "sha256:1"\n')
    assert not setup.check("codex", wish()).notes

    setup.set_up("codex", wish(capture=True))
    assert any("not yet trusted" in note for note in setup.check("codex", wish()).notes), "three hooks are new"
    events = ("session_start", "user_prompt_submit", "stop", "post_compact")
    keys = (json.dumps(f"{home}/.codex/hooks.json:{event}:0:0") for event in events)
    state = "".join(f'[hooks.state.{key}]\ntrusted_hash = "sha256:1"\n' for key in keys)
    (home / ".codex/config.toml").write_text(state)
    assert not setup.check("codex", wish()).notes


def test_a_dry_run_writes_nothing_and_a_scope_that_is_not_there_is_refused(home: Path) -> None:
    assert setup.set_up("claude", wish(), dry_run=True).changes[0].status == "created"
    assert files(home) == {}
    with pytest.raises(InvalidInput, match="--global"):
        setup.set_up("copilot", wish(PROJECT))
    with pytest.raises(InvalidInput, match="no hooks"):
        setup.set_up("zed", wish(prompt="--recall"))


def test_links_and_modes_of_files_stay(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    real.chmod(0o600)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(real)

    setup.set_up("claude", wish())
    assert (home / ".claude/settings.json").is_symlink() and real.stat().st_mode & 0o777 == 0o600
    setup.remove("claude", wish())
    assert (home / ".claude/settings.json").is_symlink() and real.read_text() == "{}\n"


def test_a_link_whose_file_setup_made_outlives_that_file(home: Path, tmp_path: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(tmp_path / "dotfiles.json")

    setup.set_up("claude", wish())
    assert (tmp_path / "dotfiles.json").exists()
    setup.remove("claude", wish())

    assert (home / ".claude/settings.json").is_symlink() and not (tmp_path / "dotfiles.json").exists()


def test_what_is_no_plain_file_is_left_alone_and_keeps_nobody_waiting(home: Path) -> None:
    (home / ".claude/settings.json").mkdir(parents=True)
    (home / ".cursor").mkdir()
    os.mkfifo(home / ".cursor/hooks.json")

    for host in ("claude", "cursor"):
        for do in (setup.set_up, setup.remove):
            assert do(host, wish()).refused
        assert not find_scopes(host)


def test_a_link_in_a_project_leads_nowhere_else(home: Path) -> None:
    """Whoever sent the project may have put it there."""
    (home / ".bashrc").write_text("alias x=y\n")
    Path("AGENTS.md").symlink_to(home / ".bashrc")
    Path(".opencode").symlink_to(home)
    Path("CLAUDE.md").write_text("Rules.\n")
    before = files(home)

    for host in ("agents", "opencode"):
        for do in (setup.set_up, setup.remove):
            assert do(host, wish(PROJECT)).refused
    assert files(home) == before

    Path("AGENTS.md").unlink()
    Path("AGENTS.md").symlink_to("CLAUDE.md")
    assert setup.set_up("agents", wish(PROJECT)).installed
    assert "memoir" in Path("CLAUDE.md").read_text()


def test_the_section_of_rules_names_a_command_that_runs(home: Path) -> None:
    setup.set_up("agents", wish(PROJECT, on_path=True))
    assert "`memoir recall '" in Path("AGENTS.md").read_text()
    setup.set_up("agents", wish(PROJECT, on_path=False)._replace(program="/a b/memoir"))
    assert "`'/a b/memoir' recall '" in Path("AGENTS.md").read_text()
    assert "`memoir " not in Path("AGENTS.md").read_text()


@pytest.mark.parametrize("other", [0, 1])
def test_very_many_handlers_are_taken_out_at_once(other: int) -> None:
    """A project may bring such a file; the time must not grow with its square."""
    mine, theirs = {"command": "'/x/memoir' hook claude Stop"}, {"command": "beep"}
    groups = [{"hooks": [mine, *[theirs] * other]} for _ in range(2_000)]
    Path(".claude").mkdir()
    Path(".claude/settings.local.json").write_text(json.dumps({"hooks": {"Stop": groups}, "model": "x"}))

    with without_endless_work():  # it took half a minute
        setup.remove("claude", wish(PROJECT))

    left = json.loads(Path(".claude/settings.local.json").read_text())
    assert left == {"model": "x"} | ({"hooks": {"Stop": [{"hooks": [theirs]}] * 2_000}} if other else {})


def test_brackets_without_end_in_a_file_of_toml_are_refused(home: Path) -> None:
    Path(".codex").mkdir()
    text = "a = " + "[" * 100_000
    Path(".codex/config.toml").write_text(text)

    (change,) = (each for each in setup.set_up("codex", wish(PROJECT, mcp=True), dry_run=True).changes if each.problem)
    assert "not TOML" in str(change.problem)
    assert Path(".codex/config.toml").read_text() == text


def test_without_a_home_no_folder_of_that_name_is_made(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container whose user is none that the system knows, with the folders that memoir asks for."""
    monkeypatch.setattr(os.path, "expanduser", str)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)

    with pytest.raises(MemoirError, match="your home folder is unknown"):
        setup.set_up("claude", wish())
    assert not (tmp_path / "~").exists()


def test_without_a_state_folder_no_folder_is_made_in_a_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoir.user_folders.state", lambda: None)

    with pytest.raises(MemoirError, match="your state folder is unknown"):
        setup.set_up("claude", wish(PROJECT))
    assert not Path(".claude").exists()


@pytest.mark.parametrize("host", [name for name, recipe in RECIPES.items() if PROJECT in recipe.scopes])
def test_what_is_written_into_a_project_is_to_be_kept_out_of_commits(home: Path, host: str) -> None:
    done = setup.set_up(host, wish(PROJECT, mcp=True))

    (note,) = [each for each in done.notes if "out of commits" in each]
    assert all(str(change.path.relative_to(Path.cwd())) in note for change in done.changes)
    assert not any("out of commits" in each for each in setup.set_up("claude", wish()).notes)


def test_rules_that_call_memoir_by_its_name_may_be_committed(home: Path) -> None:
    done = setup.set_up("agents", wish(PROJECT, on_path=True))

    assert not any("out of commits" in each for each in done.notes)
