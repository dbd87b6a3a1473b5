"""A hub that takes its time, or stalls: no write waits for it, and what was written arrives all the same."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_tools import finish, start
from git_servers import GitServer, processes_of, silent_port
from support import Memoir, git

pytestmark = pytest.mark.servers

MOST = 2.0 + 3.0
"""Seconds that a write may wait, and that a command takes by itself on a busy machine."""


def slow_down(hub: Path, seconds: int, log: Path) -> Path:
    """Let every push take some seconds at a hub, which logs when one begins and when it ends."""
    hook = hub / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ncat >/dev/null\necho + >> {log}\nsleep {seconds} >/dev/null 2>&1\necho - >> {log}\n")
    hook.chmod(0o755)
    return hook


def remember(memoir: Memoir, key: str) -> str:
    """Write a memory, which is synced; what is said of the sync."""
    begin = time.monotonic()
    done = memoir.run("remember", key, "-p", key, MEMOIR_SYNC="after-write", MEMOIR_NOW="")
    assert (done.status, time.monotonic() - begin < MOST) == (0, True), (done, time.monotonic() - begin)
    return done.err


def await_that(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def subjects(server: GitServer) -> list[str]:
    return git("-C", str(server.folder / "hub.git"), "log", "--format=%s", "main").splitlines()


def test_no_write_waits_for_a_hub_that_takes_six_seconds_for_a_push_and_all_of_them_arrive(
    server: GitServer, first: Memoir, tmp_path: Path
) -> None:
    first.ok("sync")
    slow_down(server.folder / "hub.git", 6, tmp_path / "log")

    for number in range(3):
        assert "origin takes longer than 2 seconds" in remember(first, f"a.number{number}")
    await_that(lambda: len(subjects(server)) == 4)

    pushes = (tmp_path / "log").read_text().split()
    assert pushes[::2] == ["+"] * len(pushes[::2]), "two pushed at once"
    assert len(pushes[::2]) < 3, "what was written during a push is sent by the next one together"


def test_what_a_hub_refused_when_nobody_waited_is_said_by_status_until_a_success(
    server: GitServer, first: Memoir, tmp_path: Path
) -> None:
    first.ok("sync")
    hook = slow_down(server.folder / "hub.git", 3, tmp_path / "log")
    hook.write_text(hook.read_text() + "echo no room here >&2\nexit 1\n")
    remember(first, "a.refused")

    await_that(lambda: "no room here" in first.ok("status"))

    hook.unlink()
    remember(first, "a.next")
    await_that(lambda: "no room here" not in first.ok("status"))
    assert len(subjects(server)) == 3


def test_a_push_that_is_cut_off_keeps_nobody_from_the_next(server: GitServer, first: Memoir, tmp_path: Path) -> None:
    first.ok("sync")
    hook = slow_down(server.folder / "hub.git", 600, tmp_path / "log")
    remember(first, "a.stalled")
    hook.unlink()
    server.kill_talks()

    await_that(lambda: "could not be reached" in first.ok("status"))
    first.ok("sync")
    assert len(subjects(server)) == 2


def test_a_hub_that_says_nothing_keeps_nobody_waiting(server: GitServer, first: Memoir) -> None:
    first.ok("sync")
    with silent_port() as port:
        first.ok("remote", "set-url", "origin", server.url("hub", port))
        assert "origin takes longer than 2 seconds" in remember(first, "a.first")
        begin = time.monotonic()
        assert "origin takes longer than 2 seconds" in remember(first, "a.second")
        assert time.monotonic() - begin < 2, "a second write need not wait for what the first has waited for"
    await_that(lambda: "could not be reached" in first.ok("status"))
    first.ok("remote", "set-url", "origin", server.url("hub"))
    first.ok("sync")
    assert len(subjects(server)) == 3


def test_a_sync_that_is_ended_while_a_hub_says_nothing_leaves_no_process(server: GitServer, first: Memoir) -> None:
    with silent_port() as port:
        first.ok("remote", "set-url", "origin", server.url("hub", port))
        process = start(first, "sync", env={**os.environ, **first.env})
        await_that(lambda: bool(processes_of(port)))
        time.sleep(0.5)  # git starts helpers

        process.send_signal(signal.SIGTERM)

        assert finish(process)[0] == 130
        await_that(lambda: not processes_of(port))
