"""Merging, reverting, undoing: whole operations on real stores."""

from functools import partial
from pathlib import Path

import pytest
from support import built_once

from memoir.answers.terminal import failure_lines
from memoir.errors import Conflict, InvalidInput, MemoirError, NotFound
from memoir.exchange import fetch, remotes
from memoir.exchange.merge import revert
from memoir.exchange.writers.fold import fold
from memoir.git.objects import Oid
from memoir.memory.facets import ids_of
from memoir.memory.write import reword
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, projection
from memoir.repository.repository import Repository
from memoir.store import rewind
from memoir.store.ancestry import count_commits
from memoir.store.rewind import rename


def put(
    repository: Repository, path: str, content: str, *, timestamp: str = "2026-01-01", branch: str | None = None
) -> Oid:
    new = Memory.of(content, timestamp=timestamp)
    commit = repository.remember(new, path, options=WriteOptions(branch=branch)).commit
    assert commit
    return commit.id


def content(repository: Repository, key: str, at: str | None = None) -> str | None:
    record = repository.get(key, at=at)
    return projection(record) if record else None


@built_once
def fork(repository: Repository) -> None:
    """A branch `side` beside `main`, both from one commit."""
    base = put(repository, "preferences.editor", "vi")
    repository.store.refs.create("branch", "side", base)


def test_both_sides_appending_to_one_path_merges_cleanly(fork: Repository) -> None:
    put(fork, "experience.day", "ours", timestamp="2026-01-02")
    put(fork, "experience.day", "theirs", timestamp="2026-01-03", branch="side")

    result = fork.merge("side")

    assert result.outcome == "merged"
    assert result.commit
    assert len(result.commit.parents) == 2
    assert content(fork, "experience.day") == "ours\ntheirs"


def test_of_rivals_that_begin_alike_people_see_where_they_differ(fork: Repository) -> None:
    for branch, port in (("main", 1), ("side", 2)):
        put(fork, "preferences.editor", f"# Editor\n\nvi on port {port}", branch=branch)

    with pytest.raises(Conflict) as caught:
        fork.merge("side")

    shown = ["".join(text for text, _ in line) for line in failure_lines(caught.value)]
    assert shown[2:5] == ["    base: vi", "    ours: … vi on port 1", "    theirs: … vi on port 2"]


def test_a_conflict_changes_nothing_and_lists_all_three_sides(fork: Repository) -> None:
    ours = put(fork, "preferences.editor", "emacs")
    put(fork, "preferences.editor", "ed", branch="side")

    with pytest.raises(Conflict) as error:
        fork.merge("side")

    (conflict,) = error.value.details["conflicts"]
    assert (conflict["namespace"], conflict["key"]) == ("default", "preferences.editor")
    assert (conflict["base"], conflict["ours"], conflict["theirs"]) == ("vi", "emacs", "ed")
    head = fork.store.head().commit
    assert head
    assert head.id == ours


def test_a_conflict_of_metadata_alone_says_which_fields_differ(fork: Repository) -> None:
    for branch, owner in (("main", "Ada"), ("side", "Ben")):
        vi = Memory.of("vi", metadata={"owner": owner, "team": "tools"})
        fork.remember(vi, "preferences.editor", options=WriteOptions(branch=branch))

    with pytest.raises(Conflict) as error:
        fork.merge("side")

    (memory,) = error.value.details["conflicts"][0]["memories"]
    assert memory["metadata"] == {"owner": {"base": None, "ours": "Ada", "theirs": "Ben"}}
    shown = ["".join(text for text, _ in line).strip() for line in failure_lines(error.value)]
    assert shown[2:5] == ["base: vi", "ours: vi (owner: Ada)", "theirs: vi (owner: Ben)"]


@pytest.mark.parametrize(("strategy", "expected"), [("ours", "emacs"), ("theirs", "ed"), ("append", "ed\nemacs")])
def test_a_strategy_resolves_a_conflict(fork: Repository, strategy: str, expected: str) -> None:
    put(fork, "preferences.editor", "emacs")
    put(fork, "preferences.editor", "ed", branch="side")

    fork.merge("side", strategy=strategy)

    assert content(fork, "preferences.editor") == expected


@built_once
def crossed(repository: Repository) -> None:
    """Two memories at one path, and one at another, that `main` and its branch `side` reword."""
    for path, words in (("a.b", "one"), ("a.b", "two"), ("c.d", "three")):
        repository.remember(Memory.of(words, timestamp="2026-01-02"), path, policy="append")
    repository.branches.create("side")
    keys = [f"a.b#{identity}" for identity in ids_of(repository.get("a.b") or ())]
    for branch, suffix in ((None, " ours"), ("side", " theirs")):
        for key, words in zip(keys, ("one", "two"), strict=True):
            repository.edit(key, partial(reword, content=words + suffix), options=WriteOptions(branch=branch))
        repository.edit("c.d", partial(reword, content="three" + suffix), options=WriteOptions(branch=branch))


def rivals(repository: Repository) -> dict[str | None, str]:
    """The keys of the memories in conflict, by their words before."""
    with pytest.raises(Conflict) as error:
        repository.merge("side")
    rows = error.value.details["conflicts"]
    return {each["base"]: f"{row['key']}#{each['id']}" for row in rows for each in row["memories"]}


def active(repository: Repository, path: str) -> set[str]:
    return {each.content for each in repository.get(path) or () if each.active}


def test_a_choice_is_made_for_each_memory(crossed: Repository) -> None:
    named = rivals(crossed)
    assert named.keys() == {"one", "two", "three"}

    crossed.merge("side", choices=[f"{named['one']}=ours", f"{named['two']}=theirs", "c.d=append"])

    assert active(crossed, "a.b") == {"one ours", "two theirs"}
    assert active(crossed, "c.d") == {"three ours", "three theirs"}


def test_a_choice_for_a_memory_comes_before_one_for_its_path_and_that_before_the_strategy(crossed: Repository) -> None:
    named = rivals(crossed)

    crossed.merge("side", strategy="theirs", choices=["a.b=ours", f"{named['two']}=theirs"])

    assert active(crossed, "a.b") == {"one ours", "two theirs"}
    assert active(crossed, "c.d") == {"three theirs"}


def test_what_nobody_chose_is_still_a_conflict(crossed: Repository) -> None:
    named = rivals(crossed)

    with pytest.raises(Conflict) as error:
        crossed.merge("side", choices=[f"{named['one']}=ours", "c.d=ours"])

    rows = error.value.details["conflicts"]
    assert [(row["key"], [each["base"] for each in row["memories"]]) for row in rows] == [("a.b", ["two"])]


@pytest.mark.parametrize(
    ("choices", "kind"),
    [
        (["preferences.editor=ours"], NotFound),
        (["a.b#0000=ours"], NotFound),
        (["a.b=mine"], InvalidInput),
        (["a.b"], InvalidInput),
        (["a.b=ours", "a.b=theirs"], InvalidInput),
    ],
)
def test_a_choice_that_means_nothing_is_refused(
    crossed: Repository, choices: list[str], kind: type[MemoirError]
) -> None:
    before = crossed.store.head().commit

    with pytest.raises(kind):
        crossed.merge("side", strategy="ours", choices=choices)

    assert crossed.store.head().commit == before


def test_rivals_that_replaced_one_memory_are_one_choice(fork: Repository) -> None:
    put(fork, "preferences.editor", "emacs")
    put(fork, "preferences.editor", "ed", branch="side")
    (key,) = rivals(fork).values()

    fork.merge("side", choices=[f"{key}=theirs"])

    assert content(fork, "preferences.editor") == "ed"


def test_an_unknown_strategy_is_refused(fork: Repository) -> None:
    with pytest.raises(InvalidInput):
        fork.merge("side", strategy="union")


def test_merging_a_branch_that_is_ahead_fast_forwards(fork: Repository) -> None:
    tip = put(fork, "a", "1", branch="side")

    assert fork.merge("side").outcome == "fast_forward"
    assert fork.merge("side").outcome == "up_to_date"
    head = fork.store.head().commit
    assert head
    assert head.id == tip


@pytest.mark.parametrize("ahead", [True, False])
def test_a_dry_run_changes_nothing(fork: Repository, ahead: bool) -> None:
    put(fork, "a", "1", branch="side")
    if not ahead:
        put(fork, "b", "1")
    before = fork.store.head().commit

    result = fork.merge("side", options=WriteOptions(dry_run=True))

    assert result.changed == 1
    assert fork.store.head().commit == before


def test_merging_into_another_branch_leaves_the_current_one(fork: Repository) -> None:
    put(fork, "a", "1")

    fork.merge("main", options=WriteOptions(branch="side"))

    assert content(fork, "a", "side") == "1"
    assert fork.store.branch() == "main"


def test_a_merged_version_is_blamed_on_who_wrote_it(fork: Repository) -> None:
    put(fork, "b", "1")
    wrote = put(fork, "a", "1", branch="side")
    fork.merge("side")

    assert [version.commit.id for version in fork.blame("a")] == [wrote]


def cross(repository: Repository) -> None:
    """Merge `main` and `side` into each other, each as it was."""
    before = repository.store.commit("main").id
    repository.merge("side")
    repository.merge(str(before), options=WriteOptions(branch="side"))


@pytest.mark.usefixtures("near_or_far")
@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize(("crossed", "number"), [(1, 0), (2, 0), pytest.param(2, 2, marks=pytest.mark.slow)])
def test_what_was_forgotten_after_two_stores_merged_each_other_does_not_come_back(
    repository: Repository, number: int, folds: bool, crossed: int
) -> None:
    """Only the second of the two merge bases has it.

    Where they have merged each other twice, these two go back to two commits as well, of which by chance the first or
    the second has `a.early`: with the number 0 it is the first, with 2 the second.
    """
    repository.remember(Memory.of("first"), "a.first")
    repository.branches.create("side")
    side = WriteOptions(branch="side")
    for path in ("a.early", "a.wrong")[-crossed:]:
        repository.remember(Memory.of(f"main {number} {path}"), "a.main")
        repository.remember(Memory.of(f"wrong {number}"), path, options=side)
        cross(repository)
    repository.forget("a.wrong")
    repository.remember(Memory.of("side"), "a.side", options=side)

    if folds:
        heads = [repository.store.commit(name).id for name in ("main", "side")]
        done = fold(repository.store, heads, first=heads[0]).tip
        names = set(repository.store.of(done).tree.get([b"default=a.wrong", b"default=a.side"]))
        assert names == {b"default=a.side"}
    else:
        repository.merge("side")
        assert {place.path for place in repository.keys(())} - {"a.early"} == {"a.first", "a.main", "a.side"}


def test_reverting_undoes_one_commit_and_keeps_later_ones(repository: Repository) -> None:
    put(repository, "a", "1")
    middle = put(repository, "b", "2")
    put(repository, "c", "3")

    revert(repository.store, str(middle))

    assert [content(repository, key) for key in "abc"] == ["1", None, "3"]


def test_reverting_a_path_that_changed_since_is_a_conflict(repository: Repository) -> None:
    put(repository, "context.a", "1")
    second = put(repository, "context.a", "2")
    put(repository, "context.a", "3")

    with pytest.raises(Conflict):
        revert(repository.store, str(second))
    assert content(repository, "context.a") == "3"


def test_the_first_commit_can_be_reverted_and_undone(repository: Repository) -> None:
    first = put(repository, "a", "1")

    rewind.undo(repository.store)
    assert content(repository, "a") is None
    rewind.redo(repository.store)
    assert content(repository, "a") == "1"
    revert(repository.store, str(first))
    assert content(repository, "a") is None


def test_a_merge_is_undone_in_one_step(fork: Repository) -> None:
    put(fork, "a", "1", branch="side")
    before = put(fork, "b", "1")
    fork.merge("side")

    step = rewind.undo(fork.store)

    assert step.new == before
    assert content(fork, "a") is None


def test_undo_is_per_branch(fork: Repository) -> None:
    put(fork, "a", "1", branch="side")

    rewind.undo(fork.store, branch="side")

    assert content(fork, "a", "side") is None
    assert count_commits(fork.store, fork.store.commit("main").id) == 1
    with pytest.raises(MemoirError, match="nothing to redo"):
        rewind.redo(fork.store)


def test_nothing_to_undo_is_an_error(repository: Repository) -> None:
    with pytest.raises(NotFound, match="no commits yet"):
        rewind.undo(repository.store)


@pytest.mark.slow
def test_two_stores_that_append_and_merge_each_other_never_conflict(repository: Repository, tmp_path: Path) -> None:
    """Each merging the other's merge makes two common ancestors; an append is still only an append."""
    put(repository, "experience.day", "0", timestamp="2026-01-01")
    with Repository.clone(str(repository.store.git_dir), tmp_path / "other") as other:
        stores = {"a": repository, "b": other}
        remotes.add(repository.store, "peer", str(other.store.git_dir))
        remotes.add(other.store, "peer", str(repository.store.git_dir))
        for step in range(1, 5):
            for name, store in stores.items():
                put(store, "experience.day", f"{name}{step}", timestamp=f"2026-01-{10 - step:02}")
            for store in stores.values():
                fetch.fetch(store.store, "peer")
            for store in stores.values():
                store.merge("peer/main")
        for store in stores.values():
            contents = (content(store, "experience.day") or "").split("\n")
            assert sorted(contents) == sorted(["0", *(f"{name}{step}" for name in "ab" for step in range(1, 5))])


def test_undo_stops_where_the_branch_was_created(fork: Repository) -> None:
    with pytest.raises(MemoirError, match="nothing to undo"):
        rewind.undo(fork.store, branch="side")


def test_renaming_a_branch_is_not_a_step_of_undo(repository: Repository) -> None:
    put(repository, "a", "1")
    put(repository, "b", "2")
    rename(repository.store, "main", "trunk")

    rewind.undo(repository.store)

    assert content(repository, "b") is None
    assert content(repository, "a") == "1"


def test_a_merge_message_cannot_forge_undos_bookkeeping(fork: Repository) -> None:
    put(fork, "a", "1", branch="side")
    before = put(fork, "b", "1")
    fork.merge("side", options=WriteOptions("undo: not really"))

    assert rewind.undo(fork.store).new == before


def test_the_hint_of_a_conflict_works(fork: Repository) -> None:
    put(fork, "preferences.editor", "emacs")
    put(fork, "preferences.editor", "ed", branch="side")
    with pytest.raises(Conflict) as error:
        fork.merge("side")
    assert error.value.hint is not None
    assert "KEY#id=STRATEGY" in error.value.hint
    (conflict,) = error.value.details["conflicts"]
    (memory,) = conflict["memories"]

    assert fork.merge("side", choices=[f"{conflict['key']}#{memory['id']}=theirs"]).outcome == "merged"
    assert content(fork, "preferences.editor") == "ed"


def test_both_sides_replacing_a_memory_by_the_same_words_merge(fork: Repository) -> None:
    put(fork, "preferences.editor", "nano", timestamp="2026-01-02")
    put(fork, "preferences.editor", "nano", timestamp="2026-01-03", branch="side")

    assert fork.merge("side").outcome == "merged"
    assert content(fork, "preferences.editor") == "nano"
