"""The paths that are nearest to a text, and what is said where none is."""

import pytest
from support import built_once

from memoir.errors import InvalidInput
from memoir.filing.suggest import LIMIT, NEAR
from memoir.memory.write_options import WriteOptions
from memoir.repository.repository import Repository

TESTING = "preferences.coding.testing"
TEXT = "Our tests use pytest and no network."


@built_once
def full(repository: Repository) -> None:
    """A store with two memories of tests at one path, and others elsewhere."""
    repository.remember("Our tests use pytest.", TESTING)
    repository.remember("Tests of the parser use no mocks.", TESTING, policy="append")
    repository.remember("The network of the office is slow.", "settings.office.network")
    repository.remember("Alice likes tea.", "relationships.friends.alice")


def test_the_nearest_path_comes_first_with_its_memories_and_the_nearest_of_them(full: Repository) -> None:
    found = full.suggest(TEXT)

    best, *others = found.paths
    assert (best.address.short_key, best.memories, best.example) == (TESTING, 2, "Our tests use pytest.")
    assert best.score >= NEAR and not found.weak and not found.categories
    assert [each.address.path for each in others] == ["settings.office.network"], "tea has nothing to do with it"
    assert all(0 < each.score <= best.score <= 1 for each in others)


def test_nothing_is_written(full: Repository) -> None:
    before = full.status()

    full.suggest(TEXT)
    full.suggest("The cat sleeps on the sofa.")

    assert full.status() == before


def test_an_empty_store_has_categories(repository: Repository) -> None:
    found = repository.suggest("I prefer tabs over spaces in Go code.")

    assert found.weak and not found.paths
    best = found.categories[0]
    assert best.path.startswith("preferences.coding.") and 0 < best.confidence <= 1
    assert best.about == repository.taxonomy.list().catalogue["preferences.coding"].about


def test_where_no_path_is_near_there_are_categories_beside_the_nearest_paths(full: Repository) -> None:
    found = full.suggest("My sister Rosa lives in an office building of the old town.")

    assert found.weak and found.categories
    assert all(each.score < NEAR for each in found.paths)
    assert found.categories[0].path.startswith("relationships.family.")


def test_what_belongs_nowhere_has_neither(full: Repository) -> None:
    found = full.suggest("Quokkas?")

    assert found.weak and not found.paths and not found.categories


def test_the_inbox_is_never_suggested(repository: Repository) -> None:
    text = "zxqv blorp frobnitz"
    filed = repository.remember(text)
    assert next(iter(filed.outcomes)).path.startswith("inbox.")

    assert not repository.suggest(text).paths


def test_only_one_namespace_is_looked_at(full: Repository) -> None:
    full.remember("Our tests use pytest and no network at all.", "user:bob:notes.tests.network")

    assert {each.address.namespace for each in full.suggest(TEXT).paths} == {"default"}
    (own,) = full.suggest(TEXT, namespace="user:bob").paths
    assert own.address.full_key == "user:bob:notes.tests.network"
    assert not full.suggest(TEXT, namespace="nobody").paths


def test_ten_paths_unless_there_is_a_limit(repository: Repository) -> None:
    repository.remember_many([(f"Our tests of part {n} use pytest.", f"notes.part.p{n}") for n in range(30)])

    assert len(repository.suggest(TEXT).paths) == LIMIT == 10
    assert len(repository.suggest(TEXT, limit=20).paths) == 20
    (best,) = repository.suggest(TEXT, limit=1).paths
    assert best == repository.suggest(TEXT).paths[0]


def test_many_memories_of_one_path_leave_room_for_others(repository: Repository) -> None:
    for number in range(20):
        repository.remember(f"Our tests of part {number} use pytest.", TESTING, policy="append")
    repository.remember("Some tests need the network.", "debugging.tests.network")

    assert {each.address.path for each in repository.suggest(TEXT).paths} == {TESTING, "debugging.tests.network"}


def test_a_superseded_memory_is_neither_found_nor_counted(full: Repository) -> None:
    full.remember("The network of the office is fast since May.", "settings.office.network", policy="replace")

    (path,) = (each for each in full.suggest("The network of the office").paths if each.address.path != TESTING)
    assert path.memories == 1 and path.example.endswith("since May.")


@pytest.mark.parametrize(
    ("text", "options"),
    [("", {}), ("  ", {}), ("x", {"limit": 0}), ("x", {"namespace": "a b"})],
    ids=["empty", "blank", "limit", "namespace"],
)
def test_what_could_not_be_remembered_is_refused(repository: Repository, text: str, options: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        repository.suggest(text, **options)  # type: ignore[arg-type]


def test_a_credential_in_the_text_is_not_looked_for(repository: Repository) -> None:
    token = "ghp_" + "a1B2c3" * 6
    repository.remember(f"{token} expired.", "debugging.tokens.old", options=WriteOptions(allow_secrets=True))

    assert repository.suggest("It expired.").paths, "the memory is found by its other words"
    assert not repository.suggest(token).paths
