"""Folding: whoever folds the same heads gets the same commits, and what is not left out is all there."""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples, git

from memoir.errors import NotFound
from memoir.exchange.writers import fold as fold_module
from memoir.exchange.writers.fold import fold, is_fold
from memoir.git.objects import Oid
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import reworded
from memoir.records.record import Memory, decode
from memoir.repository.repository import Repository
from memoir.store.ancestry import beyond
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.three_way import Side, TreeMerge, merge_trees
from memoir.taxonomy.paths import from_key
from memoir.tree.tree import Tree

PATHS = ("a.one", "a.two", "experience.day", "preferences.editor")
Deed = tuple[str, str, str]
DEEDS = st.lists(
    st.tuples(st.sampled_from(PATHS), st.sampled_from("xyz"), st.sampled_from(("append", "replace", "forget", "move"))),
    min_size=1,
    max_size=3,
)


def deed(repository: Repository, each: Deed, branch: str) -> None:
    path, text, policy = each
    if policy == "forget":
        with suppress(NotFound):
            repository.forget(path, options=WriteOptions(branch=branch))
        return
    if policy == "move":
        with suppress(NotFound):
            repository.move(path, f"moved.{text}", append=True, options=WriteOptions(branch=branch))
        return
    repository.remember(Memory.of(text), path, policy=policy, options=WriteOptions(branch=branch))


def fold_elsewhere(source: Repository, folder: Path, heads: list[Oid], first: Oid) -> tuple[Oid | None, list[Oid]]:
    """Fold heads in another store, named in another order, at another time, by somebody else."""
    git("clone", "-q", "--mirror", str(source.store.git_dir), str(folder / ".memoir"))
    with Repository.open(folder) as other:
        other.config.set("user.name", "Somebody Else")
        done = fold(other.store, heads, first=first)
        return done.tip, [each.commit for each in done.left]


def lines_between(source: Repository, heads: list[Oid], tip: Oid) -> list[str]:
    """The ids of the commits behind some heads, up to another."""
    return source.store.git.read("rev-list", str(tip), *(f"^{head}" for head in heads)).decode().split()


@pytest.mark.slow
@settings(max_examples=examples(12))
@given(
    writers=st.lists(DEEDS, min_size=2, max_size=4),
    shared=DEEDS,
    seed=st.integers(0, 99),
)
def test_two_who_fold_the_same_heads_make_the_same_commits(
    tmp_path_factory: pytest.TempPathFactory, writers: list[list[Deed]], shared: list[Deed], seed: int
) -> None:
    folder = tmp_path_factory.mktemp("fold")
    with Repository.init(folder / "one") as one:
        one.remember(Memory.of("the beginning"), "preferences.editor")
        heads = []
        for number, deeds in enumerate(writers):
            one.branches.create(f"w{number}")
            for each in deeds:
                deed(one, each, f"w{number}")
            heads.append(one.store.commit(f"refs/heads/w{number}").id)
        for each in shared:
            deed(one, each, "main")
        first = one.store.commit("refs/heads/main").id

        done = fold(one.store, heads, first=first)
        random.Random(seed).shuffle(heads)

        assert fold_elsewhere(one, folder / "two", heads, first) == (done.tip, [each.commit for each in done.left])
        assert done.tip
        made = [*one.store.commits([*map(Oid.fromhex, lines_between(one, [first, *heads], done.tip))])]
        assert sum(len(commit.parents) - 1 for commit in made) == done.merged
        assert all(is_fold(one.store, commit) for commit in made)
        one.store.git.run("update-ref", "refs/heads/main", str(done.tip))
        one.store.reload()
        assert not one.upkeep.fsck().report.problems
        for head in {first, *heads} - {each.commit for each in done.left}:
            assert not one.store.git.read("rev-list", str(head), f"^{done.tip}")


@pytest.mark.parametrize("strategy", [None, "theirs", "newest"])
def test_a_fold_that_says_something_of_its_own_is_none(repository: Repository, strategy: str | None) -> None:
    repository.remember(Memory.of("the beginning"), "preferences.editor", "preferences.pager")
    repository.branches.create("theirs")
    deed(repository, ("preferences.editor", "vim", "replace"), "main")
    deed(repository, ("preferences.editor" if strategy else "a.one", "ed", "replace"), "theirs")
    ours, theirs = (repository.store.commit(f"refs/heads/{name}").id for name in ("main", "theirs"))
    tip = fold(repository.store, [theirs], first=ours, strategy=strategy).tip
    assert tip

    (commit,) = repository.store.commits([tip])
    assert is_fold(repository.store, commit)

    text = repository.store.git.read("cat-file", "commit", str(tip))
    for old, new in (
        (str(commit.tree), str(repository.store.commit("refs/heads/main~1").tree)),
        ("memoir@localhost", "mallory@localhost"),
        ("fold ", "folds "),
        (f"parent {theirs}\n", ""),
    ):
        assert not is_fold(repository.store, written(repository, text.replace(old.encode(), new.encode()))), old


def written(repository: Repository, commit: bytes) -> Commit:
    """A commit of which git was given every byte."""
    oid = repository.store.git.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=commit).decode().strip()
    return repository.store.commit(oid)


@pytest.mark.parametrize("other", [None, "b.elsewhere"])
def test_a_head_that_moved_what_others_forgot_or_moved_is_left_to_its_writer(
    repository: Repository, other: str | None
) -> None:
    repository.remember(Memory.of("the beginning"), "a.one")
    repository.branches.create("w")
    repository.move("a.one", "b.two", options=WriteOptions(branch="w"))
    repository.move("a.one", other) if other else repository.forget("a.one")
    first, head = (repository.store.commit(name).id for name in ("main", "w"))

    (left,) = fold(repository.store, [head], first=first).left
    assert left.commit == head and "b.two" in {from_key(clash.key).path for clash in left.clashes}

    tip = fold(repository.store, [head], first=first, strategy="ours").tip
    assert tip and is_fold(repository.store, *repository.store.commits([tip]))
    assert [from_key(key).path for key, _ in repository.store.at(str(tip)).scan()] == ([other] if other else [])


def test_an_edit_of_one_writer_follows_the_move_of_another(repository: Repository) -> None:
    repository.remember(Memory.of("the beginning"), "a.one")
    repository.branches.create("w")
    repository.move("a.one", "b.two", options=WriteOptions(branch="w"))
    repository.edit("a.one", lambda record: [reworded(record[0], "the new words")])
    first, head = (repository.store.commit(name).id for name in ("main", "w"))

    tip = fold(repository.store, [head], first=first).tip

    assert tip and is_fold(repository.store, *repository.store.commits([tip]))
    values = {from_key(key).path: decode(value) for key, value in repository.store.at(str(tip)).scan()}
    assert [(path, [memory.content for memory in record]) for path, record in values.items()] == [
        ("b.two", ["the new words"])
    ]


@pytest.mark.parametrize(("contradicts", "merges"), [(False, 1), (True, 5)])
def test_what_is_no_fold_is_compared_with_those_folds_only_that_could_differ(
    repository: Repository, contradicts: bool, merges: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.remember(Memory.of("the beginning"), "a.one")
    repository.branches.create("w")
    deed(repository, ("a.one" if contradicts else "a.two", "x", "replace"), "main")
    deed(repository, ("a.one", "y", "replace"), "w")
    first, head = (repository.store.commit(name) for name in ("main", "w"))
    tip = fold(repository.store, [head.id], first=first.id, strategy="newest").tip
    text = repository.store.git.read("cat-file", "commit", str(tip)).decode()
    forged = text.replace(str(repository.store.commit(str(tip)).tree), str(repository.store.commit("main~1").tree))
    commit = written(repository, forged.encode())
    merge = Mock(side_effect=merge_trees)
    monkeypatch.setattr(fold_module, "merge_trees", merge)

    assert not is_fold(repository.store, commit)
    assert merge.call_count == merges


def many_heads(repository: Repository, number: int) -> tuple[Oid, list[Oid]]:
    """A branch with one memory, and writers with one more each."""
    repository.remember(Memory.of("the beginning"), "preferences.editor")
    heads = []
    for writer in range(number):
        repository.branches.create(f"w{writer}")
        deed(repository, (f"a.n{writer}", f"text {writer}", "append"), f"w{writer}")
        heads.append(repository.store.commit(f"refs/heads/w{writer}").id)
    deed(repository, ("a.main", "text", "append"), "main")
    return repository.store.commit("refs/heads/main").id, heads


def test_many_heads_are_one_commit_and_everybody_is_named(repository: Repository) -> None:
    first, heads = many_heads(repository, 5)
    repository.config.set("user.name", "Somebody Else")

    done = fold(repository.store, heads, first=first)

    assert (done.merged, done.left) == (5, [])
    commit = repository.store.commit(str(done.tip))
    assert commit.parents == (first, *sorted(heads))
    assert is_fold(repository.store, commit)
    repository.store.git.run("update-ref", "refs/heads/main", str(done.tip))
    assert not repository.upkeep.fsck().report.problems
    for writer, head in enumerate(heads):
        assert [each.commit.id for each in repository.blame(f"a.n{writer}")] == [head]


def test_a_commit_has_no_more_parents_than_people_can_wait_for(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold_module, "_MOST_PARENTS", 2)
    first, heads = many_heads(repository, 5)

    tip = repository.store.commit(str(fold(repository.store, heads, first=first).tip))

    *_, three, four, five = sorted(heads)
    assert tip.parents[1:] == (five,)
    assert repository.store.commits(tip.parents[:1])[0].parents[1:] == (three, four)
    assert len(repository.store.of(tip.id).tree.get([b"default=a.n%d" % writer for writer in range(5)])) == 5


def test_it_starts_no_process_for_each_head(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    first, heads = many_heads(repository, 12)
    started: list[tuple[str, ...]] = []
    for name in ("try_run", "start"):
        original = getattr(repository.store.git, name)

        def note(*args: str, run: Callable[..., object] = original, **options: object) -> object:
            started.append(args)
            return run(*args, **options)

        monkeypatch.setattr(repository.store.git, name, note)

    fold(repository.store, heads, first=first)

    assert len(started) <= 6


def test_blame_starts_no_process_for_each_head_of_a_fold_that_lacks_the_path(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = many_heads(repository, 12)
    for writer in ("w0", "w1"):
        repository.remember(Memory.of(writer), "b.new", options=WriteOptions(branch=writer))
    heads = [repository.store.commit(f"w{number}").id for number in range(12)]
    repository.branches.create("folded", str(fold(repository.store, heads, first=first).tip))
    started: list[str] = []
    for name in ("read", "stream"):
        original = getattr(repository.store.git, name)

        def note(*args: str, run: Callable[..., object] = original, **options: object) -> object:
            started.append(" ".join(args))
            return run(*args, **options)

        monkeypatch.setattr(repository.store.git, name, note)

    versions = repository.blame("b.new", at="folded")

    assert [version.operation for version in versions] == ["merged", "added", "added"]
    assert len(started) <= 8, started


def test_it_asks_for_moves_only_if_a_key_that_both_changed_is_gone(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    many_heads(repository, 1)
    for branch in ("main", "w0"):
        deed(repository, ("preferences.editor", branch, "append"), branch)
    first, head = (repository.store.commit(name).id for name in ("main", "w0"))
    asked = Mock(side_effect=beyond)
    monkeypatch.setattr("memoir.exchange.trails.beyond", asked)

    assert fold(repository.store, [head], first=first).merged == 1 and not asked.called
    deed(repository, ("preferences.editor", "", "forget"), "w0")
    deed(repository, ("preferences.editor", "", "forget"), "main")
    first, head = (repository.store.commit(name).id for name in ("main", "w0"))
    assert fold(repository.store, [head], first=first).merged == 1 and asked.called


def test_a_fold_that_came_too_late_says_no_more_than_what_it_folded(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer goes on from a fold of its own, while the branch has got the same heads by another's."""
    first, heads = many_heads(repository, 6)
    late, other = (fold(repository.store, some, first=first).tip for some in (heads[:4], heads[:5]))
    assert late and other
    repository.store.refs.create("branch", "late", late)
    deed(repository, ("a.late", "after the fold", "append"), "late")
    tip = repository.store.commit("refs/heads/late").id
    asked: list[int] = []

    def note(store: Store, ours: Side, theirs: Tree, bases: list[Tree], *more: Any) -> TreeMerge:
        asked.append(len(bases))
        return merge_trees(store, ours, theirs, bases, *more)

    monkeypatch.setattr(fold_module, "merge_trees", note)
    done = fold(repository.store, [tip, heads[5]], first=other)

    assert asked == [1, 1]
    assert done.tip and not done.left
    assert (
        len(repository.store.of(done.tip).tree.get([b"default=a.late", *(b"default=a.n%d" % n for n in range(6))])) == 7
    )
