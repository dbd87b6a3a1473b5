"""Reading the settings leaves nothing behind."""

import subprocess
from typing import Any

import pytest

from memoir.git.git import Git
from memoir.store.store import Store


def test_the_process_that_reads_the_settings_leaves_no_pipe_open(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    started, start = list[subprocess.Popen[bytes]](), Git.start

    def note(git: Git, *args: str, **options: Any) -> subprocess.Popen[bytes]:
        started.append(start(git, *args, **options))
        return started[-1]

    monkeypatch.setattr(Git, "start", note)
    store.expect_config()
    assert store.config

    assert [pipe.closed for each in started for pipe in (each.stdout, each.stderr) if pipe] == [True, True]
