"""Insights that are out of date: every way to read one says so, and what is above one is out of date with it."""

import pytest
from support import built_once
from written_insights import write_insights

from memoir import Memory, Repository

LAYER = "default:insights"


@built_once
def apollo(repository: Repository) -> None:
    repository.remember(Memory.of("We move Apollo."), "project.apollo")
    repository.remember(Memory.of("Apollo has moved."), "project.moved")
    write_insights(repository)


def stale(repository: Repository) -> dict[str, list[bool | None]]:
    """What each way to read says of all insights."""
    items = repository.get_many(["*"], namespace=LAYER)
    survey = repository.summarize([LAYER], globs=["*"])
    return {
        "get": [item.stale for item in items],
        "ls": [repository.staleness()(place) for place in repository.keys(namespaces=[LAYER])],
        "grep": [match.stale for match in repository.grep("Apollo", namespaces=[LAYER])],
        "summarize": [path in survey.stale.get(LAYER, []) for path in survey.matches[LAYER]],
        "why": [repository.why(place.path, namespace=LAYER).stale for place in repository.keys(namespaces=[LAYER])],
        "insights": [each.is_stale for each in repository.layers.insights().insights],
        "recall": [each.stale for each in repository.recall("Apollo", layers=True).insights],
    }


@pytest.mark.parametrize("change", ["forget", "change"])
def test_every_way_to_read_says_that_an_insight_and_those_above_it_are_out_of_date(
    apollo: Repository, change: str
) -> None:
    assert stale(apollo) == dict.fromkeys(stale(apollo), [False] * 3)

    if change == "forget":
        apollo.forget("project.apollo")
    else:
        apollo.remember(Memory.of("We do not move Apollo."), "project.apollo", policy="replace")

    assert stale(apollo) == dict.fromkeys(stale(apollo), [True] * 3)
    apollo.undo()
    assert stale(apollo) == dict.fromkeys(stale(apollo), [False] * 3)


def test_what_is_no_insight_is_neither_stale_nor_fresh(apollo: Repository) -> None:
    apollo.remember(Memory.of("mine"), "a.b", namespace="user:insights")

    items = apollo.get_many(["project.apollo", "user:insights:a.b", "default:insights:none"])

    assert [item.stale for item in items] == [None, None, None]
