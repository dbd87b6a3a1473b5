"""What replaced a memory that the other side moved goes along; what came beside it stays."""

import pytest
from exchange.conftest import Meeting, contents, reword

from memoir.errors import Conflict
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def replace(repository: Repository, times: int = 1) -> None:
    """Replace what is at `a.first` by another memory, several times."""
    for number in range(times):
        repository.remember(Memory.of(f"instead of it {number}"), "a.first", policy="replace")


def replace_one(repository: Repository, old: str, new: str) -> None:
    """Write a memory at `a.first` instead of one that stays there as superseded."""
    repository.edit(
        "a.first",
        lambda record: [*(each.superseded() if each.content == old else each for each in record), Memory.of(new)],
    )


@pytest.mark.parametrize("times", [1, 7, 9])
def test_what_replaced_a_memory_goes_where_the_other_side_moved_that(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting, times: int
) -> None:
    moving.move("a.first", "b.second")
    replace(changing, times)

    meet()

    assert contents(mine) == [("b.second", f"instead of it {times - 1}")]


def test_what_was_replaced_until_it_was_left_to_history_and_then_forgotten_is_a_conflict(
    moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "b.second")
    replace(changing, 9)
    changing.forget("a.first")

    with pytest.raises(Conflict):
        meet()


@pytest.mark.parametrize("way", ["pull"])
def test_where_one_of_two_additions_replaced_what_the_other_side_moved_both_stay(
    mine: Repository, moving: Repository, changing: Repository, several: str, meet: Meeting
) -> None:
    moving.move(several, "b.second")
    replace_one(changing, "one of several", "instead of it")
    changing.remember(Memory.of("beside it"), "a.first", policy="append")

    meet()

    assert contents(mine) == [("a.first", text) for text in ("beside it", "instead of it", "the beginning")]


@pytest.mark.parametrize("way", ["pull"])
def test_what_replaced_two_that_the_other_side_moved_apart_stays(
    mine: Repository, moving: Repository, changing: Repository, several: str, meet: Meeting
) -> None:
    moving.move(several, "b.second")
    moving.move("a.first", "c.third")
    replace_one(changing, "the beginning", "instead of both")
    changing.edit("a.first", lambda record: [record[0], record[1].superseded(), record[2]])

    meet()

    assert contents(mine) == [("a.first", "instead of both")]


def test_what_came_beside_a_replaced_memory_does_not_go_along_when_it_is_edited_after_that(
    mine: Repository, yours: Repository
) -> None:
    yours.move("a.first", "b.second")
    yours.remotes.push()
    replace(mine)
    mine.remember(Memory.of("beside it"), "a.first", policy="append")
    reword(mine, "beside it", "beside it still")
    reword(mine, "instead of it 0", "the newest words")

    mine.remotes.sync()

    assert contents(mine) == [("a.first", "beside it still"), ("b.second", "the newest words")]
