"""Stores of other users that git's `safe.directory` declares safe."""

from pathlib import Path

import pytest
from support import git

from memoir.store.safe_directories import is_declared_safe


@pytest.fixture
def home() -> Path:
    return Path.home()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], False),
        (["{project}/.memoir"], True),
        (["{project}"], True),
        (["{project}/"], True),
        (["{project}/*"], True),
        (["{project}/../*"], True),
        (["/*"], True),
        (["*"], True),
        (["~/project"], True),
        (["{project}/.mem"], False),
        (["{project}/.mem*"], False),
        (["{project}/.."], False),
        (["."], False),
        (["*", ""], False),
        (["", "*"], True),
        (["*", "", "/nowhere"], False),
    ],
)
def test_a_store_is_safe_if_git_would_trust_it_or_its_project(
    home: Path, monkeypatch: pytest.MonkeyPatch, values: list[str], expected: bool
) -> None:
    project = home / "project"
    (project / ".memoir").mkdir(parents=True)
    monkeypatch.chdir(project)
    for value in values:
        git("config", "--global", "--add", "safe.directory", value.format(project=project))

    assert is_declared_safe(project / ".memoir") == expected


def test_a_repository_with_another_name_is_not_trusted_for_its_folder(home: Path) -> None:
    (home / "team.git").mkdir()
    git("config", "--global", "safe.directory", str(home))

    assert not is_declared_safe(home / "team.git")


def test_a_link_is_followed(home: Path) -> None:
    (home / "real" / ".memoir").mkdir(parents=True)
    (home / "project").symlink_to("real")
    git("config", "--global", "safe.directory", str(home / "project"))

    assert is_declared_safe(home / "real" / ".memoir")
