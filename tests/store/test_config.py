"""Changing settings: all of a change or none of it, in memoir's own keys alone."""

import os
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memoir.errors import GitError, InvalidInput, MemoirError, NotFound
from memoir.repository.repository import Repository
from memoir.store import config
from memoir.store.store import Store

POLICY = "memoir.remember.mergePolicy"


def test_a_git_that_has_written_nothing_is_found_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """git itself says nothing of a disk that is full when it removes a key."""
    config.put(store, "memoir.x", "1")
    monkeypatch.setattr(config, "plain", lambda *args: CompletedProcess(args, 0, b"", b""))

    with pytest.raises(GitError, match="has not written"):
        config.unset(store, "memoir.x")
    config.put(store, "memoir.x", "1")  # a value that is there already need not be written

    assert store.config["memoir.x"] == ["1"]


@pytest.mark.parametrize("user", [False, True])
def test_who_may_read_a_configuration_stays_as_it_was(store: Store, user: bool) -> None:
    file = Path(os.environ["GIT_CONFIG_GLOBAL"]) if user else store.git_dir / "config"
    file.touch()
    file.chmod(0o600)

    config.put(store, "memoir.x", "1", user=user)

    assert file.stat().st_mode & 0o777 == 0o600 and b"memoir" in file.read_bytes()


@pytest.mark.parametrize("user", [False, True])
def test_what_is_not_set_cannot_be_removed(store: Store, user: bool) -> None:
    before = (store.git_dir / "config").read_bytes()

    with pytest.raises(NotFound, match="not set there"):
        config.unset(store, "user.name", user=user)

    assert (store.git_dir / "config").read_bytes() == before


@pytest.mark.parametrize("user", [False, True])
def test_gits_own_settings_are_left_to_git(store: Store, user: bool) -> None:
    with pytest.raises(InvalidInput, match=r"memoir sets only memoir\.\*"):
        config.put(store, "core.editor", "vi", user=user)


def test_of_several_changes_none_is_made_if_one_is_refused(store: Store) -> None:
    with pytest.raises(NotFound):
        config.edit(store, ("memoir.x", "1"), ("--unset-all", "memoir.y"))

    assert "memoir.x" not in store.config and not (store.git_dir / "config.lock").exists()


def test_a_file_of_the_user_that_another_program_changes_is_left_alone(store: Store) -> None:
    file = Path(os.environ["GIT_CONFIG_GLOBAL"])
    file.write_text("[user]\n\tname = Ada\n")
    lock = file.with_name(f"{file.name}.lock")
    lock.touch()

    with pytest.raises(MemoirError, match="lock"):
        config.put(store, "user.name", "Ben", user=True)

    assert file.read_text() == "[user]\n\tname = Ada\n" and lock.exists()


def test_a_setting_is_set_read_and_removed(repository: Repository) -> None:
    config = repository.config

    assert config.set(POLICY, "append") == POLICY.lower()
    assert config.get(POLICY).value == "append"
    assert {entry.key: entry.value for entry in config.list()}[POLICY] == "append"
    assert config.unset(POLICY) == POLICY.lower()
    with pytest.raises(NotFound, match="is not set"):
        config.get(POLICY)


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("memoir.recall.k", "none", "a whole number"),
        ("memoir.recall.kk", "3", "there is no setting"),
        ("core.hooksPath", "/tmp", "there is no setting"),
        ("memoir.llm.model", "large", "only you may set"),
        ("no key", "x", "not a config key"),
    ],
)
def test_a_bad_setting_is_refused(repository: Repository, key: str, value: str, why: str) -> None:
    before = (repository.path / "config").read_bytes()

    with pytest.raises(InvalidInput, match=why):
        repository.config.set(key, value)
    assert (repository.path / "config").read_bytes() == before


def test_a_setting_of_the_user_holds_in_every_store(repository: Repository) -> None:
    repository.config.set("memoir.llm.model", "large", user=True)

    assert repository.config.get("memoir.llm.model").value == "large"
    assert b"large" not in (repository.path / "config").read_bytes()
    repository.config.unset("memoir.llm.model", user=True)
    assert repository.config.get("memoir.llm.model").value != "large"
