"""`sync`: a branch and its remote come to the same commit, in a straight line, and nothing is lost."""

import shutil
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import pytest
from exchange.conftest import paths, texts
from support import git

from memoir.errors import Conflict, InvalidInput
from memoir.exchange import sync as module
from memoir.exchange.writers import sync_writers
from memoir.exchange.writers.fold import fold
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import reworded
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def subjects(repository: Repository) -> list[str]:
    return [commit.message.split("\n")[0] for commit in repository.log()]


def merges(folder: Path) -> int:
    return int(git("rev-list", "--merges", "--count", "main", cwd=folder))


def tip(repository: Repository) -> str:
    commit = repository.store.head().commit
    assert commit
    return str(commit.id)


def test_each_side_gets_what_only_the_other_had(mine: Repository, yours: Repository) -> None:
    assert mine.remotes.sync().outcome == "up_to_date"
    mine.remember(Memory.of("mine"), "a.mine")

    push, pull = mine.remotes.sync(), yours.remotes.sync()

    assert (push.outcome, push.sent, pull.outcome, pull.sent) == ("pushed", 1, "fast_forward", 0)
    assert tip(mine) == tip(yours)


def test_what_another_branch_has_there_is_not_counted_as_sent(mine: Repository) -> None:
    mine.remember(Memory.of("mine"), "a.mine")
    mine.remotes.sync()
    mine.branches.checkout("topic", create=True)
    mine.remember(Memory.of("of the topic"), "a.topic")

    assert mine.remotes.sync().sent == 1


@pytest.mark.parametrize("is_new", [False, True])
def test_a_branch_is_sent_though_what_another_one_had_there_is_lost_here(
    mine: Repository, yours: Repository, is_new: bool
) -> None:
    yours.branches.checkout("other", create=True)
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()
    (mine.path / "refs/remotes/origin/other").write_text(f"{tip(yours)}\n")
    if is_new:
        mine.branches.checkout("topic", create=True)
    mine.remember(Memory.of("mine"), "a.mine")

    assert mine.remotes.sync().sent == 1


def test_unpublished_commits_are_made_again_on_the_remotes(mine: Repository, yours: Repository, hub: Path) -> None:
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()
    mine.remember(Memory.of("one"), "a.one", options=WriteOptions(message="first of mine"))
    mine.remember(Memory.of("two"), "a.two", options=WriteOptions(message="second of mine"))
    authors = [commit.author for commit in mine.log()][:2]

    done = mine.remotes.sync()

    assert (done.outcome, done.sent, done.tries, merges(hub)) == ("replayed", 2, 1, 0)
    assert subjects(mine)[:2] == ["second of mine", "first of mine"]
    assert [commit.author for commit in mine.log()][:2] == authors
    assert {"a.first", "a.one", "a.two", "a.yours"} == paths(mine)


def test_one_undo_takes_a_sync_back(mine: Repository, yours: Repository) -> None:
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()
    mine.remember(Memory.of("one"), "a.one")
    mine.remember(Memory.of("two"), "a.two")
    before = tip(mine)

    mine.remotes.sync()
    mine.undo()

    assert tip(mine) == before


def test_appends_at_one_path_are_all_kept(mine: Repository, yours: Repository) -> None:
    for repository, text in ((yours, "theirs"), (mine, "ours")):
        repository.remember(Memory.of(text), "experience.day", policy="append")
    yours.remotes.sync()

    mine.remotes.sync()

    assert texts(mine, "experience.day") == {"theirs", "ours"}


def test_rival_changes_change_nothing_without_a_strategy(mine: Repository, yours: Repository, hub: Path) -> None:
    mine.remember(Memory.of("vi"), "preferences.editor")
    mine.remotes.sync()
    yours.remotes.sync()
    yours.remember(Memory.of("emacs"), "preferences.editor")
    yours.remotes.sync()
    mine.remember(Memory.of("unrelated"), "a.b")
    mine.remember(Memory.of("ed"), "preferences.editor")
    before, there = tip(mine), git("rev-parse", "main", cwd=hub)

    with pytest.raises(Conflict) as refusal:
        mine.remotes.sync()

    (sides,) = refusal.value.details["conflicts"]
    assert (sides["ours"], sides["theirs"]) == ("ed", "emacs")
    assert (tip(mine), git("rev-parse", "main", cwd=hub)) == (before, there)
    assert not mine.upkeep.fsck().report.problems
    with pytest.raises(InvalidInput):
        mine.remotes.sync(strategy="mine")
    assert mine.remotes.sync(strategy="ours").outcome == "replayed"
    assert texts(mine, "preferences.editor") == {"ed"}


def test_a_merge_by_a_person_stays_one(mine: Repository, yours: Repository, hub: Path) -> None:
    mine.branches.create("side")
    mine.remember(Memory.of("beside"), "a.side", options=WriteOptions(branch="side"))
    mine.remember(Memory.of("before"), "a.before")
    mine.merge("side")
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()

    assert mine.remotes.sync().outcome == "replayed"
    assert merges(hub) == 1
    assert paths(mine) == {"a.first", "a.side", "a.before", "a.yours"}


def test_a_merge_of_what_the_remote_has_stays_and_its_news_is_merged_too(mine: Repository, yours: Repository) -> None:
    mine.remember(Memory.of("mine"), "a.mine")
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()
    mine.remotes.pull()
    yours.remember(Memory.of("again"), "a.again")
    yours.remotes.sync()
    before = tip(mine)

    done = mine.remotes.sync()

    assert (done.outcome, done.sent, done.commit and str(done.commit.parents[0])) == ("merged", 3, before)
    assert paths(mine) == {"a.first", "a.mine", "a.yours", "a.again"}


@pytest.mark.parametrize("writers", ["shared", "own"])
@pytest.mark.parametrize("merged", ["origin/main", "topic"])
def test_what_was_merged_and_has_been_forgotten_since_does_not_come_back(
    mine: Repository, yours: Repository, writers: str, merged: str
) -> None:
    for each in (mine, yours):
        each.config.set("memoir.remote.origin.writers", writers)
    yours.remember(Memory.of("wrong"), "a.wrong")
    yours.remember(Memory.of("emacs"), "preferences.editor")
    yours.remotes.sync()
    mine.remember(Memory.of("mine"), "a.mine")
    mine.remotes.fetch()
    mine.branches.create("topic", "origin/main")
    mine.remember(Memory.of("beside"), "a.side", options=WriteOptions(branch="topic"))
    mine.merge(merged)
    yours.forget("a.wrong")
    yours.remember(Memory.of("ed"), "preferences.editor")
    yours.remotes.sync()

    mine.remotes.sync()

    assert paths(mine) - {"a.side"} == {"a.first", "a.mine", "preferences.editor"}
    assert ("a.side" in paths(mine)) == (merged == "topic")
    assert texts(mine, "preferences.editor") == {"ed"}


@pytest.mark.parametrize("strategy", ["ours", "theirs", "append"])
@pytest.mark.parametrize("writers", ["shared", "own"])
def test_what_a_pull_has_settled_is_not_asked_again(
    mine: Repository, yours: Repository, writers: str, strategy: str
) -> None:
    for each in (mine, yours):
        each.config.set("memoir.remote.origin.writers", writers)
    mine.remember(Memory.of("vi"), "preferences.editor")
    mine.remotes.sync()
    yours.remotes.sync()
    yours.remember(Memory.of("emacs"), "preferences.editor")
    yours.remotes.sync()
    mine.remember(Memory.of("ed"), "preferences.editor")
    mine.remotes.pull(strategy=strategy)
    settled = texts(mine, "preferences.editor")
    mine.remember(Memory.of("mine"), "a.mine")
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()

    for each in (mine, yours):
        each.remotes.sync()

    assert texts(mine, "preferences.editor") == texts(yours, "preferences.editor") == settled
    assert paths(mine) == paths(yours) == {"a.first", "a.mine", "a.yours", "preferences.editor"}


@pytest.mark.parametrize("writers", ["shared", "own"])
@pytest.mark.parametrize("pulls", [1, 3])
def test_what_several_pulls_brought_and_has_been_forgotten_since_does_not_come_back(
    mine: Repository, yours: Repository, writers: str, pulls: int
) -> None:
    """Each pull rests on the one before it, and between them a branch has merged an older state of the remote."""
    for each in (mine, yours):
        each.config.set("memoir.remote.origin.writers", writers)
    for number in range(pulls):
        yours.remember(Memory.of("wrong"), f"wrong.n{number}")
        yours.remember(Memory.of("right"), f"right.n{number}")
        yours.remotes.sync()
        mine.branches.create(f"topic{number}")
        mine.remember(Memory.of("beside"), f"side.n{number}", options=WriteOptions(branch=f"topic{number}"))
        mine.remember(Memory.of("mine"), f"mine.n{number}")
        mine.remotes.pull()
        mine.merge("origin/main", options=WriteOptions(branch=f"topic{number}"))
        mine.merge(f"topic{number}")
    for number in range(pulls):
        yours.forget(f"wrong.n{number}")
        yours.remotes.sync()
    mine.forget("right.n0")

    for each in (mine, yours):
        each.remotes.sync()

    kept = {f"{kind}.n{number}" for kind in ("right", "side", "mine") for number in range(pulls)}
    assert paths(mine) == paths(yours) == {"a.first", *kept} - {"right.n0"}
    assert [each.upkeep.fsck().report.problems for each in (mine, yours)] == [[], []]


def test_what_two_heads_of_one_fold_brought_is_kept_when_it_is_made_again(mine: Repository, yours: Repository) -> None:
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()
    mine.remember(Memory.of("mine"), "a.mine")
    mine.remotes.fetch()
    for name in ("one", "two"):
        mine.branches.create(name, "origin/main")
        mine.remember(Memory.of(name), f"a.{name}", options=WriteOptions(branch=name))
    heads = [mine.store.commit(name).id for name in ("main", "one", "two")]
    git("update-ref", "refs/heads/main", str(fold(mine.store, heads, first=heads[0]).tip), cwd=mine.path)
    yours.remember(Memory.of("more"), "a.more")
    yours.remotes.sync()

    mine.remotes.sync()

    assert paths(mine) == {"a.first", "a.mine", "a.yours", "a.more", "a.one", "a.two"}


def test_a_hub_that_was_restored_from_a_backup_gets_everything_back(
    mine: Repository, yours: Repository, hub: Path
) -> None:
    shutil.copytree(hub, hub.with_name("backup"))
    for name, each in (("mine", mine), ("yours", yours)):
        each.remember(Memory.of(name), f"a.{name}")
        each.remotes.sync()
    mine.remotes.sync()
    shutil.rmtree(hub)
    hub.with_name("backup").rename(hub)
    with Repository.clone(str(hub), hub.with_name("new")) as new:
        new.remember(Memory.of("new"), "a.new")
        new.remotes.sync()

    with pytest.raises(Conflict, match="was rewritten") as error:
        mine.remotes.sync()

    hint = "if origin is back from an older backup, 'memoir merge origin/main' joins both as they are"
    assert error.value.hint and error.value.hint.endswith(hint)
    mine.merge("origin/main")
    for each in (mine, yours):
        each.remotes.sync()
    assert paths(mine) == paths(yours) == {"a.first", "a.mine", "a.yours", "a.new"}


def test_blame_follows_a_move_that_left_another_stores_addition_behind(mine: Repository, yours: Repository) -> None:
    wrote = next(yours.log("a.first"))
    yours.remember(Memory.of("more"), "a.first", policy="append")
    yours.remotes.sync()

    mine.move("a.first", "a.second")
    assert mine.remotes.sync().outcome == "replayed"

    assert (texts(mine, "a.first"), texts(mine, "a.second")) == ({"more"}, {"the beginning"})
    assert [version.operation for version in mine.blame("a.second")] == ["moved", "modified", "added"]
    assert mine.blame("a.second")[-1].commit == wrote


def test_what_the_remote_has_already_is_not_sent_twice(mine: Repository, hub: Path) -> None:
    """As after a kill between the push and the move of the branch."""
    before = tip(mine)
    mine.remember(Memory.of("text"), "a.b")
    mine.remotes.sync()
    with Repository.clone(str(hub), hub.parent / "twin") as twin:
        twin.remember(Memory.of("on top"), "a.c")
        twin.remotes.sync()
        count = git("rev-list", "--count", "main", cwd=hub)
    git("update-ref", "refs/heads/main", before, cwd=mine.store.git_dir)
    mine.close()
    with Repository.open(hub.parent / "mine") as again:
        again.remember(Memory.of("text"), "a.b")
        done = again.remotes.sync()
    assert (done.sent, git("rev-list", "--count", "main", cwd=hub)) == (0, count)


@pytest.mark.parametrize("pulls", [False, True])
@pytest.mark.parametrize("writers", ["shared", "own"])
def test_what_a_killed_sync_had_sent_and_has_been_forgotten_since_does_not_come_back(
    mine: Repository, yours: Repository, monkeypatch: pytest.MonkeyPatch, writers: str, pulls: bool
) -> None:
    for each in (mine, yours):
        each.config.set("memoir.remote.origin.writers", writers)
    yours.remember(Memory.of("yours"), "a.yours")
    yours.remotes.sync()
    mine.remember(Memory.of("mine"), "a.mine")
    with monkeypatch.context() as patch:
        for where in (module, sync_writers):
            patch.setattr(where, "move_branch", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            mine.remotes.sync()
    assert paths(mine) == {"a.first", "a.mine"}
    yours.remotes.sync()
    yours.forget("a.mine")
    yours.remotes.sync()
    mine.remember(Memory.of("more"), "a.more")

    mine.remotes.pull() if pulls else mine.remotes.sync()

    assert paths(mine) == {"a.first", "a.yours", "a.more"}
    mine.remotes.sync()
    yours.remotes.sync()
    assert paths(yours) == paths(mine) == {"a.first", "a.yours", "a.more"}


@pytest.mark.slow
def test_writers_that_sync_at_once_lose_nothing(hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONGEST_PAUSE", 0.3)
    number, writes = 4, 3

    def work(name: str) -> None:
        with Repository.clone(str(hub), tmp_path / name) as repository:
            for turn in range(writes):
                repository.remember(Memory.of(f"{name} {turn}"), f"fleet.{name}.t{turn}")
                repository.remotes.sync()

    workers = [Thread(target=work, args=(f"w{n}",)) for n in range(number)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    with Repository.clone(str(hub), tmp_path / "whole") as whole:
        assert len(paths(whole)) == 1 + number * writes
        assert merges(hub) == 0


@pytest.mark.usefixtures("the_other")
def test_a_conflict_names_what_later_commits_contradict_too(mine: Repository, yours: Repository) -> None:
    """A strategy decides all of them, so whoever chooses it must have seen them."""
    for each in (mine, yours):
        for path in ("a.first", "a.other"):
            each.edit(path, lambda record: [reworded(record[0], f"{each.path.parent.name}: {record[0].content}")])  # noqa: B023
    yours.remotes.push()

    with pytest.raises(Conflict, match="2 paths") as error:
        mine.remotes.sync()

    rows = error.value.details["conflicts"]
    assert [(row["key"], row["ours"], row["theirs"]) for row in rows] == [
        ("a.first", "mine: the beginning", "yours: the beginning"),
        ("a.other", "mine: the other", "yours: the other"),
    ]


@pytest.mark.parametrize(("strategy", "kept"), [("theirs", "the beginning"), ("ours", "the end")])
def test_a_strategy_decides_of_all_that_was_written_since(
    mine: Repository, yours: Repository, strategy: str, kept: str
) -> None:
    yours.annotate("a.first", expires="2999-01-01")
    yours.remotes.sync()
    for text in ("the middle", "the end"):
        mine.remember(Memory.of(text), "a.first")

    mine.remotes.sync(strategy=strategy)

    assert texts(mine, "a.first") == {kept}
