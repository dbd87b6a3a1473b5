"""The library that a model is shown: counts and samples of exactly what a request may find."""

from typing import Any, cast

import pytest
from index.indexing import NOW, Contents, MemoryStore, Stub, ask, hashing, memory
from recall.library_for_tests import Shelf

from memoir.index.embedders.embedder import Embedder
from memoir.index.inventory import Entry
from memoir.recall.settings import Settings
from memoir.recall.stock import Stock
from memoir.taxonomy.paths import address

LIBRARY: Contents = {
    "prefs.coding.style": [memory("short functions", person="Ada")],
    "prefs.coding.testing": [memory("pytest"), memory("ruff too")],
    "prefs.coding": [memory("python")],
    "prefs.coding-style": [memory("tabs")],
    "prefs.food": [memory("noodles " * 50, "2025-06-01T00:00:00Z")],
    "top": [memory("of the list")],
    "user:x:prefs.coding.style": [memory("long functions")],
}


def _stock(store: MemoryStore, query: str = "functions", embedder: Embedder | None = None, **options: Any) -> Stock:
    index = store.index(embedder or hashing())
    return Stock(index, store.snapshot(LIBRARY), ask(query, **options), Settings())


def _shelf() -> Shelf:
    return Shelf({key: [item.content for item in record] for key, record in LIBRARY.items()})


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "under", [[], ["prefs"], ["prefs.coding"], ["prefs.coding", "user:x:prefs"], ["top"], ["nope"]]
)
def test_prefixes_and_entries_are_those_of_a_plain_list(memories: MemoryStore, depth: int, under: list[str]) -> None:
    stock, shelf, places = _stock(memories), _shelf(), [address(key) for key in under]
    counted = _stock(memories, globs=("*",))

    assert stock.namespaces == shelf.namespaces
    assert stock.prefixes(depth, places) == counted.prefixes(depth, places) == shelf.prefixes(depth, places)
    assert list(stock.prefixes(depth, places)) == sorted(stock.prefixes(depth, places))
    assert stock.entries(places) == shelf.entries(places)


def test_an_entry_counts_its_memories_and_shows_the_beginning_of_the_first(memories: MemoryStore) -> None:
    entries = {entry.address.path: entry for entry in _stock(memories, namespaces=("default",)).entries()}

    assert entries["prefs.coding.testing"] == Entry(address("prefs.coding.testing"), 2, "pytest")
    assert entries["prefs.coding.testing"].kind == "aggregated"
    assert entries["prefs.food"].sample == ("noodles " * 50)[:100]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"namespaces": ("user:x",)}, ["prefs.coding.style"]),
        ({"person": "ada"}, ["prefs.coding.style"]),
        ({"globs": ("*.testing", "top")}, ["prefs.coding.testing", "top"]),
        ({"until": NOW - 90 * 86_400}, ["prefs.food"]),
    ],
)
def test_only_what_may_be_found_is_shown(memories: MemoryStore, options: dict[str, Any], paths: list[str]) -> None:
    stock = _stock(memories, **options)

    assert [entry.address.path for entry in stock.entries()] == paths
    assert sum(stock.prefixes(1).values()) == len(paths)


def test_without_a_model_the_best_of_some_paths_are_ranked(memories: MemoryStore) -> None:
    among = [address(key) for key in ("top", "user:x:prefs.coding.style", "prefs.coding.style", "prefs.food")]
    stock = _stock(memories, "long functions")

    assert stock.ranked(among, 2) == [address("user:x:prefs.coding.style"), address("prefs.coding.style")]
    assert stock.ranked(among[:1], 2) == []


def test_what_is_unpacked_includes_what_nothing_speaks_for(memories: MemoryStore) -> None:
    among = [address("top"), address("prefs.coding.testing")]

    found = _stock(memories, "pytest").unpacked(among)

    assert [(candidate.document.address.path, candidate.document.ordinal) for candidate in found] == [
        ("prefs.coding.testing", 0), ("prefs.coding.testing", 1), ("top", 0)
    ]  # fmt: skip


def test_an_inventory_embeds_nothing_again(memories: MemoryStore) -> None:
    stub = Stub()
    stock = _stock(memories, embedder=cast(Embedder, stub))
    for _ in range(2):
        stock.entries()

    assert len(stub.asked) == len({item.content for record in LIBRARY.values() for item in record})
