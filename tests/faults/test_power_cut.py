"""A power cut in the midst of each command that writes, and right after it: `pytest -m faults`.

What the command did to the disk is traced once and cut off after each operation, what nobody had synced is dropped at
random, and the store is opened. Before the command's answer the store is as before or as after, if need be once it was
repaired; from its answer on, everything that it reported is there without a repair. The usual round cuts at some
moments, and FAULTS=all at every one:

    FAULTS=all pytest -m faults -rA tests/faults/test_power_cut.py
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from faults.writing_commands import ROWS, Row, State, World, neither, prepare, row_id
from power_cut import Disk, Operation, read_tree, trace, write_tree
from support import write

from memoir.errors import MemoirError
from memoir.repair.fsck import fsck
from memoir.repair.ref_logs import restore_files
from memoir.repair.repair import repair
from memoir.store.store import Store

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: apt-get install strace"),
]

ALL = os.environ.get("FAULTS") == "all"
POINTS = sys.maxsize if ALL else 12
"""Moments before the answer at which a command is cut, chosen at random; those from the answer on always."""
DRAWS = 1
"""Draws of what is dropped, at each moment, for each way in which a file system may order what it writes."""
ENDS = 5
"""Times as many draws when the command has ended."""
NEED_A_JOURNAL = ("gc", "purge a.b --yes", "config --global memoir.repackAt 100")
"""Commands in whose midst git removes what is old before it syncs what is new: its repack, and the user's own file."""


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_nothing_that_was_reported_is_lost(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, row: Row) -> None:
    world = prepare(tmp_path_factory, tmp_path, row)
    before = {} if row.damage else world.state(row)
    shutil.copytree(world.folder, tmp_path / "before")
    operations = trace(world.memoir, row.words.split(), world.folder, row.stdin, tmp_path / "log")
    after = world.state(row)
    disk = Disk(tmp_path / "before", operations)
    now, end = read_tree(world.folder), disk.end()
    missed = [name for name in now.keys() | end.keys() if now.get(name, 0) != end.get(name, 0)]
    assert [name for name in missed if not name.endswith(".db-shm")] == [], "the trace lacks something"
    assert operations, "the command writes nothing"

    answer = max((number for number, each in enumerate(operations, 1) if each.kind == "answer"), default=sys.maxsize)
    seen: set[int] = set()
    counts = {"operations": len(operations), "moments": 0, "states": 0, "repairs": 0}
    faults: list[str] = []
    for count, draw, is_journal in _draws(row, operations, min(answer, len(operations))):
        ended = count >= min(answer, len(operations))
        seed = f"{row.words} {count} {draw} {is_journal}"
        tree = disk.cut(count, Random(seed), is_journal=is_journal)
        counts["moments"] += 1
        key = hash((ended, frozenset(tree.items())))
        if key in seen:
            continue
        seen.add(key)
        victim = World(tmp_path / "victim")
        write_tree(victim.folder, tree)
        counts["states"] += 1
        try:
            counts["repairs"] += _check(victim, row, before, after, ended=ended)
        except Exception as error:
            faults.append(f"{seed} after {operations[count - 1][:3]}: {error!r}"[:1000])
        shutil.rmtree(victim.folder)
    sys.stdout.write(f"{row_id(row)}: {counts}\n")
    assert not faults, "\n".join(faults)


def _draws(row: Row, operations: list[Operation], answer: int) -> Iterator[tuple[int, int, bool]]:
    """Moments, and draws of what is dropped there; the answer is the operation of that number."""
    total = len(operations)
    early = range(1, answer)
    chosen = sorted(Random(row.words).sample(early, min(POINTS, len(early))))
    for point in (*chosen, *range(answer, total + 1)):
        for draw in range(DRAWS * (ENDS if point == total else 1)):
            yield point, draw, True
            if row.words not in NEED_A_JOURNAL or point >= answer:
                yield point, draw, False


def _check(victim: World, row: Row, before: State, after: State, *, ended: bool) -> bool:
    """Whether a store had to be repaired; it must not once the command has ended, and nothing may be missing then."""
    folder = victim.folder / row.store
    if not (folder / ".memoir").exists():
        assert not ended and not (before and "HEAD" in before), "the store is gone"
        return False
    is_repaired = False
    try:
        state = victim.state(row)
    except MemoirError as error:
        if ended:
            raise
        if not row.damage and "fsck --repair" not in f"{error.hint}":
            raise
        _repair(folder)
        state, is_repaired = victim.state(row), True
    if ended:
        wrong = {name for name in state.keys() | after.keys() if state.get(name) != after.get(name)}
        wrong -= {name for name in wrong - after.keys() if name.startswith("file ") and name not in before}
    else:
        wrong = set() if row.damage else neither(state, before, after)
    assert not wrong, {name: repr(state.get(name))[:300] for name in wrong}
    with Store(folder / ".memoir") as store:
        if ALL or ended:
            problems = fsck(store).problems
            if problems and not ended:  # a log may lack its last line
                repair(store, accept_loss=True)
                problems, is_repaired = fsck(store).problems, True
            assert row.damage or problems == [], problems
        write(store, {"default=afterwards": '{"content":"x"}'})
    return is_repaired


def _repair(folder: Path) -> None:
    """What docs/recovery.md says to do."""
    restore_files(folder / ".memoir")
    with Store(folder / ".memoir") as store:
        repair(store, accept_loss=True)
