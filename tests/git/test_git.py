"""git is run for the repository that is named, whatever the environment says, and ends with who runs it."""

import os
import time
from pathlib import Path
from typing import NoReturn

import pytest
from support import git, write

from memoir.git import messages
from memoir.git.git import around
from memoir.store.store import Store


def test_what_git_sets_for_its_hooks_leads_to_no_other_repository(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = write(store, {"default=a": "1"}).id
    git("init", "--quiet", str(tmp_path / "project"))
    git("init", "--quiet", str(tmp_path / "other"))
    for name, place in (("GIT_DIR", ".git"), ("GIT_WORK_TREE", "."), ("GIT_OBJECT_DIRECTORY", ".git/objects")):
        monkeypatch.setenv(name, str(tmp_path / "other" / place))

    top = around(tmp_path / "project", "rev-parse", "--show-toplevel").stdout.decode().strip()

    assert Path(top) == tmp_path / "project"
    assert store.git.run("rev-parse", "main").decode().strip() == str(commit)


def test_who_is_interrupted_waits_for_what_git_has_started(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, late = tmp_path / "begun", tmp_path / "late"

    def interrupt(*_: object) -> NoReturn:
        while not begun.exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(messages, "listen", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.git.talk("-c", f"alias.slow=!touch '{begun}'; sleep 0.2; touch '{late}'", "slow", env={})

    assert late.exists()  # nothing is written into a folder that is removed now


def test_who_is_interrupted_does_not_wait_for_what_goes_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_DYING", 0.1)
    reader, writer = os.pipe()
    with open(reader, "rb") as pipe, open(writer, "wb"):
        messages.outlast(pipe)
