"""What is in a project's folder, and is not a settings file, keeps no hook waiting."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoir.hosts.events import are_set_up


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
