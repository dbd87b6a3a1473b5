"""`kill -9` of every command that writes, at any moment: the store is as before or as after, and goes on working.

Each kind of command is first run to its end on a copy of the same store; what it leaves there is the only other state
that a killed one may leave.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from fault_tools import copy_of, finish, kill, lines, start
from support import Memoir, contents, write

from memoir.git.ref_names import BRANCHES
from memoir.repair.fsck import fsck
from memoir.repair.ref_logs import restore_files
from memoir.repair.repair import repair
from memoir.store import rewind
from memoir.store.store import Store

Snapshot = dict[str, dict[str, str]]


def several_branches(memoir: Memoir) -> None:
    """A store in which each command below has something to do."""
    memoir.ok("import", "-", stdin=lines(300))
    memoir.ok("branch", "other")
    memoir.remember("a.b", "one")
    memoir.remember("a.c", "two")
    memoir.remember("side.x", "three", "--branch", "other")
    memoir.ok("undo")
    memoir.remember("a.d", "four")
    memoir.ok("undo")


def cut_log(git_dir: Path) -> None:
    log = git_dir / "logs/refs/heads/main"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))


def lose_index_and_head(git_dir: Path) -> None:
    for index in git_dir.glob("objects/pack/*.idx"):
        index.unlink()
    (git_dir / "HEAD").unlink()


def lose_refs(git_dir: Path) -> None:
    for ref in git_dir.glob("refs/heads/*"):
        ref.unlink()


KINDS: dict[str, tuple[str, Callable[[Path], None] | None]] = {
    "remember": ("remember new -p n.n", None),
    "remember elsewhere": ("remember new -p n.n --branch other", None),
    "forget": ("forget a.b", None),
    "replace": ("replace a.b bulk.topic1.n1", None),
    "mv": ("mv bulk moved --prefix", None),
    "import": ("import -", None),
    "merge": ("merge other", None),
    "revert": ("revert HEAD", None),
    "restore": ("restore bulk.topic1.n1 --at HEAD~1", None),
    "undo": ("undo", None),
    "undo many": ("undo 2", None),
    "redo": ("redo", None),
    "branch": ("branch third", None),
    "branch -m": ("branch -m main trunk", None),
    "branch -d": ("branch -d -f other", None),
    "tag": ("tag v1", None),
    "checkout": ("checkout other", None),
    "config": ("config memoir.repackAt 100", None),
    "gc": ("gc", None),
    "repair a log": ("fsck --repair", cut_log),
    "repair a pack": ("fsck --repair", lose_index_and_head),
    "repair refs": ("fsck --repair", lose_refs),
}


def state(folder: Path) -> Snapshot:
    """Every branch with all it holds."""
    with Store(folder / ".memoir") as store:
        return {name: contents(store, BRANCHES + name) for name in store.refs.branches()}


def settle(folder: Path, *, repairing: bool) -> None:
    """What a user does after the kill of a repair: the same command again."""
    if repairing:
        restore_files(folder / ".memoir")
        with Store(folder / ".memoir") as store:
            assert repair(store).losses == []


def may_follow(kind: str, before: Snapshot, after: Snapshot) -> list[Snapshot]:
    """The states that a killed command may leave; a renaming may leave both names."""
    return [before, after, *([before | after] if kind == "branch -m" else [])]


def assert_goes_on(folder: Path) -> None:
    """The store is sound, and takes a write and its undoing."""
    with Store(folder / ".memoir") as store:
        assert fsck(store).problems == []
        before = contents(store)
        write(store, {"default=after": '{"content":"x"}'})
        rewind.undo(store)
        assert contents(store) == before


@pytest.mark.parametrize("kills", [1, pytest.param(40, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_command_leaves_the_state_before_or_after(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, kind: str, kills: int
) -> None:
    command, damage = KINDS[kind]
    original = copy_of(several_branches, tmp_path_factory, tmp_path / "whole")
    before = state(original.folder)
    if damage:
        damage(original.git_dir)
    shutil.copytree(original.folder, tmp_path / "copy")
    begin = time.monotonic()
    original.ok(*command.split(), stdin=lines(500, first=1000))
    span = time.monotonic() - begin
    after = state(original.folder)

    random = Random(f"{kind} {kills}")
    for number in range(kills):
        victim = Memoir(tmp_path / f"victim{number}")
        shutil.copytree(tmp_path / "copy", victim.folder)
        process = start(victim, *command.split())
        assert process.stdin
        process.stdin.write(lines(500, first=1000))
        process.stdin.close()
        process.stdin = None
        time.sleep(random.uniform(0.2, 1.05) * span)
        kill(process, group=random.random() < 0.5)
        done = finish(process)[0] == 0
        time.sleep(0.05)  # a git that outlived memoir may be finishing
        settle(victim.folder, repairing=damage is not None)
        result = state(victim.folder)
        assert result in ([after] if done else may_follow(kind, before, after)), (kind, number, done)
        assert_goes_on(victim.folder)
        shutil.rmtree(victim.folder)
