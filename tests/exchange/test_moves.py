"""What one side moved, and the other one edited, moved or forgot."""

import pytest
from exchange.conftest import paths, texts

from memoir.errors import Conflict
from memoir.exchange.merge_records import readable
from memoir.exchange.trails import Place, Trails
from memoir.memory.facets import ids_of
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import reworded
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.snapshot import Snapshot


@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_an_edit_follows_a_move_of_the_other_side(mine: Repository, yours: Repository, mover: str) -> None:
    """One renames what the other one rewords meanwhile: there is one memory, at the new path with the new words."""
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "a.second")
    moving.move("a.second", "b.third")
    editing.edit("a.first", lambda record: [reworded(record[0], "the new words")])

    yours.remotes.sync()
    mine.remotes.sync()

    assert (paths(mine), texts(mine, "b.third")) == ({"b.third"}, {"the new words"})


def test_an_edit_that_follows_a_move_is_merged_by_pull_too(mine: Repository, yours: Repository) -> None:
    """Although the move has forgotten how the memory was filed, so that both have changed it."""
    place = next(iter(mine.remember(Memory.of("Deploys go out on Tuesday")).outcomes)).path
    mine.remotes.sync()
    yours.remotes.sync()
    yours.move(place, "a.second")
    yours.remotes.sync()
    mine.edit(place, lambda record: [reworded(record[0], "the new words")])

    mine.remotes.pull()

    assert (paths(mine), texts(mine, "a.second")) == ({"a.first", "a.second"}, {"the new words"})


@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_blame_and_log_of_the_new_path_name_an_edit_that_followed_a_move(
    mine: Repository, yours: Repository, mover: str
) -> None:
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "a.second")
    moving.move("a.second", "b.third")
    editing.edit("a.first", lambda record: [reworded(record[0], "the new words")])
    edit = next(editing.log("a.first"))
    yours.remotes.push()

    mine.remotes.pull()

    assert {version.operation for version in mine.blame("b.third")} == {"merged", "moved", "modified", "added"}
    assert edit in [version.commit for version in mine.blame("b.third")] and edit in [*mine.log("b.third")]


def test_an_edit_follows_a_move_to_a_path_that_its_side_has_filled(mine: Repository, yours: Repository) -> None:
    yours.move("a.first", "a.second")
    yours.remotes.sync()
    mine.remember(Memory.of("of mine"), "a.second")
    mine.edit("a.first", lambda record: [reworded(record[0], "the new words")])

    mine.remotes.sync()

    assert paths(mine) == {"a.second"} and texts(mine, "a.second") == {"of mine", "the new words"}


@pytest.mark.usefixtures("the_other")
@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_edits_at_two_paths_follow_their_moves_to_one(mine: Repository, yours: Repository, mover: str) -> None:
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.both")
    moving.move("a.other", "b.both", append=True)
    for path in ("a.first", "a.other"):
        editing.edit(path, lambda record: [reworded(record[0], f"new: {record[0].content}")])

    yours.remotes.push()
    mine.remotes.pull()

    assert paths(mine) == {"b.both"} and texts(mine, "b.both") == {"new: the beginning", "new: the other"}


@pytest.mark.usefixtures("the_other")
@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_a_memory_that_was_moved_in_follows_no_move_of_the_one_before_it(
    mine: Repository, yours: Repository, mover: str
) -> None:
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.other", "c.away")
    moving.move("a.first", "a.other")
    editing.edit("a.first", lambda record: [reworded(record[0], "the new words")])
    editing.move("a.other", "d.there")
    yours.remotes.push()

    with pytest.raises(Conflict, match="2 paths"):
        mine.remotes.pull()


STRATEGIES = ("ours", "theirs", "append", "newest")


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_what_one_side_moved_and_the_other_forgot_is_a_conflict_where_it_is_now(
    mine: Repository, yours: Repository, mover: str, way: str
) -> None:
    moving, forgetting = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.second")
    forgetting.forget("a.first")
    yours.remotes.push()

    with pytest.raises(Conflict) as error:
        getattr(mine.remotes, way)()
    (row,) = error.value.details["conflicts"]
    assert (row["key"], {row["ours"], row["theirs"]}) == ("b.second", {"the beginning", None})

    strategy = "ours" if mover == "mine" else "theirs"
    getattr(mine.remotes, way)(strategy=strategy)
    assert paths(mine) == {"b.second"}


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_the_side_that_forgot_may_win_over_a_move_and_an_edit(
    mine: Repository, yours: Repository, mover: str, way: str
) -> None:
    moving, forgetting = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.second")
    moving.edit("b.second", lambda record: [reworded(record[0], "the new words")])
    forgetting.forget("a.first")
    yours.remotes.push()

    getattr(mine.remotes, way)(strategy="theirs" if mover == "mine" else "ours")

    assert paths(mine) == set()


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [
        ("ours", {"b.mine"}),
        ("theirs", {"c.yours"}),
        ("append", {"b.mine", "c.yours"}),
        ("newest", {"b.mine", "c.yours"}),
    ],
)
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_what_both_sides_moved_is_kept_twice_only_if_that_is_chosen(
    mine: Repository, yours: Repository, way: str, strategy: str, kept: set[str]
) -> None:
    mine.move("a.first", "b.mine")
    yours.move("a.first", "c.yours")
    yours.remotes.push()

    with pytest.raises(Conflict) as error:
        getattr(mine.remotes, way)()
    assert {row["key"] for row in error.value.details["conflicts"]} == {"b.mine", "c.yours"}

    getattr(mine.remotes, way)(strategy=strategy)
    assert paths(mine) == kept


@pytest.mark.parametrize("way", ["pull", "sync"])
def test_what_both_sides_moved_to_one_path_is_no_conflict(mine: Repository, yours: Repository, way: str) -> None:
    for repository in (mine, yours):
        repository.move("a.first", "b.second")
    yours.remember("of yours", "c.third")
    yours.remotes.push()

    getattr(mine.remotes, way)()
    assert paths(mine) == {"b.second", "c.third"}


@pytest.mark.parametrize("strategy", ["ours", "theirs"])
def test_a_move_onto_a_path_that_both_sides_have_keeps_what_is_there(
    mine: Repository, yours: Repository, strategy: str
) -> None:
    mine.remember("there", "b.second")
    mine.remotes.sync()
    yours.remotes.sync()
    mine.move("a.first", "b.second", append=True)
    yours.forget("a.first")
    yours.remember("of yours", "b.second", policy="append")
    yours.remotes.push()

    with pytest.raises(Conflict, match="1 path"):
        mine.remotes.pull()
    mine.remotes.pull(strategy=strategy)

    assert texts(mine, "b.second") == {"there", "of yours", *(["the beginning"] if strategy == "ours" else [])}


@pytest.mark.usefixtures("the_other")
@pytest.mark.parametrize(("strategy", "kept"), [("ours", "the beginning"), ("theirs", "the other")])
def test_where_each_side_moved_what_the_other_one_forgot_one_side_wins_for_both(
    mine: Repository, yours: Repository, strategy: str, kept: str
) -> None:
    for each, moved, forgotten in ((mine, "a.first", "a.other"), (yours, "a.other", "a.first")):
        each.move(moved, "b.both")
        each.forget(forgotten)
    yours.remotes.push()

    mine.remotes.pull(strategy=strategy)

    assert paths(mine) == {"b.both"} and texts(mine, "b.both") == {kept}


@pytest.mark.usefixtures("the_other")
@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_of_two_that_moved_to_one_path_the_forgotten_one_leaves_the_edit_of_the_other(
    mine: Repository, yours: Repository, mover: str
) -> None:
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.both")
    moving.move("a.other", "b.both", append=True)
    editing.edit("a.first", lambda record: [reworded(record[0], "the new words")])
    editing.forget("a.other")
    yours.remotes.push()

    mine.remotes.pull(strategy="theirs" if mover == "mine" else "ours")

    assert paths(mine) == {"b.both"} and texts(mine, "b.both") == {"the new words"}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_a_strategy_is_not_asked_to_choose_between_an_edit_and_a_move(
    mine: Repository, yours: Repository, mover: str, way: str, strategy: str
) -> None:
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.second")
    editing.edit("a.first", lambda record: [reworded(record[0], "the new words")])
    yours.remotes.push()

    getattr(mine.remotes, way)(strategy=strategy)

    assert (paths(mine), texts(mine, "b.second")) == ({"b.second"}, {"the new words"})


@pytest.fixture
def several(mine: Repository, yours: Repository) -> str:
    """The key of one memory among several at a path, which both clones have."""
    mine.remember(Memory.of("one of several"), "a.first", policy="append")
    mine.remotes.sync()
    yours.remotes.sync()
    return key_of(mine, "one of several")


def key_of(repository: Repository, text: str) -> str:
    """The key of a memory at `a.first` that has neighbours there."""
    record = repository.get("a.first") or ()
    return f"a.first#{ids_of(record)[[memory.content for memory in record].index(text)]}"


def edit_one(repository: Repository, old: str, new: str) -> None:
    """Give one memory at `a.first` other words."""
    repository.edit("a.first", lambda record: [reworded(each, new) if each.content == old else each for each in record])


def contents(repository: Repository) -> list[tuple[str, str]]:
    """Every memory with its path."""
    return sorted((path, text) for path in paths(repository) for text in texts(repository, path))


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_edits_follow_the_move_of_one_memory_of_several(
    mine: Repository, yours: Repository, several: str, mover: str, way: str
) -> None:
    moving, editing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move(several, "b.second")
    moving.move("b.second", "c.third")
    edit_one(editing, "one of several", "the new words")
    edit_one(editing, "the new words", "the newest words")
    yours.remotes.push()

    getattr(mine.remotes, way)()

    assert contents(mine) == [("a.first", "the beginning"), ("c.third", "the newest words")]


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
@pytest.mark.parametrize("is_edited", [False, True])
def test_one_memory_of_several_that_was_moved_and_forgotten_is_a_conflict_where_it_is_now(
    mine: Repository, yours: Repository, several: str, mover: str, way: str, is_edited: bool
) -> None:
    moving, forgetting = (mine, yours) if mover == "mine" else (yours, mine)
    if is_edited:
        edit_one(moving, "one of several", "the new words")
    text = "the new words" if is_edited else "one of several"
    moving.move(key_of(moving, text), "b.second")
    forgetting.forget(several)
    yours.remotes.push()

    with pytest.raises(Conflict) as error:
        getattr(mine.remotes, way)()
    rows = [(row["key"], {row["ours"], row["theirs"]}) for row in error.value.details["conflicts"]]
    assert ("b.second", {text, None}) in rows and len(rows) <= 1 + is_edited

    getattr(mine.remotes, way)(strategy="ours")
    assert contents(mine) == [("a.first", "the beginning"), *([("b.second", text)] if mover == "mine" else [])]


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [("ours", ["b.mine"]), ("theirs", ["c.yours"]), ("append", ["b.mine", "c.yours"])],
)
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_one_memory_of_several_that_both_sides_moved_is_kept_twice_only_if_that_is_chosen(
    mine: Repository, yours: Repository, several: str, way: str, strategy: str, kept: list[str]
) -> None:
    mine.move(several, "b.mine")
    yours.move(several, "c.yours")
    yours.remotes.push()

    with pytest.raises(Conflict, match="2 paths"):
        getattr(mine.remotes, way)()
    getattr(mine.remotes, way)(strategy=strategy)

    assert contents(mine) == [("a.first", "the beginning"), *((path, "one of several") for path in kept)]


@pytest.mark.parametrize("editor", ["mine", "yours"])
@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_an_edit_of_what_both_sides_moved_to_one_path_leaves_one_memory(
    mine: Repository, yours: Repository, several: str, editor: str, is_whole: bool, way: str
) -> None:
    for each in (mine, yours):
        if is_whole:
            each.forget(key_of(each, "the beginning"))
        each.move("a.first" if is_whole else several, "b.second")
    (mine if editor == "mine" else yours).edit("b.second", lambda record: [reworded(record[-1], "the new words")])
    yours.remotes.push()

    getattr(mine.remotes, way)()

    assert contents(mine) == [*([] if is_whole else [("a.first", "the beginning")]), ("b.second", "the new words")]


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
@pytest.mark.parametrize("times", [1, 2, 7, 9])
def test_what_replaced_a_memory_goes_where_the_other_side_moved_that(
    mine: Repository, yours: Repository, mover: str, way: str, times: int
) -> None:
    moving, replacing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.second")
    for number in range(times):
        replacing.remember(Memory.of(f"instead of it {number}"), "a.first", policy="replace")
    yours.remotes.push()

    getattr(mine.remotes, way)()

    assert contents(mine) == [("b.second", f"instead of it {times - 1}")]


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_what_was_replaced_until_it_was_left_to_history_and_then_forgotten_is_a_conflict(
    mine: Repository, yours: Repository, mover: str, way: str
) -> None:
    moving, forgetting = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.second")
    for number in range(9):
        forgetting.remember(Memory.of(f"instead of it {number}"), "a.first", policy="replace")
    forgetting.forget("a.first")
    yours.remotes.push()

    with pytest.raises(Conflict):
        getattr(mine.remotes, way)()


@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_where_one_of_two_additions_replaced_what_the_other_side_moved_both_stay(
    mine: Repository, yours: Repository, several: str, mover: str
) -> None:
    moving, adding = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move(several, "b.second")
    replace_one(adding, "one of several", "instead of it")
    adding.remember(Memory.of("beside it"), "a.first", policy="append")
    yours.remotes.push()

    mine.remotes.pull()

    assert contents(mine) == [("a.first", text) for text in ("beside it", "instead of it", "the beginning")]


@pytest.mark.parametrize("mover", ["mine", "yours"])
def test_what_replaced_two_that_the_other_side_moved_apart_stays(
    mine: Repository, yours: Repository, several: str, mover: str
) -> None:
    moving, replacing = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move(several, "b.second")
    moving.move("a.first", "c.third")
    replace_one(replacing, "the beginning", "instead of both")
    replacing.edit("a.first", lambda record: [record[0], record[1].superseded(), record[2]])
    yours.remotes.push()

    mine.remotes.pull()

    assert contents(mine) == [("a.first", "instead of both")]


def replace_one(repository: Repository, old: str, new: str) -> None:
    """Write a memory at `a.first` instead of one that stays there as superseded."""
    repository.edit(
        "a.first",
        lambda record: [*(each.superseded() if each.content == old else each for each in record), Memory.of(new)],
    )


def test_what_came_beside_a_replaced_memory_does_not_go_along_when_it_is_edited_after_that(
    mine: Repository, yours: Repository
) -> None:
    yours.move("a.first", "b.second")
    yours.remotes.push()
    mine.remember(Memory.of("instead of it"), "a.first", policy="replace")
    mine.remember(Memory.of("beside it"), "a.first", policy="append")
    edit_one(mine, "beside it", "beside it still")
    edit_one(mine, "instead of it", "the newest words")

    mine.remotes.sync()

    assert contents(mine) == [("a.first", "beside it still"), ("b.second", "the newest words")]


@pytest.mark.parametrize("mover", ["mine", "yours"])
@pytest.mark.parametrize("way", ["pull", "sync"])
def test_what_was_added_beside_a_memory_stays_where_the_other_side_moved_that_away(
    mine: Repository, yours: Repository, mover: str, way: str
) -> None:
    moving, adding = (mine, yours) if mover == "mine" else (yours, mine)
    moving.move("a.first", "b.second")
    edit_one(adding, "the beginning", "the new words")
    adding.remember(Memory.of("beside it"), "a.first", policy="append")
    yours.remotes.push()

    getattr(mine.remotes, way)()

    assert contents(mine) == [("a.first", "beside it"), ("b.second", "the new words")]


@pytest.mark.usefixtures("the_other")
def test_where_each_side_moved_what_the_other_one_forgot_the_path_is_listed_once(
    mine: Repository, yours: Repository
) -> None:
    for each, moved, forgotten in ((mine, "a.first", "a.other"), (yours, "a.other", "a.first")):
        each.move(moved, "b.both")
        each.forget(forgotten)
    yours.remotes.push()

    with pytest.raises(Conflict, match="1 path") as error:
        mine.remotes.pull()

    (row,) = error.value.details["conflicts"]
    assert row["key"] == "b.both" and {each["base"] for each in row["memories"]} == {"the beginning", "the other"}


def test_a_move_in_one_line_and_an_edit_in_another_are_followed_together(mine: Repository, yours: Repository) -> None:
    """The other side has forgotten the memory that one of ours moved and another reworded, before those two met."""
    mine.branches.create("line")
    mine.move("a.first", "b.second", options=WriteOptions(branch="line"))
    edit_one(mine, "the beginning", "the new words")
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
    edit_one(yours, "the beginning", "the new words")
    yours.remotes.push()
    if is_moved:
        mine.move("a.first", "b.second")
    else:
        mine.remember(Memory.of("one more"), "a.first", policy="append")
    mine.forget(first.replace("a.first", "b.second") if is_moved else first)

    with pytest.raises(Conflict):
        mine.remotes.sync()


def test_moves_to_and_fro_beside_other_memories_take_none_of_these_along(mine: Repository, yours: Repository) -> None:
    edit_one(yours, "the beginning", "the new words")
    yours.remember(Memory.of("of yours"), "b.second")
    yours.move("b.second", "c.third")
    yours.move("c.third", "b.second")
    yours.remotes.push()
    mine.move("a.first", "b.second")
    mine.move("b.second", "a.first")

    mine.remotes.sync()

    assert contents(mine) == [("a.first", "the new words"), ("b.second", "of yours")]


@pytest.mark.parametrize("way", ["pull", "sync"])
def test_a_move_by_a_clock_that_is_behind_is_followed_all_the_same(
    mine: Repository, yours: Repository, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """It is dated before the edit that it rests on."""
    edit_one(mine, "the beginning", "the new words")
    mine.branches.create("line")
    with monkeypatch.context() as behind:
        behind.setenv("MEMOIR_NOW", "2001-01-01T00:00:00Z")
        mine.move("a.first", "b.second")
    mine.remember("of the line", "c.third", options=WriteOptions(branch="line"))
    mine.merge("line")
    yours.forget("a.first")
    yours.remotes.push()

    with pytest.raises(Conflict) as error:
        getattr(mine.remotes, way)()
    assert "b.second" in {row["key"] for row in error.value.details["conflicts"]}


def test_a_commit_that_many_memories_are_followed_through_is_read_once(
    mine: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = [Place(key, memory) for key, value in mine.store.head().scan() for memory in readable(value)]
    edit_one(mine, "the beginning", "the new words")
    trails = Trails(mine.store, [next(mine.log())])
    there = trails.follow(start)
    monkeypatch.delattr(Snapshot, "read")

    assert [place.memory and place.memory.content for place in there] == ["the new words"]
    assert trails.follow(start) == there
