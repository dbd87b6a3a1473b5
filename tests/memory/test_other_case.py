"""A new path that differs from a stored one in capitals only is refused; what is there can be read and moved."""

import pytest

from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import LookAlike


def refusal(repository: Repository, key: str) -> str | None:
    """The hint for a memory at a new key."""
    with pytest.raises(LookAlike, match="capitals only") as error:
        repository.remember(Memory.of("Prefers spaces"), key)
    return error.value.hint


def test_whoever_names_a_path_with_other_capitals_is_told_of_the_one_that_is_there(repository: Repository) -> None:
    repository.remember(Memory.of("Prefers tabs"), "preferences.coding")
    repository.remember(Memory.of("It is a host"), "tools.gitHub.use")

    assert refusal(repository, "Preferences.Coding") == "did you mean 'preferences.coding'?"
    assert refusal(repository, "preferences.CODING.style") == "did you mean 'preferences.coding.style'?"
    assert refusal(repository, "Preferences") == "did you mean 'preferences'?"
    assert refusal(repository, "tools.github") == "did you mean 'tools.gitHub'?"
    with pytest.raises(LookAlike, match=r"^'Tools' differs"):
        repository.remember_many([("One", "tools.git"), ("Two", "Tools")])
    assert repository.count() == 2


def test_other_words_and_other_namespaces_are_no_matter(repository: Repository) -> None:
    repository.remember(Memory.of("Prefers tabs"), "preferences.coding")

    for key in ("preferences.Code", "preferences.coding-style", "user:ada:Preferences.Coding", "preferences.coding.Go"):
        assert repository.remember(Memory.of(f"Something about {key}"), key).commit


def test_a_path_that_is_there_in_capitals_takes_more_memories_and_can_be_moved(repository: Repository) -> None:
    repository.remember(Memory.of("Prefers tabs"), "Preferences.Coding")
    assert repository.remember(Memory.of("Prefers spaces"), "Preferences.Coding").commit
    repository.move("Preferences.Coding", "preferences.coding")
    assert repository.get("Preferences.Coding") is None and repository.get("preferences.coding")
