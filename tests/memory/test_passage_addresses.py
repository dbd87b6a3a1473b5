"""`KEY#p2` and `KEY#p2-4`: passages of a segment by their addresses."""

import pytest
from support import built_once

from memoir import Memory, Repository
from memoir.errors import InvalidInput, NotFound
from memoir.layers.item_options import NONE, ItemOptions
from memoir.memory.facets import ids_of

KEY = "default:raw:sources.talk.0001"
TALK = "Ada: One.\nBen: Two.\nAda: Three.\nBen: Four.\n"


@built_once
def talk(repository: Repository) -> None:
    repository.sources.ingest_text(TALK, name="talk", items=ItemOptions(NONE))


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


SHORT = ["~0001#p2", "talk.0001#p2", "sources.talk.0001#p2", f"{KEY}#p2"]


@pytest.mark.parametrize("key", SHORT)
def test_every_method_that_takes_a_key_takes_each_form_of_an_address(talk: Repository, key: str) -> None:
    segment = KEY.partition(":raw:")[2]

    assert talk.address_of(key).full_key == f"{KEY}#p2"
    assert [each.content for each in talk.get(key) or ()] == [talk.content(key)] == ["Ben: Two."]
    assert [each.content for each in talk.show("HEAD", key).record or ()] == ["Ben: Two."]
    assert [version.address.path for version in talk.blame(key)] == [segment]
    assert [each.target for each in talk.explain("Two", key).memories] == [talk.address_of(key)]
    assert len(list(talk.log(key))) == len(list(talk.diff(under=[key]).differences)) == 1
    assert talk.why(key).target.full_key == f"{KEY}#p2"
    assert talk.layers.related(key).relatives == talk.layers.related(KEY).relatives
    assert talk.timeline(around=key).moments == talk.timeline(around=KEY).moments
    assert bytes(talk.prove(key)) == bytes(talk.prove(KEY))
    assert talk.is_key(key)
    writes = (talk.forget, talk.agents.pin, talk.annotate, talk.code.confirm, talk.replace, talk.upkeep.purge)
    for write in writes:
        with pytest.raises(InvalidInput) as refusal:
            write(key)
        assert refusal.value.hint


@pytest.mark.parametrize("key", ["~talk", "~0002", "~0002#p1"])
def test_the_end_of_an_address_that_none_of_several_sources_has_is_not_found_in_the_words_that_were_typed(
    talk: Repository, key: str
) -> None:
    talk.sources.ingest_text("# Talk\nOne.\n", name="notes", items=ItemOptions(NONE))

    with pytest.raises(NotFound, match=f"no source has a segment '{key}'") as error:
        talk.get_many([key])
    assert error.value.hint == "'memoir sources' lists the sources"


@pytest.mark.parametrize("missing", ["~0002", "~0002#p1", "~talk.0002#p1"])
def test_a_missing_number_of_the_only_source_keeps_nothing_back_of_the_others(talk: Repository, missing: str) -> None:
    first, second = talk.get_many(["~0001#p1", missing])

    assert first.record and (second.address.path, second.record) == ("sources.talk.0002", None)


@pytest.mark.parametrize("key", ["~", "~a b", "~talk.0001#ab", "~0001#px", "~notes.talk#1"])
def test_what_cannot_be_the_end_of_an_address_is_refused(talk: Repository, key: str) -> None:
    with pytest.raises(InvalidInput, match="not the end of a source's key") as error:
        talk.get_many([key])
    assert error.value.hint == "write the whole key, without '~'"


def test_a_segment_that_several_sources_have_is_named_by_all_its_passages(talk: Repository) -> None:
    talk.sources.ingest_text("# Talk\nOne.\n", name="notes", items=ItemOptions(NONE))

    with pytest.raises(InvalidInput, match="~0001 is in 2 sources") as error:
        talk.get_many(["~0001"])
    hint = "name the source: sources.notes.0001#p1, sources.talk.0001#p1-4; 'memoir get sources.notes.0001#p1'"
    assert error.value.hint == f"{hint} reads the first"


def test_explain_ranks_one_passage_or_one_memory_of_several(talk: Repository) -> None:
    for text in ("The harbour is old.", "The harbour is new."):
        talk.remember(Memory.of(text), "facts.harbour", policy="append")
    first, second = ids_of(talk.get("facts.harbour") or ())

    ((_, passage, _),) = talk.explain("who said three", f"{KEY}#p3").memories
    ((_, memory, _),) = talk.explain("harbour", f"facts.harbour#{second[:5]}").memories

    assert (passage.document.content, memory.document.content) == ("Three.", "The harbour is new.")
    assert {each.target.id for each in talk.explain("harbour", "facts.harbour").memories} == {first, second}
    with pytest.raises(NotFound):
        talk.explain("three", f"{KEY}#p9")


def test_a_glob_that_only_segments_match_is_hinted_at(talk: Repository) -> None:
    assert talk.hint("sources.talk.*") == "did you mean 'default:raw:sources.talk.*'?"
    assert talk.hint("nosuch.*") == "'memoir ls' lists all paths"


def test_a_segment_without_its_layer_is_all_of_its_passages(talk: Repository) -> None:
    whole = talk.address_of("sources.talk.0001")

    assert whole.full_key == talk.address_of("~0001").full_key == f"{KEY}#p1-4"
    assert read(talk, "sources.talk.0001") == "Ada: One.\nBen: Two.\nAda: Three.\nBen: Four."
    assert talk.explain("three", "sources.talk.0001").memories[0].target.id == "p3"


def test_a_path_of_ones_own_that_begins_like_a_source_stays_what_it_is(talk: Repository) -> None:
    talk.remember(Memory.of("Mine."), "sources.talk.0001")

    assert read(talk, "sources.talk.0001") == "Mine."


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        (f"{KEY}#p400", "its segment has the passages p1 to p4; 'memoir get sources.talk.0001' reads it"),
        ("~0001#p5", "its segment has the passages p1 to p4; 'memoir get sources.talk.0001' reads it"),
        ("~9999#p4", "sources.talk has the segment 0001 alone"),
        ("sources.talk.0009", "sources.talk has the segment 0001 alone"),
        ("sources.tolk.0001#p1", "did you mean 'default:raw:sources.talk.0001'?"),
    ],
)
def test_the_hint_for_a_passage_or_segment_that_is_missing_names_those_there_are(
    talk: Repository, key: str, hint: str
) -> None:
    assert talk.hint(key) == hint
    with pytest.raises(NotFound) as error:
        talk.explain("three", key)
    assert error.value.hint == hint
