"""Whether a text is about another person, and about whom."""

import pytest

from memoir.english.people import is_about_person, is_about_somebody_close, is_taste_of_namesake, subject, tells_taste


@pytest.mark.parametrize(
    "text",
    [
        "Bob is on leave until March",
        "Bob's timezone",
        "Priya Raman was here",
        "Anne-Marie’s desk is upstairs",
        "Qxyla is on parental leave",  # no known name, but only people are on leave
        "Qxyla is back from vacation",
        "Qxyla's birthday is in May",
        "Élodie is sick",
        "Priya owns the roadmap",
        "Liam lives in Dublin",
        "Ask Marcus about anything related to billing",
        "Liam: I moved to Berlin",
        "Ada Palmer: My editor is Vim",  # a language does not speak
        "Siemens is Ada's employer",  # and has none
        "Ada's employer is Siemens",
        "The keyboard layout was Liam Byrne’s own",
        "eclipse is Priya's editor",
        "Qxyla prefers green tea",
        "Qxyla really can’t stand coriander",
        "Qxyla’s favourite tea is Assam",
        "Qxyla and Bo love climbing",
        "Mrs Qxyla would rather be phoned",
        "O'Qxyla prefers green tea",
        "McQxyla prefers green tea",
        "liam hates mornings",
        "@qxyla_7 hates mornings",
        "@ada prefers tabs",
        "@qxyla is on leave",
        "Ada thinks tabs are better",  # a language thinks nothing
        "Qxyla never eats fish",
        "Qxyla always orders the vegetarian menu",
        "Liam finds YAML unreadable",
        "Will is on leave",
        "Liam hat am 2. September Geburtstag",
        "Liam is our release manager",
    ],
)
def test_a_text_about_a_person_is_recognised(text: str) -> None:
    assert is_about_person(text)


@pytest.mark.parametrize(
    "text",
    [
        "Redis is on port 6380",
        "Production's timezone is UTC",
        "Julia is a fast language",
        "Everyone is on leave",
        "It is on",
        "My timezone is CET",
        "My config is based on Bob's",
        "bob's",
        "Ask the vendor about it",
        "Ask Kafka for its lag",
        "Redis uses one thread",
        "Virginia is the default region",
        "Georgia was our largest market in 2023",
        "Oscar is the staging server.",
        "Qxyla orders are exported at night",
        "@pytest runs in CI",
        "Will the tests run at night",
        "Julia est un langage rapide",
        "Max connections is 20",
        "Ada: a language of the eighties",
        "Background: I am an engineer",
        "Liam: the link to his page",
        "Redis is Production's cache",
        "The release is at Liam's desk",
        "Rust prefers composition over inheritance",
        "GitHub prefers tokens",
        "pytest prefers fixtures",
        "Julia loves long loops",  # a language or a person
        "Nobody likes the old printer",
        "Prefers green tea",
        "",
    ],
)
def test_other_texts_are_not(text: str) -> None:
    assert not is_about_person(text)


def test_the_subject_is_the_person_and_not_what_is_theirs() -> None:
    assert subject("Siemens is Ada's employer") == "Ada"
    assert subject("Bob is Ada's employer") == "Bob"


def test_a_name_that_is_known_is_a_persons() -> None:
    assert subject("Zorp's editor is Vim") == "Zorp"
    assert is_about_person("Zorp's editor is Vim", known=True)
    assert not is_about_person("Zorp's editor is Vim")
    assert not is_about_person("the editor is Vim", known=True)


def test_a_title_is_no_part_of_the_name() -> None:
    assert subject("Dr. Qxyla prefers phone calls") == "Qxyla"


def test_a_tool_may_have_a_taste_but_a_language_alone_has_the_name_of_a_person() -> None:
    assert tells_taste("Rust prefers composition") and not is_taste_of_namesake("Rust prefers composition")
    assert is_taste_of_namesake("Ada prefers strong types")
    assert not is_taste_of_namesake("Ada is a language")


@pytest.mark.parametrize(
    "text",
    [
        "My aunt plays chess",
        "my boss wants it by Friday",
        "My older sister can't stand olives",
        "My brother Tom is seven",
    ],
)
def test_what_somebody_close_does_is_about_them(text: str) -> None:
    assert is_about_somebody_close(text)


def test_a_relative_is_close_and_a_manager_is_no_relative() -> None:
    assert is_about_somebody_close("My wife works at the mill", kin=True)
    assert not is_about_somebody_close("My manager works at the mill", kin=True)


@pytest.mark.parametrize(
    "text",
    [
        "My mother tongue is German",
        "My wife and I like trains",
        "My partner program ends in May",
        "My Brother prints on both sides",
        "My manager's name is in the handbook",
    ],
)
def test_what_is_only_named_after_a_relative_is_not_about_one(text: str) -> None:
    assert not is_about_somebody_close(text)
