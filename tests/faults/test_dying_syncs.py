"""Clones that sync and die at named points, in seeded schedules: nothing is lost, and nothing forgotten comes back.

A step writes or forgets a memory and then syncs or pulls in a process of its own, which kills itself at a point:
before or after the n-th talk with the remote, the n-th pack or the n-th move of a ref. In the end everybody syncs,
and every clone has what the last step said of each memory. The clones of a schedule send to the branch, to refs of
their own, to one that each takes for its own, or as `auto` has it; a sync may send without reading, as among many
writers; the clock of one may be wrong.

    SYNC_SCHEDULES=20 pytest -m faults tests/faults/test_dying_syncs.py
"""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import contents, git

from memoir.exchange.remote_health import Contact
from memoir.exchange.writers import send_only
from memoir.git.git import Git
from memoir.git.pack_writer import PackWriter
from memoir.git.refs import Refs
from memoir.records.record import Memory
from memoir.repository.repository import Repository

pytestmark = pytest.mark.faults

SCHEDULES = int(os.environ.get("SYNC_SCHEDULES", "1000"))
CLONES, STEPS = 3, 5
MODES = ("shared", "own", "copies", "auto")
CLOCKS = ("", "", "1970-01-02T00:00:00Z", "2150-01-01T00:00:00Z")
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


def in_a_group(work: Callable[[], None]) -> int:
    """Do something in a process and a process group of its own, and wait for its end; the number of both."""
    if child := os.fork():
        os.waitpid(child, 0)
        return child
    try:
        os.setsid()
        work()
    except BaseException:  # nothing of the test may run on in the child
        os._exit(1)
    os._exit(0)


def await_end(group: int) -> None:
    """Wait for what outlived the first process of a group, such as a git that goes on."""
    with suppress(ProcessLookupError):
        while True:
            os.killpg(group, 0)
            time.sleep(0.005)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder to play in, beside which lies what every schedule of a mode begins with: a hub, and clones of it."""
    memory = Path("/dev/shm")
    fast = tempfile.mkdtemp(dir=memory) if os.access(memory, os.W_OK) else tmp_path_factory.mktemp("stage")
    folder = Path(fast, "now")
    for mode in MODES:
        with Repository.init(folder / "seed") as seed:
            seed.remember(Memory.of("the beginning"), "a.first")
            git("clone", "-q", "--bare", str(seed.path), str(folder / "hub.git"))
        for clone in clones_in(folder):
            with Repository.clone(str(folder / "hub.git"), clone) as repository:
                repository.config.set("memoir.remote.origin.writers", "own" if mode == "copies" else mode)
                if mode == "copies":
                    repository.config.set("memoir.writer", "copy")
        folder.rename(folder.with_name(mode))
    yield folder
    shutil.rmtree(fast)


def clones_in(folder: Path) -> list[Path]:
    return [folder / f"clone{number}" for number in range(CLONES)]


@pytest.mark.parametrize("block", range(0, SCHEDULES, 10))
def test_no_schedule_loses_a_memory(stage: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    for seed in range(block, min(block + 10, SCHEDULES)):
        random = Random(seed)
        shutil.copytree(stage.with_name(random.choice(MODES)), stage)
        try:
            with monkeypatch.context() as patch:
                _play(random, clones_in(stage), patch)
        except Exception as error:
            error.add_note(f"schedule {seed}")
            raise
        finally:
            shutil.rmtree(stage)


def _play(random: Random, clones: list[Path], patch: pytest.MonkeyPatch) -> None:
    texts = {"a.first": "the beginning"}
    wrong, clock = random.choice(clones), random.choice(CLOCKS)
    groups: list[int] = []
    for step in range(random.randint(2, STEPS)):
        clone = random.choice(clones)
        patch.setenv("MEMOIR_NOW", clock) if clone == wrong else patch.delenv("MEMOIR_NOW", raising=False)
        with Repository.open(clone) as repository:
            if random.random() < 0.4 and (paths := sorted(_contents(repository))):
                repository.forget(path := random.choice(paths))
                texts.pop(path, None)  # somebody else may have forgotten it as well
            else:
                texts[path := f"b.n{step}"] = f"step {step}"
                repository.remember(Memory.of(texts[path]), path)
        groups.append(in_a_group(partial(_die_on_the_way, random.getrandbits(32), clone)))
    for group in groups:
        await_end(group)
    with ExitStack() as stack:
        _meet([stack.enter_context(Repository.open(clone)) for clone in clones], texts)


def _die_on_the_way(seed: int, clone: Path) -> None:
    """Sync a clone, or pull into it, and die at a random point of that."""
    random = Random(seed)
    point = random.choice(list(POINTS))
    die_at(point, random.randint(1, POINTS[point][2]), after=random.random() < 0.5)
    with Repository.open(clone) as repository:
        pulls = random.random() < 0.3
        if random.random() < 0.5:
            send_only.AT_ONCE = 0
            Contact.is_fresh = lambda self: True  # type: ignore[method-assign]
        repository.remotes.pull() if pulls else repository.remotes.sync()


def _meet(clones: list[Repository], texts: dict[str, str]) -> None:
    """Let everybody sync, and see that each has these texts by their paths, and nothing else."""
    for each in [*clones, *clones[:-1]]:
        each.remotes.sync()
    assert len({each.store.head().stored_root for each in clones}) == 1
    found = _contents(clones[0])
    assert found.keys() == texts.keys()
    assert [path for path, text in texts.items() if f'"{text}"' not in found[path]] == []
    assert clones[-1].upkeep.fsck().report.problems == []


def _contents(repository: Repository) -> dict[str, str]:
    return {key.removeprefix("default="): value for key, value in contents(repository.store).items()}
