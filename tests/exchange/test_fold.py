"""Folding: whoever folds the same heads gets the same commits, and what is not left out is all there."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples, git

from memoir.exchange.fold import fold, is_fold
from memoir.git.objects import Oid
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository import Repository

PATHS = ("a.one", "a.two", "experience.day", "preferences.editor")
Deed = tuple[str, str, str]
DEEDS = st.lists(
    st.tuples(st.sampled_from(PATHS), st.sampled_from("xyz"), st.sampled_from(("append", "replace"))),
    min_size=1,
    max_size=3,
)


def deed(repository: Repository, each: Deed, branch: str) -> None:
    path, text, policy = each
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
        assert len(made) == done.merged and all(is_fold(one.store, commit) for commit in made)
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
        forged = text.replace(old.encode(), new.encode())
        oid = repository.store.git.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=forged).decode().strip()
        assert not is_fold(repository.store, repository.store.commits([Oid.fromhex(oid)])[0]), old
