"""A repository whose store is moved away, or loses its HEAD, while it is open: it says so, and makes no new one."""

from collections.abc import Callable

import pytest

from memoir import MemoirError, Repository
from memoir.errors import DamagedStore, NoStore

DEEDS: dict[str, Callable[[Repository], object]] = {
    "get": lambda repository: repository.get("tools.testing"),
    "recall": lambda repository: repository.recall("pytest"),
    "remember": lambda repository: repository.remember("Use ruff.", "tools.lint"),
    "branch": lambda repository: repository.branch,
    "gc": lambda repository: repository.upkeep.gc(),
    "sync": lambda repository: repository.remotes.sync_alone(),
    "purge": lambda repository: repository.upkeep.purge("tools.testing"),
}


@pytest.fixture
def used(repository: Repository) -> Repository:
    repository.remember("Use pytest.", "tools.testing")
    repository.get("tools.testing")
    return repository


@pytest.mark.parametrize("deed", DEEDS)
def test_a_store_that_is_moved_away_is_named(used: Repository, deed: str) -> None:
    used.path.rename(used.path.with_name("elsewhere"))

    with pytest.raises(MemoirError) as error:
        DEEDS[deed](used)

    assert isinstance(error.value, NoStore) and str(used.path) in error.value.message
    assert not used.path.exists()
    with Repository.open(used.path.with_name("elsewhere")) as there:
        assert there.content("tools.testing") == "Use pytest."


def test_a_head_that_is_lost_meanwhile_is_damage_that_can_be_repaired(used: Repository) -> None:
    (used.path / "HEAD").unlink()

    with pytest.raises(DamagedStore, match="HEAD is missing") as error:
        used.get("tools.testing")

    assert error.value.hint == "'memoir fsck --repair' writes a new one"
