"""A memory in an answer names the memories that contradict it, whether these are found or not, in every mode."""

from contextlib import closing

import pytest

from memoir import Memory, Repository
from memoir.index.index import Index
from memoir.layers.item_options import NONE, ItemOptions
from memoir.recall.mark_disputes import disputes_of

THURSDAY, FRIDAY = "Releases are cut on Thursdays.", "Releases are cut on Fridays."


def marks(repository: Repository, mode: str = "simple") -> dict[str, tuple[str, ...]]:
    answer = repository.recall("when are releases cut", mode=mode)
    return {memory.content: tuple(each.target.full_key for each in memory.disputes) for memory in answer.memories}


@pytest.mark.parametrize("mode", ["simple", "deep", "agent"])
def test_each_of_two_that_contradict_names_the_other(repository: Repository, mode: str) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.remember(Memory.of(FRIDAY), "team.habits.release")
    repository.remember(Memory.of("Releases are cut by Ada from main."), "team.release.who")

    found = marks(repository, mode=mode)

    assert found[THURSDAY] == ("default:team.habits.release",)
    assert found[FRIDAY] == ("default:workflow.release.day",)
    assert found["Releases are cut by Ada from main."] == ()


@pytest.mark.parametrize("query", ["when are releases cut", "workflow release day"])
def test_the_newer_of_two_that_are_about_as_relevant_comes_first(repository: Repository, query: str) -> None:
    repository.remember(Memory.of(THURSDAY, timestamp="2026-01-01"), "workflow.release.day")
    repository.remember(Memory.of(FRIDAY, timestamp="2026-01-02"), "workflow.release.days")

    assert [each.content for each in repository.recall(query).memories] == [FRIDAY, THURSDAY]


def test_where_a_thing_has_moved_comes_before_where_it_was(repository: Repository) -> None:
    old, new = "The office is in Berlin", "We moved the office to Munich"
    repository.remember(Memory.of(old, timestamp="2026-01-01"), "entity.place.office")
    repository.remember(Memory.of(new, timestamp="2026-01-02"), "experience.projects.munich")

    assert [each.content for each in repository.recall("where is the office?").memories] == [new, old]


def test_the_newer_one_does_not_pass_an_older_one_that_is_far_more_relevant(repository: Repository) -> None:
    old = "Use npm for packages."
    new = "We no longer use npm. Whoever is on call that week watches the dashboards of all regions until noon."
    repository.remember(Memory.of(old, timestamp="2026-01-01"), "tools.packages")
    repository.remember(Memory.of(new, timestamp="2026-01-03"), "on_call.duties")

    older, newer = repository.recall("use npm for packages").memories

    assert (older.content, [each.memory.content for each in older.disputes]) == (old, [new])
    assert newer.relevance_score < 0.6 * older.relevance_score


def test_the_newest_of_several_is_named_first(repository: Repository) -> None:
    for day, name in enumerate(("Monday", "Tuesday", "Friday"), 1):
        memory = Memory.of(f"Releases are cut on {name}s.", timestamp=f"2026-01-0{day}")
        repository.remember(memory, f"release.{name.lower()}")

    assert marks(repository)["Releases are cut on Mondays."] == ("default:release.friday", "default:release.tuesday")


@pytest.mark.parametrize("paths", [("workflow.release.day", "team.habits.release"), ("a.b", "a.b")])
def test_what_contradicts_a_hit_is_named_though_it_is_no_hit_itself(
    repository: Repository, paths: tuple[str, str]
) -> None:
    for content, path in zip((THURSDAY, FRIDAY), paths, strict=True):
        repository.remember(Memory.of(content), path, policy="append")

    answer = repository.recall("what is cut on Thursdays", limit=1, keys="workflow.**" if paths[0] != "a.b" else None)

    (hit,) = answer.memories
    assert hit.content == THURSDAY
    assert [each.memory.content for each in hit.disputes] == [FRIDAY]
    assert str(hit.disputes[0].address.path) == paths[1]


@pytest.mark.parametrize(
    ("other", "namespace"),
    [
        (Memory.of(FRIDAY, status="superseded"), "default"),
        (Memory.of(FRIDAY), "work"),
        (Memory.of(FRIDAY, metadata={"person": "Ada"}), "default"),
        (Memory.of(FRIDAY, metadata={"expires": "2026-01-01"}), "default"),
        (Memory.of("Releases are cut on Thu."), "default"),
    ],
    ids=["superseded", "another namespace", "another person", "expired", "the same day"],
)
def test_what_can_be_true_beside_a_hit_is_not_named(repository: Repository, other: Memory, namespace: str) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.remember(other, "team.habits.release", namespace=namespace)

    answer = repository.recall("what is cut on Thursdays", limit=1, namespace="default")

    assert [(each.content, each.disputes) for each in answer.memories] == [(THURSDAY, ())]


def test_what_is_forgotten_or_corrected_is_not_named_any_more(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.remember(Memory.of(FRIDAY), "team.habits.release")
    assert marks(repository)[THURSDAY]

    repository.remember(Memory.of("Releases are cut on Thursdays by Ada."), "team.habits.release", policy="replace")

    assert marks(repository)[THURSDAY] == ()


def test_of_many_the_five_newest_are_named(repository: Repository) -> None:
    for day in range(1, 9):
        memory = Memory.of(f"The server listens on port {8000 + day}.", timestamp=f"2026-01-0{day}")
        repository.remember(memory, f"server.port{day}")

    (hit,) = repository.recall("which port is 8001", limit=1).memories

    assert [each.memory.content[-5:-1] for each in hit.disputes] == ["8008", "8007", "8006", "8005", "8004"]


def test_one_of_several_at_a_path_is_named_by_its_id(repository: Repository) -> None:
    for content in (THURSDAY, FRIDAY):
        repository.remember(Memory.of(content), "workflow.release.day", policy="append")

    (key,) = marks(repository)[THURSDAY]

    assert key.startswith("default:workflow.release.day#")
    (item,) = repository.get_many([key])
    assert item.record and [memory.content for memory in item.record] == [FRIDAY]


def test_passages_of_sources_are_never_marked(repository: Repository) -> None:
    repository.remember(Memory.of(THURSDAY), "workflow.release.day")
    repository.sources.ingest_text(f"# Notes\n\n{FRIDAY} Bob likes that.\n", name="notes", items=ItemOptions(NONE))

    answer = repository.recall("when are releases cut")

    assert {memory.layer for memory in answer.memories} == {None, "raw"}
    assert all(memory.disputes == () for memory in answer.memories)


def test_the_disputes_of_a_whole_store_are_bounded_and_say_so(repository: Repository) -> None:
    for number in range(3):
        repository.remember(Memory.of(f"The port is {8000 + number}"), f"a.p{number}")
    head = repository.store.head()

    with closing(Index(repository.store)) as index:
        whole, part = disputes_of(index, head), disputes_of(index, head, most=2)

    assert (len(whole.disputes), whole.complete) == (3, True)
    assert (len(part.disputes), part.complete) == (1, False)
