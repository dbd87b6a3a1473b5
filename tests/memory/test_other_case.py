"""A new path that differs from a stored one in capitals only is refused; what is there can be read and moved."""

from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from orjson import dumps

from memoir.errors import InvalidInput
from memoir.git.lock import writer_lock
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import LookAlike


def refusal(repository: Repository, key: str) -> str | None:
    """The hint for a memory at a new key."""
    with pytest.raises(LookAlike, match="capitals only") as error:
        repository.remember(Memory.of("Prefers spaces"), key)
    return error.value.hint


def let_another_write_first(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, key: str = "preferences.coding"
) -> None:
    """Let another writer store a memory when the next write is about to take the lock."""
    locks = "memoir.store.transaction.writer_lock"

    def lock_after_another(git_dir: Path) -> AbstractContextManager[None]:
        monkeypatch.setattr(locks, writer_lock)
        Repository.open(repository.path).remember("Prefers tabs", key)
        return writer_lock(git_dir)

    monkeypatch.setattr(locks, lock_after_another)


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


def test_new_paths_are_compared_with_each_other(repository: Repository) -> None:
    with pytest.raises(LookAlike, match=r"'Tools\.git' differs in capitals only from 'tools\.git'"):
        repository.remember_many([("One", "tools"), ("Two", "Tools.git")])
    with pytest.raises(LookAlike, match=r"'a\.B' differs"):
        repository.remember("One", "a.b", "a.B")
    assert repository.count() == 0


def test_of_two_writers_at_once_one_is_refused(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    let_another_write_first(repository, monkeypatch)
    assert refusal(repository, "Preferences.Coding") == "did you mean 'preferences.coding'?"


def test_an_import_is_refused_too_if_another_writer_comes_first(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [dumps({"path": path, "content": f"At {path}"}) for path in ("tools.git", "Preferences.Coding")]

    let_another_write_first(repository, monkeypatch)
    with pytest.raises(LookAlike, match=r"^'Preferences\.Coding' differs"):
        repository.import_lines(lines)
    assert repository.count() == 1

    let_another_write_first(repository, monkeypatch, "tools.Git")
    assert repository.import_lines(lines, allow_look_alikes=True).paths == 2


def test_the_lines_of_an_import_are_compared_with_each_other_and_with_the_store(repository: Repository) -> None:
    repository.remember("Prefers tabs", "preferences.coding")
    paths = ("a.b.c", "preferences.Coding", "A.d", "x", "X.y", "preferences.coding")
    lines = [dumps({"path": path, "content": f"At {path}"}) for path in paths]

    with pytest.raises(InvalidInput) as error:
        repository.import_lines(lines)
    assert {each["line"] for each in error.value.details["lines"]} == {1, 2, 4}

    linked = dumps({"path": "z", "content": "At z", "metadata": {"links": {"causes": ["default:a.b.c"]}}})
    result = repository.import_lines([*lines, linked], skip_bad=True)
    assert [each["line"] for each in result.skipped] == [1, 2, 4, 7]
    assert repository.import_lines(lines, allow_look_alikes=True).paths == 6
    assert repository.import_lines(lines).lines == 6


def test_other_words_and_other_namespaces_are_no_matter(repository: Repository) -> None:
    repository.remember(Memory.of("Prefers tabs"), "preferences.coding")

    for key in ("preferences.Code", "preferences.coding-style", "user:ada:Preferences.Coding", "preferences.coding.Go"):
        assert repository.remember(Memory.of(f"Something about {key}"), key).commit


def test_a_path_that_is_there_in_capitals_takes_more_memories_and_can_be_moved(repository: Repository) -> None:
    repository.remember(Memory.of("Prefers tabs"), "Preferences.Coding")
    assert repository.remember(Memory.of("Prefers spaces"), "Preferences.Coding").commit
    repository.move("Preferences.Coding", "preferences.coding")
    assert repository.get("Preferences.Coding") is None and repository.get("preferences.coding")
