"""What memories are about as a whole: the nouns that most of them share, and the sentence that names these best."""

from collections.abc import Sequence

import pytest

from memoir.english.topics import topics
from memoir.layers.thread_subjects import Said, said, subject
from memoir.records.record import Memory


def title_of(*texts: str) -> str | None:
    return title_among([Said("", text) for text in texts])


def title_among(memories: Sequence[Said]) -> str | None:
    words = {topic.stem: topic.word for each in memories for topic in topics(each.text)}
    about = subject(memories, words)
    return about.title if about else None


def test_a_title_is_a_sentence_that_names_what_most_memories_share() -> None:
    assert title_of(
        "Yeah! I went to a yoga class. It was fun.", "Is the yoga class on Monday?", "This yoga class is relaxing.",
    ) == "I went to a yoga class"  # fmt: skip


@pytest.mark.parametrize(
    "texts",
    [
        ("The parser reads a file.", "The parser has a bug."),
        ("We always appreciate this.", "I appreciate it.", "They appreciate us."),
        ("The vibe is a thing.", "A vibe of joy.", "What a vibe."),
        ("Is the parser slow?", "Why does the parser fail?", "It needs the parser."),
        ("The parser is slow.", "The lexer is slow.", "The printer is slow."),
    ],
    ids=["two memories", "a verb", "vague words", "no sentence stands alone", "an adjective"],
)
def test_without_a_noun_that_most_share_there_is_no_subject(texts: tuple[str, ...]) -> None:
    assert title_of(*texts) is None


def test_a_long_title_is_cut_between_words_and_asides_are_left_out() -> None:
    title = title_of(
        "[shares a picture: a parser] The parser " + "reads and checks " * 10 + "it.", "The parser", "A parser.",
    )  # fmt: skip

    assert title and title.startswith("The parser reads") and title.endswith(("reads…", "and…")) and len(title) <= 111


def test_a_title_names_who_says_it_of_themselves() -> None:
    texts = ("I went to a yoga class on Monday.", "Is the yoga class fun?", "The yoga class is over.")

    assert title_among([Said("Emi", text) for text in texts]) == "Emi: I went to a yoga class on Monday"
    assert title_among([Said("Emi", text) for text in texts[1:]] + [Said("", texts[0])]) == texts[0].removesuffix(".")


@pytest.mark.parametrize(
    "texts",
    [
        ("Your yoga class sounds amazing!", "What a yoga class!", "A yoga class must be relaxing."),
        ("I loved it so much, the yoga class.", "She went to her yoga class.", "They are so good, these yoga classes."),
        ("    yoga_class = open();", "if (yoga_class) { return; }", "yoga_class.close();"),
    ],
    ids=["pleasantries", "pronouns before what they stand for", "code"],
)
def test_a_thread_whose_best_sentence_tells_a_stranger_nothing_has_no_title(texts: tuple[str, ...]) -> None:
    assert title_among([Said("Emi", text) for text in texts]) is None


def test_words_that_people_use_of_everything_are_no_subject_alone() -> None:
    of_home = ("The plumber comes home.", "A cat lives at home.", "Our home burns down.")

    assert title_of(*of_home) is None
    assert title_of(*(text.replace("home", "hostel") for text in of_home)) is not None


def test_what_an_assistant_says_and_a_line_of_a_document_are_no_titles() -> None:
    text = "Helmet sets several headers of the responses."
    links = {"links": {"derives_from": "default:raw:sources.manual.0001"}}

    assert said(Memory.of(text)).may_title
    assert said(Memory.of(text, metadata={"speaker": "user"})).may_title
    assert not said(Memory.of(text, metadata={"speaker": "assistant"})).may_title
    assert not said(Memory.of(text, metadata=links)).may_title
    assert said(Memory.of(f"Ann: {text}", metadata={"person": "ann"})) == Said("Ann", text)
