"""`KEY#id` in `blame`, `log` and `diff`: the history of one memory among several, through edits, moves and merges."""

import pytest
from support import built_once

from memoir import InvalidInput, NotFound, Repository
from memoir.memory.facets import ids_of

ANN = "people.ann"
TEA, PORTO, LISBON, DOG = "Ann likes tea.", "Ann lives in Porto.", "Ann lives in Lisbon.", "Ann has a dog."


@built_once
def repository(repository: Repository) -> None:
    """Three memories at one path; the second was edited when the third was there."""
    for text in (TEA, PORTO, DOG):
        repository.remember(text, ANN, policy="append")
    repository.edit(key_of(repository, PORTO), lambda record: [record[0]._replace(content=LISBON)])


def key_of(repository: Repository, content: str, path: str = ANN, at: str | None = None) -> str:
    record = repository.get(path, at=at) or ()
    contents = [memory.content for memory in record]
    return f"{path}#{ids_of(record)[contents.index(content)]}"


def blamed(repository: Repository, key: str) -> list[tuple[str, str | None, str]]:
    """What each version did, the memory after it, and its path."""
    return [
        (each.operation, each.record[0].content if each.record else None, each.address.path)
        for each in repository.blame(key)
    ]


def test_blame_has_the_versions_of_that_memory_and_its_earlier_form(repository: Repository) -> None:
    assert blamed(repository, key_of(repository, LISBON)) == [("modified", LISBON, ANN), ("added", PORTO, ANN)]
    assert blamed(repository, key_of(repository, TEA)) == [("added", TEA, ANN)]
    assert [each.before for each in repository.blame(key_of(repository, TEA))] == [None]
    assert len(repository.blame(ANN)) == 4


def test_an_id_of_the_past_leads_to_what_became_of_the_memory(repository: Repository) -> None:
    old = key_of(repository, PORTO, at="HEAD~1")

    assert blamed(repository, old) == blamed(repository, key_of(repository, LISBON))


def test_what_was_pinned_forgotten_and_brought_back_is_told(repository: Repository) -> None:
    dog = key_of(repository, DOG)
    repository.agents.pin(dog)
    repository.forget(dog)
    repository.restore(dog, at="HEAD~1")

    assert [each[0] for each in blamed(repository, dog)] == ["added", "removed", "modified", "added"]
    assert repository.blame(dog, limit=1)[0].operation == "added"


def test_a_memory_is_followed_from_one_path_to_another(repository: Repository) -> None:
    repository.move(ANN, "friends.ann")

    assert blamed(repository, key_of(repository, LISBON, "friends.ann")) == [
        ("moved", LISBON, "friends.ann"), ("modified", LISBON, ANN), ("added", PORTO, ANN),
    ]  # fmt: skip


def test_a_merge_that_joins_two_lines_is_no_version_of_what_one_of_them_has(repository: Repository) -> None:
    repository.branches.create("other")
    repository.remember("Ann sails.", ANN, policy="append")
    repository.branches.checkout("other")
    repository.remember("Ann skis.", ANN, policy="append")
    repository.branches.checkout("main")
    repository.merge("other")

    tip = repository.store.head().commit
    assert tip and len(tip.parents) == 2
    for text in ("Ann sails.", "Ann skis."):
        assert blamed(repository, key_of(repository, text)) == [("added", text, ANN)]


def test_log_has_the_commits_that_changed_that_memory(repository: Repository) -> None:
    subjects = [commit.message.partition("\n")[0] for commit in repository.log(key_of(repository, LISBON))]

    assert [subject.rpartition(": ")[2] for subject in subjects] == [LISBON, PORTO]


def test_diff_has_that_memory_alone(repository: Repository) -> None:
    dog = key_of(repository, DOG)
    (edited,) = repository.diff("HEAD~1", under=[key_of(repository, LISBON)]).differences
    (added,) = repository.diff("HEAD~3", under=[dog]).differences

    assert [(each.operation, each.old and each.old[0].content) for each in (edited, added)] == [
        ("modified", PORTO), ("added", None),
    ]  # fmt: skip
    assert [memory.content for memory in added.new or ()] == [DOG]
    assert list(repository.diff("HEAD~1", under=[dog]).differences) == []


def test_what_never_was_there_is_not_found_and_an_ambiguous_id_is_refused(repository: Repository) -> None:
    with pytest.raises(NotFound) as failure:
        repository.blame(f"{ANN}#00000000")
    assert failure.value.hint == f"'memoir blame {ANN}' shows all that was at the path"
    with pytest.raises(NotFound):
        list(repository.log(f"{ANN}#00000000"))

    for number in range(17):  # of 17 ids two begin alike
        repository.remember(f"Ann knows {number} languages.", ANN, policy="append")
    first = [identity[0] for identity in ids_of(repository.get(ANN) or ())]
    twice = next(digit for digit in first if first.count(digit) > 1)
    with pytest.raises(InvalidInput, match="could be any of"):
        repository.blame(f"{ANN}#{twice}")
