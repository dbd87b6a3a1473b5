"""The inventory shown to a model: counts and samples of exactly the memories that a query may find."""

from typing import Any, cast

import pytest
from index.indexing import NOW, Contents, MemoryStore, Stub, ask, hash_embedder, memory
from recall.pickers import PlainInventory

from memoir.embedders.embedder import Embedder
from memoir.recall.inventory import Inventory, InventoryEntry
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


def _inventory(
    store: MemoryStore, query: str = "functions", embedder: Embedder | None = None, **options: Any
) -> Inventory:
    index = store.index(embedder or hash_embedder())
    return Inventory(index, store.snapshot(LIBRARY), ask(query, **options))


def _plain() -> PlainInventory:
    return PlainInventory({key: [item.content for item in record] for key, record in LIBRARY.items()})


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "under", [[], ["prefs"], ["prefs.coding"], ["prefs.coding", "user:x:prefs"], ["top"], ["nope"]]
)
def test_prefixes_and_entries_are_those_of_a_plain_list(memories: MemoryStore, depth: int, under: list[str]) -> None:
    inventory, plain = _inventory(memories), _plain()
    places = [address(key) for key in under]
    other = _inventory(memories, globs=("*",))

    assert inventory.namespaces == plain.namespaces
    assert inventory.prefixes(depth, places) == other.prefixes(depth, places) == plain.prefixes(depth, places)
    assert list(inventory.prefixes(depth, places)) == sorted(inventory.prefixes(depth, places))
    assert inventory.entries(places) == plain.entries(places)


def test_an_entry_counts_its_memories_and_shows_the_beginning_of_the_first(memories: MemoryStore) -> None:
    entries = {entry.address.path: entry for entry in _inventory(memories, namespaces=("default",)).entries()}

    assert entries["prefs.coding.testing"] == InventoryEntry(address("prefs.coding.testing"), 2, "pytest")
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
def test_the_inventory_respects_the_filters(memories: MemoryStore, options: dict[str, Any], paths: list[str]) -> None:
    inventory = _inventory(memories, **options)

    assert [entry.address.path for entry in inventory.entries()] == paths
    assert sum(inventory.prefixes(1).values()) == len(paths)


def test_without_a_model_the_best_of_some_paths_are_ranked(memories: MemoryStore) -> None:
    among = [address(key) for key in ("top", "user:x:prefs.coding.style", "prefs.coding.style", "prefs.food")]
    inventory = _inventory(memories, "long functions")

    assert inventory.rank(among, 2) == [address("user:x:prefs.coding.style"), address("prefs.coding.style")]
    assert inventory.rank(among[:1], 2) == []


def test_unpacked_branches_include_unranked_paths(memories: MemoryStore) -> None:
    among = [address("top"), address("prefs.coding.testing")]

    candidates = _inventory(memories, "pytest").unpack(among)

    assert [(candidate.document.address.path, candidate.document.ordinal) for candidate in candidates] == [
        ("prefs.coding.testing", 0), ("prefs.coding.testing", 1), ("top", 0)
    ]  # fmt: skip


def test_an_inventory_embeds_nothing_again(memories: MemoryStore) -> None:
    stub = Stub()
    inventory = _inventory(memories, embedder=cast(Embedder, stub))
    inventory.entries()
    texts = list(stub.texts)
    inventory.entries()

    assert {item.content for record in LIBRARY.values() for item in record} <= set(texts)
    assert stub.texts == texts and len(set(texts)) == len(texts)
