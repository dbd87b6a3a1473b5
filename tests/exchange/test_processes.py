"""What a sync starts of git: what moves memories, and nothing that the store can see for itself."""

import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from exchange.conftest import Cloning

from memoir.records.record import Memory
from memoir.repository.repository import Repository

TALK = ["cat-file", "config", "ls-remote"]
"""What reads objects and settings, and asks a remote what it has."""
BUILD = ["cat-file", "index-pack", "update-ref"]
"""What sees whether the commits to build on are still there, as only a new process can, and writes and names more."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subcommands of git that are started from now on."""
    found: list[str] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], *args: Any, **options: Any) -> None:
            pairs = zip(command[1:], command, strict=False)
            found.append(next(word for word, before in pairs if not word.startswith("-") and before != "-c"))
            super().__init__(command, *args, **options)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    return found


Act = Callable[[Repository], object]


def remember(name: str) -> Act:
    return lambda repository: repository.remember(Memory.of("text"), f"a.{name}")


def nothing(repository: Repository) -> None:
    """Leave it as it is."""


def sync(repository: Repository) -> object:
    return repository.remotes.sync()


@pytest.mark.parametrize("writers", ["shared", "own"])
@pytest.mark.parametrize(
    ("mine", "yours", "more"),
    [
        (nothing, nothing, []),
        (remember("one"), nothing, ["push"]),
        (nothing, remember("two"), ["fetch", "update-ref"]),
        (remember("one"), remember("two"), ["fetch", "push", *BUILD]),
    ],
    ids=["nothing new", "one here", "one there", "one on each side"],
)
def test_a_sync_starts(
    pair: tuple[Repository, Repository], started: list[str], writers: str, mine: Act, yours: Act, more: list[str]
) -> None:
    for each in pair:
        each.config.set("memoir.remote.origin.writers", writers)
        remember(each.path.parent.name)(each)
    for each in (*pair, *pair):  # each has sent to a ref of its own where it has one, and read the other's
        sync(each)
    yours(pair[1])
    sync(pair[1])
    mine(pair[0])

    with Repository.open(pair[0].path) as opened:
        started.clear()
        sync(opened)

    assert sorted(started) == sorted(TALK + more)


def test_a_merge_starts(pair: tuple[Repository, Repository], started: list[str]) -> None:
    mine, yours = pair
    remember("two")(yours)
    sync(yours)
    remember("one")(mine)
    mine.remotes.fetch()

    with Repository.open(mine.path) as opened:
        started.clear()
        opened.merge("origin/main")

    assert sorted(started) == sorted(["cat-file", "config", *BUILD])


def test_an_undo_of_what_a_remote_has_starts(fresh_clone: Cloning, started: list[str]) -> None:
    mine = fresh_clone("mine")
    remember("one")(mine)
    sync(mine)

    with Repository.open(mine.path) as opened:
        started.clear()
        opened.undo()

    assert sorted(started) == sorted(["cat-file", "config", *BUILD])
