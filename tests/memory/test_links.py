"""Links as they are given and kept."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import memory

from memoir.errors import InvalidInput
from memoir.memory.links import links, links_of
from memoir.records.metadata import EDGES
from memoir.taxonomy.paths import address


def links_to(*targets: str, edge: str = "derives_from") -> Any:
    """A memory that links to some full keys."""
    return memory("x", links={edge: list(targets)})


def test_links_are_sorted_by_edge() -> None:
    pairs = ["supersedes=c", "derives_from=b", "derives_from=user:ann:a", "derives_from=b"]

    edges = links(pairs, "team")

    assert edges == {"derives_from": ["team:b", "user:ann:a"], "supersedes": ["team:c"]}
    assert list(edges) == ["derives_from", "supersedes"]


@pytest.mark.parametrize("pair", ["explains=a.b", "derives_from", "derives_from a.b", "=a.b", "", "Causes=a"])
def test_an_unknown_edge_is_refused_with_the_list_of_edges(pair: str) -> None:
    with pytest.raises(InvalidInput, match="not a link") as error:
        links([pair], "default")

    assert all(edge in str(error.value.hint) for edge in EDGES)


@pytest.mark.parametrize("pair", ["causes=", "causes=a..b", "causes=a b", "causes=a=b", "causes=user:", "causes=*:a"])
def test_a_malformed_path_is_refused(pair: str) -> None:
    with pytest.raises(InvalidInput, match=r"not a (path|namespace)"):
        links(["causes=fine", pair], "default")


@given(st.lists(st.tuples(st.sampled_from(EDGES), st.sampled_from(["a", "a.b", "user:ann:a", "c-1.d_2"]))))
def test_stored_links_read_back(pairs: list[tuple[str, str]]) -> None:
    metadata = links([f"{edge}={path}" for edge, path in pairs], "team")

    edges = links_of((memory("x", links=metadata),))

    assert len(edges) == len(set(edges))
    assert set(edges) == {(edge, address(path, "team")) for edge, path in pairs}
    assert [edge for edge, _ in edges] == sorted((edge for edge, _ in edges), key=EDGES.index)


@pytest.mark.parametrize(
    "value", [None, 7, "default:b", ["default:b"], {}, {"causes": {"default:b": 1}}, {"causes": [7, None, "", "a..b"]},
             {"explains": ["default:b"]}],
)  # fmt: skip
def test_metadata_of_another_form_has_no_links(value: Any) -> None:
    assert links_of((memory("x", links=value),)) == []


def test_a_link_may_be_a_string_and_malformed_ones_are_skipped() -> None:
    record = (memory("x", links={"causes": "team:b", "calls": ["a..b", "c"]}),)

    assert links_of(record) == [("causes", address("team:b")), ("calls", address("c"))]


def test_the_links_of_a_record_are_those_of_its_active_memories() -> None:
    old = memory("old", active=False, links={"causes": ["default:gone"]})

    assert links_of((old, links_to("default:b"), links_to("default:b", "default:c"))) == [
        ("derives_from", address("b")), ("derives_from", address("c"))
    ]  # fmt: skip
    assert links_of((old,)) == [("causes", address("gone"))]
