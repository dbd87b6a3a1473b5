"""Renaming a branch: whoever is killed at whatever step, both names or the new one hold everything."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import contents, examples, write

from memoir.errors import Conflict, NotFound
from memoir.git.ref_names import BRANCHES
from memoir.git.reflog import read
from memoir.git.refs import Refs
from memoir.repair.fsck import fsck
from memoir.store import rewind, safeguards
from memoir.store import rewind as renaming
from memoir.store.create import create
from memoir.store.rewind import rename
from memoir.store.store import Store

STEPS = 4


class Kill(BaseException):
    """Stands for `kill -9`: nothing catches it."""


def kill_after(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every step of a renaming up to one take place, and die then."""
    done = 0

    def count_calls(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **options: Any) -> Any:
            nonlocal done
            if done == step:
                raise Kill
            result = call(*args, **options)
            done += 1
            return result

        return run

    for owner, name in ((Refs, "update"), (renaming, "replace"), (Refs, "switch")):
        monkeypatch.setattr(owner, name, count_calls(getattr(owner, name)))


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("step", range(STEPS))
def test_a_renaming_killed_at_any_step_loses_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, step: int, again: bool
) -> None:
    write(store, {"default=a": "1"}, "first")
    tip = write(store, {"default=b": "2"}, "second").id
    with monkeypatch.context() as patch:
        kill_after(step, patch)
        with pytest.raises(Kill):
            rename(store, "main", "trunk")

    assert contents(store) == {"default=a": "1", "default=b": "2"}
    assert fsck(store, lambda key, value: None).problems == []
    if again:
        assert rename(store, "main", "trunk") == tip
        assert list(store.refs.list(BRANCHES)) == ["trunk"] and store.refs.current == "trunk"
        assert [move.reason for move in read(store.git_dir, "trunk")] == ["second", "first"]
        assert rewind.undo(store).reason == "second"
    else:
        assert set(store.refs.list(BRANCHES).values()) == {tip}
        write(store, {"default=c": "3"})


def test_a_renaming_takes_its_four_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the test above kills at each of them."""
    write(store, {"default=a": "1"})
    kill_after(STEPS, monkeypatch)

    rename(store, "main", "trunk")


DEEDS = st.lists(st.sampled_from(["write", "write", "undo", "undo 2", "redo", "rename"]), min_size=4, max_size=14)


@settings(max_examples=examples(10))
@given(DEEDS)
def test_undo_and_redo_walk_on_through_renamings(steps: list[str]) -> None:
    """The model of `test_undo`, on a real store whose branch is renamed between any two moves."""
    with TemporaryDirectory() as folder, create(Path(folder)) as store:
        states, forward = [write(store, {"default=a": "0"}).id], list[int]()
        position = 0
        for number, step in enumerate(steps, 1):
            verb, _, count = step.partition(" ")
            back = int(count or 1)
            if verb == "write":
                states[position + 1 :] = [write(store, {"default=a": str(number)}).id]
                position, forward = position + 1, []
            elif verb == "rename":
                rename(store, store.branch(), f"name{number}")
            elif verb == "undo" and position >= back:
                rewind.undo(store, steps=back)
                forward.append(position)
                position -= back
            elif verb == "redo" and forward:
                rewind.redo(store)
                position = forward.pop()
            assert store.commit("HEAD").id == states[position]
            entries = [entry.commit for entry in rewind.entries(store)]
            assert entries == [*states[: position + 1][::-1], None]
        assert fsck(store, lambda key, value: None).problems == []


def test_another_branch_of_the_new_name_is_left_alone(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    store.refs.create("branch", "taken", commit)

    with pytest.raises(Conflict, match="already exists"):
        rename(store, "main", "taken")
    with pytest.raises(Conflict, match="conflicts with 'main'"):
        rename(store, "main", "main/inner")
    with pytest.raises(NotFound):
        rename(store, "none", "other")
    assert store.refs.current == "main"


def test_the_config_of_a_renamed_branch_is_kept(store: Store) -> None:
    write(store, {"default=a": "1"})
    store.git.run("config", "branch.main.remote", "origin")
    store.reload()

    rename(store, "main", "trunk")

    assert store.settings["branch.trunk.remote"] == ["origin"]
    assert (store.git_dir / safeguards.COPY).read_bytes() == (store.git_dir / "config").read_bytes()
