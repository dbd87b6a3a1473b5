"""The plugins: their manifests agree, their skills fit the hosts' limits, and their hooks never say a thing twice."""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import PROJECT, Memoir

import memoir
from memoir.hosts.events import are_set_up

PLUGINS = PROJECT / "plugins"
SKILLS = sorted(PLUGINS.glob("*/skills/*/SKILL.md"))


def read(path: str) -> Any:
    return json.loads((PROJECT / path).read_text("utf-8"))


def test_the_marketplaces_name_the_plugins_and_their_version() -> None:
    for plugin in read(".claude-plugin/marketplace.json")["plugins"]:
        manifest = read(f"{plugin['source']}/.claude-plugin/plugin.json")
        assert (manifest["name"], manifest["version"]) == (plugin["name"], memoir.__version__)
    (codex,) = read(".agents/plugins/marketplace.json")["plugins"]
    assert read(f"{codex['source']['path']}/.codex-plugin/plugin.json")["version"] == memoir.__version__


def test_the_server_is_there_and_off() -> None:
    assert read("plugins/claude-code-mcp/.claude-plugin/plugin.json")["defaultEnabled"] is False
    assert read("plugins/claude-code-mcp/.mcp.json") == {
        "mcpServers": {"memoir": {"command": "memoir", "args": ["mcp"]}}
    }
    assert not (PLUGINS / "claude-code/.mcp.json").exists()


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: f"{path.parts[-4]}-{path.parent.name}")
def test_a_skill_has_a_name_and_a_description_that_is_not_cut(path: Path) -> None:
    _, head, body = path.read_text("utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())

    assert fields["name"] == path.parent.name and len(fields["description"]) <= 1024
    for command in re.findall(r"`memoir ([a-z]+)", body):
        assert command in {
            "recall", "summarize", "get", "grep", "blame", "diff", "suggest", "remember", "forget", "undo", "lexicon",
        }  # fmt: skip
    other = PLUGINS / ("codex" if "claude-code" in path.parts else "claude-code") / "skills" / path.parent.name
    assert (other / "SKILL.md").read_text("utf-8").split("---\n", 2)[2] == body


def test_recall_works_in_a_fork_and_prints_its_modes() -> None:
    text = (PLUGINS / "claude-code/skills/memoir-recall/SKILL.md").read_text("utf-8")

    assert "\ncontext: fork\n" in text
    assert re.findall(r"^\| `\[mode=(\w+)\]`", text, re.MULTILINE) == ["get", "flat", "drill", "blame", "diff"]


@pytest.mark.parametrize(("plugin", "host"), [("claude-code", "claude"), ("codex", "codex")])
def test_the_hook_of_a_plugin_is_silent_if_the_host_has_the_same_one(plugin: str, host: str, memoir: Memoir) -> None:
    hooks = read(f"plugins/{plugin}/hooks/hooks.json")["hooks"]
    assert list(hooks) == ["SessionStart"], "those of capture and sync come when these are switched on"
    (group,) = hooks["SessionStart"]
    words = group["hooks"][0]["command"].split()
    assert words == ["memoir", "hook", host, "SessionStart", "--plugin", "2>/dev/null", "||", "true"]
    memoir.remember("preferences.coding.testing", "Use pytest.")
    payload = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(memoir.folder)})

    assert "Use pytest." in memoir.ok(*words[1:5], stdin=payload)
    memoir.ok("setup", host)
    assert are_set_up(host, "SessionStart", "") and not are_set_up(host, "Stopp", "")
    assert memoir.ok(*words[1:5], stdin=payload) == ""
    assert "Use pytest." in memoir.ok(*words[1:4], stdin=payload)
    memoir.ok("setup", host, "--remove")
    assert "Use pytest." in memoir.ok(*words[1:5], stdin=payload)


@pytest.fixture
def limit() -> Iterator[None]:
    """Interrupt what waits for ever."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(5)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("host", "event", "fifo", "file"),
    [
        ("claude", "SessionStart", ".claude/settings.json", ".claude/settings.local.json"),
        ("codex", "SessionStart", ".codex/hooks.json", None),
    ],
)
@pytest.mark.usefixtures("limit")
def test_a_fifo_keeps_no_hook_of_a_plugin_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, event: str, fifo: str, file: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / fifo).parent.mkdir()
    os.mkfifo(tmp_path / fifo)

    assert not are_set_up(host, event, str(tmp_path))

    if file:
        (tmp_path / file).write_text(f'"command": "/usr/bin/memoir hook {host} {event} "')
        assert are_set_up(host, event, str(tmp_path))
