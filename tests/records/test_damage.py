"""A store with a record that cannot be read: other records are read, and the damaged one is named."""

import json

import pytest
from hostile import BAD_RECORDS, Forge
from support import built_once

from memoir.embedders.hashing import HashEmbedder
from memoir.errors import DamagedStore
from memoir.exchange.merge import merge, revert
from memoir.filing.consolidate import find_matches
from memoir.index.index import Index
from memoir.memory import read, revisions, versions
from memoir.memory.grep import grep
from memoir.memory.write import edit, restore
from memoir.memory.write_options import WriteOptions
from memoir.recall.compat import IntelligentSearchEngine
from memoir.recall.timeline import Window, timeline
from memoir.records.record import Memory, decode
from memoir.repair.fsck import fsck
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import MemoryAddress, address
from memoir.tree.edit import apply

BAD = address("a.bad")


@built_once
def sound_store(repository: Repository) -> None:
    repository.remember(Memory.of("an apple"), "a.apple")
    repository.remember(Memory.of("a cherry"), "a.cherry")


@pytest.fixture(params=BAD_RECORDS)
def bad_store(sound_store: Repository, request: pytest.FixtureRequest) -> Repository:
    """Two sound memories, and between them a record that another program wrote."""
    store = sound_store.store
    forge = Forge(store)
    rows = dict(store.head().tree.scan()) | {BAD.key: forge.blob(BAD_RECORDS[request.param])}
    forge.commit(apply(store.tree(None), rows, forge.pack), lies=False)
    return sound_store


def test_other_records_can_still_be_read(bad_store: Repository) -> None:
    store = bad_store.store
    head = store.head()

    assert [place.path for place in bad_store.keys(["*"])] == ["a.apple", "a.bad", "a.cherry"]
    assert bad_store.summarize().namespaces == {"default": 3}
    assert bad_store.get("a.apple")
    records = read.get(head, [BAD, address("a.cherry"), address("a.none")], listed=True)
    assert [place.path for place in records] == ["a.cherry", "a.none"]
    matches = grep(head, "a", ["default"], fixed=True, ignore_case=False)
    assert [match.address.path for match in matches] == ["a.apple", "a.cherry"]
    paths = [json.loads(line)["path"] for line in bad_store.export_lines()]
    assert paths == ["a.apple", "a.cherry"]
    results = IntelligentSearchEngine(bad_store).search("apple")
    assert results[0].path == "a.apple"
    moments = timeline(Index(store), head, Window()).moments
    assert {moment.address.path for moment in moments} == {"a.apple", "a.cherry"}
    assert [each.operation for each in revisions.compare(store, "HEAD~1", "HEAD").differences] == ["added"]
    (version,) = versions.blame(store, BAD, head)
    assert version.record and version.record[0].content.startswith("(damaged: ")
    assert any("default:a.bad" in problem for problem in fsck(store).problems)
    assert list(store.damage) == ["default:a.bad"]


def test_consolidate_skips_a_damaged_record(bad_store: Repository) -> None:
    bad_store.remember(Memory.of("an apple", timestamp="2025-01-01"), "b.apple")

    matches = find_matches(bad_store.store.head(), Index(bad_store.store, HashEmbedder()))

    assert {each.older.address.path for each in matches.duplicates} == {"b.apple"}


def test_reading_a_damaged_record_is_an_error(bad_store: Repository) -> None:
    store = bad_store.store
    asks = (
        lambda: bad_store.get("a.bad"),
        lambda: bad_store.get_many(["a.apple", "a.bad"]),
        lambda: bad_store.remember(Memory.of("more"), "a.bad", policy="append"),
        lambda: edit(store, MemoryAddress(BAD), lambda record: record),
        lambda: bad_store.import_lines([b'{"path":"a.bad","content":"x"}'], policy="append"),
        lambda: restore(store, [MemoryAddress(BAD)], store.head()),
    )
    before = store.refs.read("refs/heads/main")
    for ask in asks:
        with pytest.raises(DamagedStore, match=r"default:a\.bad"):
            ask()
    assert store.refs.read("refs/heads/main") == before


def test_a_damaged_record_can_be_forgotten_and_not_restored(bad_store: Repository) -> None:
    bad_store.forget("a.bad")

    assert bad_store.get("a.bad") is None
    with pytest.raises(DamagedStore, match=r"default:a\.bad"):
        revert(bad_store.store, "HEAD")


def test_a_side_that_fixed_the_record_is_merged(bad_store: Repository) -> None:
    store = bad_store.store
    store.refs.create("branch", "side", store.commit("HEAD").id)
    bad_store.forget("a.bad", options=WriteOptions(branch="side"))
    bad_store.remember(Memory.of("sound"), "a.bad", options=WriteOptions(branch="side"))
    bad_store.remember(Memory.of("more"), "a.more")

    assert merge(store, "side").outcome == "merged"
    assert bad_store.get("a.bad")


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_bytes_that_cannot_be_read_are_always_damage(name: str) -> None:
    with pytest.raises(DamagedStore):
        decode(BAD_RECORDS[name])
