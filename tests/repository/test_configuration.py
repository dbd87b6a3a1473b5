"""`repository.config`: settings are read and changed with the checks of `memoir config`."""

import pytest

from memoir import Repository
from memoir.errors import InvalidInput, NotFound

POLICY = "memoir.remember.mergePolicy"


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
