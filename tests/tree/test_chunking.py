"""The cutting policy: a function of each key alone, frozen with the format."""

from hypothesis import given
from hypothesis import strategies as st

from memoir.tree.chunking import GROUP_BITS, cut, level, misplaced
from memoir.tree.node import MAX_HEIGHT

KEYS = st.lists(st.binary(min_size=1, max_size=20), unique=True).map(sorted)


def test_levels_are_frozen_with_the_format() -> None:
    keys = [b"default=%d" % number for number in range(20_000)]

    by_level = [sum(level(key) >= height for key in keys) for height in range(4)]

    assert by_level == [20_000, 323, 5, 0]
    assert [int(key[8:]) for key in keys if level(key) == 2] == [2825, 8813, 10649, 11914, 17395]


def test_no_level_is_higher_than_the_groups_of_a_digest() -> None:
    assert MAX_HEIGHT == 256 // GROUP_BITS


@given(KEYS, st.integers(0, 3))
def test_cutting_keeps_every_key_in_order(keys: list[bytes], height: int) -> None:
    assert [key for node in cut(keys, height) for key in node] == keys


@given(KEYS, st.integers(0, 3))
def test_a_node_begins_at_the_first_key_and_at_every_key_above_its_height(keys: list[bytes], height: int) -> None:
    heads = [node[0] for node in cut(keys, height)]

    assert heads == [key for position, key in enumerate(keys) if position == 0 or level(key) > height]


@given(st.lists(st.sampled_from([b"default=%d" % number for number in (*range(300), 2825, 8813)])), st.integers(0, 3))
def test_keys_are_misplaced_at_every_height_but_their_level(keys: list[bytes], height: int) -> None:
    assert list(misplaced(keys, height)) == [key for key in keys if level(key) != height]
