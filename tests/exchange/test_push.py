"""Pushing names one ref at the remote, or says why it cannot."""

from collections.abc import Callable
from pathlib import Path
from shlex import quote
from subprocess import CompletedProcess

import pytest
from support import git, write

from memoir.errors import Conflict, GitError
from memoir.exchange import fetch, remotes
from memoir.exchange.push import delete, push, refusal
from memoir.exchange.sync import sync
from memoir.store.config import edit
from memoir.store.rewind import rename
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
    fetch.fetch(store, "origin")
    delete(store, "origin", "refs/heads/main")

    push(store, "origin", ["main"])

    refs = git(f"--git-dir={hub}", "for-each-ref", "--format=%(refname) %(objectname)")
    assert refs.split() == ["refs/heads/main", str(store.refs.read("refs/heads/main"))]


@pytest.mark.parametrize("refspec", ["+refs/*:refs/*", "+refs/heads/*:refs/heads/*"])
def test_a_push_from_a_mirror_leaves_what_was_written_meanwhile(store: Store, tmp_path: Path, refspec: str) -> None:
    """git would note where the remote's branch is now in the one of the same name here."""
    git("init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    remotes.add(store, "origin", str(tmp_path / "hub.git"))
    edit(store, ("--replace-all", "remote.origin.fetch", refspec), ("remote.memoir/origin.url", str(tmp_path / "else")))
    sent = write(store, {"default=a": "1"}).id
    newer = write(store, {"default=b": "2"}).id

    push(store, "origin", ["main"], commit=sent)

    assert store.refs.read("refs/heads/main") == newer
    assert store.refs.read("refs/remotes/origin/main") == sent
    delete(store, "origin", "main")
    assert store.refs.branches() == {"main": newer}


SHELL = "a;touch$IFS'b'"
"""A branch name that git takes, and by which a line of commands would do something else."""


def test_hints_quote_the_names_of_branches_for_the_shell(store: Store, hub: str) -> None:
    """They come from whoever pushes to the remote."""
    git(f"--git-dir={hub}", "update-ref", f"refs/heads/refs/heads/{SHELL}", "refs/heads/refs/heads/main")
    with pytest.raises(Conflict) as error:
        push(store, "origin", [SHELL])

    rejected = refusal("origin", SHELL, "[rejected] (already exists)", b"", is_tag=True)
    assert f"push origin {quote(f'refs/heads/{SHELL}')} --delete" in str(error.value.hint)
    assert f"'memoir tag -d {quote(SHELL)}'" in str(rejected.hint)


def test_a_hint_on_a_name_that_is_taken_quotes_it(store: Store) -> None:
    store.refs.create("branch", SHELL, write(store, {"default=a": "1"}).id)

    with pytest.raises(Conflict) as error:
        store.refs.create("branch", SHELL, write(store, {"default=a": "2"}).id)
    with pytest.raises(Conflict) as other:
        rename(store, "main", SHELL)

    assert f"'memoir checkout {quote(SHELL)}'" in str(error.value.hint)
    assert error.value.hint == other.value.hint


def test_what_a_remote_puts_elsewhere_is_not_said_to_be_pushed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a hook `proc-receive` may do for a review; git ends with status 0, and says where it went."""
    git("init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    remotes.add(store, "origin", str(tmp_path / "hub.git"))
    write(store, {"default=a": "1"})
    said = b"To hub\n*\trefs/heads/main:refs/for/main\t[new reference]\nDone\n"
    monkeypatch.setattr("memoir.exchange.push.push_to", lambda *args, **more: CompletedProcess([], 0, said, b""))

    for act in (lambda: push(store, "origin", ["main"]), lambda: sync(store, "origin")):
        with pytest.raises(GitError, match="keeps what was sent as 'refs/for/main'"):
            act()
