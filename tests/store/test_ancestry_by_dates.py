"""Which commits are beyond others, where the dates of some are wrong."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.test_ancestry import GRAPHS, TIMES, by_git, commits_of
from support import examples

from memoir.store import ancestry
from memoir.store.ancestry import beyond
from memoir.store.store import Store

pytestmark = pytest.mark.usefixtures("near_or_far")


@pytest.mark.slow
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=GRAPHS, times=TIMES, data=st.data())
def test_they_are_what_the_graph_says(
    store: Store, graph: list[list[int]], times: list[int], data: st.DataObject
) -> None:
    ids = commits_of(store, graph, times)
    some = st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True)
    tips, bases = data.draw(some), data.draw(some)

    assert beyond(store, tips, bases).keys() == by_git(store, "rev-list", *tips) - by_git(store, "rev-list", *bases)


def test_a_long_line_that_is_dated_before_all_others_hides_nothing(store: Store) -> None:
    line = commits_of(store, [[], *([number] for number in range(12))], [9, 9, 9, *[0] * 10])
    old, new = line[2], line[-1]

    assert by_git(store, "rev-list", old, f"^{new}"), "git is right, and all of this can go"
    assert beyond(store, [old], [new]) == {}
    assert ancestry.is_ancestor(store, old, new)
    assert not ancestry.is_ancestor(store, new, old)
    assert ancestry.between(store, old, new) == {*line[3:]}
    assert ancestry.between(store, new, old) == set()
