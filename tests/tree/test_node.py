"""Nodes as git trees."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.tree.node import MARKERS, OtherFormat, decode, encode_internal, encode_leaf

ID, EMPTY = Oid(b"\1" * 20), Oid.fromhex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
KEYS = st.lists(st.from_regex(rb"[a-z:-]{1,8}=[a-z.-]{1,8}", fullmatch=True), unique=True).map(sorted)


@given(KEYS.filter(bool), st.data())
def test_a_leaf_reads_back(keys: list[bytes], data: st.DataObject) -> None:
    ids = [
        Oid(data.draw(st.sampled_from([b"%20d" % number, b"\x00100644 a=\x00bcdefghij", EMPTY])))
        for number, _ in enumerate(keys)
    ]

    node = decode(encode_leaf(list(zip(keys, ids, strict=True)), None), 20)

    assert node.holds_any([ID, EMPTY]) is (EMPTY in ids)
    assert (list(node.keys), list(node.ids), node.total) == (keys, ids, len(keys))


@pytest.mark.parametrize("version", [1, 2])
@given(KEYS.filter(bool), st.data())
def test_an_internal_node_reads_back_in_key_order(version: int, keys: list[bytes], data: st.DataObject) -> None:
    """Git sorts the entries its own way; the keys' order is restored."""
    counts = [data.draw(st.integers(1, 10**12)) for _ in keys]
    ids = [Oid(b"%20d" % number) for number in range(len(keys))]

    node = decode(encode_internal(list(zip(keys, ids, counts, strict=True)), None, version), 20)

    assert (list(node.keys), list(node.ids), node.counts) == (keys, ids, counts)
    assert node.version == version


@pytest.mark.slow
@given(KEYS.filter(lambda keys: len(keys) > 1), st.integers(1, 10**12))
def test_the_names_of_children_hold_no_counts_and_not_the_first_key(keys: list[bytes], count: int) -> None:
    """Git takes a folder for a new version of another if their paths are equal."""

    def children(*keys: bytes) -> list[bytes]:
        data = encode_internal([(key, ID, count) for key in keys], None)
        return [name for mode, name in re.findall(rb"(\d+) ([^\0]+)\0.{20}", data, re.DOTALL) if mode == b"40000"]

    assert children(b"a", *keys[1:]) == children(*keys)
    assert sorted(children(*keys)) == [b";", *(b";" + key for key in keys[1:])]


def test_a_node_that_another_git_merged_has_counts_that_nothing_can_have() -> None:
    """Two versions of one node, merged entry by entry, have both names of their counts."""
    merged = encode_internal([(b"n=a", ID, 2), (b"n=b", ID, 1)], None)
    other = b"100644 n=a;2,2\0" + EMPTY

    node = decode(merged + other, 20)

    assert (list(node.keys), node.counts) == ([b"n=a", b"n=b"], [0, 0])


def test_only_the_root_has_the_format_marker() -> None:
    root = encode_leaf([(b"default=a", ID)], EMPTY)

    assert all(marker in root for marker in MARKERS)
    assert list(decode(root, 20, root=True).keys) == [b"default=a"]
    with pytest.raises(DamagedStore, match="did not write"):
        decode(root, 20)


def test_a_root_without_a_marker_is_not_memoirs() -> None:
    with pytest.raises(DamagedStore, match="no memoir format marker"):
        decode(encode_leaf([(b"default=a", ID)], None), 20, root=True)


def test_a_newer_format_is_named() -> None:
    newer = encode_leaf([], EMPTY) + b"100644 memoir-format-3\0" + EMPTY

    with pytest.raises(OtherFormat, match="memoir-format-3"):
        decode(newer, 20, root=True)


@given(KEYS.filter(bool), st.integers(1, 19))
def test_a_tree_cut_short_is_damage_and_never_fewer_keys(keys: list[bytes], cut: int) -> None:
    data = encode_leaf([(key, ID) for key in keys], None)

    with pytest.raises(DamagedStore, match="cut short"):
        decode(data[:-cut], 20)


def test_ids_may_have_the_length_of_sha256() -> None:
    oid = Oid(b"\3" * 32)

    assert decode(encode_leaf([(b"default=a", oid)], None), 32).ids == [oid]


@given(KEYS.filter(bool), st.sampled_from([20, 32]), st.data())
def test_a_leaf_with_another_byte_is_refused_or_says_all_of_it(
    keys: list[bytes], size: int, data: st.DataObject
) -> None:
    """Nothing of a leaf is passed over: not a mode, not an order, not a byte between two entries."""
    leaf = bytearray(encode_leaf([(key, Oid(b"0" * size)) for key in keys], None))
    leaf[data.draw(st.integers(0, len(leaf) - 1))] = data.draw(st.sampled_from(b"\0 01=;a\xff"))

    try:
        node = decode(bytes(leaf), size)
    except DamagedStore:
        return

    assert node.counts is None
    assert all(b"=" in key for key in node.keys)
    assert list(node.keys) == sorted(set(node.keys))
    assert encode_leaf(list(zip(node.keys, node.ids, strict=True)), None) == leaf
