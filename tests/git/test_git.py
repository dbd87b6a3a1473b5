"""git is run for the repository that is named, whatever the environment says."""

from pathlib import Path

import pytest
from support import git, write

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
