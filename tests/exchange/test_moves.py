"""What one side moved, and the other one edited, moved or forgot."""

import pytest
from exchange.conftest import Meeting, contents, key_of, paths, reword, texts

from memoir.errors import Conflict
from memoir.exchange.merge_choices import STRATEGIES
from memoir.exchange.trails import Place, Trails
from memoir.memory.write_options import WriteOptions
from memoir.records.damage import read_or_empty
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.snapshot import Snapshot


def test_an_edit_follows_a_move_of_the_other_side(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    """One renames what the other one rewords meanwhile: there is one memory, at the new path with the new words."""
    moving.move("a.first", "a.second")
    moving.move("a.second", "b.third")
    reword(changing, "the beginning", "the new words")

    meet()

    assert contents(mine) == [("b.third", "the new words")]


def test_an_edit_that_follows_a_move_is_merged_by_pull_too(mine: Repository, yours: Repository) -> None:
    """Although the move has forgotten how the memory was filed, so that both have changed it."""
    place = next(iter(mine.remember(Memory.of("Deploys go out on Tuesday")).outcomes)).path
    mine.remotes.sync()
    yours.remotes.sync()
    yours.move(place, "a.second")
    yours.remotes.sync()
    reword(mine, "Deploys go out on Tuesday", "the new words", place)

    mine.remotes.pull()

    assert contents(mine) == [("a.first", "the beginning"), ("a.second", "the new words")]


@pytest.mark.parametrize("way", ["pull"])
def test_blame_and_log_of_the_new_path_name_an_edit_that_followed_a_move(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "a.second")
    moving.move("a.second", "b.third")
    reword(changing, "the beginning", "the new words")
    edit = next(changing.log("a.first"))

    meet()

    assert {version.operation for version in mine.blame("b.third")} == {"merged", "moved", "modified", "added"}
    assert edit in [version.commit for version in mine.blame("b.third")] and edit in [*mine.log("b.third")]


def test_an_edit_follows_a_move_to_a_path_that_its_side_has_filled(
    mine: Repository, yours: Repository, meet: Meeting
) -> None:
    yours.move("a.first", "a.second")
    mine.remember(Memory.of("of mine"), "a.second")
    reword(mine, "the beginning", "the new words")

    meet()

    assert contents(mine) == [("a.second", "of mine"), ("a.second", "the new words")]


@pytest.mark.usefixtures("the_other")
def test_edits_at_two_paths_follow_their_moves_to_one(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "b.both")
    moving.move("a.other", "b.both", append=True)
    reword(changing, "the beginning", "new: the beginning")
    reword(changing, "the other", "new: the other", "a.other")

    meet()

    assert contents(mine) == [("b.both", "new: the beginning"), ("b.both", "new: the other")]


@pytest.mark.usefixtures("the_other")
@pytest.mark.parametrize("way", ["pull"])
def test_a_memory_that_was_moved_in_follows_no_move_of_the_one_before_it(
    moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.other", "c.away")
    moving.move("a.first", "a.other")
    reword(changing, "the beginning", "the new words")
    changing.move("a.other", "d.there")

    with pytest.raises(Conflict, match="2 paths"):
        meet()


def test_what_one_side_moved_and_the_other_forgot_is_a_conflict_where_it_is_now(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "b.second")
    changing.forget("a.first")

    with pytest.raises(Conflict) as error:
        meet()
    (row,) = error.value.details["conflicts"]
    assert (row["key"], {row["ours"], row["theirs"]}) == ("b.second", {"the beginning", None})

    meet("ours" if moving is mine else "theirs")
    assert paths(mine) == {"b.second"}


def test_the_side_that_forgot_may_win_over_a_move_and_an_edit(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "b.second")
    reword(moving, "the beginning", "the new words", "b.second")
    changing.forget("a.first")

    meet("theirs" if moving is mine else "ours")

    assert contents(mine) == []


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [
        ("ours", {"b.mine"}),
        ("theirs", {"c.yours"}),
        ("append", {"b.mine", "c.yours"}),
        ("newest", {"b.mine", "c.yours"}),
    ],
)
def test_what_both_sides_moved_is_kept_twice_only_if_that_is_chosen(
    mine: Repository, yours: Repository, meet: Meeting, strategy: str, kept: set[str]
) -> None:
    mine.move("a.first", "b.mine")
    yours.move("a.first", "c.yours")

    with pytest.raises(Conflict) as error:
        meet()
    assert {row["key"] for row in error.value.details["conflicts"]} == {"b.mine", "c.yours"}

    meet(strategy)
    assert paths(mine) == kept


def test_blame_goes_on_where_a_move_won_over_that_of_the_other_side(mine: Repository, yours: Repository) -> None:
    yours.move("a.first", "b.yours")
    yours.remotes.sync()
    mine.move("a.first", "b.mine")

    mine.remotes.sync(strategy="ours")

    versions = [(version.operation, version.address.path) for version in mine.blame("b.mine")]
    assert versions == [("moved", "b.mine"), ("moved", "b.yours"), ("added", "a.first")]


def test_what_both_sides_moved_to_one_path_is_no_conflict(mine: Repository, yours: Repository, meet: Meeting) -> None:
    for repository in (mine, yours):
        repository.move("a.first", "b.second")
    yours.remember("of yours", "c.third")

    meet()

    assert paths(mine) == {"b.second", "c.third"}


@pytest.mark.parametrize("way", ["pull"])
@pytest.mark.parametrize("strategy", ["ours", "theirs"])
def test_a_move_onto_a_path_that_both_sides_have_keeps_what_is_there(
    mine: Repository, yours: Repository, meet: Meeting, strategy: str
) -> None:
    mine.remember("there", "b.second")
    mine.remotes.sync()
    yours.remotes.sync()
    mine.move("a.first", "b.second", append=True)
    yours.forget("a.first")
    yours.remember("of yours", "b.second", policy="append")

    with pytest.raises(Conflict, match="1 path"):
        meet()
    meet(strategy)

    assert texts(mine, "b.second") == {"there", "of yours", *(["the beginning"] if strategy == "ours" else [])}


@pytest.fixture
def crossed(mine: Repository, yours: Repository, the_other: None) -> None:
    """Each side has moved to one path what the other one forgot."""
    for each, moved, forgotten in ((mine, "a.first", "a.other"), (yours, "a.other", "a.first")):
        each.move(moved, "b.both")
        each.forget(forgotten)
    yours.remotes.push()


@pytest.mark.usefixtures("crossed")
@pytest.mark.parametrize(("strategy", "kept"), [("ours", "the beginning"), ("theirs", "the other")])
def test_where_each_side_moved_what_the_other_one_forgot_one_side_wins_for_both(
    mine: Repository, strategy: str, kept: str
) -> None:
    mine.remotes.pull(strategy=strategy)

    assert contents(mine) == [("b.both", kept)]


@pytest.mark.usefixtures("crossed")
def test_where_each_side_moved_what_the_other_one_forgot_the_path_is_listed_once(mine: Repository) -> None:
    with pytest.raises(Conflict, match="1 path") as error:
        mine.remotes.pull()

    (row,) = error.value.details["conflicts"]
    assert row["key"] == "b.both" and {each["base"] for each in row["memories"]} == {"the beginning", "the other"}


@pytest.mark.usefixtures("the_other")
@pytest.mark.parametrize("way", ["pull"])
def test_of_two_that_moved_to_one_path_the_forgotten_one_leaves_the_edit_of_the_other(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "b.both")
    moving.move("a.other", "b.both", append=True)
    reword(changing, "the beginning", "the new words")
    changing.forget("a.other")

    meet("theirs" if moving is mine else "ours")

    assert contents(mine) == [("b.both", "the new words")]


@pytest.mark.parametrize("way", ["pull"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategy_is_not_asked_to_choose_between_an_edit_and_a_move(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting, strategy: str
) -> None:
    moving.move("a.first", "b.second")
    reword(changing, "the beginning", "the new words")

    meet(strategy)

    assert contents(mine) == [("b.second", "the new words")]


def test_edits_follow_the_move_of_one_memory_of_several(
    mine: Repository, moving: Repository, changing: Repository, several: str, meet: Meeting
) -> None:
    moving.move(several, "b.second")
    moving.move("b.second", "c.third")
    reword(changing, "one of several", "the new words")
    reword(changing, "the new words", "the newest words")

    meet()

    assert contents(mine) == [("a.first", "the beginning"), ("c.third", "the newest words")]


@pytest.mark.parametrize("is_edited", [False, True])
def test_one_memory_of_several_that_was_moved_and_forgotten_is_a_conflict_where_it_is_now(
    mine: Repository, moving: Repository, changing: Repository, several: str, meet: Meeting, is_edited: bool
) -> None:
    if is_edited:
        reword(moving, "one of several", "the new words")
    text = "the new words" if is_edited else "one of several"
    moving.move(key_of(moving, text), "b.second")
    changing.forget(several)

    with pytest.raises(Conflict) as error:
        meet()
    rows = [(row["key"], {row["ours"], row["theirs"]}) for row in error.value.details["conflicts"]]
    assert ("b.second", {text, None}) in rows and len(rows) <= 1 + is_edited

    meet("ours")
    assert contents(mine) == [("a.first", "the beginning"), *([("b.second", text)] if moving is mine else [])]


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [("ours", ["b.mine"]), ("theirs", ["c.yours"]), ("append", ["b.mine", "c.yours"])],
)
def test_one_memory_of_several_that_both_sides_moved_is_kept_twice_only_if_that_is_chosen(
    mine: Repository, yours: Repository, several: str, meet: Meeting, strategy: str, kept: list[str]
) -> None:
    mine.move(several, "b.mine")
    yours.move(several, "c.yours")

    with pytest.raises(Conflict, match="2 paths"):
        meet()
    meet(strategy)

    assert contents(mine) == [("a.first", "the beginning"), *((path, "one of several") for path in kept)]


@pytest.mark.parametrize("editor", ["mine", "yours"])
@pytest.mark.parametrize("is_whole", [False, True])
def test_an_edit_of_what_both_sides_moved_to_one_path_leaves_one_memory(
    mine: Repository, yours: Repository, several: str, editor: str, is_whole: bool, meet: Meeting
) -> None:
    for each in (mine, yours):
        if is_whole:
            each.forget(key_of(each, "the beginning"))
        each.move("a.first" if is_whole else several, "b.second")
    reword(mine if editor == "mine" else yours, "one of several", "the new words", "b.second")

    meet()

    assert contents(mine) == [*([] if is_whole else [("a.first", "the beginning")]), ("b.second", "the new words")]


def test_what_was_added_beside_a_memory_stays_where_the_other_side_moved_that_away(
    mine: Repository, moving: Repository, changing: Repository, meet: Meeting
) -> None:
    moving.move("a.first", "b.second")
    reword(changing, "the beginning", "the new words")
    changing.remember(Memory.of("beside it"), "a.first", policy="append")

    meet()

    assert contents(mine) == [("a.first", "beside it"), ("b.second", "the new words")]


def test_a_move_in_one_line_and_an_edit_in_another_are_followed_together(mine: Repository, yours: Repository) -> None:
    """The other side has forgotten the memory that one of ours moved and another reworded, before those two met."""
    mine.branches.create("line")
    mine.move("a.first", "b.second", options=WriteOptions(branch="line"))
    reword(mine, "the beginning", "the new words")
    mine.merge("line")
    yours.forget("a.first")
    yours.remotes.push()

    with pytest.raises(Conflict, match="1 path"):
        mine.remotes.pull()
    mine.remotes.pull(strategy="theirs")

    assert contents(mine) == []


@pytest.mark.parametrize("is_moved", [False, True])
def test_what_is_forgotten_after_another_change_of_its_path_is_still_in_conflict_with_an_edit(
    mine: Repository, yours: Repository, several: str, is_moved: bool
) -> None:
    """The first of mine that is made again puts the edited memory in its order by time."""
    first = key_of(mine, "the beginning")
    reword(yours, "the beginning", "the new words")
    yours.remotes.push()
    if is_moved:
        mine.move("a.first", "b.second")
    else:
        mine.remember(Memory.of("one more"), "a.first", policy="append")
    mine.forget(first.replace("a.first", "b.second") if is_moved else first)

    with pytest.raises(Conflict):
        mine.remotes.sync()


def test_moves_to_and_fro_beside_other_memories_take_none_of_these_along(mine: Repository, yours: Repository) -> None:
    reword(yours, "the beginning", "the new words")
    yours.remember(Memory.of("of yours"), "b.second")
    yours.move("b.second", "c.third")
    yours.move("c.third", "b.second")
    yours.remotes.push()
    mine.move("a.first", "b.second")
    mine.move("b.second", "a.first")

    mine.remotes.sync()

    assert contents(mine) == [("a.first", "the new words"), ("b.second", "of yours")]


def test_a_move_by_a_clock_that_is_behind_is_followed_all_the_same(
    mine: Repository, yours: Repository, monkeypatch: pytest.MonkeyPatch, meet: Meeting
) -> None:
    """It is dated before the edit that it rests on."""
    reword(mine, "the beginning", "the new words")
    mine.branches.create("line")
    with monkeypatch.context() as behind:
        behind.setenv("MEMOIR_NOW", "2001-01-01T00:00:00Z")
        mine.move("a.first", "b.second")
    mine.remember("of the line", "c.third", options=WriteOptions(branch="line"))
    mine.merge("line")
    yours.forget("a.first")

    with pytest.raises(Conflict) as error:
        meet()
    assert "b.second" in {row["key"] for row in error.value.details["conflicts"]}


def test_a_commit_that_many_memories_are_followed_through_is_read_once(
    mine: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = [Place(key, memory) for key, value in mine.store.head().scan() for memory in read_or_empty(value)]
    reword(mine, "the beginning", "the new words")
    trails = Trails(mine.store, [next(mine.log())])
    there = trails.follow(start)
    monkeypatch.delattr(Snapshot, "read")

    assert [place.memory and place.memory.content for place in there] == ["the new words"]
    assert trails.follow(start) == there
