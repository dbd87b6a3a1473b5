"""The topics of a text."""

import pytest

from memoir.english.topics import NAME, PATH, WORD, topics


def weights(text: str, path: str = "", *without: str) -> dict[str, float]:
    return {topic.word: topic.weight for topic in topics(text, path, without)}


def test_a_name_or_a_word_of_the_path_weighs_more_than_a_word_and_the_path_alone_less() -> None:
    values = weights("We moved Apollo to a cluster. See db_main.", "project.apollo.moving.steps")

    assert values == {
        "moved": NAME, "Apollo": NAME, "cluster": WORD, "See": WORD, "db_main": NAME, "steps": PATH,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["Yes, that was really great, thanks!", "I'd have had it, if they were.", "12 34", "x" * 5000, "", "日本"]
)
def test_stop_words_chatter_numbers_and_endless_words_tell_nothing(text: str) -> None:
    assert weights(text) == {}


def test_inflections_are_one_topic_under_the_word_that_weighs_most() -> None:
    assert [(topic.stem, topic.word) for topic in topics("migrate; the Migration; migrating")] == [
        ("migrat", "Migration")
    ]


def test_the_people_of_a_memory_are_no_topics_of_it() -> None:
    assert weights("Ada: Lovelace drew engines", "", "ada", "lovelace") == {"drew": WORD, "engines": WORD}
