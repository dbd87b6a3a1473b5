"""Pushing names one ref at the remote, or says why it cannot."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import git, write

from memoir.errors import Conflict
from memoir.exchange import fetch, remotes
from memoir.exchange.push import delete, push
from memoir.memory.soundness import fault
from memoir.store.store import Store


@pytest.fixture
def hub(store: Store, tmp_path: Path) -> str:
    """A remote that has this store's branch, and beside it one whose short name is the full name of the first."""
    hub = str(tmp_path / "hub.git")
    git("init", "--quiet", "--bare", hub)
    remotes.add(store, "origin", hub)
    commit = write(store, {"default=a": "1"}).id
    push(store, "origin", ["main"])
    git(f"--git-dir={hub}", "update-ref", "refs/heads/refs/heads/main", str(commit))
    write(store, {"default=b": "2"})
    return hub


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize(
    "act", [lambda store: push(store, "origin", ["main"]), lambda store: delete(store, "origin", "main")]
)
def test_a_branch_that_git_cannot_tell_from_another_is_named(store: Store, act: Callable[[Store], object]) -> None:
    with pytest.raises(Conflict, match="also has a branch named 'refs/heads/main'") as error:
        act(store)
    assert error.value.hint and "push origin refs/heads/main --delete" in error.value.hint


def test_the_way_out_that_the_hint_names_is_one(store: Store, hub: str) -> None:
    fetch.fetch(store, "origin", fault)
    delete(store, "origin", "refs/heads/main")

    push(store, "origin", ["main"])

    refs = git(f"--git-dir={hub}", "for-each-ref", "--format=%(refname) %(objectname)")
    assert refs.split() == ["refs/heads/main", str(store.refs.read("refs/heads/main"))]
