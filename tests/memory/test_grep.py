"""Searching contents takes time in proportion to the text, whatever the pattern."""

from time import process_time

import pytest

from memoir.errors import InvalidInput
from memoir.memory.grep import Match, grep
from memoir.memory.record import Memory
from memoir.repository import Repository


def search(repository: Repository, pattern: str, *, fixed: bool = False, ignore_case: bool = False) -> list[Match]:
    return list(grep(repository.store.at(None), pattern, ["default"], fixed=fixed, ignore_case=ignore_case))


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\w+\s?)*$", "(a|aa)*$", "a*a*a*a*a*a*a*a*b", "(.*.*.*.*.*)=x"])
def test_search_time_is_linear_for_every_pattern(repository: Repository, pattern: str) -> None:
    repository.remember(Memory.of("a" * 20_000 + "!"), "a.b")
    start = process_time()
    search(repository, pattern)

    assert process_time() - start < 2  # an engine that goes back does not come to an end


@pytest.mark.parametrize("pattern", ["(" * 5000, "(" * 20, "[", "*", "(?<=x)a", r"(a)\1", "a{1000}{1000}", "\udc80"])
def test_an_invalid_pattern_is_quoted_in_short(repository: Repository, pattern: str) -> None:
    with pytest.raises(InvalidInput, match=r"^not a regular expression: ") as error:
        search(repository, pattern)

    assert len(error.value.message) < 250 and "-F" in str(error.value.hint)


def test_lines_are_matched_one_by_one_in_any_script(repository: Repository) -> None:
    repository.remember(Memory.of("Größe 3\nÉté\nx"), "a.b")

    assert [[tuple(hit) for hit in match.lines] for match in search(repository, "^é", ignore_case=True)] == [
        [(2, "Été", [(0, 1)])]
    ]
    assert [[tuple(hit) for hit in match.lines] for match in search(repository, "ö.e|x$")] == [
        [(1, "Größe 3", [(2, 5)]), (3, "x", [(0, 1)])]
    ]
    assert [
        [tuple(hit) for hit in match.lines] for match in search(repository, "ÉTÉ", fixed=True, ignore_case=True)
    ] == [[(2, "Été", [(0, 3)])]]
    assert search(repository, ".", fixed=True) == []
