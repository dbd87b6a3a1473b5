"""The process of `memoir hook`: exit 0, in time, one line of JSON or nothing, whatever comes in and whatever breaks."""

import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support import COMMAND, Memoir, built_once

from memoir.capture.spool import TurnSpool
from memoir.git.lock import LOCK_NAME, held
from memoir.hosts import dialects, entry

START: dict[str, Any] = {"session_id": "s", "transcript_path": "/t.jsonl", "hook_event_name": "SessionStart"}


def hook(memoir: Memoir, payload: object, *args: str, **env: str) -> str:
    """Run a hook to its end and return its output, after the checks that hold for every run."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(
        [COMMAND, "hook", *(args or ("claude", "SessionStart"))],
        input=data,
        capture_output=True,
        cwd=memoir.folder,
        timeout=30,
        env={**os.environ, "MEMOIR_LOCK_TIMEOUT": "60", **env},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == bool(done.stdout)
    return done.stdout.decode()


@built_once
def full_store(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.testing", "Use pytest.")


def test_a_session_begins_with_the_primer(full_store: Memoir) -> None:
    answer = json.loads(hook(full_store, {**START, "cwd": str(full_store.folder), "source": "resume"}))

    assert answer == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": full_store.ok("prime")}
    }


def test_a_file_and_a_failure_bring_what_is_known_of_them(full_store: Memoir) -> None:
    (full_store.folder / "auth.py").write_text("pass\n")
    full_store.remember("knowledge.auth", "Tokens expire after an hour.", "--about", "auth.py")
    full_store.remember("debugging.broker", "The broker connection is refused until the broker is up.")
    about = {"session_id": "s", "cwd": str(full_store.folder)}
    file = {**about, "hook_event_name": "PreToolUse", "tool_input": {"file_path": "auth.py"}}
    failure = {**about, "hook_event_name": "PostToolUseFailure", "error": "the broker refused the connection"}

    assert "knowledge.auth" in hook(full_store, file, "claude", "PreToolUse")
    assert "debugging.broker" in hook(full_store, failure, "claude", "PostToolUseFailure")


def test_no_event_with_work_of_its_own_is_passed_over() -> None:
    kinds = {dialects.START, dialects.SESSION_END, dialects.FILE, dialects.FAILURE}
    named = {event.lower() for host in dialects.HOSTS.values() for event, kind in host.events.items() if kind in kinds}

    assert named <= set(entry._WITH_WORK)


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"{", b"null", b"[1]", b"\xff\xfe", {**START, "cursor_version": "3"}, {**START, "sessionId": "s"},
        {**START, "hook_event_name": "Stop"}, {**START, "transcript_path": ""},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_payload_of_this_host_gets_no_answer(full_store: Memoir, payload: object) -> None:
    assert hook(full_store, payload) == ""


def test_unknown_hosts_events_and_options_are_no_usage_errors(full_store: Memoir) -> None:
    for args in (("nobody", "SessionStart"), ("claude", "NewEvent"), ("claude",), ("claude", "SessionStart", "--what")):
        assert bool(hook(full_store, START, *args)) is ("--what" in args)


def test_hooks_can_be_switched_off(full_store: Memoir) -> None:
    assert hook(full_store, START, MEMOIR_HOOKS="off") == ""


def test_a_hook_without_work_ends_before_it_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    calls = [["claude", "Stop"], ["claude", "UserPromptSubmit"], ["claude", "UserPromptSubmit", "--recall"]]
    calls += [["cursor", "sessionStart"], ["claude", "Stop", "--plugin"]]

    assert [entry._has_work(each) for each in calls] == [False, False, True, True, False]
    TurnSpool(tmp_path / "store").switch(True)
    assert all(map(entry._has_work, calls))


def test_64_mb_are_read_and_ignored(full_store: Memoir) -> None:
    assert hook(full_store, b'{"more": "' + bytes(64 << 20) + b'"}') == ""


def test_a_damaged_store_and_none_at_all_are_silent_and_only_the_first_is_logged(
    full_store: Memoir, tmp_path: Path
) -> None:
    log = Path(os.environ["HOME"], ".local/state/memoir/hooks.log")
    assert hook(Memoir(tmp_path), START) == ""
    assert not log.exists()
    (full_store.git_dir / "HEAD").write_bytes(b"")

    assert hook(full_store, START) == ""
    assert "HEAD" in log.read_text() and "Use" not in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_locked_store_is_answered_all_the_same(full_store: Memoir) -> None:
    full_store.ok("recall", "pytest")
    index = next(full_store.git_dir.glob("memoir-index*.db"))
    with held(full_store.git_dir / LOCK_NAME), closing(sqlite3.connect(index)) as busy:
        busy.execute("BEGIN EXCLUSIVE")
        assert "pytest" in hook(full_store, START)
        prompt = {**START, "hook_event_name": "UserPromptSubmit", "prompt": "how do we use pytest here?"}
        hook(full_store, prompt, "claude", "UserPromptSubmit", "--recall")


def start(memoir: Memoir) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [COMMAND, "hook", "claude", "SessionStart"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=memoir.folder,
    )  # fmt: skip


def test_an_input_that_never_ends_is_answered_as_soon_as_it_is_whole(full_store: Memoir) -> None:
    with start(full_store) as process:
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(START).encode())
        process.stdin.flush()
        assert b"pytest" in process.stdout.readline()
        assert process.wait(30) == 0


def test_an_input_that_never_comes_is_not_waited_for(full_store: Memoir) -> None:
    with start(full_store) as process:
        assert process.wait(30) == 0
        assert process.stdout and process.stderr and process.stdout.read() + process.stderr.read() == b""


def test_what_was_said_is_kept_also_when_nobody_waits_for_it(full_store: Memoir) -> None:
    """As on a busy machine, on which the work takes longer than a hook may."""
    full_store.ok("capture", "on")
    spool = TurnSpool(full_store.git_dir)
    prompt = {**START, "hook_event_name": "UserPromptSubmit", "prompt": "We deploy on Fridays."}
    hook(full_store, prompt, "claude", "UserPromptSubmit")
    assert spool.folder
    (file,) = spool.folder.glob("*.jsonl")
    with file.open("rb") as busy:
        fcntl.flock(busy, fcntl.LOCK_EX)
        assert hook(full_store, {**prompt, "prompt": "We test on Mondays."}, "claude", "UserPromptSubmit") == ""
        assert len(spool.read()[0]) == 1

    end = time.monotonic() + 20
    while len(turns := spool.read()[0]) == 1 and time.monotonic() < end:
        time.sleep(0.05)
    assert [turn.text for turn in turns] == ["We deploy on Fridays.", "We test on Mondays."]


def handles_sigterm(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process has come so far that it handles SIGTERM."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    mask = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(mask.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
def test_sigterm_ends_it_with_0(full_store: Memoir) -> None:
    with start(full_store) as process:
        while process.poll() is None and not handles_sigterm(process):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
