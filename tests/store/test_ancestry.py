"""Ancestry: what git says of each pair of commits, from one walk for all."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import examples

from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.store import ancestry
from memoir.store import commit as commits
from memoir.store.ancestry import Ancestry, beyond, common
from memoir.store.commit import ChangeList, Signature
from memoir.store.store import Store
from memoir.tree.edit import apply

pytestmark = pytest.mark.usefixtures("near_or_far")

SIZE = 14
GRAPHS = st.lists(st.lists(st.integers(0, SIZE), max_size=3, unique=True), min_size=2, max_size=SIZE)
"""The parents of each commit, by their numbers among the commits before it."""


TIMES = st.lists(st.integers(0, 9), min_size=SIZE, max_size=SIZE)
"""What the clocks showed when they were made, right or wrong."""


def commits_of(store: Store, graph: Sequence[Sequence[int]], times: Sequence[int] = range(SIZE)) -> list[Oid]:
    """Make the commits of a graph, all of an empty tree."""
    pack = PackWriter(store.git, store.hash)
    root = apply(store.tree(None), {}, pack)
    ids: list[Oid] = []
    for number, parents in enumerate(graph):
        who = Signature("Ada", "ada@example.org", times[number])
        older = dict.fromkeys(ids[parent % number] for parent in parents if number)
        ids.append(pack.add("commit", commits.encode(root, list(older), who, who, str(number), ChangeList())))
    pack.flush()
    return ids


def by_git(store: Store, *command: object) -> set[Oid]:
    lines = store.git.read(*map(str, command), ok=(0, 1)).decode().split()
    return set(map(Oid.fromhex, lines))


@pytest.mark.slow
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=GRAPHS, times=TIMES, data=st.data())
def test_it_says_what_git_says(store: Store, graph: list[list[int]], times: list[int], data: st.DataObject) -> None:
    ids = commits_of(store, graph, times)
    base, *heads = data.draw(st.lists(st.sampled_from(ids), min_size=2, max_size=6, unique=True))

    ancestry = Ancestry(store, base, heads)

    maximal = by_git(store, "merge-base", "--independent", base, *heads) - {base}
    assert ancestry.maximal() == maximal
    assert ancestry.beyond_base() == {head for head in heads if base in by_git(store, "rev-list", head)}
    merged = [base]
    for head in sorted(maximal):
        assert ancestry.bases(head) == sorted(by_git(store, "merge-base", "--all", head, *merged))
        ancestry.merge(head)
        merged.append(head)


@pytest.mark.parametrize("related", [True, False])
def test_without_a_base_it_begins_with_what_is_merged_first(store: Store, related: bool) -> None:
    root, one, two = commits_of(store, [[], [0], [0] if related else []])
    ancestry = Ancestry(store, None, [one, two])

    assert ancestry.maximal() == {one, two}
    assert ancestry.beyond_base() == set()
    assert ancestry.bases(one) == []
    ancestry.merge(one)
    assert ancestry.bases(two) == ([root] if related else [])


@pytest.mark.parametrize("number", [2, 3])
def test_all_best_common_ancestors_are_found(store: Store, number: int) -> None:
    _, one, two, *tips = commits_of(store, [[], [0], [0], [1, 2], [1, 2], [1, 2]])

    assert {*common(store, tips[:number])} == {one, two}


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
