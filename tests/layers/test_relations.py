"""Relations as a user of the library sees them."""

import pytest

from memoir import Memory, NotFound, Repository
from memoir.layers.relations import Relatives
from memoir.memory.facets import ids_of


def remember(repository: Repository, path: str, content: str, **links: list[str]) -> None:
    metadata = {"links": links} if links else {}
    repository.remember(Memory.of(content, metadata=metadata), path)


def reasons(result: Relatives) -> dict[str, list[str]]:
    return {each.entry.address.short_key: [one.why for one in each.relations] for each in result.relatives}


def test_each_relation_says_why(repository: Repository) -> None:
    remember(repository, "a.cause", "The disk was full.")
    remember(repository, "a.start", "So the build of Apollo failed.", derives_from=["default:a.cause"])
    remember(repository, "a.twin", "Twelve red lanterns.", derives_from=["default:a.cause"])
    remember(repository, "a.effect", "Nobody could deploy.", causes=["a.start"])
    remember(repository, "a.name", "Tomorrow we present Apollo.")
    remember(repository, "a.other", "Zebras drink at night.")
    remember(repository, "user:bob:a.name", "Bob likes Apollo.")

    by_path = reasons(repository.layers.related("a.start"))

    assert by_path["a.cause"] == ["this derives from it"]
    assert by_path["a.effect"] == ["it causes this"]
    assert by_path["a.twin"] == ["both derive from a.cause"]
    assert by_path["a.name"][0] == "both name Apollo"
    assert "a.start" not in by_path and "a.other" not in by_path and "user:bob:a.name" not in by_path
    assert list(by_path)[:2] == ["a.cause", "a.effect"]


def test_neighbours_in_a_sequence_are_related_and_others_of_it_are_not(repository: Repository) -> None:
    for turn, content in enumerate(("zebra", "quartz", "lantern", "violin")):
        remember(repository, f"talk.turn_{turn}", content)

    by_path = reasons(repository.layers.related("talk.turn_1"))

    assert by_path["talk.turn_0"][0] == "it comes right before this"
    assert by_path["talk.turn_2"][0] == "it comes right after this"
    assert not any("right" in why for why in by_path.get("talk.turn_3", ()))


def test_likeness_is_related_and_says_how_much(repository: Repository) -> None:
    remember(repository, "a.one", "We deploy the service every Friday.")
    remember(repository, "b.two", "We deploy the service each Friday.")

    assert reasons(repository.layers.related("a.one"))["b.two"][0].startswith("alike in meaning (0.")


def test_the_limit_counts_what_it_leaves_out_and_nothing_has_no_relations(repository: Repository) -> None:
    for turn in range(3):
        remember(repository, f"talk.turn_{turn}", "zebra")

    result = repository.layers.related("talk.turn_1", limit=1)

    assert (len(result.relatives), result.omitted) == (1, 1)
    with pytest.raises(NotFound):
        repository.layers.related("no.such.path")


def test_a_link_to_nothing_relates_nothing(repository: Repository) -> None:
    remember(repository, "a.start", "zebra", causes=["default:no.such.path", "not a path"])

    assert reasons(repository.layers.related("a.start")) == {}


def test_related_memories_and_those_of_an_entity_have_their_ids_where_several_share_a_path(
    repository: Repository,
) -> None:
    several = Memory.of("Anna Smith has a dog"), Memory.of("Anna Smith plays the cello")
    for memory in several:
        repository.remember(memory, "family.anna", policy="append")
    remember(repository, "family.cats", "Anna Smith has two cats")
    ids = {f"family.anna#{each}" for each in ids_of(several)}

    related = repository.layers.related("family.cats").relatives
    named = repository.layers.entities("Anna Smith").memories or []

    assert {each.entry.target.short_key for each in related} == ids
    assert {each.target.short_key for each in named} == {*ids, "family.cats"}
