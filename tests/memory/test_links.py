"""Provenance: links as they are given and kept, and the tree of what led to a memory."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import Contents, memory, memory_store

from memoir.errors import InvalidInput, NotFound
from memoir.memory.links import LinkNode, links, links_of, why
from memoir.memory.metadata import EDGES
from memoir.taxonomy.paths import address


def linked(*targets: str, edge: str = "derives_from") -> Any:
    """A memory that links to some full keys."""
    return memory("x", links={edge: list(targets)})


def tree(contents: Contents, start: str = "a", depth: int = 9) -> LinkNode:
    with memory_store() as store:
        return why(store.snapshot(contents), address(start), depth)


def shape(node: LinkNode) -> Any:
    """The paths of a tree, nested; `?` marks a path without a memory and `^` one that is opened elsewhere."""
    name = node.address.path + ("?" if node.record is None else "^" if node.again else "")
    return [name, *map(shape, node.links)] if node.links else name


def test_links_are_sorted_by_edge() -> None:
    given_ = ["supersedes=c", "derives_from=b", "derives_from=user:ann:a", "derives_from=b"]

    found = links(given_, "team")

    assert found == {"derives_from": ["team:b", "user:ann:a"], "supersedes": ["team:c"]}
    assert list(found) == ["derives_from", "supersedes"]


@pytest.mark.parametrize("pair", ["explains=a.b", "derives_from", "derives_from a.b", "=a.b", "", "Causes=a"])
def test_an_unknown_edge_is_refused_with_the_list_of_edges(pair: str) -> None:
    with pytest.raises(InvalidInput, match="not a link") as caught:
        links([pair], "default")

    assert all(edge in str(caught.value.hint) for edge in EDGES)


@pytest.mark.parametrize("pair", ["causes=", "causes=a..b", "causes=a b", "causes=a=b", "causes=user:", "causes=*:a"])
def test_a_malformed_path_is_refused(pair: str) -> None:
    with pytest.raises(InvalidInput, match=r"not a (path|namespace)"):
        links(["causes=fine", pair], "default")


@given(st.lists(st.tuples(st.sampled_from(EDGES), st.sampled_from(["a", "a.b", "user:ann:a", "c-1.d_2"]))))
def test_stored_links_read_back(pairs: list[tuple[str, str]]) -> None:
    kept = links([f"{edge}={path}" for edge, path in pairs], "team")

    found = links_of((memory("x", links=kept),))

    assert len(found) == len(set(found))
    assert set(found) == {(edge, address(path, "team")) for edge, path in pairs}
    assert [edge for edge, _ in found] == sorted((edge for edge, _ in found), key=EDGES.index)


@pytest.mark.parametrize(
    "kept", [None, 7, "default:b", ["default:b"], {}, {"causes": {"default:b": 1}}, {"causes": [7, None, "", "a..b"]},
             {"explains": ["default:b"]}],
)  # fmt: skip
def test_metadata_of_another_form_has_no_links(kept: Any) -> None:
    assert links_of((memory("x", links=kept),)) == []


def test_a_link_may_be_a_string_and_malformed_ones_are_skipped() -> None:
    record = (memory("x", links={"causes": "team:b", "calls": ["a..b", "c"]}),)

    assert links_of(record) == [("causes", address("team:b")), ("calls", address("c"))]


def test_the_links_of_a_record_are_those_of_its_active_memories() -> None:
    old = memory("old", active=False, links={"causes": ["default:gone"]})

    assert links_of((old, linked("default:b"), linked("default:b", "default:c"))) == [
        ("derives_from", address("b")), ("derives_from", address("c"))
    ]  # fmt: skip
    assert links_of((old,)) == [("causes", address("gone"))]


def test_provenance_is_a_tree() -> None:
    contents = {
        "a": [linked("default:b", "user:ann:c")], "b": [linked("default:d", edge="calls")],
        "user:ann:c": [linked("default:d", edge="causes")], "d": [memory("x")], "unrelated": [linked("default:a")],
    }  # fmt: skip

    root = tree(contents)

    assert shape(root) == ["a", ["b", "d"], ["c", "d"]]
    assert (root.edge, root.record) == (None, tuple(contents["a"]))
    assert [(node.edge, node.address.full_key) for node in root.links] == [
        ("derives_from", "default:b"), ("derives_from", "user:ann:c")
    ]  # fmt: skip
    assert [node.links[0].edge for node in root.links] == ["calls", "causes"]


def test_a_dangling_edge_is_shown_as_one() -> None:
    assert shape(tree({"a": [linked("default:gone", "user:a")]})) == ["a", "gone?", "a?"]


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ({"a": [linked("default:a")]}, ["a", "a^"]),
        ({"a": [linked("default:b")], "b": [linked("default:a", "default:c")], "c": [memory("x")]},
         ["a", ["b", "a^", "c"]]),
        ({"a": [linked("default:b", "default:c")], "b": [linked("default:c")], "c": [linked("default:b")]},
         ["a", ["b", "c^"], ["c", "b^"]]),
    ],
)  # fmt: skip
def test_a_cycle_is_shown_but_not_followed_again(contents: Contents, expected: Any) -> None:
    assert shape(tree(contents)) == expected


def test_the_depth_counts_edges() -> None:
    contents = {"a": [linked("default:b")], "b": [linked("default:c")], "c": [linked("default:gone")]}

    assert shape(tree(contents, depth=1)) == ["a", "b"]
    assert shape(tree(contents, depth=2)) == ["a", ["b", "c"]]
    assert shape(tree(contents, depth=3)) == shape(tree(contents, depth=9)) == ["a", ["b", ["c", "gone?"]]]


def test_a_path_is_opened_at_its_shortest_distance() -> None:
    contents = {
        "a": [linked("default:b", "default:d")], "b": [linked("default:c")], "c": [linked("default:d")],
        "d": [linked("default:e")], "e": [memory("x")],
    }  # fmt: skip

    assert shape(tree(contents, depth=3)) == ["a", ["b", ["c", "d^"]], ["d", "e"]]


GRAPHS = st.dictionaries(
    st.sampled_from("abcde"), st.lists(st.sampled_from([f"default:{name}" for name in "abcdef"]), max_size=3)
)


@given(GRAPHS, st.integers(1, 4))
def test_any_graph_is_shown_edge_by_edge_to_the_given_depth(graph: dict[str, list[str]], depth: int) -> None:
    whole = {"a": [], **graph}
    contents = {name: [linked(*targets)] for name, targets in whole.items()}
    targets = {name: [target[-1] for target in dict.fromkeys(links)] for name, links in whole.items()}

    root = tree(contents, depth=depth)

    away = {"a": 0}
    for edges in range(depth):
        for name in [name for name, far in away.items() if far == edges]:
            away |= {target: edges + 1 for target in targets.get(name, []) if target not in away}
    opened = {name for name, far in away.items() if far < depth and targets.get(name)}
    nodes = list(walked(root, 0))
    assert sorted(node.address.path for node, _ in nodes if node.links) == sorted(opened)
    for node, edges in nodes:
        name = node.address.path
        assert node.links == () or edges == away[name], "opened where the way is shortest"
        assert [child.address.path for child in node.links] in ([], targets.get(name))
        assert node.again == (name in opened and not node.links)
        assert node.cut == (bool(targets.get(name)) and name not in opened)
        assert (node.record is None) == (name not in whole)


def walked(node: LinkNode, edges: int) -> Iterator[tuple[LinkNode, int]]:
    yield node, edges
    for child in node.links:
        yield from walked(child, edges + 1)


def test_a_dense_graph_makes_a_tree_no_larger_than_its_edges() -> None:
    names = "abcdefghijkl"
    contents = {name: [linked(*(f"default:{other}" for other in names))] for name in names}

    assert len(list(walked(tree(contents, depth=100), 0))) == 1 + len(names) ** 2


def test_why_fails_at_a_path_that_holds_nothing() -> None:
    with pytest.raises(NotFound, match="default:gone"):
        tree({"a": [linked("default:gone")]}, "gone")
