"""Clones that sync and die at named points, in seeded schedules: nothing that was remembered is lost.

A step runs in a process of its own, which kills itself at a point: before or after the n-th talk with the remote, the
n-th pack or the n-th move of a ref. In the end everybody syncs, and every clone has everything. Every second schedule
has a ref for each writer.

    SYNC_SCHEDULES=1000 pytest -m faults tests/faults/test_dying_syncs.py
"""

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import contents, git

from memoir.git.git import Git
from memoir.git.pack_writer import PackWriter
from memoir.git.refs import Refs
from memoir.records.record import Memory
from memoir.repository.repository import Repository

pytestmark = pytest.mark.faults

SCHEDULES = int(os.environ.get("SYNC_SCHEDULES", "120"))
CLONES, STEPS = 3, 6
MODES = ("shared", "own")
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
def stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder to play in, beside which lies what every schedule of a mode begins with: a hub, and clones of it."""
    folder = tmp_path_factory.mktemp("stage") / "now"
    for mode in MODES:
        with Repository.init(folder / "seed") as seed:
            seed.remember(Memory.of("the beginning"), "a.first")
            git("clone", "-q", "--bare", str(seed.path), str(folder / "hub.git"))
        for clone in clones_in(folder):
            with Repository.clone(str(folder / "hub.git"), clone) as repository:
                repository.config.set("memoir.remote.origin.writers", mode)
        folder.rename(folder.with_name(mode))
    return folder


def clones_in(folder: Path) -> list[Path]:
    return [folder / f"clone{number}" for number in range(CLONES)]


@pytest.mark.parametrize("block", range(0, SCHEDULES, 10))
def test_no_schedule_loses_a_memory(stage: Path, block: int) -> None:
    for seed in range(block, min(block + 10, SCHEDULES)):
        shutil.copytree(stage.with_name(MODES[seed % len(MODES)]), stage)
        try:
            _play(Random(seed), clones_in(stage), seed)
        finally:
            shutil.rmtree(stage)


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
    with ExitStack() as stack:
        repositories = [stack.enter_context(Repository.open(clone)) for clone in clones]
        assert len({repository.store.head().stored_root for repository in repositories}) == 1, f"seed {seed}"
        text = "".join(contents(repositories[0].store).values())
        assert [word for word in words if f'"{word}"' not in text] == [], f"seed {seed}"
        assert repositories[0].upkeep.fsck().report.problems == [], f"seed {seed}"
