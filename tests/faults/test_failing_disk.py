"""A disk that fails or is full at each call of each command that writes: `pytest -m faults`.

A preloaded library counts the calls that change something in the world of a command, in all of its processes, and lets
one of them fail. Whatever the command then says, the store opens without a repair, is as before, or as after where the
command succeeds all the same, and takes the next write. The usual round lets some calls fail, and FAULTS=all
every one, with both errors:

    FAULTS=all pytest -m faults -rA tests/faults/test_failing_disk.py
"""

import errno
import shutil
import subprocess
import sys
from array import array
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from faults.test_power_cut import ALL
from faults.writing_commands import HOOK, ROWS, Row, State, World, neither, prepare, row_id
from power_cut import read_tree, write_tree
from support import PROJECT, RunResult, write

from memoir.repair.fsck import fsck
from memoir.store.store import Store

COMPILER = shutil.which("cc")
pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not COMPILER, reason="there is no C compiler: apt-get install gcc libc6-dev"),
]

POINTS = sys.maxsize if ALL else 8
"""Calls that are made to fail, chosen at random."""
ERRORS = (errno.EIO, errno.ENOSPC)


class _Disk(NamedTuple):
    """The library, and the numbers that it shares with us."""

    library: Path
    numbers: Path

    def run(self, world: World, row: Row, number: int, error: int) -> tuple[RunResult, int]:
        """Run a command while a call fails (0: none); how it ended, and how many calls there were."""
        self.numbers.write_bytes(array("i", [0, number, error]).tobytes())
        env = {"FAILING_CALLS": str(self.numbers), "FAILING_FOLDER": str(world.folder)}
        done = world.memoir.run(*row.words.split(), stdin=row.stdin, LD_PRELOAD=str(self.library), **env)
        return done, array("i", self.numbers.read_bytes())[0]


@pytest.fixture
def disk(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> _Disk:
    library = tmp_path_factory.getbasetemp() / "failing_calls.so"
    if not library.exists():
        source = PROJECT / "tests" / "failing_calls.c"
        subprocess.run([f"{COMPILER}", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return _Disk(library, tmp_path / "numbers")


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_a_failing_call_costs_nothing(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    row: Row,
    disk: _Disk,
) -> None:
    world = prepare(tmp_path_factory, tmp_path, row)
    before = {} if row.damage else world.state(row)
    tree = read_tree(world.folder)
    shutil.copytree(tmp_path / "hub.git", tmp_path / "hub-before")
    done, total = disk.run(world, row, 0, 0)
    assert done.status == 0, done
    assert total, "no call changes anything"
    after = world.state(row)

    chosen = sorted(Random(row.words).sample(range(1, total + 1), min(POINTS, total)))
    seen: set[int] = set()
    faults: list[str] = []
    refused = runs = 0
    for number in chosen:
        for error in ERRORS if ALL else [ERRORS[number % 2]]:
            for folder in (world.folder, tmp_path / "hub.git"):
                shutil.rmtree(folder)
            write_tree(world.folder, tree)
            shutil.copytree(tmp_path / "hub-before", tmp_path / "hub.git")
            done, _ = disk.run(world, row, number, error)
            runs, refused = runs + 1, refused + bool(done.status)
            try:
                _check(world, row, before, after, done, seen)
            except Exception as fault:
                where = f"{row.words}: {errno.errorcode[error]} at call {number} of {total}: {done.status}"
                faults.append(f"{where} {done.err[-400:]!r}: {fault!r}"[:1500])
    sys.stdout.write(f"{row_id(row)}: {total} calls, {runs} runs, {refused} refused, {len(faults)} faults\n")
    assert not faults, "\n".join(faults)


DONE = ("memoir: done, but", "the store was created, but", "the purge is decided, but")
"""What an error says if the change is made all the same."""


def _check(world: World, row: Row, before: State, after: State, done: RunResult, seen: set[int]) -> None:
    assert "Traceback" not in done.err, "a traceback"
    if done.status:
        assert done.status == 1, "not the exit status of a failure"
        assert "memoir: " in done.err and "\nhint: " in done.err, "no message, or no hint"
    if row.damage:  # what is not repaired yet is repaired by the same command
        world.memoir.ok(*row.words.split(), stdin=row.stdin)
    else:
        _compare(world.state(row), row, before, after, done)
    folder = world.folder / row.store
    key = hash(frozenset(read_tree(world.folder).items()))
    if (folder / ".memoir").exists() and key not in seen:
        seen.add(key)
        with Store(folder / ".memoir") as store:
            if ALL:
                problems = fsck(store).problems
                assert row.damage or problems == [], problems
            write(store, {"default=afterwards": '{"content":"x"}'})


def _compare(state: State, row: Row, before: State, after: State, done: RunResult) -> None:
    """See that what a command says is so; a hook never fails, and 'batch' says in each line how it went."""
    if row.has_steps or row.words == HOOK:
        wrong = neither(state, before, after)
    else:
        is_made = done.status == 0 or any(words in done.err for words in DONE)
        wrong = neither(state, *[after if is_made else before] * 2)
    wrong -= {name for name in wrong if name.endswith("/memoir/remotes")}  # what is not noted is asked again
    assert not wrong, {name: repr(state.get(name))[:200] for name in wrong}
