"""Clones that sync and die at named points, in seeded schedules: nothing that was remembered is lost.

A step runs in a process of its own, which kills itself at a point: before or after the n-th talk with the remote, the
n-th pack or the n-th move of a ref. In the end everybody syncs, and every clone has everything.

    SYNC_SCHEDULES=1000 pytest -m faults tests/faults/test_dying_syncs.py
"""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import contents, git

from memoir.git.git import Git
from memoir.git.pack_writer import PackWriter
from memoir.git.refs import Refs
from memoir.records.record import Memory
from memoir.repository import Repository

pytestmark = pytest.mark.faults

SCHEDULES = int(os.environ.get("SYNC_SCHEDULES", "20"))
CLONES, STEPS = 3, 6
POINTS: dict[str, tuple[type, str, int]] = {
    "talk": (Git, "talk", 4),
    "pack": (PackWriter, "flush", 3),
    "ref": (Refs, "update", 3),
}
"""Where a process may die: a method, and the number of its last call that counts."""


def die_at(point: str, number: int, *, after: bool) -> None:
    """Kill this process at the n-th call of a point, before or after it."""
    owner, name, _ = POINTS[point]
    method: Callable[..., Any] = getattr(owner, name)
    calls = 0

    def wrapped(*args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == number and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = method(*args, **options)
        if calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, wrapped)


def in_a_process(work: Callable[[], None]) -> int:
    """Do something in a process of its own; how it ended, as `os.waitpid` has it."""
    if child := os.fork():
        return os.waitpid(child, 0)[1]
    try:
        work()
    except BaseException:  # nothing of the test may run on in the child
        os._exit(1)
    os._exit(0)


def sync(folder: Path) -> None:
    with Repository.open(folder) as repository:
        repository.remotes.sync("origin")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hub with some memories, and clones of it."""
    folder = tmp_path_factory.mktemp("first")
    with Repository.init(folder / "seed") as seed:
        seed.remember(Memory.of("the beginning"), "a.first")
        git("clone", "-q", "--bare", str(seed.path), str(folder / "hub.git"))
    return folder


@pytest.mark.parametrize("block", range(0, SCHEDULES, 10))
def test_no_schedule_loses_a_memory(first: Path, tmp_path: Path, block: int) -> None:
    for seed in range(block, min(block + 10, SCHEDULES)):
        folder = tmp_path / str(seed)
        shutil.copytree(first / "hub.git", folder / "hub.git")
        clones = [folder / f"clone{number}" for number in range(CLONES)]
        for clone in clones:
            Repository.clone(str(folder / "hub.git"), clone).close()
        _play(Random(seed), clones, seed)
        shutil.rmtree(folder)


def _play(random: Random, clones: list[Path], seed: int) -> None:
    words = {"the beginning"}
    for step in range(STEPS):
        clone = random.choice(clones)
        with Repository.open(clone) as repository:
            repository.remember(Memory.of(f"seed {seed} step {step}"), f"b.n{step}")
        words.add(f"seed {seed} step {step}")
        point, number, after = random.choice(list(POINTS)), random.randint(1, 3), random.random() < 0.5

        def work(clone: Path = clone, point: str = point, number: int = number, after: bool = after) -> None:
            die_at(point, min(number, POINTS[point][2]), after=after)
            sync(clone)

        in_a_process(work)
    time.sleep(0.1)  # a git that outlived its memoir may be finishing
    for clone in [*clones, *clones]:
        sync(clone)
    for clone in clones:
        with Repository.open(clone) as repository:
            text = "".join(contents(repository.store).values())
        assert [word for word in words if f'"{word}"' not in text] == [], f"seed {seed}"
    with Repository.open(clones[0]) as repository:
        assert repository.upkeep.fsck().report.problems == [], f"seed {seed}"
