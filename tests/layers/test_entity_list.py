"""Entities as a user of the library sees them."""

import pytest
from support import built_once

from memoir import Memory, NotFound, Repository
from memoir.layers.entity_list import EntityList

FACTS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("a.one", "We run the API on Kubernetes.", {}),
    ("a.two", "All of our APIs are slow.", {}),
    ("a.three", "They read \"The Art of Names\" and the api docs.", {"person": "Ada Lovelace"}),
    ("a.four", "the art of names is long", {"entities": ["Acme Corp"]}),
    ("a.five", "ada met acme corp", {"person": ["ada lovelace"]}),
)  # fmt: skip


@built_once
def facts(repository: Repository) -> None:
    for day, (path, content, metadata) in enumerate(FACTS, 1):
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z", metadata=metadata), path)
    repository.remember(Memory.of("We run Kubernetes."), "user:bob:a.one")


def rows(result: EntityList) -> list[tuple[str, str, int]]:
    return [(each.name, each.kind, each.size) for each in result.entities]


def test_people_given_names_titles_and_words_with_capitals_are_entities_in_all_their_forms(facts: Repository) -> None:
    result = facts.layers.entities(namespaces=["default"])

    assert set(rows(result)) == {
        ("API", "name", 3), ("Ada Lovelace", "person", 2), ("Acme Corp", "given", 2), ("The Art of Names", "title", 2),
        ("Kubernetes", "name", 1),
    }  # fmt: skip
    assert {each.name: each.aliases for each in result.entities}["API"] == ("APIs", "api")
    assert [each.size for each in result.entities] == [3, 2, 2, 2, 1]
    assert not result.more


def test_the_limit_leaves_out_those_that_fewest_memories_name_and_says_so(facts: Repository) -> None:
    result = facts.layers.entities(limit=1)

    assert (rows(result), result.more) == ([("API", "name", 3)], True)


@pytest.mark.parametrize("name", ["apis", "API", "Api"])
def test_any_form_of_a_name_finds_the_memories_newest_first(facts: Repository, name: str) -> None:
    result = facts.layers.entities(name)

    assert [each.address.path for each in result.memories or ()] == ["a.three", "a.two", "a.one"]


def test_an_entity_that_only_other_namespaces_name_is_not_found(facts: Repository) -> None:
    with pytest.raises(NotFound, match="names 'apis'"):
        facts.layers.entities("apis", namespaces=["user:bob"])
    with pytest.raises(NotFound) as error:
        facts.layers.entities("kuberntes")
    assert error.value.hint == "did you mean 'Kubernetes'?"


def test_what_is_forgotten_is_named_no_longer(facts: Repository) -> None:
    facts.layers.entities()
    facts.forget("a.four", "a.five", "a.three")

    assert {name for name, _, _ in rows(facts.layers.entities())} == {"API", "Kubernetes"}


@pytest.mark.parametrize("name", ["Ac\0me Corp", "Ac\0me", "\0", '"', "*", "NEAR(a b)", "a" * 200])
def test_no_name_in_metadata_keeps_the_others_from_being_listed(facts: Repository, name: str) -> None:
    facts.remember(Memory.of("The name is odd.", metadata={"entities": [name]}), "a.odd")

    assert {"Kubernetes", "Ada Lovelace"} <= {each for each, _, _ in rows(facts.layers.entities())}
    assert [each.address.path for each in facts.layers.entities(name).memories or ()] == ["a.odd"]


@pytest.mark.slow
@pytest.mark.parametrize("field", ["person", "entities", "content"])
@pytest.mark.parametrize("name", ["Kestrel" * 14_000, "Kestrel Tower " * 7_000], ids=["a word", "words"])
def test_what_is_as_long_as_a_chapter_names_nothing(facts: Repository, field: str, name: str) -> None:
    """Its beginnings alone would take gigabytes."""
    before = rows(facts.layers.entities())
    metadata = {} if field == "content" else {field: name}
    facts.remember(Memory.of(f'we read "{name}" there' if field == "content" else "x", metadata=metadata), "a.long")

    assert set(before) <= set(rows(facts.layers.entities())) | {("Kestrel", "name", 1)}
    with pytest.raises(NotFound) as failure:
        facts.layers.entities(name)
    assert len(str(failure.value)) < 300


def test_parts_of_a_name_and_its_whole_are_one_entity(repository: Repository) -> None:
    for number, content in enumerate(
        (
            "I like the songs of Ed Sheeran.",
            "We heard Ed in London.",
            "A book by Amy Ellis Nutt is here.",
            "It is by Nutt.",
        )
    ):
        repository.remember(Memory.of(content), f"a.n{number}")

    result = repository.layers.entities()

    assert rows(result) == [("Amy Ellis Nutt", "name", 2), ("Ed Sheeran", "name", 2), ("London", "name", 1)]
    assert [each.aliases for each in result.entities] == [("Nutt",), ("Ed",), ()]
    for name in ("ed", "Ed Sheeran", "ed sheeran"):
        assert len(repository.layers.entities(name).memories or ()) == 2
    assert [each.relations[0].why for each in repository.layers.related("a.n0").relatives] == ["both name Ed Sheeran"]


def test_a_word_of_several_names_stands_for_itself(repository: Repository) -> None:
    for number, content in enumerate(("It runs on Google Cloud.", "We use Google Maps.", "We like Google.")):
        repository.remember(Memory.of(content), f"a.n{number}")

    assert rows(repository.layers.entities()) == [
        ("Google", "name", 3), ("Google Cloud", "name", 1), ("Google Maps", "name", 1),
    ]  # fmt: skip


def test_the_beginning_of_one_persons_name_is_the_person(repository: Repository) -> None:
    repository.remember(Memory.of("I painted a sunrise.", metadata={"person": "Melanie"}), "a.one")
    repository.remember(Memory.of("How nice, says Mel and Ann."), "a.two")
    repository.remember(Memory.of("I sing.", metadata={"person": "Anna"}), "a.three")

    result = repository.layers.entities()

    assert [(each.name, each.size) for each in result.entities] == [("Melanie", 2), ("Ann", 1), ("Anna", 1)]
    assert len(repository.layers.entities("mel").memories or ()) == 2


@pytest.mark.parametrize(
    "content",
    [
        "We met on Fri and on Friday, in May and in Sept.",
        "Gather documents. Then Put them away, and Remove it.",
        "# Getting Started With The Store\n\nAs a title: Getting Started With The Store",
        'He said "Always look on the bright side of life".',
        "It has 30 MB, and runs v2.0.1 since 10 GiB.",
        "R is a letter, and so is I.",
        'We go there in Spring, on 03/04/05, and see "The office" and "And by the".',
    ],
)
def test_days_verbs_headings_sayings_and_units_are_no_entities(repository: Repository, content: str) -> None:
    repository.remember(Memory.of(content), "a.one")

    assert rows(repository.layers.entities()) == []


def test_words_in_code_that_rules_found_in_a_source_are_names_only_if_they_look_so(repository: Repository) -> None:
    text = "# Decisions\n\nWe decided to keep `path` and `db_main` out of the `store` of Open Library.\n"
    repository.sources.ingest_text(text, name="decisions")

    assert {name for name, _, _ in rows(repository.layers.entities())} == {"db_main", "Open Library"}


def test_a_passage_that_names_an_entity_has_no_id_of_a_memory(repository: Repository) -> None:
    repository.sources.ingest_text("Ada: Is it Ben?\n\nBen: Ask Ben Okafor.\n\nAda: I asked Ben.\n", name="talk")

    memories = repository.layers.entities("Ben", namespaces=["default:raw"]).memories

    assert memories
    assert {(each.address.path, each.id) for each in memories} == {("sources.talk.0001", "")}
    assert len({each.ordinal for each in memories}) == len(memories) > 1


def remember_all(repository: Repository, *contents: str) -> None:
    for number, content in enumerate(contents):
        repository.remember(content, f"a.n{number}")


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        (("We met in Las Vegas.", "They love Vegas, too."), {"Las Vegas"}),
        (("We moved to New York.", "They love NYC, too.", "I saw New York City."), {"New York"}),
        (("We moved to New York.", *["I was in York, England."] * 4), {"New York", "York", "England"}),
        (("Our `load_all` is slow.", "def load_all(self):\n    return __name__;"), {"load_all"}),
        (("Add a Skills page.", "My skills are rare.", "What skills are those?"), set()),
    ],
    ids=["a part", "a list", "a town of its own", "an identifier of code alone", "an ordinary word"],
)
def test_an_entity_is_one_real_name(repository: Repository, contents: tuple[str, ...], expected: set[str]) -> None:
    remember_all(repository, *contents)

    assert {each.name for each in repository.layers.entities().entities} == expected


def test_an_assistant_and_its_user_are_nobody_by_name(repository: Repository) -> None:
    for number, name in enumerate(("user", "assistant", "Ann")):
        repository.remember(Memory.of("Tea is fine.", metadata={"person": name}), f"a.n{number}")

    assert [each.name for each in repository.layers.entities().entities] == ["Ann"]
