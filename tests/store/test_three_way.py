"""Three-way merge of trees: what one side changed is taken, what both changed is decided."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from objects import Objects
from support import contents, write

from memoir.errors import NotFound
from memoir.git.objects import Oid
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, UndecidedKey, merge_bases, merge_trees
from memoir.store.transaction import Change, StoredValue
from memoir.store.transaction import write as commit_change
from memoir.tree.tree import Tree

CONTENTS = st.dictionaries(st.integers(0, 99).map(lambda n: b"default=k%d" % n), st.sampled_from([b"1", b"2", b"3"]))


def snapshot(objects: Objects, tree: Tree) -> Snapshot:
    return Snapshot(objects, tree, None)


def never(clash: Clash) -> bytes | None:
    raise UndecidedKey


@given(CONTENTS, CONTENTS, CONTENTS)
def test_each_key_is_taken_from_the_side_that_changed_it(
    base: dict[bytes, bytes], ours: dict[bytes, bytes], theirs: dict[bytes, bytes]
) -> None:
    objects = Objects()
    mine = objects.build(ours)

    merge = merge_trees(
        objects_store(objects), snapshot(objects, mine), objects.build(theirs), [objects.build(base)], never
    )

    clashes = {
        k for k in base.keys() | ours.keys() | theirs.keys() if len({base.get(k), ours.get(k), theirs.get(k)}) == 3
    }
    clashes |= {
        k for k in ours.keys() | theirs.keys() | base.keys()
        if ours.get(k) != base.get(k) != theirs.get(k) and ours.get(k) != theirs.get(k)
    }  # fmt: skip
    assert {clash.key for clash in merge.clashes} == clashes
    edits = {k: objects.values[v.oid] if isinstance(v, StoredValue) else v for k, v in merge.edits.items()}
    result = objects.contents(objects.edit(mine, edits))
    for key in (base.keys() | ours.keys() | theirs.keys()) - clashes:
        assert result.get(key) == (theirs if ours.get(key) == base.get(key) else ours).get(key)


def objects_store(objects: Objects) -> Store:
    """Enough of a store for a merge that has its bases at hand."""
    store = Store.__new__(Store)
    store.reader, store.id_size = objects, 20
    return store


def test_the_best_common_ancestor_is_the_base(store: Store) -> None:
    base = write(store, {"default=a": "1"})
    store.refs.create("branch", "side", base.id)
    ours = write(store, {"default=a": "2"})
    theirs = write(store, {"default=b": "1"}, branch="side")

    assert merge_bases(store, ours.id, theirs.id) == [base]


def test_histories_without_a_common_ancestor_merge_as_if_from_nothing(store: Store) -> None:
    write(store, {"default=a": "1"})
    theirs = store.tree(write(store, {"default=b": "1"}).tree)

    merge = merge_trees(store, store.snapshot(None), theirs, [], never)

    assert merge.edits == {key: StoredValue(oid) for key, oid in theirs.get([b"default=a", b"default=b"]).items()}


def criss_cross(store: Store) -> tuple[Snapshot, Tree, list[Tree]]:
    """Two branches that merged each other, so that there are two best common ancestors."""
    root = write(store, {"default=a": "0"})
    store.refs.create("branch", "side", root.id)
    one, two = write(store, {"default=a": "1"}), write(store, {"default=a": "2"}, branch="side")

    def keep(branch: str, value: bytes, other: Oid) -> None:
        change = Change([(b"default=a", value)], "cross", further_parents=(other,))
        commit_change(store, lambda head: change, branch=branch, reason="cross")

    keep("main", b"1", two.id)
    keep("side", b"2", one.id)
    ours, theirs = store.head(), store.head("side")
    if not ours.commit or not theirs.commit:
        raise NotFound("unreachable")
    bases = merge_bases(store, ours.commit.id, theirs.commit.id)
    assert len(bases) == 2
    return ours, theirs.tree, [store.tree(base.tree) for base in bases]


def test_merge_bases_that_disagree_are_a_conflict(store: Store) -> None:
    """Against one ancestor ours stands, against the other theirs: neither may win silently."""
    ours, theirs, bases = criss_cross(store)

    merge = merge_trees(store, ours, theirs, bases, never)

    assert [clash.key for clash in merge.clashes] == [b"default=a"]
    assert merge.edits == {}
    assert contents(store) == {"default=a": "1"}


@pytest.mark.parametrize("swapped", [False, True])
def test_what_one_of_two_merge_bases_had_and_a_side_has_forgotten_stays_forgotten(swapped: bool) -> None:
    objects = Objects()
    older, one, two, ours, theirs = (
        objects.build(dict.fromkeys(keys, b"1"))
        for keys in ([b"default=a"], [b"default=a", b"default=b"], [b"default=a", b"default=c"],
                     [b"default=a", b"default=c"], [b"default=a", b"default=b", b"default=c"])
    )  # fmt: skip
    bases = [two, one] if swapped else [one, two]

    merge = merge_trees(objects_store(objects), snapshot(objects, ours), theirs, bases, never, older)
    assert merge[:2] == ({}, [])
    merge = merge_trees(objects_store(objects), snapshot(objects, theirs), ours, bases, never, older)
    assert merge[:2] == ({b"default=b": None}, [])
