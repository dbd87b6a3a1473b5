"""Links as they are given and kept; and ids: minted once, the same on every branch, and found after a move."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import links_to, memory

from memoir.errors import InvalidInput, NotFound
from memoir.memory import write
from memoir.memory.links import find, id_of, link_ids, links, links_of, with_links
from memoir.memory.read import get
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import EDGES
from memoir.records.record import Memory, Record
from memoir.repository.repository import Repository
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, address


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


TARGET = address("a.b")


def record(store: Store, place: Address = TARGET) -> Record:
    return get(store.head(), [place])[place] or ()


def link(store: Store, path: str, target: str = "a.b") -> Memory:
    new = with_links(Memory.of("later"), [f"causes={target}"], "default", store.head())
    write.remember(store, new, [address(path)])
    return new


def test_the_first_link_mints_an_id_and_the_next_one_uses_it(store: Store) -> None:
    write.remember(store, Memory.of("one", timestamp="2026-01-01"), [TARGET])
    assert id_of(record(store)) is None

    first, second = link(store, "c.d"), link(store, "e.f")

    assert id_of(record(store)) == link_ids(first)["default:a.b"]
    assert link_ids(first) == link_ids(second)
    assert find(store.head(), link_ids(first)["default:a.b"]) == TARGET


def test_a_link_to_nothing_is_refused(store: Store) -> None:
    with pytest.raises(NotFound):
        link(store, "c.d")


def test_two_branches_mint_the_same_id_and_merge(store: Store) -> None:
    write.remember(store, Memory.of("one", timestamp="2026-01-01"), [TARGET])
    repository = Repository(store)
    repository.branches.create("other")
    for path, branch in (("c.d", None), ("e.f", "other")):
        repository.remember(Memory.of(path), path, links=["causes=a.b"], options=WriteOptions(branch=branch))

    repository.merge("other")

    assert id_of(record(store)) and len(record(store)) == 1


def test_a_link_finds_a_memory_that_was_moved_to_others(repository: Repository) -> None:
    for path in ("a.b", "c.d"):
        repository.remember(Memory.of(f"About {path}."), path)
        repository.remember(Memory.of(f"From {path}."), f"from.{path}", links=[f"derives_from={path}"])

    repository.move("a.b", "c.d", append=True)

    for path in ("a.b", "c.d"):
        (link,) = repository.why(f"from.{path}").links
        assert link.address.path == "c.d" and link.record
