"""Provenance: the tree of the memories that led to a memory."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from index.indexing import Contents, links_to, memory, memory_store

from memoir.errors import NotFound
from memoir.memory.provenance import LinkNode, why
from memoir.taxonomy.paths import memory_address


def tree(contents: Contents, start: str = "a", depth: int = 9) -> LinkNode:
    with memory_store() as store:
        return why(store.snapshot(contents), memory_address(start), depth)


def shape(node: LinkNode) -> Any:
    """The paths of a tree, nested; `?` marks a path without a memory and `^` one that is opened elsewhere."""
    name = node.address.path + ("?" if node.record is None else "^" if node.again else "")
    return [name, *map(shape, node.links)] if node.links else name


def test_provenance_is_a_tree() -> None:
    contents = {
        "a": [links_to("default:b", "user:ann:c")], "b": [links_to("default:d", edge="calls")],
        "user:ann:c": [links_to("default:d", edge="causes")], "d": [memory("x")], "unrelated": [links_to("default:a")],
    }  # fmt: skip

    root = tree(contents)

    assert shape(root) == ["a", ["b", "d"], ["c", "d"]]
    assert (root.edge, root.record) == (None, tuple(contents["a"]))
    assert [(node.edge, node.address.full_key) for node in root.links] == [
        ("derives_from", "default:b"), ("derives_from", "user:ann:c")
    ]  # fmt: skip
    assert [node.links[0].edge for node in root.links] == ["calls", "causes"]


def test_a_dangling_edge_is_shown_as_one() -> None:
    assert shape(tree({"a": [links_to("default:gone", "user:a")]})) == ["a", "gone?", "a?"]


def test_malformed_ids_of_targets_are_passed_over() -> None:
    """Older versions imported them."""
    links = {"derives_from": ["default:b"], "ids": {"a..b": "m1", "default:b": 7}}

    assert shape(tree({"a": [memory("x", links=links)], "b": [memory("y")]})) == ["a", "b"]


GRAPHS = st.dictionaries(
    st.sampled_from("abcde"), st.lists(st.sampled_from([f"default:{name}" for name in "abcdef"]), max_size=3)
)


@given(GRAPHS, st.integers(1, 4))
@example({"a": ["default:b", "default:d"], "b": ["default:c"], "c": ["default:d"], "d": ["default:e"]}, 3)
def test_any_graph_is_shown_edge_by_edge_to_the_given_depth(graph: dict[str, list[str]], depth: int) -> None:
    whole = {"a": [], **graph}
    contents = {name: [links_to(*targets)] for name, targets in whole.items()}
    targets = {name: [target[-1] for target in dict.fromkeys(links)] for name, links in whole.items()}

    root = tree(contents, depth=depth)

    away = {"a": 0}
    for edges in range(depth):
        for name in [name for name, far in away.items() if far == edges]:
            away |= {target: edges + 1 for target in targets.get(name, []) if target not in away}
    inner = {name for name, far in away.items() if far < depth and targets.get(name)}
    nodes = list(walk(root, 0))
    assert sorted(node.address.path for node, _ in nodes if node.links) == sorted(inner)
    for node, edges in nodes:
        name = node.address.path
        assert node.links == () or edges == away[name], "opened where the way is shortest"
        assert [child.address.path for child in node.links] in ([], targets.get(name))
        assert node.again == (name in inner and not node.links)
        assert node.cut == (bool(targets.get(name)) and name not in inner)
        assert (node.record is None) == (name not in whole)


def walk(node: LinkNode, edges: int) -> Iterator[tuple[LinkNode, int]]:
    yield node, edges
    for child in node.links:
        yield from walk(child, edges + 1)


def test_a_dense_graph_makes_a_tree_no_larger_than_its_edges() -> None:
    names = "abcdefghijkl"
    contents = {name: [links_to(*(f"default:{other}" for other in names))] for name in names}

    assert len(list(walk(tree(contents, depth=100), 0))) == 1 + len(names) ** 2


def test_why_fails_at_a_path_that_holds_nothing() -> None:
    with pytest.raises(NotFound, match="default:gone"):
        tree({"a": [links_to("default:gone")]}, "gone")
