"""Nodes as git trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.tree.node import FORMAT_MARKER, decode, encode_internal, encode_leaf

ID, EMPTY = Oid(b"\1" * 20), Oid.fromhex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
KEYS = st.lists(st.from_regex(rb"[a-z:-]{1,8}=[a-z.-]{1,8}", fullmatch=True), unique=True).map(sorted)


@given(KEYS.filter(bool))
def test_a_leaf_reads_back(keys: list[bytes]) -> None:
    node = decode(encode_leaf([(key, ID) for key in keys], None), 20)

    assert list(node.keys) == keys
    assert node.total == len(keys)


@given(KEYS.filter(bool), st.data())
def test_an_internal_node_reads_back_in_key_order(keys: list[bytes], data: st.DataObject) -> None:
    """Git sorts the entries by count; the keys' order is restored."""
    counts = [data.draw(st.integers(1, 10**12)) for _ in keys]

    node = decode(encode_internal([(key, ID, count) for key, count in zip(keys, counts, strict=True)], None), 20)

    assert list(node.keys) == keys
    assert node.total == sum(counts)


def test_only_the_root_has_the_format_marker() -> None:
    root = encode_leaf([(b"default=a", ID)], EMPTY)

    assert FORMAT_MARKER in root
    assert list(decode(root, 20, root=True).keys) == [b"default=a"]
    with pytest.raises(DamagedStore, match="did not write"):
        decode(root, 20)


def test_a_root_without_a_marker_is_not_memoirs() -> None:
    with pytest.raises(DamagedStore, match="no memoir format marker"):
        decode(encode_leaf([(b"default=a", ID)], None), 20, root=True)


def test_a_newer_format_is_named() -> None:
    newer = encode_leaf([], EMPTY).replace(FORMAT_MARKER, b"memoir-format-2")

    with pytest.raises(DamagedStore, match="memoir-format-2"):
        decode(newer, 20, root=True)


@given(KEYS.filter(bool), st.integers(1, 19))
def test_a_tree_cut_short_is_damage_and_never_fewer_keys(keys: list[bytes], cut: int) -> None:
    data = encode_leaf([(key, ID) for key in keys], None)

    with pytest.raises(DamagedStore, match="cut short"):
        decode(data[:-cut], 20)


def test_ids_may_have_the_length_of_sha256() -> None:
    oid = Oid(b"\3" * 32)

    assert decode(encode_leaf([(b"default=a", oid)], None), 32).ids == [oid]
