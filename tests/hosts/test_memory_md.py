"""The real Claude Code with `memoir setup claude --memory-md`: its own MEMORY.md and the store stay in step."""

import json
import time
from pathlib import Path

import pytest
from hosts.claude import Claude, acting, needs_claude
from messages_api import MessagesApi
from support import Memoir

from memoir.formats.readers.claude_code import memory_folder

pytestmark = [pytest.mark.hosts, needs_claude]
TOPIC = "---\nname: release-day\ndescription: when we release\nmetadata:\n  type: project\n---\n\n{}\n"
"""A topic file as Claude Code tells its model to write it."""


def wait_for(memoir: Memoir, key: str, content: str) -> None:
    """Wait for what the end of a session leaves to another process."""
    deadline = time.monotonic() + 60
    while content not in (shown := json.dumps(memoir.json("get", key))):
        assert time.monotonic() < deadline, shown
        time.sleep(0.2)


def test_what_claude_code_notes_and_edits_is_in_the_store_once(
    memoir: Memoir, tmp_path: Path, api: MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    memoir.remember("preferences.coding.testing", "Use pytest, not unittest.")
    claude = Claude(memoir, tmp_path / "config", api)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude.config))
    claude.setup("--memory-md")
    folder = memory_folder(memoir.folder)
    index, topic = str(folder / "MEMORY.md"), str(folder / "release-day.md")

    api.respond = acting(
        ("Write", {"file_path": topic, "content": TOPIC.format("We release on Fridays.")}),
        ("Read", {"file_path": index}),  # memoir has perhaps written it: Claude Code overwrites only what it has read
        ("Write", {"file_path": index, "content": "- [Release day](release-day.md) — when we release\n"}),
    )
    claude.ask("Remember that we release on Fridays.")
    wait_for(memoir, "project.release_day", "We release on Fridays.")
    count = memoir.json("status")["memory_count"]

    api.respond = acting(
        ("Read", {"file_path": topic}),
        ("Write", {"file_path": topic, "content": TOPIC.format("We release on Mondays.")}),
        ("Read", {"file_path": index}),
        ("Edit", {"file_path": index, "old_string": "not unittest", "new_string": "never unittest"}),
    )
    (first, *_) = claude.ask("We release on Mondays now, and never use unittest.")
    assert "Use pytest, not unittest." in first, "MEMORY.md has what the store has"
    wait_for(memoir, "project.release_day", "We release on Mondays.")
    wait_for(memoir, "preferences.coding.testing", "Use pytest, never unittest.")

    for key in ("project.release_day", "preferences.coding.testing"):
        value = memoir.json("get", key)["items"][0]["value"]
        assert "memories" not in value, "one active memory"
    assert memoir.json("status")["memory_count"] == count
    assert Path(index).read_text("utf-8").startswith("- [Release day](release-day.md) — when we release\n")
