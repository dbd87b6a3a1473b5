"""Trees that are out to exhaust their reader: every walk ends, soon, with an answer or a word."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice

import pytest
from hostile import Forge, bomb, chain
from support import without_endless_work

from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.repair.fsck import fsck
from memoir.store.store import Store
from memoir.tree.node import MARKERS
from memoir.tree.shape import shape_problems
from memoir.tree.tree import Tree, diff

Walk = Callable[[Tree], object]
WALKS: dict[str, Walk] = {
    "get": lambda tree: tree.get([b"default=k3", b"default=z"]),
    "scan": lambda tree: list(tree.scan()),
    "scan a range": lambda tree: list(tree.scan(b"default=k5", b"default=k6")),
    "count": lambda tree: tree.count(b"default=k1", b"default=k3"),
    "rank": lambda tree: tree.rank(b"default=k3"),
    "first": lambda tree: tree.first(b"default=z"),
    "height": lambda tree: tree.height,
    "diff": lambda tree: list(diff(Tree(tree.reader, tree.id_size, None), tree)),
    "shape": lambda tree: list(islice(shape_problems(tree, Tree(tree.reader, tree.id_size, None)), 10)),
}


def _diamonds(forge: Forge) -> Oid:
    """Two distinct nodes a level, each holding both of the next: no node is twice in one parent."""
    first = forge.leaf([(b"default=k1", forge.blob())], root=False)
    second = forge.leaf([(b"default=k2", forge.blob())], root=False)
    for step in range(38):
        rows = [(b"default=k1", first, 2), (b"default=k2", second, 2)]
        first, second = (
            forge.internal(rows, root=step == 37), forge.internal([rows[0], (b"default=k3", second, 2)])
        )  # fmt: skip
    return first


def _in_the_middle(forge: Forge) -> Oid:
    """A leaf where an inner node should be."""
    leaf = forge.leaf([(b"default=a", forge.blob())], root=False)
    inner = forge.internal([(b"default=b", leaf, 1), (b"default=c", leaf, 1)])
    return forge.internal([(b"default=a", leaf, 1), (b"default=b", inner, 2)], root=True)


TREES: dict[str, Callable[[Forge], Oid]] = {
    "bomb": bomb,
    "chain": chain,
    "crooked": _diamonds,
    "uneven": _in_the_middle,
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("lies", [True, False])
def test_every_walk_ends_soon(store: Store, name: str, lies: bool) -> None:
    forge = Forge(store)
    forge.commit(TREES[name](forge), lies=lies)
    for walk in WALKS.values():
        with without_endless_work(), suppress(DamagedStore):
            walk(store.at("main").tree)

    with without_endless_work():
        assert fsck(store, lambda key, value: None).problems


@pytest.mark.parametrize(
    "rows",
    [
        [(b"100644", b"default=b", 0), (b"100644", b"default=a", 0)],
        [(b"100644", b"default=a", 0), (b"100644", b"default=a", 0)],
        [(b"100755", b"default=a", 0)],
        [(b"120000", b"default=a", 0)],
        [(b"160000", b"default=a", 0)],
        [(b"40000", b"1;default=a", 1)],
        [(b"40000", b"01;default=a", 1), (b"40000", b"1;default=b", 1)],
        [(b"40000", b"0;default=a", 1), (b"40000", b"1;default=b", 1)],
        [(b"40000", b"9" * 5000 + b";default=a", 1)],
        [(b"40000", b"1;default", 1)],
        [(b"40000", b";", 1), (b"100644", b"memoir-format-2", 2)],
        [(b"40000", b";default=a", 1), (b"100644", b"default=a;1", 2), (b"100644", b"memoir-format-2", 2)],
        [(b"40000", b";", 1), (b"40000", b";b", 1), (b"100644", b"default=a;1,1", 2)],
        [(b"40000", b";", 1), (b"100644", b"default=a;0", 2), (b"100644", b"memoir-format-2", 2)],
        [(b"40000", b";", 1), (b"100644", b"default=a;1", 0), (b"100644", b"memoir-format-2", 2)],
        [(b"40000", b";", 1), (b"100755", b"default=a;1", 2), (b"100644", b"memoir-format-2", 2)],
        [(b"40000", b"1;default=a", 1), (b"100644", b"default=a;1", 2)],
        [(b"100644", b".git", 0)],
        [(b"100644", b"nokey", 0)],
    ],
)
def test_a_tree_that_is_not_a_node_is_damage(store: Store, rows: Iterable[tuple[bytes, bytes, int]]) -> None:
    forge = Forge(store)
    ids = [forge.blob(), forge.leaf([], root=False), forge.marker]
    entries = [*((mode, name, ids[which]) for mode, name, which in rows), (b"100644", b"memoir-format-1", forge.marker)]
    entries.sort(key=lambda entry: entry[1] if entry[1] in MARKERS else b"")
    forge.commit(forge.raw(*entries))

    with pytest.raises(DamagedStore):
        list(store.at("main").tree.scan())


def test_a_marker_that_is_not_an_empty_file_is_damage(store: Store) -> None:
    forge = Forge(store)
    forge.commit(forge.raw((b"100644", b"memoir-format-1", forge.blob(b"x"))))

    with pytest.raises(DamagedStore, match="marker"):
        _ = store.at("main").tree.top
