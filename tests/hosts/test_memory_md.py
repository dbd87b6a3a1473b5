"""The real Claude Code with `memoir setup claude --memory-md`: its own MEMORY.md and the store stay in step."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hosts.claude import Claude, needs_claude, results_of
from messages_api import Answer, MessagesApi, Request, tool_use
from support import Memoir

from memoir.formats.readers.claude_code import memory_folder

pytestmark = [pytest.mark.hosts, needs_claude]
TOPIC = "---\nname: release-day\ndescription: when we release\nmetadata:\n  type: project\n---\n\n{}\n"
"""A topic file as Claude Code tells its model to write it."""
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
