"""Folding: whoever folds the same heads gets the same commits, and what is not left out is all there."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples, git

from memoir.exchange.fold import fold
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
        one.store.git.run("update-ref", "refs/heads/main", str(done.tip))
        one.store.reload()
        assert not one.upkeep.fsck().report.problems
        for head in {first, *heads} - {each.commit for each in done.left}:
            assert not one.store.git.read("rev-list", str(head), f"^{done.tip}")
