"""A server that is killed in the midst of a push: nothing is lost, and the next sync brings it."""

import os
import time
from pathlib import Path

import pytest
from fault_tools import assert_sound, finish, start
from git_servers import GitServer
from support import Memoir, git

pytestmark = pytest.mark.servers


def hold(hub: Path, hook: str, mark: Path) -> Path:
    """Let a push wait in a hook, once it has made a file."""
    path = hub / "hooks" / hook
    path.parent.mkdir(exist_ok=True)
    only = '[ "$1" = prepared ] || exit 0\n' if hook == "reference-transaction" else ""
    path.write_text(f"#!/bin/sh\n{only}cat >/dev/null\ntouch {mark}\nsleep 60 >/dev/null 2>&1\n")
    path.chmod(0o755)
    return path


def kill_in(server: GitServer, memoir: Memoir, hook: str, mark: Path) -> int:
    """Kill the server's git while it waits in a hook; the exit status of the sync."""
    path = hold(server.folder / "hub.git", hook, mark)
    process = start(memoir, "sync", env={**os.environ, **memoir.env})
    end = time.monotonic() + 60
    while not mark.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    path.unlink()
    server.kill_talks()
    return finish(process, timeout=120)[0]


@pytest.mark.parametrize("hook", ["pre-receive", "post-receive"])
def test_the_next_sync_brings_what_was_not_acknowledged(
    server: GitServer, first: Memoir, second: Memoir, tmp_path: Path, hook: str
) -> None:
    first.remember("a.late", "late")

    kill_in(server, first, hook, tmp_path / "mark")

    assert first.content("a.late") == "late"
    first.ok("sync")
    second.ok("sync")
    assert second.content("a.late") == "late"
    assert_sound(first)
    git("-C", str(server.folder / "hub.git"), "fsck", "--full")


def test_a_lock_that_a_killed_push_left_is_named(
    server: GitServer, first: Memoir, second: Memoir, tmp_path: Path
) -> None:
    first.remember("a.late", "late")
    kill_in(server, first, "reference-transaction", tmp_path / "mark")
    lock = server.folder / "hub.git/refs/heads/main.lock"
    assert lock.exists(), "the test is to kill a push that has taken the lock"

    refused = first.run("sync", "--json")

    assert refused.status in (1, 5) and "exists" in refused.json["error"]["message"], refused
    assert first.content("a.late") == "late"
    for each in (server.folder / "hub.git").rglob("*.lock"):  # HEAD has one, too
        each.unlink()
    first.ok("sync")
    second.ok("sync")
    assert second.content("a.late") == "late"
