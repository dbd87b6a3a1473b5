"""The last level of a path: which words may name a memory, and what decides between them."""

import json
from itertools import product
from pathlib import Path

import pytest

from memoir.embedders.static import StaticEmbedder
from memoir.english.lexicon.own_words import NONE
from memoir.english.words import stems
from memoir.filing.classifier import classify
from memoir.filing.name_candidates import Words
from memoir.filing.name_features import Reading
from memoir.filing.naming import ASPECT, FILE, LIKENESS, UNSAID, UNSAID_LIKENESS, Namer, Naming
from memoir.filing.regression import MINILM, STATIC, Meaning, Row, static_meaning

WORLDS = Path(__file__).with_name("worlds.jsonl")
STATIC_ROW = StaticEmbedder().embed(["oven"])[0]


def slugs(text: str) -> list[str]:
    return [each.slug for each in Words(text).candidates()]


def flags(text: str, slug: str, first_level: str = "context") -> set[str]:
    reading = Reading(text, NONE)
    (name,) = (each for each in reading.words.candidates() if each.slug == slug)
    return {feature for feature, value in reading.features(name, first_level).items() if value == 1}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The guest list is long", ["guest", "guest_list", "list"]),
        ("Flaky login test went away", ["flaky_login_test", "login", "login_test"]),
        ("The no-show fee is due", ["no_show", "no_show_fee", "show", "show_fee", "fee"]),
        ("Exit code 137 means memory", ["exit", "exit_code", "exit_code_137", "code", "code_137"]),
        ("Solvency II is due", ["solvency", "solvency_ii"]),
    ],
)
def test_names_are_nouns_and_what_belongs_to_them(text: str, names: list[str]) -> None:
    assert slugs(text)[: len(names)] == names


@pytest.mark.parametrize(
    "text",
    [
        "Bitte immer pnpm statt npm verwenden",
        "Aquí siempre usamos pnpm, nunca npm",
        "Utilise toujours pnpm, jamais npm",
    ],
)
def test_no_common_word_of_another_language_is_part_of_a_name(text: str) -> None:
    assert slugs(text)[0] == "pnpm" and not {"bitte", "immer", "siempre", "usamos", "jamais", "toujours"} & {
        *"_".join(slugs(text)).split("_")
    }


def test_a_document_that_permits_is_part_of_a_name() -> None:
    assert "residence_permit" in slugs("The residence permit runs out in May")
    assert "permit" not in slugs("We permit no photos")


def test_in_english_such_a_word_may_be_a_name() -> None:
    assert "sur" in slugs("The Sur cluster is in Spain")


@pytest.mark.parametrize("text", ["400 euros", "Nothing", "twenty pounds", "between above", "12 kg", "evenings"])
def test_amounts_and_words_that_point_at_nothing_are_no_names(text: str) -> None:
    assert slugs(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The meetings are in Eastern time", "eastern"),
        ("The rota runs in Pacific Standard Time", "pacific"),
        ("The time zone is America/Bogota", "bogota"),
        ("Prettier prints at 110 columns", "prettier_prints"),
        ("If the build hangs, clean the cache", "build_hangs"),
        ("Picks up the kids at four", "picks"),
        ("Deep work from 8 to 11", "deep"),
        ("I have been programming since I was twelve", "since_i"),
        ("Explain it without jargon", "without_jargon"),
        ("We chose Postgres over MySQL", "mysql"),
        ("Postgres won over MySQL", "mysql"),
        ("We picked Kafka rather than RabbitMQ", "rabbitmq"),
        ("I prefer sheets as plain text rather than PDF", "pdf"),
        ("We decided against MongoDB and for Postgres", "mongodb"),
        ("Instead of MongoDB we use Postgres", "mongodb"),
        ("We moved away from MongoDB to Postgres", "mongodb"),
        ("Not MongoDB but Postgres is our database", "mongodb"),
        ("The database is Postgres, not MongoDB", "mongodb"),
        ("We dropped MongoDB for Postgres", "mongodb"),
        ("wandb not tensorboard", "tensorboard"),
        ("drivers: phone, not email", "email"),
        ("We replaced MongoDB with Postgres", "mongodb"),
        ("Use ruff instead of flake8", "flake8"),
        ("putting 80 a month aside", "putting"),
        ("Climbing tues and thurs", "thurs"),
        ("The servers run on America/New_York", "new_york"),
    ],
)
def test_no_zone_verb_or_pronoun_is_a_name_nor_what_was_passed_over(text: str, name: str) -> None:
    assert name not in slugs(text)


@pytest.mark.parametrize("text", ["uv, not pip", "We use uv instead of pip"])
def test_what_was_chosen_is_a_name_however_short(text: str) -> None:
    assert "uv" in slugs(text) and "pip" not in slugs(text)
    assert slugs("It is up, not down") == []


@pytest.mark.parametrize(
    "text",
    [
        "the auth service is owned by Priya's team",
        "The auth service is owned by Priya",
        "Priya's team owns the auth service",
    ],
)
def test_whoever_owns_or_does_something_does_not_name_what_is_said_of_it(text: str) -> None:
    assert [slug for slug in slugs(text) if "priya" in slug] == []
    assert "auth_service" in slugs(text)
    assert classify(text).paths[0].path == "context.team.auth_service"


@pytest.mark.parametrize(
    "text", ["The weekly report goes to Hannah", "I had asked Hannah to check the report by Friday."]
)
def test_a_person_of_whom_nothing_is_said_names_a_memory_only_among_people(text: str) -> None:
    namer = Namer(text, static_meaning(text))
    assert namer.best("project.tasks") == "report"
    assert namer.best("relationships.colleagues") == "hannah"


def test_who_a_text_is_about_may_name_it_and_so_may_the_only_name() -> None:
    assert "mariam" in slugs("Mariam's on holiday, ask Joost")  # "Mariam is"
    assert slugs("always done by Mariam") == ["mariam"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mountain bikes and Pacific trips", "pacific"),
        ("The oven stops are worn", "oven_stops"),
        ("Tabs over spaces", "spaces"),
        ("The service watches over MySQL", "mysql"),
        ("We decided against MongoDB", "mongodb"),
        ("Dropped MongoDB for its licence", "mongodb"),
        ("We test against MongoDB on Linux", "mongodb"),
        ("The database is not MongoDB", "mongodb"),
        ("instead of flake8", "flake8"),
    ],
)
def test_what_only_looks_like_one_of_these_is_a_name(text: str, name: str) -> None:
    assert name in slugs(text)


def test_features_tell_where_a_name_stands_and_what_it_lacks() -> None:
    text = "When the bread oven breaks, ring Lund at the Brenner desk"
    assert {"in_lead", "words_1", "lacks_noun_before", "noun_1"} <= flags(text, "oven")
    assert {"in_lead", "words_2", "plain"} <= flags(text, "bread_oven")
    assert {"proper", "clause_1"} <= flags(text, "lund")
    assert {"at", "lacks_proper_before"} <= flags(text, "desk")
    assert "after_verb" in flags("The oven has a door", "door")
    assert "after_verb" not in flags("The oven has a door", "oven")
    assert "in_lead" not in flags(text, "lund")
    assert "person" in flags(text, "lund", "relationships")
    assert "entity_subject" in flags("Rheinwerk is a host", "rheinwerk", "entity")


def test_an_acronym_is_a_name_however_short() -> None:
    assert slugs("CI builds on Linux")[0] == "ci"
    assert "ci" not in slugs("ci builds on Linux")


@pytest.mark.parametrize("word", ["mild", "severe", "previous", "little"])
def test_an_adjective_is_no_name_but_part_of_one(word: str) -> None:
    text = f"I have {word} tinnitus"
    assert slugs(text) == [f"{word}_tinnitus", "tinnitus"]
    assert "adjective" in flags(text, f"{word}_tinnitus")


@pytest.mark.parametrize("words", ["over", "rather than"])
def test_a_change_of_mind_keeps_the_name(words: str) -> None:
    one, other = f"I prefer tabs {words} spaces.", f"I prefer spaces {words} tabs."
    assert flags(one, "tabs") == flags(other, "tabs") == flags(one, "spaces")
    assert classify(one).paths[0].path == classify(other).paths[0].path


def test_the_heaviest_name_wins_and_aspects_may_be_unsaid() -> None:
    meaning = Meaning(STATIC, STATIC_ROW)
    text = "The oven has a door"
    likely = {LIKENESS: 1.0, UNSAID: 0.0, ASPECT: 0.0, UNSAID_LIKENESS: 0.0}

    def fitted(weights: dict[str, float]) -> Naming:
        return Naming({"system.hardware": ["door", "kitchen"]}, {STATIC: weights, MINILM: weights}, ())

    assert Namer(text, meaning, fitted=fitted(likely)).best("system.hardware") == "oven"
    assert Namer(text, meaning, fitted=fitted(likely | {ASPECT: 9.0})).best("system.hardware") == "door"
    assert Namer(text, meaning, fitted=fitted(likely | {UNSAID: 9.0})).best("system.hardware") == "kitchen"
    assert Namer(text, meaning, fitted=fitted(likely | {UNSAID: 9.0})).best("system.cloud") == "oven"


def test_a_meaning_of_minilm_is_projected() -> None:
    rows = [Row.of([component / 1e6, 0.0]) for component in STATIC_ROW]
    weights = {LIKENESS: 1.0}
    fitted = Naming({}, {STATIC: weights, MINILM: weights}, [*map(str, rows)])
    assert Namer("A door of the oven", Meaning(MINILM, [1.0, 0.0]), fitted=fitted).best("system.hardware") == "oven"
    assert Namer("A door of the oven", Meaning(MINILM, [-1.0, 0.0]), fitted=fitted).best("system.hardware") == "door"


def test_the_written_form_reads_back() -> None:
    text = FILE.read_text("utf-8")
    assert Naming.loads(text).dumps() == text


def test_an_aspect_is_a_name_of_labelled_facts_that_do_not_say_it() -> None:
    short = (WORLDS.parents[2] / "benchmarks" / "short").glob("*.facts.jsonl")
    lines = [json.loads(line) for file in (WORLDS, *short) for line in file.read_text("utf-8").splitlines()]
    unsaid = set[tuple[str, str]]()
    for line in lines:
        words = {*stems(line.get("text") or line["content"])}
        its = (name for name in line.get("names", ()) if words.isdisjoint(stems(name.replace("_", " "))))
        unsaid.update(product(line["categories"], its))

    aspects = Naming.loads(FILE.read_text("utf-8")).aspects
    assert aspects
    assert unsaid.issuperset((second, name) for second, names in aspects.items() for name in names)


@pytest.mark.slow
def test_facts_are_named_as_their_authors_did() -> None:
    facts = [json.loads(line) for line in WORLDS.read_text("utf-8").splitlines()]
    named = [fact for fact in facts if fact.get("names")]
    right = [
        Namer(fact["text"], static_meaning(fact["text"])).best(fact["categories"][0]) in fact["names"] for fact in named
    ]
    assert sum(right) / len(right) > 0.77
