"""Passages in the index: cut from segments, changed and removed with them, and never taken for memories."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from index.indexing import MemoryStore, hash_embedder, holdings, memory

from memoir import Memory, Repository
from memoir.embedders.static import StaticEmbedder
from memoir.index.index import Index
from memoir.index.view import View
from memoir.layers.item_options import NONE, ItemOptions
from memoir.memory import layer_namespaces
from memoir.records.record import decode
from memoir.taxonomy.paths import from_key

TALK = "Ada: Good morning, Ben.\nBen: Good morning, Ada. The heron is back.\nAda: I saw it too.\n"
CHAT = "user: My boiler whistles. Always use metres.\nassistant: It has limescale.\nuser: Thanks.\nassistant: Fine.\n"
WHOLE = ItemOptions(NONE)


@pytest.fixture
def index(repository: Repository) -> Iterator[Index]:
    with closing(Index(repository.store, StaticEmbedder(), wait=True)) as opened:
        yield opened


def ingest(repository: Repository, text: str, name: str = "talk", items: ItemOptions = WHOLE) -> None:
    repository.sources.ingest_text(text, name=name, items=items)


def rows(index: Index, repository: Repository, sql: str) -> list[tuple[object, ...]]:
    def read(view: View) -> list[tuple[object, ...]]:
        return view.database.execute(sql).fetchall()

    return index.read(repository.store.head(), read)


def contents(index: Index, repository: Repository) -> list[str]:
    def read(view: View) -> list[str]:
        ids = [int(str(number)) for (number,) in view.database.execute("SELECT id FROM document")]
        return sorted(each.content for each in view.documents(ids))

    return index.read(repository.store.head(), read)


def test_a_segment_is_indexed_as_its_passages_alone(repository: Repository, index: Index) -> None:
    ingest(repository, TALK)

    assert contents(index, repository) == [
        "Good morning, Ada. The heron is back.",
        "Good morning, Ben.",
        "I saw it too.",
    ]


def test_who_speaks_among_people_is_a_person_and_a_role_is_none(repository: Repository, index: Index) -> None:
    ingest(repository, TALK)
    ingest(repository, CHAT, "chat")

    names = index.read(repository.store.head(), lambda view: view.names())

    assert names == ["Ada", "Ben"]


def test_only_talk_among_people_has_neighbours(repository: Repository, index: Index) -> None:
    ingest(repository, TALK)
    ingest(repository, CHAT, "chat")
    ingest(repository, "# One\n\nA heron.\n\n# Two\n\nA boiler.\n", "notes")

    def with_neighbours(word: str) -> list[tuple[object, ...]]:
        sql = f"SELECT d.role, count(*) FROM words JOIN document d ON d.id = words.rowid WHERE words MATCH '{word}'"
        return rows(index, repository, f"{sql} GROUP BY d.role ORDER BY d.role")

    assert with_neighbours("{before after before2 after2} : heron") == [("talk", 2)]
    assert with_neighbours("{before after before2 after2} : boiler") == []
    assert with_neighbours("{content} : boiler") == [("text", 1), ("user", 1)]


@pytest.mark.parametrize(
    "versions",
    [
        [TALK, TALK.replace("heron", "stork")],
        [CHAT, CHAT.replace("Always use metres.", "")],
        [TALK, TALK + "Ben: And the stork.\nAda: And the crow.\n"],
        ["# A\n\nOne.\n\n# B\n\nTwo.\n", "# B\n\nTwo.\n"],
    ],
)
def test_after_a_source_changes_the_index_equals_one_built_anew(repository: Repository, versions: list[str]) -> None:
    with closing(Index(repository.store, StaticEmbedder(), wait=True)) as index:
        for version in versions:
            ingest(repository, version)
            updated = holdings(index, repository.store.head())
        standing = rows(index, repository, "SELECT kind, text FROM standing")
        index.discard()
        assert holdings(index, repository.store.head()) == updated
        assert rows(index, repository, "SELECT kind, text FROM standing") == standing


def test_the_instructions_of_a_segment_go_with_it(repository: Repository, index: Index) -> None:
    ingest(repository, CHAT)
    assert rows(index, repository, "SELECT text FROM standing") == [("Always use metres.",)]
    repository.sources.remove("talk")

    assert rows(index, repository, "SELECT text FROM standing") == []


def test_a_removed_source_leaves_nothing(repository: Repository, index: Index) -> None:
    repository.remember(Memory.of("The heron is grey."), "birds.heron")
    before = holdings(index, repository.store.head())
    ingest(repository, TALK)
    assert holdings(index, repository.store.head())["total"] == 4
    repository.sources.remove("talk")

    assert holdings(index, repository.store.head()) == before


def test_a_source_that_is_ingested_again_after_it_was_removed_is_there_again(
    repository: Repository, index: Index
) -> None:
    ingest(repository, CHAT)
    before = holdings(index, repository.store.head())
    repository.sources.remove("talk")
    holdings(index, repository.store.head())
    ingest(repository, CHAT)

    assert {**holdings(index, repository.store.head()), "documents": 0} == {**before, "documents": 0}
    assert rows(index, repository, "SELECT text FROM standing") == [("Always use metres.",)]


def test_a_clone_has_the_same_passages(repository: Repository, index: Index, tmp_path: Path) -> None:
    ingest(repository, CHAT)
    before = contents(index, repository)

    with Repository.clone(str(repository.path), tmp_path / "clone") as clone:
        assert [each.source for each in clone.recall("boiler whistles", limit=1).memories] == ["talk"]
        with closing(Index(clone.store, StaticEmbedder(), wait=True)) as other:
            assert contents(other, clone) == before


def test_segments_that_were_there_before_the_mark_of_their_layer_are_cut_once_it_comes(
    repository: Repository, memories: MemoryStore
) -> None:
    mark = {
        from_key(key).full_key: decode(value)
        for key, value in layer_namespaces.mark(repository.store.head(), "raw", "default").items()
    }
    segment = {
        "default:raw:sources.talk.0001": [memory(TALK, speakers=["Ada", "Ben"])],
        "birds.owl": [memory("An owl.")],
    }

    with closing(memories.index(hash_embedder())) as index:
        assert holdings(index, memories.snapshot(segment))["total"] == 2
        after = holdings(index, memories.snapshot({**segment, **mark}))
        assert after["total"] == 4
        assert holdings(index, memories.snapshot(segment))["total"] == 2

    with closing(memories.index(hash_embedder())) as index:
        index.discard()
        assert holdings(index, memories.snapshot({**segment, **mark})) == after


def test_a_memory_is_linked_to_the_passage_that_has_it_word_for_word(repository: Repository, index: Index) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on\nThursdays. The owl is grey.\n", "notes", ItemOptions("rules"))

    def read(view: View) -> list[tuple[str, str]]:
        ids = [int(str(number)) for (number,) in view.database.execute("SELECT document FROM item")]
        pairs = view.passages_of(ids)
        by_id = {each.id: each.content for each in view.documents([*pairs, *pairs.values()])}
        return [(by_id[item], by_id[passage]) for item, passage in pairs.items()]

    pairs = index.read(repository.store.head(), read)

    assert ("We cut releases on Thursdays.", "Runbook\nWe cut releases on\nThursdays. The owl is grey.") in pairs


def test_links_go_with_their_memories(repository: Repository, index: Index) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on Thursdays.\n", "notes", ItemOptions("rules"))
    ((path,),) = rows(index, repository, "SELECT d.path FROM item JOIN document d ON d.id = item.document")
    repository.forget(str(path))

    assert rows(index, repository, "SELECT * FROM item") == []


def test_moments_of_segments_are_asked_for_by_their_namespace_alone(repository: Repository, index: Index) -> None:
    ingest(repository, TALK)
    repository.remember(Memory.of("The heron nests."), "birds.heron")

    def counts(view: View) -> list[int]:
        return [
            view.moments(names).count() for names in ((), ("default",), ("default:raw",), ("default", "default:raw"))
        ]

    assert index.read(repository.store.head(), counts) == [1, 1, 1, 2]
    plan = rows(index, repository, "EXPLAIN QUERY PLAN SELECT learnt FROM moment WHERE NOT source ORDER BY learnt")
    assert "moment_learnt" in str(plan)


def test_a_passage_is_found_by_the_name_of_its_source_and_not_by_its_number(
    repository: Repository, index: Index
) -> None:
    ingest(repository, TALK, name="heron_watch")

    def count(word: str) -> object:
        ((number,),) = rows(index, repository, f"SELECT count(*) FROM words WHERE words MATCH '{{path}} : {word}'")
        return number

    assert [count(word) for word in ("heron", "watch", "sources", "0001")] == [3, 3, 0, 0]
