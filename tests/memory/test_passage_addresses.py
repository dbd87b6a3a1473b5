"""`KEY#p2` and `KEY#p2-4`: passages of a segment by their addresses."""

import pytest

from memoir import Memory, Repository
from memoir.errors import InvalidInput, NotFound
from memoir.layers.item_options import NONE, ItemOptions
from memoir.memory.facets import ids_of

KEY = "default:raw:sources.talk.0001"
TALK = "Ada: One.\nBen: Two.\nAda: Three.\nBen: Four.\n"


@pytest.fixture
def talk(repository: Repository) -> Repository:
    repository.sources.ingest_text(TALK, name="talk", items=ItemOptions(NONE))
    return repository


def read(repository: Repository, key: str) -> str | None:
    (entry,) = repository.get_many([key])
    return entry.record[0].content if entry.record else None


def test_one_passage_is_read(talk: Repository) -> None:
    assert read(talk, f"{KEY}#p2") == "Ben: Two."


def test_several_passages_are_read_as_one(talk: Repository) -> None:
    assert read(talk, f"{KEY}#p2-4") == "Ben: Two.\nAda: Three.\nBen: Four."


@pytest.mark.parametrize("name", ["p5", "p9-12", "p3-2"])
def test_a_passage_that_does_not_exist_is_not_found(talk: Repository, name: str) -> None:
    assert read(talk, f"{KEY}#{name}") is None
    with pytest.raises(NotFound):
        talk.why(f"{KEY}#{name}")


@pytest.mark.parametrize("name", ["p", "p0", "p1-", "p1-2-3", "px"])
def test_what_is_no_id_of_a_passage_is_refused(talk: Repository, name: str) -> None:
    with pytest.raises(InvalidInput):
        talk.get_many([f"{KEY}#{name}"])


def test_an_ordinary_memory_has_no_passages(talk: Repository) -> None:
    talk.remember(Memory.of("Ada: One.\nBen: Two."), "notes.talk")

    assert read(talk, "notes.talk#p1") is None
    with pytest.raises(NotFound):
        talk.why("notes.talk#p1")


def test_why_goes_up_from_a_passage_to_its_segment(talk: Repository) -> None:
    node = talk.why(f"{KEY}#p2")
    (segment,) = node.links

    assert (node.target.full_key, node.record and node.record[0].content) == (f"{KEY}#p2", "Ben: Two.")
    assert (segment.edge, segment.target.full_key, segment.source) == ("passage_of", KEY, "talk")
    assert segment.record and segment.record[0].content == TALK


def test_why_of_one_memory_among_several_shows_it_alone_with_its_own_links(repository: Repository) -> None:
    for number in ("one", "two"):
        repository.remember(Memory.of(number), f"from.{number}")
        linked = Memory.of(f"made of {number}", metadata={"links": {"derives_from": [f"default:from.{number}"]}})
        repository.remember(linked, "made.here", policy="append")
    _, two = ids_of(repository.get("made.here") or ())

    node = repository.why(f"made.here#{two[:4]}")

    assert (node.id, node.record and [memory.content for memory in node.record]) == (two, ["made of two"])
    assert [link.address.path for link in node.links] == ["from.two"]


def test_a_passage_of_an_older_revision_is_read(talk: Repository) -> None:
    talk.sources.ingest_text(TALK.replace("Two", "Too"), name="talk", items=ItemOptions(NONE))

    (entry,) = talk.get_many([f"{KEY}#p2"], at="HEAD~1")

    assert entry.record and entry.record[0].content == "Ben: Two."
