"""Ids: minted once, the same on every branch, and found after a move."""

import pytest

from memoir.errors import NotFound
from memoir.memory import links, write
from memoir.memory.links import with_links
from memoir.memory.read import get
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, Record
from memoir.repository.repository import Repository
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, address

TARGET = address("a.b")


def record(store: Store, place: Address = TARGET) -> Record:
    return get(store.head(), [place])[place] or ()


def link(store: Store, path: str, target: str = "a.b") -> Memory:
    new = with_links(Memory.of("later"), [f"causes={target}"], "default", store.head())
    write.remember(store, new, [address(path)])
    return new


def test_the_first_link_mints_an_id_and_the_next_one_uses_it(store: Store) -> None:
    write.remember(store, Memory.of("one", timestamp="2026-01-01"), [TARGET])
    assert links.id_of(record(store)) is None

    first, second = link(store, "c.d"), link(store, "e.f")

    assert links.id_of(record(store)) == links.link_ids(first)["default:a.b"]
    assert links.link_ids(first) == links.link_ids(second)
    assert links.find(store.head(), links.link_ids(first)["default:a.b"]) == TARGET


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

    assert links.id_of(record(store)) and len(record(store)) == 1


def test_a_link_finds_a_memory_that_was_moved_to_others(repository: Repository) -> None:
    for path in ("a.b", "c.d"):
        repository.remember(Memory.of(f"About {path}."), path)
        repository.remember(Memory.of(f"From {path}."), f"from.{path}", links=[f"derives_from={path}"])

    repository.move("a.b", "c.d", append=True)

    for path in ("a.b", "c.d"):
        (link,) = repository.why(f"from.{path}").links
        assert link.address.path == "c.d" and link.record
