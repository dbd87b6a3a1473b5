"""A power cut in the midst of each command that writes, and right after it: `pytest -m faults`.

What the command did to the disk is traced once and cut off after each operation, what nobody had synced is dropped at
random, and the store is opened. In the midst of the command it is as before or as after, if need be once it was
repaired; once the command has ended, everything that it reported is there without a repair.
"""

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fault_tools import copy_of, lines
from faults.test_kill_commands import several_branches
from power_cut import Disk, read_tree, trace, write_tree
from support import Memoir, git, write

from memoir.errors import MemoirError
from memoir.exchange.remotes import remotes
from memoir.git.ref_names import BRANCHES, TAGS
from memoir.repair.ref_logs import restore_files
from memoir.repair.repair import repair
from memoir.store.store import Store

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: apt-get install strace"),
]

COMMANDS = (
    "init sub", "clone ../hub.git sub", "remember new -p n.n", "remember new -p n.n --branch other", "forget a.b",
    "mv bulk moved --prefix", "import -", "merge other", "revert HEAD", "undo", "undo 2", "redo", "branch third",
    "branch -m main trunk", "branch -d -f other", "tag v1", "checkout other", "config memoir.repackAt 100",
    "config --unset user.name", "remote add second ../hub.git", "remote set-url origin ../elsewhere.git",
    "remote remove origin", "fetch", "pull", "sync", "push", "gc", "fsck --repair", "ingest notes.md",
)  # fmt: skip
FIRST = {"redo": "undo", "push": "pull"}
"""What has to come before a command."""
POINTS = 30
"""Moments at which a long command is cut, chosen at random; the end always."""
DRAWS = 2
"""Draws of what is dropped, at each moment, for each way in which a file system may order what it writes."""

State = dict[str, Any]


def with_a_hub(memoir: Memoir) -> None:
    """A store whose remote has something that it has not, and the other way round."""
    several_branches(memoir)
    (memoir.folder / "notes.md").write_text("# Notes\n\nThe build needs Python 3.11.\n")
    memoir.ok("config", "user.name", "Ada")


def prepare(factory: pytest.TempPathFactory, folder: Path) -> Memoir:
    """A store with a hub beside it."""
    memoir = copy_of(with_a_hub, factory, folder / "project")
    git("clone", "-q", "--bare", str(memoir.git_dir), str(folder / "hub.git"))
    other = Memoir(folder / "second")
    other.folder.mkdir()
    other.ok("clone", str(folder / "hub.git"), str(other.folder))
    other.remember("hub.news", "news from elsewhere")
    other.ok("push")
    memoir.ok("remote", "add", "origin", str(folder / "hub.git"))
    memoir.remember("own.news", "news from here")
    return memoir


def state_of(folder: Path) -> State:
    """What a user would miss: each branch and tag with all it holds, remotes, settings and the branch that is used."""
    with Store(folder / ".memoir") as store:
        state: State = {f"{BRANCHES}{name}": _memories(store, BRANCHES + name) for name in store.refs.branches()}
        state |= {f"{TAGS}{name}": str(commit) for name, commit in store.refs.list(TAGS).items()}
        state |= {f"remote {name}": url for name, url in remotes(store).items()}
        settings = {key: values for key, values in store.settings.items() if key.startswith(("memoir.", "user."))}
        return state | settings | {"HEAD": store.refs.current}


def _memories(store: Store, revision: str) -> tuple[tuple[bytes, bytes], ...]:
    return tuple(store.at(revision).scan())


def between(state: State, before: State, after: State) -> bool:
    """Whether everything in a state is as it was before or as it is after."""
    names = state.keys() | before.keys() | after.keys()
    return all(state.get(name) in (before.get(name), after.get(name)) for name in names)


def repaired(folder: Path) -> None:
    """What docs/recovery.md says to do."""
    restore_files(folder / ".memoir")
    with Store(folder / ".memoir") as store:
        repair(store, accept_loss=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_was_reported_is_lost(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    memoir = prepare(tmp_path_factory, tmp_path)
    words = command.split()
    if command in FIRST:
        memoir.ok(FIRST[command])
    is_new = words[0] in ("init", "clone")
    root = memoir.folder / "sub" if is_new else memoir.folder
    root.mkdir(exist_ok=True)
    if is_new:
        words = [*words[:-1], "."]
        words[1:2] = [str(tmp_path / "hub.git")] if words[0] == "clone" else [words[1]]
    before = {} if is_new else state_of(root)
    shutil.copytree(root, tmp_path / "before")
    operations = trace(memoir.argv(*words), root, memoir.env, lines(40, first=1000), tmp_path / "log")
    after = state_of(root)
    disk = Disk(tmp_path / "before", operations)
    now, end = read_tree(root), disk.end()
    missed = [name for name in now.keys() | end.keys() if now.get(name, 0) != end.get(name, 0)]
    assert [name for name in missed if not name.endswith(".db-shm")] == [], "the trace lacks something"

    seen: set[int] = set()
    counts = {"operations": len(operations), "states": 0, "repairs": 0}
    for count, draw, is_journal in _draws(command, len(operations)):
        if command == "gc" and count < len(operations) and not is_journal:
            continue  # git removes what is old before it syncs the folder that names what is new: it needs a journal
        seed = f"{command} {count} {draw} {is_journal}"
        tree = disk.cut(count, Random(seed), is_journal=is_journal)
        if hash(frozenset(tree.items())) in seen:
            continue
        seen.add(hash(frozenset(tree.items())))
        victim = tmp_path / "victim"
        write_tree(victim, tree)
        ended = count == len(operations)
        counts["states"] += 1
        counts["repairs"] += _check(victim, before, after, f"seed {seed!r}", ended=ended)
        shutil.rmtree(victim)
    with capsys.disabled():
        sys.stdout.write(f"\n{command}: {counts}\n")


def _draws(command: str, total: int) -> Iterable[tuple[int, int, bool]]:
    """Moments, and draws of what is dropped there."""
    points = range(1, total)
    chosen = sorted(Random(command).sample(points, min(POINTS, len(points))))
    rows = [(point, draw, journal) for point in chosen for draw in range(DRAWS) for journal in (True, False)]
    return rows + [(total, draw, journal) for draw in range(5 * DRAWS) for journal in (True, False)]


def _check(folder: Path, before: State, after: State, seed: str, *, ended: bool) -> bool:
    """Whether a store had to be repaired; it must not once the command has ended, and nothing may be missing then."""
    if not before and not ended and not (folder / ".memoir").exists():
        return False
    try:
        state = state_of(folder)
    except MemoirError as error:
        if ended:
            raise AssertionError(seed) from error
        repaired(folder)
        state = state_of(folder)
        assert between(state, before, after), seed
        return True
    assert state == after if ended else between(state, before, after), seed
    with Store(folder / ".memoir") as store:
        write(store, {"default=afterwards": '{"content":"x"}'})
    return False
