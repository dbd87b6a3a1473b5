"""The newest part of a history: what it says is so, in git's order, and where it says nothing git is asked."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.test_ancestry import GRAPHS, SIZE, TIMES, by_git, commits_of
from support import examples

from memoir.git.objects import Oid
from memoir.store import ancestry, recent
from memoir.store.store import Store


def listed(store: Store, *arguments: object) -> list[Oid]:
    return list(map(Oid.fromhex, store.git.read("rev-list", *map(str, arguments)).decode().split()))


def contained(graph: Sequence[Sequence[int]], ids: Sequence[Oid], commit: Oid) -> set[Oid]:
    """What a commit contains, by the graph."""
    number = ids.index(commit)
    parents = [parent % number for parent in graph[number] if number]
    return {commit}.union(*(contained(graph, ids, ids[each]) for each in parents))


@pytest.mark.slow
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=GRAPHS, times=TIMES, most=st.integers(1, 2 * SIZE), data=st.data())
def test_what_it_says_is_so(
    store: Store, graph: list[list[int]], times: list[int], most: int, data: st.DataObject
) -> None:
    ids = commits_of(store, graph, times)
    some = st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True)
    tips, bases = data.draw(some), data.draw(some)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recent, "MOST", most)
        part = recent.recent(store, [*tips, *bases])
    if part is None:
        assert most < len(ids)
        return

    all_of = {commit: contained(graph, ids, commit) for commit in ids}
    old = set[Oid]().union(*(all_of[base] for base in bases))
    new = set[Oid]().union(*(all_of[tip] for tip in tips)) - old
    assert part.beyond(tips, bases).keys() == new
    assert part.is_ancestor(bases[0], tips[0]) == (bases[0] in all_of[tips[0]])
    commits = {*tips, *bases}
    assert part.independent(commits) == {
        each for each in commits if not any(each in all_of[other] for other in commits - {each})
    }
    assert part.common(commits) == by_git(store, "merge-base", "--all", "--octopus", *commits)


@pytest.mark.slow
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=GRAPHS, data=st.data())
def test_it_lists_in_gits_order(store: Store, graph: list[list[int]], data: st.DataObject) -> None:
    """Also where several were made in one second, as tests and agents do; with wrong clocks git lists too much."""
    ids = commits_of(store, graph, [number // 4 for number in range(SIZE)])
    some = st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True)
    tips, bases = data.draw(some), data.draw(some)

    assert list(ancestry.beyond(store, tips, bases)) == listed(store, *tips, *(f"^{base}" for base in bases))


def test_a_line_is_read_to_where_it_left_another(store: Store) -> None:
    root, *line = commits_of(store, [[], *([number] for number in range(9))])

    part = recent.recent(store, [line[-1], line[2]])

    assert part and list(part.parents) == line[:2:-1]
    assert root not in store.times_and_parents


def test_a_long_way_is_left_to_git(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    line = commits_of(store, [[], *([number] for number in range(9))])
    monkeypatch.setattr(recent, "MOST", 5)

    assert recent.recent(store, [line[-1], line[6]])
    assert recent.recent(store, [line[-1], line[5]]) is None
    assert ancestry.is_ancestor(store, line[5], line[-1])


def test_what_is_no_commit_is_left_to_git(store: Store) -> None:
    root, tip = commits_of(store, [[], [0]])
    store.git.identity = {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}
    store.git.run("tag", "-a", "-m", "a tag", "old", str(root))
    tag = Oid.fromhex(store.git.read("rev-parse", "old").decode().strip())

    assert recent.recent(store, [tag, tip]) is None
    assert ancestry.is_ancestor(store, tag, tip)
