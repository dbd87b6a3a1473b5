"""What a question asks for, and the things that it lists."""

import re

import pytest

from memoir.english.requests import (
    asks_for_a_fact,
    asks_for_a_number,
    asks_for_an_overview,
    asks_for_code,
    asks_for_instructions,
    asks_for_the_assistants_words,
    asks_for_the_order_of_talk,
    asks_for_the_present,
    asks_what_is_open,
    asks_when,
    count_relations,
    introduction_sought,
    is_mere_question,
    is_offer,
    leaves_open,
    listed,
    subject,
)


@pytest.mark.parametrize(
    "question",
    [
        "What did you recommend for the roof?",
        "which book have you already suggested",
        "the film that you mentioned",
        "What was your advice about the tax?",
        "your last recommendations",
        "What did the assistant's answer say?",
        "how many steps did the AI list",
        "What was the assistant's objection to the lock?",
        "which did the assistant call smaller?",
    ],
)
def test_a_question_asks_for_what_the_assistant_said(question: str) -> None:
    assert asks_for_the_assistants_words(question)


@pytest.mark.parametrize(
    "question",
    [
        "What did I recommend?",
        "Can you recommend a film?",
        "What is your name?",
        "what did Ada suggest",
        "How do you do?",
    ],
)
def test_other_questions_do_not(question: str) -> None:
    assert not asks_for_the_assistants_words(question)


@pytest.mark.parametrize(
    "question",
    [
        "Summarize our talks about the garden.",
        "a summary of the project",
        "List the trips in chronological order.",
        "the order in which I read the books",
        "How has my running progressed?",
        "an overview of my diet",
        "the timeline of the move",
        "what changed over time",
        "throughout our talks",
        "across all sessions",
        "In what order did I mention the trips?",
    ],
)
def test_a_question_asks_for_many_things_at_once(question: str) -> None:
    assert asks_for_an_overview(question)


@pytest.mark.parametrize(
    "question", ["When did I order the books?", "Where is the summit?", "What is in progress?", "why"]
)
def test_a_question_of_one_thing_does_not(question: str) -> None:
    assert not asks_for_an_overview(question)


@pytest.mark.parametrize(
    ("question", "is_for_a_fact"),
    [
        ("How many commits are merged?", True),
        ("Have I ever used Flask?", True),
        ("when does the sprint end?", True),
        ("Did Ada move to the coast?", True),
        ("Who's the owner?", True),
        ("Which libraries should I use?", False),
        ("How should I test this?", False),
        ("Could you show me a login form?", False),
    ],
)
def test_a_question_for_a_fact_is_told_from_one_for_advice(question: str, is_for_a_fact: bool) -> None:
    assert asks_for_a_fact(question) is is_for_a_fact


@pytest.mark.parametrize(
    ("question", "is_one"),
    [
        ("How many hens have we?", True),
        ("What share of the eggs hatches?", True),
        ("By when is the coop ready?", True),
        ("Sort these by calendar date: the move, the party, the trip", True),
        ("Which hen is the oldest?", False),
        ("Who feeds the hens?", False),
    ],
)
def test_a_question_asks_for_a_number_or_a_date(question: str, is_one: bool) -> None:
    assert asks_for_a_number(question) is is_one


def test_a_question_asks_for_what_is_so_now() -> None:
    assert asks_for_the_present("How many hens have we now?") and asks_for_the_present("what is the latest price")
    assert not asks_for_the_present("How many hens did we know?")


def test_a_mere_question_tells_nothing_of_ones_own() -> None:
    assert is_mere_question("hmm, which hen is the best layer?")
    assert not is_mere_question("My hen lays no eggs, is that bad?") and not is_mere_question("Which hen? The red one.")


def introduces(text: str, question: str) -> bool:
    """Whether a text is an introduction as a question asks for it."""
    pattern = introduction_sought(question)
    return bool(pattern) and re.search(pattern, text) is not None


@pytest.mark.parametrize("text", ["I'm Ada, a locksmith, and I need help.", "well, I work as a baker"])
def test_who_somebody_is_they_say_when_they_introduce_themselves(text: str) -> None:
    assert introduces(text, "What does Ada do for a living?") and introduces(text, "how old is Ben?")
    assert not introduces(text, "What does Ada do on Fridays?") and not introduces(text, "Where does Ada live?")
    assert not introduces("I'm trying a new lock", "Who is Ada?")
    assert not introduces("I'm a big fan of tea", "Who is Ada?") and introduces(
        "I currently work as a cook", "Who is Ada?"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Where am I from?",
        "Which town does Ada live in?",
        "what was my home town?",
        "“Where did Ada live?”",
        "her hometown's name?",
    ],
)
def test_where_somebody_is_from_they_say_with_the_name_of_a_place(question: str) -> None:
    assert introduces("I'm a tall locksmith from York", question) and introduces("I grew up in the Fens", question)
    assert not introduces("I'm from a big family", question) and not introduces("York is in the north", question)
    assert not introduces("I was debugging the deploy in Docker", question)


@pytest.mark.parametrize(
    "question",
    ["What state is the Docker deploy from Monday in?", "Where are the logs from?", "Which region is the bucket in?"],
)
def test_where_a_thing_is_asks_for_no_home(question: str) -> None:
    assert not introduction_sought(question)


def test_an_offer_of_more_help_is_short() -> None:
    offer = "If you have any more questions, feel free to ask!"
    assert is_offer(offer) and not is_offer(offer + " The boiler has 60 degrees." * 10) and not is_offer("Ask Ada.")


@pytest.mark.parametrize(
    "question", ["which rules hold", "what did I always want", "the instructions", "what I told you to do"]
)
def test_a_question_asks_for_instructions(question: str) -> None:
    assert asks_for_instructions(question)


@pytest.mark.parametrize("when", ["now", "at the moment", "these days", "so far", "by this time", "recently updated"])
def test_every_way_to_ask_for_the_present_is_found(when: str) -> None:
    assert asks_for_the_present(f"Who leads the team {when}?")


@pytest.mark.parametrize(
    "question", ["Say who is Ada.", "how old am I", "what does she do for work", "What is the name of Ada's job?"]
)
def test_every_way_to_ask_who_somebody_is_is_found(question: str) -> None:
    assert introduction_sought(question)


def test_a_question_without_any_of_these_words_compiles_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("re.search", None)  # calling it would raise

    question = "coffee budget"
    assert not asks_for_a_number(question) and not asks_for_the_present(question)
    assert not asks_for_instructions(question) and not introduction_sought(question)


def test_a_question_about_code_names_a_thing_of_programs() -> None:
    assert asks_for_code("which function reads the logs?") and asks_for_code("what does `load` do?")
    assert not asks_for_code("what must be in an answer about error codes?")


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("In what order did I bring up my plans for the garden?", "plans garden?"),
        ("List the order in which I first mentioned different aspects of sailing. Only three items.", "first sailing."),
        ("In chronological order, what I said about the roof", "roof"),
        ("In what order did I mention things?", "In what order did I mention things?"),
    ],
)
def test_a_question_for_the_order_of_talk_is_about_its_subject(question: str, about: str) -> None:
    assert asks_for_the_order_of_talk(question)
    assert subject(question) == about


@pytest.mark.parametrize(
    "question",
    [
        "the order in which I read the books",
        "When does the order I mentioned arrive?",
        "Which order did I tell you to send?",
        "In order to test, what did I say we need?",
        "In what order did Ada mention the trips?",
    ],
)
def test_any_other_order_is_a_subject_itself(question: str) -> None:
    assert not asks_for_the_order_of_talk(question)
    assert subject(question) == question


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did Ada leave?", True),
        ("how long is the trip", True),
        ("Which year was that?", True),
        ("When do we rebase?", False),
        ("What happened when Ada left?", False),
        ("Whenever", False),
    ],
)
def test_a_question_asks_for_a_time_by_its_first_words(query: str, asks: bool) -> None:
    assert asks_when(query) == asks


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("In what order came these: the move, my first day, and the party?", ("move", "first day", "party")),
        ("Which tools do we use for linting, unit tests and releases?", ("linting", "unit tests", "releases")),
        ("Which books has she read?", ()),
        ("What do Ada and Ben like?", ()),
        ("When she had come home, and after the long talk with Eva, what did Ada and Ben want to eat?", ()),
    ],
)
def test_things_are_listed_after_a_colon_or_between_commas(question: str, things: tuple[str, ...]) -> None:
    assert listed(question) == things


@pytest.mark.parametrize(
    ("question", "relations"),
    [
        ("who maintains the service that Ada wrote?", 1),
        ("Where does the manager of the person who wrote the importer live?", 2),
        ("Ada’s team", 1),
        ("THE AUTHOR OF EMMA", 1),
        ("what's the port of staging?", 1),
        ("it's red, let's go", 0),
        ("here's how she's set up when he’s away", 0),
        ("how do we test?", 0),
    ],
)
def test_a_question_describes_things_by_relations(question: str, relations: int) -> None:
    assert count_relations(question) == relations


@pytest.mark.parametrize(
    "text",
    [
        "Should we use Kafka?",
        "TODO: decide on the queue",
        "Open question: which engine?",
        "TBD: who signs the lease",
        "We still need to choose a bank",
        "To decide whether we use Redis, Memcached or files",
        "TODO: pick a name, and tell Ada",
        "Undecided whether we move",
    ],
)
def test_a_text_that_only_asks_leaves_open_what_it_asks(text: str) -> None:
    assert leaves_open(text)


@pytest.mark.parametrize(
    "text",
    [
        "We decided on RabbitMQ",
        "TODO: write the docs",
        "Open questions go to Ada",
        "Melanie: What's up?",
        "Use Kafka. Any doubts?",
        "We choose names by vote",
        "I have to pick up the kids at 5",
        "To find out the version, type parser --version",
        "To choose a mirror: set MIRROR",
        "Undecided voters are called twice",
    ],
)
def test_a_text_that_says_something_leaves_nothing_open(text: str) -> None:
    assert not leaves_open(text)


def test_a_question_may_be_about_what_is_open() -> None:
    assert asks_what_is_open("which questions are open?") and not asks_what_is_open("what did we decide on?")
