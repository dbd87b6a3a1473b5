"""`remember_many`: a list of memories is one commit, and if one of them is refused, nothing is written."""

import pytest

from memoir import Conflict, InvalidInput, Memory, Repository, WriteOptions
from memoir.records.record import MAX_ACTIVE, MAX_CONTENT_BYTES, MAX_SUPERSEDED

SECRET = "The key is AKIAIOSFODNN7QRSTUVW."


def contents(repository: Repository, key: str) -> list[str]:
    return [memory.content for memory in repository.get(key) or () if memory.active]


def test_a_list_is_one_commit(repository: Repository) -> None:
    done = repository.remember_many(
        [("Use pytest.", "tools.testing"), (Memory.of("Use vim.", confidence=0.5), "user:alice:tools.editor")]
    )

    (commit,) = repository.log()
    assert done.commit == commit
    assert commit.message == "remember 2 memories"
    assert [place.full_key for place, _ in done.outcomes] == ["default:tools.testing", "user:alice:tools.editor"]
    assert contents(repository, "tools.testing") == ["Use pytest."]
    assert [memory.confidence for memory in repository.get("user:alice:tools.editor") or ()] == [0.5]


@pytest.mark.parametrize("entry", [{"content": "Use pytest.", "path": "tools.testing"}, "ab", ("Use pytest.",)])
def test_what_is_no_pair_is_refused(repository: Repository, entry: object) -> None:
    with pytest.raises(InvalidInput, match="memory 2 of the list: it has to be a pair"):
        repository.remember_many([("Use vim.", "tools.editor"), entry])  # type: ignore[list-item]

    assert not repository.count()


def test_it_leaves_what_remembering_one_after_the_other_leaves(repository: Repository) -> None:
    entries = [(Memory.of(f"{number % 3}", timestamp="2026-01-01"), f"{key}.a") for number in range(6) for key in KINDS]
    for memory, key in entries:
        repository.remember(memory, f"one:{key}")
    repository.remember_many(entries, namespace="many")

    for key in KINDS:
        assert repository.get(f"one:{key}.a") == repository.get(f"many:{key}.a") is not None


KINDS = ("preferences", "events", "settings", "debugging")
"""First segments, some of which append and some of which replace."""


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ((SECRET, "a"), "looks like a credential"),
        (("x", "a.AKIAIOSFODNN7QRSTUVW"), "looks like a credential"),
        ((Memory.of("x", metadata={"source": SECRET}), "a"), "looks like a credential"),
        (("x <private>y</private>", "a"), "private"),
        (("x", "memoir:taxonomy:a"), "not for memories"),
        (("x", "раypal"), "could be taken for another"),
    ],
    ids=["credential", "in the path", "in metadata", "private", "taxonomy", "look-alike"],
)
def test_one_that_is_refused_refuses_all_and_is_named(
    repository: Repository, bad: tuple[Memory | str, str], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=rf"memory 2 of the list: .*{reason}") as caught:
        repository.remember_many([("Use pytest.", "tools.testing"), bad, ("Use vim.", "tools.editor")])

    assert str(caught.value) == caught.value.message and SECRET not in caught.value.message
    assert repository.count() == 0


@pytest.mark.parametrize("bad", [(" ", "a"), ("x", "not a path")])
def test_a_blank_text_or_a_malformed_path_refuses_all(repository: Repository, bad: tuple[str, str]) -> None:
    with pytest.raises(InvalidInput, match="memory 2 of the list: "):
        repository.remember_many([("Use pytest.", "tools.testing"), bad])
    assert repository.count() == 0


def test_records_that_are_too_large_refuse_all(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="a memory's content may take"):
        repository.remember_many([("y", "b"), ("x" * (MAX_CONTENT_BYTES + 1), "a")])
    monkeypatch.setattr("memoir.records.record.MAX_VALUE_BYTES", 1000)
    entries = [(f"{number}{'x' * 500}", "a") for number in range(3)]
    with pytest.raises(InvalidInput, match="the memories of a path may take"):
        repository.remember_many([("y", "b"), *entries], policy="append")
    assert repository.count() == 0


def test_the_options_of_a_write_hold(repository: Repository) -> None:
    entries: list[tuple[Memory | str, str]] = [(SECRET, "a"), ("x", "b")]

    dry = repository.remember_many(entries, options=WriteOptions(dry_run=True, allow_secrets=True))
    assert (dry.commit, len(dry.outcomes), repository.count()) == (None, 2, 0)
    with pytest.raises(InvalidInput, match="the message looks like a credential"):
        repository.remember_many([("x", "b")], options=WriteOptions(message=SECRET))
    done = repository.remember_many(entries, options=WriteOptions(message="Add two", allow_secrets=True))
    assert done.commit and done.commit.message == "Add two"


def test_the_policy_reject_holds_within_a_list_too(repository: Repository) -> None:
    with pytest.raises(Conflict, match="memory 2 of the list: the path already holds a memory"):
        repository.remember_many([("x", "a"), ("y", "a")], policy="reject")
    assert repository.count() == 0


@pytest.mark.parametrize(("policy", "most"), [("append", MAX_ACTIVE), ("replace", MAX_SUPERSEDED + 1)])
@pytest.mark.slow
def test_a_list_that_a_path_cannot_keep_is_refused_because_no_commit_would_have_it(
    repository: Repository, policy: str, most: int
) -> None:
    entries = [(f"fact {number}", "a") for number in range(most + 1)]

    with pytest.raises(InvalidInput, match=r"memory 1 of the list: default:a cannot keep so many"):
        repository.remember_many(entries, policy=policy)
    assert repository.count() == 0
    repository.remember_many(entries[:most], policy=policy)
    assert len(repository.get("a") or ()) == most


def test_a_model_is_not_asked_about_a_list(repository: Repository) -> None:
    with pytest.raises(InvalidInput, match="decides on one memory at a time"):
        repository.remember_many([("x", "a")], policy="llm_merge")
    repository.config.set("memoir.remember.mergePolicy", "append")
    repository.remember_many([("x", "settings.a"), ("y", "settings.a")])
    assert contents(repository, "settings.a") == ["x", "y"]


def test_what_a_memory_of_a_list_links_to_gets_its_id_even_if_the_list_changes_it(repository: Repository) -> None:
    repository.remember("The runner is slow", "debugging.ci")
    repository.remember(
        "Give CI an hour", "settings.ci", links=["derives_from=debugging.ci"], options=WriteOptions(branch=None)
    )
    linked = next(iter(repository.get("settings.ci") or ()))
    repository.undo()

    repository.remember_many([(linked, "settings.ci"), ("The runner is slower now", "debugging.ci")], policy="append")

    first, *_ = repository.get("debugging.ci") or ()
    assert first.metadata["id"] == linked.metadata["links"]["ids"]["default:debugging.ci"]


def test_an_empty_list_writes_nothing(repository: Repository) -> None:
    assert repository.remember_many([]) == (None, [])
    assert repository.status().commit is None
