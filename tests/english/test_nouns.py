"""Words that may be nouns: never an adverb, a verb or a boolean."""

import pytest

from memoir.english.nouns import is_adjective, may_be_noun


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The deploy quickly fails", "quickly"),
        ("The deploy quickly fails", "fails"),
        ("It is true", "true"),
        ("Telemetry is off", "off"),
        ("We should always rebase before merging the branch", "rebase"),
        ("We should always rebase before merging the branch", "merging"),
        ("I want to learn how to weld", "weld"),
        ("Explain things step by step", "Explain"),
        ("Our log files are rotated", "rotated"),
        ("I'm on the branch that replaces the parser", "replaces"),
        ("My flatmate plays the drums", "plays"),
        ("I am refactoring the parser", "refactoring"),
        ("I was born in May", "born"),
        ("I read for half an hour", "half"),
        ("Lately we talk", "Lately"),
        ("The foundation paid for it", "paid"),
        ("It taught us to rehearse restores", "rehearse"),
        ("We ask whether to hire", "hire"),
        ("The certificate renews on Monday", "renews"),
    ],
)
def test_adverbs_verbs_and_booleans_are_no_nouns(sentence: str, word: str) -> None:
    words = sentence.replace("'", " ").split()
    assert not may_be_noun(words, words.index(word))


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The deploy quickly fails", "deploy"),
        ("We switched to staging", "staging"),
        ("My answer is short", "answer"),
        ("Launch is in May", "Launch"),
        ("Our code reviews take an hour", "reviews"),
        ("We have a team meeting every Thursday", "meeting"),
        ("LOG_LEVEL enabled", "LOG_LEVEL"),
        ("We always use Kafka", "Kafka"),
        ("Ask my family", "family"),
        ("The feed is slow", "feed"),
        ("Testing takes long", "Testing"),
        ("Releases happen on Monday", "Releases"),
        ("Children are going to school", "school"),
        ("The cut is deep", "cut"),
    ],
)
def test_nouns_and_names_are(sentence: str, word: str) -> None:
    words = sentence.split()
    assert may_be_noun(words, words.index(word))


def test_only_sure_endings_make_an_adjective() -> None:
    assert is_adjective("functional") and not is_adjective("approval")
