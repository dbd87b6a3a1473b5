"""The library gives the first of the lines that match, and says whether there are more."""

import pytest

from memoir.errors import InvalidInput
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def test_as_many_lines_come_as_are_wanted_in_all_and_for_each_word(repository: Repository) -> None:
    repository.remember(Memory.of("She swims.\nShe swims a mile.\nShe hikes."), "a")
    repository.remember(Memory.of("She hikes again."), "b")

    def lines(limit: int | None = None, each: int | None = None) -> tuple[list[str], bool]:
        found = repository.grep("swim|hike", limit=limit, each=each)
        return [hit.line.text for match in found for hit in match.lines], found.has_more

    assert lines(limit=2) == (["She swims.", "She swims a mile."], True)
    assert lines(each=1) == (["She swims.", "She hikes."], True)
    assert lines(limit=4) == lines() == lines(each=2) and lines()[1] is False
    with pytest.raises(InvalidInput, match="limit"):
        repository.grep("swim", limit=0)


def test_the_best_line_for_a_word_is_one_about_what_all_the_words_are_about(repository: Repository) -> None:
    repository.remember(Memory.of("He came running across the seats.\nI started running, and I swim too."), "a")
    repository.remember(Memory.of("Did you play tennis?\nThe tennis match was hard.\nOur yoga class is at five."), "b")

    found = repository.grep(r"runn\w+|swim|tennis|yoga", each=1)

    assert [hit.line.text for match in found for hit in match.lines] == [
        "I started running, and I swim too.",
        "The tennis match was hard.",
        "Our yoga class is at five.",
    ]


def test_all_forms_of_a_word_are_one(repository: Repository) -> None:
    repository.remember(Memory.of("We hike.\nWe hiked with Ada in Norway.\nShe hikes."), "a")

    (match,) = repository.grep(r"hik\w+", each=1)

    assert [hit.line.text for hit in match.lines] == ["We hiked with Ada in Norway."]
