"""Entities as a user of the library sees them."""

import pytest

from memoir import Memory, NotFound, Repository
from memoir.layers.entities import EntityList

FACTS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("a.one", "We run the API on Kubernetes.", {}),
    ("a.two", "All of our APIs are slow.", {}),
    ("a.three", "They read \"The Art of Names\" and the api docs.", {"person": "Ada Lovelace"}),
    ("a.four", "the art of names is long", {"entities": ["Acme Corp"]}),
    ("a.five", "ada met acme corp", {"person": ["ada lovelace"]}),
)  # fmt: skip


@pytest.fixture
def facts(repository: Repository) -> Repository:
    for day, (path, content, metadata) in enumerate(FACTS, 1):
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z", metadata=metadata), path)
    repository.remember(Memory.of("We run Kubernetes."), "user:bob:a.one")
    return repository


def rows(result: EntityList) -> list[tuple[str, str, int]]:
    return [(each.name, each.kind, each.size) for each in result.entities]


def test_people_given_names_titles_and_words_with_capitals_are_entities_in_all_their_forms(facts: Repository) -> None:
    result = facts.layers.entities(namespaces=["default"])

    assert set(rows(result)) == {
        ("API", "name", 3), ("Ada Lovelace", "person", 2), ("Acme Corp", "given", 2), ("The Art of Names", "title", 2),
        ("Kubernetes", "name", 1),
    }  # fmt: skip
    assert {each.name: each.aliases for each in result.entities}["API"] == ("APIs", "api")
    assert [each.size for each in result.entities] == [3, 2, 2, 2, 1]
    assert not result.more


def test_the_limit_leaves_out_those_that_fewest_memories_name_and_says_so(facts: Repository) -> None:
    result = facts.layers.entities(limit=1)

    assert (rows(result), result.more) == ([("API", "name", 3)], True)


@pytest.mark.parametrize("name", ["apis", "API", "Api"])
def test_any_form_of_a_name_finds_the_memories_newest_first(facts: Repository, name: str) -> None:
    result = facts.layers.entities(name)

    assert [each.address.path for each in result.memories or ()] == ["a.three", "a.two", "a.one"]


def test_an_entity_that_only_other_namespaces_name_is_not_found(facts: Repository) -> None:
    with pytest.raises(NotFound, match="names 'apis'"):
        facts.layers.entities("apis", namespaces=["user:bob"])
    with pytest.raises(NotFound) as error:
        facts.layers.entities("kuberntes")
    assert error.value.hint == "did you mean 'Kubernetes'?"


def test_what_is_forgotten_is_named_no_longer(facts: Repository) -> None:
    facts.layers.entities()
    facts.forget("a.four", "a.five", "a.three")

    assert {name for name, _, _ in rows(facts.layers.entities())} == {"API", "Kubernetes"}


@pytest.mark.parametrize("name", ["Ac\0me Corp", "Ac\0me", "\0", '"', "*", "NEAR(a b)", "a" * 100_000])
def test_no_name_in_metadata_keeps_the_others_from_being_listed(facts: Repository, name: str) -> None:
    facts.remember(Memory.of("The name is odd.", metadata={"entities": [name]}), "a.odd")

    assert {"Kubernetes", "Ada Lovelace"} <= {each for each, _, _ in rows(facts.layers.entities())}
    assert [each.address.path for each in facts.layers.entities(name).memories or ()] == ["a.odd"]
