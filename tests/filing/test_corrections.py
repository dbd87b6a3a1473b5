"""Corrections: what somebody moved teaches where similar memories go."""

from typing import Any

import pytest
from index.indexing import Stub, memory, memory_store

from memoir.filing.classifier import Placement, Verdict
from memoir.filing.filer import Correction, apply_corrections, find_corrections
from memoir.filing.voters import Neighbour
from memoir.index.view import View
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import address

RULES = Verdict((Placement("context.team.deploy", 0.9),), Placement("workflow.git.deploy", 0.1), "rules")
INBOX = Verdict((Placement("context.team.deploy", 0.1),), None, "rules")


@pytest.mark.parametrize(
    ("before", "relevance", "path"),
    [
        ("debugging.causes.deploy", 0.6, "ops.deploys"),  # similar enough, whatever the rules say
        ("context.team.other", 0.4, "ops.deploys"),  # the rules would go where it was taken away from
        ("debugging.causes.deploy", 0.59, "context.team.deploy"),
        ("context.project.deploy", 0.59, "context.team.deploy"),
    ],
)
def test_a_correction_teaches_what_is_similar_enough(before: str, relevance: float, path: str) -> None:
    verdict = apply_corrections(RULES, [Correction("ops.deploys", before, relevance)], 0.3)

    assert verdict.paths[0].path == path
    if path == "ops.deploys":
        assert verdict.paths[0].confidence == relevance and before in verdict.reason
        assert verdict.runner_up and verdict.runner_up.path == "context.team.deploy"
        assert verdict.runner_up.confidence <= 1 - relevance


def test_what_was_taken_out_of_the_inbox_teaches_too() -> None:
    lesson = Correction("ops.deploys", "inbox.unsorted.m1", 0.4)

    assert apply_corrections(INBOX, [lesson], 0.3).paths[0].path == "ops.deploys"
    assert apply_corrections(RULES, [lesson], 0.3) == RULES


def test_the_most_similar_correction_counts() -> None:
    lessons = [Correction("a.b.c", "x.y.z", 0.7), Correction("d.e.f", "x.y.z", 0.8)]

    assert apply_corrections(RULES, lessons, 0.3).paths[0].path == "d.e.f"


def memories_at(path: str, filing: Any) -> dict[str, Any]:
    return {path: [memory("old words", active=False), memory("lion", filing=filing)]}


@pytest.mark.parametrize(
    ("path", "filing", "corrections"),
    [
        ("zoo.cats", {"by": "move", "from": "a.b.c"}, [Correction("zoo.cats", "a.b.c", 0.5)]),
        ("inbox.unsorted.m2", {"by": "move", "from": "a.b.c"}, []),
        ("zoo.cats", {"by": "move"}, []),
        ("zoo.cats", {"by": "move", "from": 7}, []),
    ],
)
def test_corrections_are_read_from_the_memories_themselves(
    path: str, filing: Any, corrections: list[Correction]
) -> None:
    near = [Neighbour(path, 0.5, True, (address(path), 1)), Neighbour("zoo.dogs", 0.9), Neighbour(path, 0.3, True)]
    with memory_store() as memories:
        assert find_corrections(memories.snapshot(memories_at(path, filing)), near) == corrections


def test_the_index_knows_which_memories_were_moved() -> None:
    contents = {**memories_at("a", {"by": "move", "from": "x.y.z"}), "b": [memory("lion", filing={"by": "rules"})]}

    def look(view: View) -> set[str]:
        ids = [document.id for document in view.documents([1, 2])]
        return {each.address.path for each in view.documents(sorted(view.with_field("filing.by", "move", ids)))}

    with memory_store() as memories:
        assert memories.index(Stub()).read(memories.snapshot(contents), look) == {"a"}


def test_a_move_teaches_in_every_clone_of_the_store(repository: Repository) -> None:
    """It is part of the memory; nothing of it is on the user's machine."""
    first = repository.remember(_of("The deploy script fails when the cache is cold."))
    (old,) = first.outcomes
    repository.move(old.path, "ops.deploys")
    clone = Repository.open(repository.store.git_dir.parent)

    second = clone.remember(_of("The deploy script crashes when the disk is full."))
    question = clone.remember(_of("Why does the deploy script crash when the disk is full?"))

    assert [place.path for place in second.outcomes] == ["ops.deploys"]
    assert second.decision and second.decision.runner_up, "what the rules alone would choose"
    assert second.decision.runner_up.path.startswith("debugging.")
    assert next(iter(question.outcomes)).path.startswith("inbox.")


def _of(text: str) -> Any:
    from memoir.records.record import Memory

    return Memory.of(text)
