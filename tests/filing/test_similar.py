"""A memory that contradicts another, says the same or is near to it: which is kept, and what the answer offers."""

from contextlib import closing

import pytest
from index.indexing import Contents, memory, memory_store

from memoir import Memory, Repository
from memoir.errors import InvalidInput, NotFound
from memoir.filing.consolidate import active_memories, near_duplicates
from memoir.filing.remember import RememberResult
from memoir.filing.similar import similar_to
from memoir.index.index import Index
from memoir.memory.write_options import WriteOptions
from memoir.taxonomy.paths import memory_address

THURSDAY, FRIDAY, MONDAY = (f"Releases are cut on {day}s." for day in ("Thursday", "Friday", "Monday"))


def offers(result: RememberResult) -> list[tuple[str, str, str]]:
    return [(each.facet.memory.content, each.relation, each.facet.target.short_key) for each in result.similar]


def contents(repository: Repository, *keys: str) -> list[str]:
    records = [item.record or () for item in repository.get_many(keys or ["*"])]
    return [memory.content for record in records for memory in record if memory.active]


def run(repository: Repository, command: str) -> None:
    """Do what a command says that an answer names."""
    program, name, *keys = command.split()
    assert (program, name) == ("memoir", "replace")
    repository.replace(*keys)


def test_a_memory_without_a_path_names_what_it_contradicts_and_leaves_it_active(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")

    result = repository.remember(Memory.of(FRIDAY))

    assert offers(result) == [(THURSDAY, "contradicts", "workflow.cadence")]
    assert sorted(contents(repository)) == [FRIDAY, THURSDAY]


def test_what_consolidate_would_propose_is_near(repository: Repository) -> None:
    repository.remember(Memory.of("I prefer pytest over unittest"), "preferences.tests")
    repository.remember(Memory.of("The cat sleeps on the keyboard"), "preferences.cats")

    result = repository.remember(Memory.of("I prefer pytest over unittest."))

    assert offers(result) == [("I prefer pytest over unittest", "near", "preferences.tests")]


def test_what_says_the_same_is_near_before_there_are_vectors(repository: Repository) -> None:
    repository.remember("I'm the owner of the API", "team.roles")
    repository.remember("I am owner of API", "team.owners")

    with closing(Index(repository.store, None, wait=True)) as index:
        (found,) = similar_to(index, repository.store.head(), memory_address("team.owners"))

    assert (found.facet.address.path, found.relation) == ("team.roles", "near")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Memory.of(THURSDAY), Memory.of(THURSDAY)),
        (Memory.of(THURSDAY, metadata={"person": "Ada"}), Memory.of(FRIDAY)),
        (Memory.of(THURSDAY, metadata={"item_kind": "event"}), Memory.of(FRIDAY)),
        (Memory.of(THURSDAY), Memory.of("Bob owns the billing service")),
    ],
    ids=["the same", "another person", "an event", "something else"],
)
def test_nothing_is_offered_for_what_can_both_be_true(repository: Repository, old: Memory, new: Memory) -> None:
    repository.remember(old, "workflow.cadence")

    assert offers(repository.remember(new)) == []


def test_of_several_memories_at_a_path_the_offer_names_one_by_its_id(repository: Repository) -> None:
    for content in (THURSDAY, "Ada cuts the releases."):
        repository.remember(Memory.of(content), "workflow.cadence", policy="append")

    ((_, _, key),) = offers(repository.remember(Memory.of(FRIDAY)))

    assert key.startswith("workflow.cadence#") and contents(repository, key) == [THURSDAY]


def test_a_memory_added_at_a_path_names_what_it_contradicts_there(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")

    result = repository.remember(Memory.of(FRIDAY), "workflow.cadence", policy="append")

    ((content, relation, key),) = offers(result)
    assert (content, relation) == (THURSDAY, "contradicts") and key.startswith("workflow.cadence#")
    assert offers(repository.remember(Memory.of(MONDAY), "workflow.cadence", policy="replace")) == []


def test_the_offered_command_makes_the_new_memory_the_successor_at_the_old_path(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")
    result = repository.remember(Memory.of(FRIDAY))

    run(repository, result.similar[0].command)

    assert contents(repository) == contents(repository, "workflow.cadence") == [FRIDAY]
    (item,) = repository.get_many(["workflow.cadence"])
    assert item.record and [(each.content, each.active) for each in item.record] == [(THURSDAY, False), (FRIDAY, True)]


def test_the_offered_command_works_where_both_are_at_one_path(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")
    repository.remember(Memory.of("Ada cuts the releases."), "workflow.cadence", policy="append")
    result = repository.remember(Memory.of(FRIDAY), "workflow.cadence", policy="append")

    run(repository, result.similar[0].command)

    assert sorted(contents(repository, "workflow.cadence")) == ["Ada cuts the releases.", FRIDAY]


@pytest.mark.parametrize("path", [(), ("workflow.cadence",)])
def test_a_memory_that_is_older_than_what_it_contradicts_gives_place_to_that(
    repository: Repository, path: tuple[str, ...]
) -> None:
    repository.remember(Memory.of(THURSDAY, timestamp="2026-03-01"), "workflow.cadence")

    result = repository.remember(Memory.of(FRIDAY, timestamp="2026-02-01"), *path, policy="append" if path else None)
    assert [each.is_newer for each in result.similar] == [True]
    run(repository, result.similar[0].command)

    assert contents(repository) == [THURSDAY]


@pytest.mark.parametrize("path", [(), ("workflow.cadence",)])
def test_an_older_memory_never_takes_the_place_of_a_newer_one(repository: Repository, path: tuple[str, ...]) -> None:
    repository.remember(Memory.of(THURSDAY, timestamp="2026-03-01"), "workflow.cadence", policy="append")

    result = repository.remember(Memory.of(FRIDAY, timestamp="2026-02-01"), *path, replace_similar=True)

    assert THURSDAY in contents(repository)
    assert not any(outcome.superseded for outcome in result.outcomes.values())


def test_replacing_what_is_similar_puts_the_new_memory_in_its_place(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")

    result = repository.remember(Memory.of(FRIDAY), replace_similar=True)

    assert [place.path for place in result.outcomes] == ["workflow.cadence"]
    assert [memory.content for memory in result.outcomes[next(iter(result.outcomes))].superseded] == [THURSDAY]
    assert (result.similar, result.decision) == ([], None)
    assert contents(repository) == [FRIDAY]


def test_a_memory_is_filed_as_usual_if_nothing_is_similar(repository: Repository) -> None:
    result = repository.remember(Memory.of(FRIDAY), replace_similar=True)

    assert result.decision and contents(repository) == [FRIDAY]


def test_only_the_likeliest_is_replaced_and_the_others_are_offered(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY, timestamp="2026-01-01"), "workflow.old")
    repository.remember(Memory.of(MONDAY, timestamp="2026-01-02"), "workflow.newer")

    result = repository.remember(Memory.of(FRIDAY), replace_similar=True)

    assert [place.path for place in result.outcomes] == ["workflow.newer"]
    assert offers(result) == [(THURSDAY, "contradicts", "workflow.old")]


def test_remembering_once_more_with_the_option_moves_the_memory_that_is_there(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")
    repository.remember(Memory.of(FRIDAY))

    repository.remember(Memory.of(FRIDAY), replace_similar=True)

    assert contents(repository) == contents(repository, "workflow.cadence") == [FRIDAY]


def test_at_a_path_only_what_is_similar_there_is_replaced(repository: Repository) -> None:
    for content in (THURSDAY, "Ada cuts the releases."):
        repository.remember(Memory.of(content), "workflow.cadence", policy="append")
    repository.remember(Memory.of(MONDAY), "team.cadence")

    for _ in range(2):
        repository.remember(Memory.of(FRIDAY), "workflow.cadence", replace_similar=True)

        assert sorted(contents(repository, "workflow.cadence")) == ["Ada cuts the releases.", FRIDAY]
        assert contents(repository, "team.cadence") == [MONDAY]


def test_a_dry_run_offers_the_same_and_changes_nothing(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.cadence")
    options = WriteOptions(dry_run=True)

    assert offers(repository.remember(Memory.of(FRIDAY), options=options))
    assert repository.remember(Memory.of(FRIDAY), replace_similar=True, options=options).commit is None
    assert contents(repository) == [THURSDAY]


def test_a_merge_policy_and_replacing_exclude_each_other(repository: Repository) -> None:
    with pytest.raises(InvalidInput, match="exclude each other"):
        repository.remember(Memory.of(FRIDAY), "a.b", policy="append", replace_similar=True)


def test_without_a_new_memory_the_newest_similar_one_takes_the_place(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY, timestamp="2026-01-02"), "workflow.cadence")
    repository.remember(Memory.of(MONDAY, timestamp="2026-01-01"), "workflow.older")
    repository.remember(Memory.of(FRIDAY, timestamp="2026-01-03"), "workflow.newer")

    repository.replace("workflow.cadence")

    assert contents(repository, "workflow.cadence") == [FRIDAY]
    with pytest.raises(NotFound, match=r"no newer memory contradicts workflow\.cadence"):
        repository.replace("workflow.cadence")


def test_of_a_path_with_two_memories_the_newer_takes_the_place_of_the_older(repository: Repository) -> None:
    for content in (THURSDAY, "Ada cuts the releases.", FRIDAY):
        repository.remember(Memory.of(content), "workflow.cadence", policy="append")

    repository.replace("workflow.cadence")

    assert sorted(contents(repository, "workflow.cadence")) == ["Ada cuts the releases.", FRIDAY]
    with pytest.raises(InvalidInput, match="holds 2 memories"):
        repository.replace("workflow.cadence")


FACT = "The integration tests are run with pytest"
SAME = "Integration tests are run with pytest."


def day(number: int) -> str:
    return f"2026-01-{number:02}T12:00:00Z"


def pairs(contents: Contents, namespaces: tuple[str, ...] = ()) -> dict[str, str]:
    """The full key of each near-duplicate, and that of the memory that is kept."""
    with memory_store() as store:
        matches = near_duplicates(active_memories(store.snapshot(contents), namespaces))
    return {older.address.full_key: newer.address.full_key for older, newer in matches}


def test_the_newest_near_duplicate_is_kept() -> None:
    texts = [FACT, SAME, FACT, SAME]

    contents = {name: [memory(text, day(at))] for at, (name, text) in enumerate(zip("dcba", texts, strict=True), 1)}

    assert pairs(contents) == {
        "default:b": "default:a", "default:c": "default:a", "default:d": "default:a",
    }  # fmt: skip


def test_at_one_time_the_more_confident_is_kept_then_the_first_path() -> None:
    sure, unsure = memory(FACT), memory(SAME)._replace(confidence=0.5)

    assert pairs({"a": [unsure], "b": [sure]}) == {"default:a": "default:b"}
    assert pairs({"b": [sure], "a": [sure]}) == {"default:b": "default:a"}


def test_at_one_path_and_time_the_later_is_kept() -> None:
    with memory_store() as store:
        ((older, newer),) = near_duplicates(active_memories(store.snapshot({"a": [memory(FACT), memory(SAME)]})))

    assert (older.ordinal, newer.ordinal) == (0, 1)


def test_namespaces_and_people_are_kept_apart() -> None:
    contents = {
        "a": [memory(FACT, day(1))], "user:ann:a": [memory(FACT, day(2))],
        "b": [memory(FACT, day(3), person="Ada")], "c": [memory(FACT, day(4), person="Bo")],
        "d": [memory(FACT, day(5), person=["Ada", "Bo"])], "e": [memory(FACT, day(6), person="ADA")],
        "user:bo:a": [memory(FACT, day(1))], "user:bo:b": [memory(FACT, day(2))],
    }  # fmt: skip

    assert pairs(contents) == {"user:bo:a": "user:bo:b"}, "ADA is a name of Ada's that the metadata would lose"
    assert pairs(contents, ("default",)) == {}


def test_contradicting_metadata_keep_both_memories() -> None:
    lunches = [memory("Met Anna for lunch", day(n), occurred_at=f"2026-01-0{n}") for n in (1, 2)]

    assert pairs({"a": [lunches[0]], "b": [lunches[1]]}) == {}
    assert pairs({"a": [lunches[0]], "b": [memory("Met Anna for lunch.", day(2))]}) == {"default:a": "default:b"}


def test_a_superseded_memory_supersedes_nothing() -> None:
    assert pairs({"a": [memory(FACT, day(1))], "b": [memory(FACT, day(2), active=False)]}) == {}
