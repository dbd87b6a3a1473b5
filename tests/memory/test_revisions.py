"""How two revisions differ."""

from collections.abc import Iterator
from itertools import islice

import pytest

from memoir import Memory, Repository
from memoir.errors import DamagedStore
from memoir.memory.revisions import Difference, Differences


def test_differences_are_read_as_far_as_they_are_asked_for_and_kept(repository: Repository) -> None:
    for name in ("one", "two", "three"):
        repository.remember(Memory.of(f"This is {name}."), f"a.{name}")
    found, read = list(repository.diff("HEAD~2").differences), []
    differences = Differences(read.append(each) or each for each in found)  # type: ignore[func-returns-value]

    assert differences[0] == found[0] and len(read) == 1
    assert list(islice(differences, 1)) == differences[:1] == found[:1]
    assert len(differences) == 2
    assert [list(differences), list(differences)] == [found, found]
    assert differences == found and differences == Differences(iter(found)) and differences != found[:1]


def test_differences_that_cannot_all_be_read_are_never_taken_for_all(repository: Repository) -> None:
    repository.remember(Memory.of("This is one."), "a.one")
    first = repository.diff().differences[0]

    def break_off() -> Iterator[Difference]:
        yield first
        raise DamagedStore("object 1234 is missing")

    differences = Differences(break_off())

    assert differences[0] == first
    for _ in range(2):
        with pytest.raises(DamagedStore, match="1234"):
            list(differences)
