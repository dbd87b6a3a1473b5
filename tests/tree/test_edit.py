"""Editing the tree: the result is what building from scratch would give, at every size."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from objects import Objects

from memoir.tree.edit import upgrade
from memoir.tree.shape import shape_problems
from memoir.tree.tree import diff

GOLDEN_ROOT = "fcac4d2e3d5c8dfd6ef2454359f157cfbe9751c7"
GOLDEN_ROOT_OF_FORMAT_1 = "9f2f2d90673c135f51b6c949d4b4645e16a1b769"

# A small alphabet makes keys meet; many of these begin nodes at height 0, some at height 1.
KEYS = st.integers(0, 3000).map(lambda number: b"default=k%d" % number)
Edits = dict[bytes, bytes | None]
EDITS = st.dictionaries(KEYS, st.one_of(st.none(), st.binary(max_size=3)), max_size=300)


def after(contents: dict[bytes, bytes], edits: dict[bytes, bytes | None]) -> dict[bytes, bytes]:
    return {key: value for key, value in {**contents, **edits}.items() if value is not None}


@given(st.lists(EDITS, max_size=5))
def test_any_edits_give_the_root_of_a_new_tree(
    history: list[Edits],
) -> None:
    objects = Objects()
    tree, contents = objects.build({}), dict[bytes, bytes]()
    for edits in history:
        tree, contents = objects.edit(tree, edits), after(contents, edits)
        assert tree.root == objects.build(contents).root
        assert objects.contents(tree) == contents


def test_a_golden_root_freezes_the_format() -> None:
    contents = {b"default=preferences.k%d" % n: b'{"memories":[%d]}' % n for n in range(5000)}

    root, old_root = Objects().build(contents).root, Objects(version=1).build(contents).root

    assert root and old_root
    assert (root.hex(), old_root.hex()) == (GOLDEN_ROOT, GOLDEN_ROOT_OF_FORMAT_1)


@given(EDITS, EDITS)
def test_a_tree_keeps_its_format_until_it_is_upgraded(first: Edits, second: Edits) -> None:
    old, new = Objects(version=1), Objects()
    tree, contents = old.build({}), after(after({}, first), second)
    for edits in (first, second):
        tree = old.edit(tree, edits)

    assert tree.root == old.build(contents).root
    assert upgrade(tree, old) == new.build(contents).root


def test_an_upgrade_writes_no_leaf() -> None:
    objects = Objects(version=1)
    old = objects.build({b"default=k%d" % number: b"v" for number in range(20_000)})
    objects.writes = 0

    new = objects.tree(upgrade(objects.tree(old.root), objects))

    inner = 1 + len(old.top.ids)
    assert old.height == 2
    assert objects.writes == inner
    assert not list(diff(old, new))
    assert not list(shape_problems(new, old))


def test_the_empty_tree_holds_the_marker_only() -> None:
    objects = Objects()

    empty = objects.edit(objects.build({b"default=a": b"1"}), {b"default=a": None})

    assert empty.root == objects.build({}).root
    assert empty.count() == 0


@pytest.mark.parametrize("left", [1, 2, 50, 400])
def test_what_is_left_of_a_large_tree_stands_no_higher_than_a_new_one(left: int) -> None:
    objects = Objects()
    keys = [b"default=k%04d" % number for number in range(2000)]
    large = objects.build(dict.fromkeys(keys, b"v"))

    small = objects.edit(large, dict.fromkeys(keys[left:]))

    assert small.root == objects.build(dict.fromkeys(keys[:left], b"v")).root


def mutations(keys: list[bytes], rng: random.Random) -> Iterator[dict[bytes, bytes | None]]:
    """The edits every size must survive, each on the tree that the one before it left."""
    yield {b"default=!first": b"new"}
    yield {b"default=~last": b"new"}
    yield {rng.choice(keys): b"changed"}
    yield {rng.choice(keys): None}
    yield {keys[0]: None, keys[-1]: None}
    yield dict.fromkeys(rng.sample(keys, min(50, len(keys))))
    yield {key + b".below": b"between" for key in rng.sample(keys, min(50, len(keys)))}
    yield dict.fromkeys(keys[len(keys) // 4 : len(keys) // 2])
    yield dict.fromkeys(keys[len(keys) // 4 : len(keys) // 2], b"back")
    yield {b"default=nothing-there": None}


@pytest.mark.parametrize(
    "size", [10, 100, 1000, pytest.param(10_000, marks=pytest.mark.slow), pytest.param(100_000, marks=pytest.mark.soak)]
)
def test_the_mutation_suite(size: int) -> None:
    objects, rng = Objects(), random.Random(size)
    contents = {b"default=k%d" % number: b"%d" % number for number in range(size)}
    tree = objects.build(contents)
    for edits in mutations(sorted(contents), rng):
        tree, contents = objects.edit(tree, edits), after(contents, edits)
        assert tree.root == objects.build(contents).root
    assert objects.contents(tree) == contents


@pytest.mark.slow
def test_one_insert_into_a_large_tree_reads_and_writes_one_node_a_level() -> None:
    objects = Objects()
    tree = objects.build({b"default=k%d" % number: b"v" for number in range(100_000)})
    objects.reads = objects.writes = 0

    larger = objects.edit(tree, {b"default=knew": b"w"})

    assert objects.reads == larger.height + 1
    assert objects.writes == 1 + (larger.height + 1)  # the value, and a node at each height
