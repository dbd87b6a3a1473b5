"""What memories are about as a whole: the nouns that most of them share, and the sentence that names these best."""

import pytest

from memoir.english.topics import topics
from memoir.layers.threads import subject


def title_of(*texts: str) -> str | None:
    words = {topic.stem: topic.word for text in texts for topic in topics(text)}
    about = subject(texts, words)
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
