"""Reading the tree: what a dict and a sorted list would say, at the proper cost."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from objects import Objects

from memoir.git.objects import Oid
from memoir.tree.tree import LAST

KEYS = st.integers(0, 2000).map(lambda number: b"default=k%d" % number)
CONTENTS = st.dictionaries(KEYS, st.binary(max_size=2), max_size=400)


@given(CONTENTS, st.lists(KEYS, max_size=20))
def test_get_finds_exactly_the_stored_keys(contents: dict[bytes, bytes], keys: list[bytes]) -> None:
    objects = Objects()

    ids = objects.build(contents).get(keys)

    assert {key: objects.values[oid] for key, oid in ids.items()} == {k: contents[k] for k in keys if k in contents}


@given(CONTENTS, KEYS, KEYS)
def test_ranges_agree_with_a_sorted_list(contents: dict[bytes, bytes], one: bytes, two: bytes) -> None:
    low, high = sorted((one, two))
    inside = [key for key in sorted(contents) if low <= key < high]
    tree = Objects().build(contents)

    assert [key for key, _ in tree.scan(low, high)] == inside
    assert tree.count(low, high) == len(inside)
    assert tree.first(low) == next((key for key in sorted(contents) if key >= low), None)


def test_each_key_is_found_by_its_rank() -> None:
    keys = [b"default=k%04d" % number for number in range(2000)]
    tree = Objects().build(dict.fromkeys(keys, b"v"))

    assert [tree.key_at(rank) for rank in range(len(keys))] == keys
    assert [tree.rank(key) for key in keys] == list(range(len(keys)))
    assert tree.key_at(len(keys)) == keys[-1]


@given(CONTENTS)
def test_the_whole_range_is_everything(contents: dict[bytes, bytes]) -> None:
    tree = Objects().build(contents)

    assert [key for key, _ in tree.scan()] == sorted(contents)
    assert tree.count() == tree.count(b"", LAST) == len(contents)


@cache
def fifty_thousand() -> tuple[Objects, Oid]:
    objects = Objects()
    root = objects.build({b"default=k%06d" % number: b"v" for number in range(50_000)}).root
    assert root is not None
    return objects, root


def large() -> tuple[Objects, Oid]:
    objects, root = fifty_thousand()
    objects.reads = 0
    return objects, root


@pytest.mark.slow
def test_a_point_read_opens_one_node_a_level() -> None:
    objects, root = large()
    tree = objects.tree(root)

    tree.get([b"default=k025000"])

    assert objects.reads == tree.height + 1


def test_counting_a_range_opens_two_paths_only() -> None:
    objects, root = large()
    tree = objects.tree(root)

    assert tree.count(b"default=k000100", b"default=k049900") == 49_800
    assert objects.reads <= 2 * (tree.height + 1)


def test_a_reader_who_stops_early_has_not_paid_for_the_rest() -> None:
    objects, root = large()

    next(objects.tree(root).scan(b"default=k010000"))

    assert objects.reads < 20


def test_keys_of_a_namespace_are_one_range() -> None:
    contents = dict.fromkeys((b"user=a", b"user:alice=a", b"user-x=a", b"user=b", b"users=a"), b"")

    keys = [key for key, _ in Objects().build(contents).scan(b"user=", b"user=" + LAST)]

    assert keys == [b"user=a", b"user=b"]
