"""Channels that reach memories by way of others; all are off unless a weight switches them on."""

import pytest
from support import built_once
from written_insights import write_insights

from memoir import Memory, Repository

FACTS = (
    ("project.apollo.cluster", "The zebra cluster of Apollo has nine nodes."),
    ("project.apollo.nodes", "Nine nodes of the Apollo cluster are too few."),
    ("project.lunch", "Lunch is at noon."),
)


@built_once
def facts(repository: Repository) -> None:
    for day, (path, content) in enumerate(FACTS, 1):
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z"), path)


def shares(repository: Repository, question: str, channel: str, *, sources: str = "yes") -> dict[str, float]:
    """The additions of a channel with weight 1 to the candidates that it reaches."""
    answer = repository.recall(question, limit=20, weight=[f"{channel}=1", "vectors=0"], sources=sources)
    assert answer.ranking is not None
    candidates = [each.trace() for each in (*answer.ranking.candidates, *answer.ranking.others)]
    return {each["key"]: each[channel] for each in candidates if each[channel]}


@pytest.mark.parametrize("channel", ["graph", "threads"])
def test_a_good_match_leads_to_what_it_belongs_to(facts: Repository, channel: str) -> None:
    scores = shares(facts, "zebra", channel)

    assert scores.keys() == {"project.apollo.cluster", "project.apollo.nodes"}


def test_a_memory_of_more_words_than_can_be_looked_up_at_once_leads_to_others(facts: Repository) -> None:
    words = " ".join(f"w{number}x" for number in range(40_000))
    facts.remember(f"Of Quagga, the zoo's oldest. {words}", "project.zoo.list")
    facts.remember("At night Quagga sleeps.", "project.zoo.sleep")

    assert "project.zoo.sleep" in shares(facts, "the zoo's oldest", "graph")


def test_an_insight_leads_to_the_memories_that_it_rests_on(facts: Repository) -> None:
    write_insights(facts)

    assert shares(facts, "cluster", "insights").keys() == {"project.apollo.cluster", "project.apollo.nodes"}


def test_a_link_leads_to_the_memory_that_has_it(facts: Repository) -> None:
    note = Memory.of("Violins.", metadata={"links": {"derives_from": ["default:project.lunch"]}})
    facts.remember(note, "topics.violins")

    assert shares(facts, "lunch at noon", "graph").keys() == {"topics.violins"} | shares(facts, "noon", "graph").keys()


def test_filters_hold_for_what_is_reached_as_well(facts: Repository) -> None:
    answer = facts.recall("zebra", limit=20, weight=["threads=1", "vectors=0"], keys=["*.cluster"])

    assert [memory.path for memory in answer.memories] == ["project.apollo.cluster"]


def test_by_default_only_what_the_query_finds_is_found(facts: Repository) -> None:
    assert [each.path for each in facts.recall("zebra", weight=["vectors=0"]).memories] == ["project.apollo.cluster"]
