"""Items of sources: filed once, kept right when the source changes, and gone with it."""

from typing import Any

import pytest
from index.indexing import Stub

from benchmarks.item_precision import DOCUMENTS, KEEP, is_kept
from memoir.index.index import Index
from memoir.index.view import View
from memoir.layers.derivations import STALE, add_item
from memoir.layers.ingest import Ingestion
from memoir.layers.item_options import ItemOptions
from memoir.memory.speaker import speaker
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, Record
from memoir.repository.repository import Repository
from memoir.store.store import Store

ONE, TWO, THREE = (
    "We use Postgres as our database.",
    "We decided to keep the monorepo.",
    "Never push directly to main.",
)


def ingest(repository: Repository, *sentences: str, name: str = "decisions", **options: Any) -> Ingestion:
    text = "".join(f"# Part {sentence[:3]}\n\n{sentence}\n\n" for sentence in sentences)
    return repository.sources.ingest_text(text, name=name, **options).sources[0]


def memories(repository: Repository) -> dict[str, Memory]:
    """Every active memory of the default namespace by its content."""
    items = repository.get_many(["*"])
    return {memory.content: memory for item in items for memory in item.record or () if memory.active}


def links(memory: Memory) -> list[str]:
    return [link.rpartition(".")[2] for link in memory.metadata["links"]["derives_from"]]


@pytest.fixture
def repository(store: Store) -> Repository:
    return Repository(store)


def test_items_are_memories_with_a_kind_and_a_link_that_why_follows(repository: Repository) -> None:
    done = ingest(repository, ONE, TWO, "What else?")

    contents = memories(repository)
    assert {content: memory.metadata["item_kind"] for content, memory in contents.items()} == {
        ONE: "fact",
        TWO: "resolution",
    }
    assert [item.memory.content for item in done.items] == [ONE, TWO]
    node = repository.why(done.items[0].places[0].path)
    assert [child.address.full_key for child in node.links] == ["default:raw:sources.decisions.0001"]
    assert ingest(repository, ONE, TWO, "What else?").commit is None


def test_what_a_source_says_later_is_newer_though_nobody_knows_when_it_was_said(repository: Repository) -> None:
    said = ("We deploy from main.", "Always squash commits before merging.", "We use Postgres as our database.")

    items = ingest(repository, *said).items

    assert [item.memory.content for item in sorted(items, key=lambda item: item.memory.instant)] == [*said]
    assert len({item.memory.instant for item in items}) == 3


def test_the_last_moment_of_all_has_none_after_it(repository: Repository) -> None:
    line = (
        '{"role": "user", "content": "I prefer tabs. I always use vim.", "timestamp": "9999-12-31T23:59:59.999999Z"}\n'
    )
    assert len(repository.sources.ingest_text(line * 2, name="late").sources[0].items) > 1


def test_what_is_only_weighed_in_a_decision_is_no_item(repository: Repository) -> None:
    text = f"# Decision\n\n{TWO}\n\n## Context\n\n{THREE}\n\n## Options\n\n{ONE}\n"

    done = repository.sources.ingest_text(text, name="notes").sources[0]

    assert [item.memory.content for item in done.items] == [TWO]


def test_of_the_labelled_documents_nearly_all_items_are_to_keep_and_none_is_in_the_inbox(
    repository: Repository,
) -> None:
    kept = list[bool]()
    for file in sorted(DOCUMENTS.iterdir()):
        marked = file.read_text("utf-8")
        text, options = marked.replace(KEEP, ""), WriteOptions(dry_run=True)
        items = repository.sources.ingest_text(text, name=file.stem, options=options).sources[0].items
        kept += (is_kept(item.memory.content, marked) for item in items)
        assert not [place for item in items for place in item.places if place.path.startswith("inbox.")]

    assert len(kept) >= 20
    assert sum(kept) / len(kept) >= 0.8


def test_a_sentence_is_embedded_once_to_file_and_to_index_it(
    repository: Repository, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = Stub("minilm-1", 384)
    stub.is_minilm = True
    monkeypatch.setattr("memoir.filing.filer.embedder_of", lambda _: stub)

    ingest(repository, ONE, TWO)
    assert stub.texts == [ONE, TWO]
    Index(store, stub, wait=True).read(store.head(), View.total)
    assert [stub.texts.count(each) for each in (ONE, TWO)] == [1, 1]


def test_every_item_of_a_conversation_names_who_says_it(repository: Repository) -> None:
    repository.sources.ingest_text("Ada: I prefer tabs over spaces.\nBen: Never push directly to main.\n", name="one")
    repository.sources.ingest_text('{"role": "user", "content": "We use Postgres as our database."}\n', name="two")

    names = {text: memory.metadata.keys() & {"person", "speaker"} for text, memory in memories(repository).items()}
    said_by = {text: speaker(memory.metadata) for text, memory in memories(repository).items()}

    assert names == {"I prefer tabs over spaces.": {"person"}, THREE: {"speaker"}, ONE: {"speaker"}}
    assert said_by == {"I prefer tabs over spaces.": "Ada", THREE: "Ben", ONE: "user"}


def test_the_kind_of_an_item_decides_how_it_is_merged(repository: Repository) -> None:
    repository.sources.ingest_text("Ada: I prefer tabs over spaces.\nAda: I prefer spaces over tabs.\n", name="one")
    (item,) = repository.get_many(["preferences.*"])
    repository.sources.ingest_text("Ada: I always prefer tabs over spaces.\nBen: Good.\n", name="two")
    repository.sources.remove("two")

    assert repository.get(item.address.full_key) == item.record
    assert [(facet.content, facet.active) for facet in item.record or ()] == [
        ("I prefer tabs over spaces.", False),
        ("I prefer spaces over tabs.", True),
    ]


@pytest.mark.parametrize(
    ("kinds", "active"),
    [
        (("event", "event"), [True, True]),
        (("event", "fact"), [True, True]),
        (("fact", "event"), [True, True]),
        (("fact", "plan"), [False, True]),
        (("resolution", "fact", "directive"), [True, False, True]),
    ],
)
def test_what_happened_stays_and_of_the_rest_the_newest_is_active(kinds: tuple[str, ...], active: list[bool]) -> None:
    record: Record | None = None
    source = {"derives_from": ["default:raw:sources.talk.0001"]}
    for number, kind in enumerate(kinds):
        metadata = {"item_kind": kind, "links": source}
        record = add_item(record, Memory.of(f"item {number}", confidence=0.8, metadata=metadata))

    assert [facet.active for facet in record or ()] == active


def test_of_two_sources_the_later_one_holds_whichever_is_ingested_first() -> None:
    old, new = (
        Memory.of(f"we use {name}", timestamp=day, metadata={"item_kind": "fact", "links": {"derives_from": [name]}})
        for name, day in (("MySQL", "2026-03-04"), ("Postgres", "2026-05-06"))
    )

    record = add_item(add_item(None, new), old)

    assert record == add_item(add_item(None, old), new)
    assert [memory.content for memory in record if memory.active] == ["we use Postgres"]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("2026-03-04T09:00:00Z", "2026-03-04", "Postgres"),
        ("2026-03-04", "2026-03-04T09:00:00Z", "Postgres"),
        ("2026-03-05", "2026-03-04", "MySQL"),
        ("2026-03-04T09:00:00Z", "2026-03-04T08:59:59Z", "MySQL"),
    ],
    ids=["a chat, then the note of its day", "the note first", "the note of the day before", "an earlier chat"],
)
def test_a_note_of_a_day_may_be_later_than_a_chat_of_that_day(first: str, second: str, kept: str) -> None:
    record: Record | None = None
    for name, said in (("MySQL", first), ("Postgres", second)):
        metadata = {"item_kind": "fact", "links": {"derives_from": [name]}}
        record = add_item(record, Memory.of(f"we use {name}", timestamp=said, metadata=metadata))

    assert [memory.content for memory in record or () if memory.active] == [f"we use {kept}"]


@pytest.mark.parametrize("confidence", [1.0, 0.6], ids=["remembered", "accepted from a session"])
def test_an_item_takes_the_place_of_nothing_that_somebody_stored_himself(confidence: float) -> None:
    own = Memory.of("I like tea.", confidence=confidence)
    item = Memory.of("I like coffee.", confidence=0.8, metadata={"item_kind": "preference"})

    assert [facet for facet in add_item((own,), item) if facet.active] == [own, item]


def test_an_item_whose_sentence_is_gone_is_stale_until_it_is_back(repository: Repository) -> None:
    ingest(repository, ONE, TWO)

    done = ingest(repository, ONE)
    assert (done.stale, memories(repository)[TWO].metadata[STALE]) == (1, True)

    ingest(repository, ONE, TWO)
    assert STALE not in memories(repository)[TWO].metadata


@pytest.mark.parametrize("prefix", [False, True], ids=["one by one", "by prefix"])
def test_what_was_found_in_a_forgotten_segment_is_stale(repository: Repository, prefix: bool) -> None:
    ingest(repository, ONE, TWO, THREE)
    ingest(repository, TWO, name="meeting")
    segments = ["default:raw:sources.decisions.0001", "default:raw:sources.decisions.0002"]

    done = repository.forget(*(["default:raw:sources.decisions"] if prefix else segments), prefix=prefix)

    stale = {content for content, memory in memories(repository).items() if memory.metadata.get(STALE)}
    assert {item.memory.content for item in repository.sources.stale()} == stale
    assert stale == ({ONE, THREE} if prefix else {ONE}), "the meeting says the second, too"
    assert memories(repository)[TWO].metadata["links"]["derives_from"] == ["default:raw:sources.meeting.0001"]
    assert {each.namespace for each in done.addresses} == {"default:raw"}
    repository.undo()
    assert not any(memory.metadata.get(STALE) for memory in memories(repository).values())


def test_what_was_found_in_a_segment_that_is_brought_back_is_no_longer_stale(repository: Repository) -> None:
    ingest(repository, ONE, TWO)
    repository.forget("default:raw:sources.decisions", prefix=True)

    repository.restore("default:raw:sources.decisions.0002", at="HEAD~1")

    assert [item.memory.content for item in repository.sources.stale()] == [ONE]


def test_an_item_that_is_forgotten_with_its_segment_is_gone(repository: Repository) -> None:
    place = ingest(repository, ONE, TWO).items[0].places[0]

    repository.forget(place.full_key, "default:raw:sources.decisions.0001", "default:raw:sources.decisions.0002")

    assert repository.get(place.full_key) is None
    assert memories(repository)[TWO].metadata[STALE] is True
    assert [item.memory.content for item in repository.sources.stale()] == [TWO], "though no source is left"


def test_a_sentence_that_one_of_two_sources_no_longer_says_is_not_stale(repository: Repository) -> None:
    ingest(repository, ONE, TWO)
    ingest(repository, TWO, name="meeting")

    assert ingest(repository, ONE).stale == 0
    assert STALE not in memories(repository)[TWO].metadata
    assert ingest(repository, THREE, name="meeting").stale == 1


def test_an_item_whose_place_its_new_wording_takes_is_not_said_to_be_stale(repository: Repository) -> None:
    ingest(repository, "Never commit to the main branch.", TWO)

    done = ingest(repository, "Never commit to the main branch of git.", TWO)

    assert ([item.memory.content for item in done.items], done.stale) == (
        ["Never commit to the main branch of git."],
        0,
    )
    assert not repository.sources.stale()
    assert "Never commit to the main branch." not in memories(repository)


def test_items_that_an_older_memoir_found_in_a_manual_stay_while_it_says_them(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = "The server listens on port 80."
    with monkeypatch.context() as older:
        older.setattr("memoir.sources.reading.speaks_for_project", lambda name, text: True)
        older.setattr("memoir.layers.items.holds", lambda sentence, kind, path: True)
        assert len(ingest(repository, port, ONE, name="manual").items) == 2

    done = ingest(repository, f"{port} It is the default.", f"{ONE} Every one.", name="manual")

    assert (done.segments.changed, done.items, done.stale) == (2, [], 0)
    assert memories(repository).keys() == {port, ONE}
    assert ingest(repository, ONE, name="manual").stale == 1


def test_an_item_follows_its_sentence_to_another_segment(repository: Repository) -> None:
    ingest(repository, ONE, TWO)
    before = links(memories(repository)[TWO])

    repository.sources.ingest_text(f"# Part Our\n\n{ONE} {TWO}\n", name="decisions")

    assert (before, links(memories(repository)[TWO])) == (["0002"], ["0001"])
    assert STALE not in memories(repository)[TWO].metadata


def test_what_the_user_did_to_items_stays(repository: Repository) -> None:
    repository.remember(Memory.of(ONE), "mine.dates")
    done = ingest(repository, ONE, TWO, THREE)
    place = {item.memory.content: item.places[0].path for item in done.items}
    repository.move(place[TWO], "elsewhere.repo")
    repository.forget(place[THREE])

    ingest(repository, ONE, TWO, f"{THREE} See it.")
    ingest(repository, ONE, f"{TWO} Yes.", f"{THREE} See it.")

    assert repository.content("mine.dates") == ONE
    assert repository.content("elsewhere.repo") == TWO
    assert THREE not in memories(repository)


def test_removing_a_source_takes_what_came_from_it_alone(repository: Repository) -> None:
    repository.remember(Memory.of("mine"), "a.b")
    before = repository.store.head().stored_root
    ingest(repository, ONE, TWO)
    ingest(repository, TWO, name="meeting")

    removal = repository.sources.remove("decisions")

    assert (removal.items, removal.kept) == (1, 1)
    assert memories(repository).keys() == {TWO, "mine"}
    repository.sources.remove("meeting")
    assert memories(repository).keys() == {"mine"}
    repository.undo(4)
    assert repository.store.head().stored_root == before


def test_a_sentence_that_two_sources_say_stays_with_the_other_though_it_is_superseded(repository: Repository) -> None:
    talk = "Ada: I prefer tabs over spaces.\nAda: I prefer spaces over tabs.\n"
    for name, text in (("one", talk), ("two", f"Ben: Hello.\n{talk}")):
        repository.sources.ingest_text(text, name=name)
    (item,) = repository.get_many(["preferences.*"])

    removal = repository.sources.remove("one")

    assert (removal.items, removal.kept) == (0, 2)
    record = repository.get(item.address.full_key) or ()
    assert [(facet.content, facet.active) for facet in record] == [
        ("I prefer tabs over spaces.", False),
        ("I prefer spaces over tabs.", True),
    ]
    assert all("two" in str(facet.metadata["links"]) and "one" not in str(facet.metadata["links"]) for facet in record)


def test_a_sentence_of_another_source_joins_its_item_wherever_the_rules_would_file_it_by_now(
    repository: Repository,
) -> None:
    talk = "Ada: Always keep the lamp of the lighthouse lit.\nBen: Good.\n"
    repository.sources.ingest_text(talk, name="one")
    repository.remember(Memory.of("Always keep the lamp of the lighthouse lit!"), "goals.personal.lighthouses")

    repository.sources.ingest_text(f"Ben: Hello.\n{talk}", name="two")

    says = "Always keep the lamp of the lighthouse lit."
    texts = {each.address.path: [facet.content for facet in each.record or ()] for each in repository.get_many(["*"])}
    (place,) = (path for path, contents in texts.items() if says in contents)
    assert place.startswith("inbox.")


def test_a_sentence_that_a_source_repeats_is_one_item(repository: Repository) -> None:
    done = repository.sources.ingest_text(f"# One\n\n{ONE}\n\n# Two\n\n{ONE}\n", name="decisions").sources[0]

    assert [item.memory.content for item in done.items] == [ONE]
    assert links(memories(repository)[ONE]) == ["0001", "0002"]


def test_without_items_there_are_segments_only_and_items_can_be_made_later(repository: Repository) -> None:
    assert not ingest(repository, ONE, items=ItemOptions("none")).items
    assert not memories(repository)

    assert [item.memory.content for item in ingest(repository, ONE).items] == [ONE]
    assert ingest(repository, ONE, items=ItemOptions("none")).commit is None
