"""Differences between trees, and what they cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from objects import Objects

from memoir.tree.tree import diff

CONTENTS = st.dictionaries(st.integers(0, 500).map(lambda n: b"default=k%d" % n), st.binary(max_size=1), max_size=300)


@given(CONTENTS, CONTENTS)
def test_the_difference_is_that_of_two_dicts(old: dict[bytes, bytes], new: dict[bytes, bytes]) -> None:
    objects = Objects()

    deltas = list(diff(objects.build(old), objects.build(new)))

    value = objects.values.get
    assert [delta.key for delta in deltas] == sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
    for delta in deltas:
        before, after = (value(oid) if oid else None for oid in (delta.old, delta.new))
        assert (before, after) == (old.get(delta.key), new.get(delta.key))


@given(CONTENTS, CONTENTS, st.integers(0, 550), st.integers(0, 550))
def test_a_range_of_the_difference_is_what_the_whole_has_there(
    old: dict[bytes, bytes], new: dict[bytes, bytes], first: int, last: int
) -> None:
    objects = Objects()
    before, after = objects.build(old), objects.build(new)
    low, high = b"default=k%d" % first, b"default=k%d" % last

    assert list(diff(before, after, low, high)) == [each for each in diff(before, after) if low <= each.key < high]


@pytest.mark.slow
def test_only_nodes_that_differ_are_opened() -> None:
    objects = Objects()
    old = objects.build({b"default=k%d" % number: b"v" for number in range(50_000)})
    new = objects.edit(old, {b"default=k77": b"w"})
    objects.reads = 0

    deltas = list(diff(objects.tree(old.root), objects.tree(new.root)))

    assert [delta.key for delta in deltas] == [b"default=k77"]
    assert objects.reads == 2 * (old.height + 1)  # two trees, a path each


@pytest.mark.slow
def test_a_range_costs_what_changed_in_it() -> None:
    objects = Objects()
    old = objects.build({b"default=k%d" % number: b"v" for number in range(20_000)})
    new = objects.edit(old, {b"default=k%d" % number: b"w" for number in range(20_000)})
    objects.reads = 0

    deltas = list(diff(objects.tree(old.root), objects.tree(new.root), b"default=k77", b"default=k78"))

    assert len(deltas) == 1 + 10 + 100
    assert objects.reads < 30


def test_equal_trees_are_not_opened_at_all() -> None:
    objects = Objects()
    root = objects.build({b"default=a": b"1"}).root
    objects.reads = 0

    assert list(diff(objects.tree(root), objects.tree(root))) == []
    assert objects.reads == 0
