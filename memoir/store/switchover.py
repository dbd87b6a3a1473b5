"""Replaces all refs and logs by new ones in one step, and drops the objects that become unreachable.

    stage: write refs and logs into a folder  ->  rename it: from here on the new state counts finish: refs  ->  logs
    ->  data derived from the old objects  ->  the old objects  ->  the folder

A kill before the renaming leaves the old state, a later one the new state: the next process that opens the store
finishes before reading anything. The folder may have come with a foreign store, so nothing in it can lead out of the
store.
"""

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore
from memoir.git.fsync import replace, sync, sync_tree
from memoir.git.git import REPACK, Git
from memoir.git.lock import LOCK_NAME, held, remove_leftovers, try_past_stale_locks
from memoir.git.messages import failure, last_words
from memoir.git.objects import Oid
from memoir.git.ref_names import file_of, is_ref_name
from memoir.store.locate import STAGED

_DRAFT = f"{STAGED}-draft"
_REFS, _LOGS = "refs.json", "logs"
_INDEX = "memoir-index*"
_DERIVED = (
    "objects/info/commit-graph*",
    "objects/pack/tmp_*",
    "*_HEAD",
    "logs/*_HEAD",
    "AUTO_MERGE",
)
"""Files that memoir and git derived from the objects, and git's notes of the last commands."""
_ABOUT = {"GIT_COMMITTER_NAME": "memoir", "GIT_COMMITTER_EMAIL": "memoir@localhost"}
_DROP = (
    ("-c", "pack.threads=1", *REPACK, "-a", "-d", "-l", "--quiet"),
    ("prune", "--expire=now"),
)

NewRefs = Mapping[str, tuple[Oid, Oid | None]]
"""The old and the new commit of each ref, by full name; None deletes the ref."""


def reached(step: str) -> None:
    """Called after each step, so that tests can end the process there."""


def stage(git_dir: Path, refs: NewRefs, logs: Mapping[str, bytes]) -> None:
    """Write the new refs and logs into the staging folder; the caller holds the writer lock.

    When this returns, the new state counts.
    """
    draft = git_dir / _DRAFT
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    moves = {ref: [str(old), new and str(new)] for ref, (old, new) in refs.items()}
    replace(draft / _REFS, json.dumps(moves).encode())
    for ref, data in logs.items():
        path = file_of(draft, ref, log=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, data)
    reached("drafted")
    sync_tree(draft)
    os.rename(draft, git_dir / STAGED)
    reached("staged")


def finish_staged(git: Git) -> None:
    """Finish a switchover that a killed process has staged, if there is one."""
    if os.path.isdir(git.git_dir / STAGED):
        with held(git.git_dir / LOCK_NAME):
            finish(git)


def finish(git: Git) -> None:
    """Put the staged refs and logs in place; the caller holds the writer lock. Continues a partial attempt.

    Raises:
        DamagedStore: the staged files cannot be read. GitError: git could not move a ref or drop the objects.
    """
    staged = git.git_dir / STAGED
    if not staged.is_dir():  # another process was faster
        return
    sync(git.git_dir)  # a power cut must not undo the staging once a ref has moved
    _move_refs(git, _read_moves(staged / _REFS))
    reached("refs")
    _put_logs(git.git_dir, staged / _LOGS)
    reached("logs")
    remove_leftovers(git.git_dir)
    _remove(git.git_dir, _INDEX, *_DERIVED)
    sync(*(Path(parent) for top in ("refs", "logs") for parent, _, _ in os.walk(git.git_dir / top)), git.git_dir)
    reached("derived")
    _drop_objects(git)
    _remove(git.git_dir, _INDEX)  # another process may have indexed old commits meanwhile; they can no longer be read
    reached("dropped")
    shutil.rmtree(git.git_dir / _DRAFT, ignore_errors=True)
    os.rename(staged, git.git_dir / _DRAFT)  # a power cut must not leave a partial staging folder
    sync(git.git_dir)
    shutil.rmtree(git.git_dir / _DRAFT)


def _remove(git_dir: Path, *patterns: str) -> None:
    for path in (path for pattern in patterns for path in git_dir.glob(pattern)):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def drop_unreached(git: Git) -> None:
    """Drop every object that no ref and no log reaches.

    Raises:
        StoreBusy: another process writes for too long. GitError: git failed.
    """
    with held(git.git_dir / LOCK_NAME):
        remove_leftovers(git.git_dir)
        _drop_objects(git)


def _drop_objects(git: Git) -> None:
    for step in _DROP:
        done = git.try_run(*step)
        if done.returncode:
            raise failure(" ".join(step[-2:]), last_words(done))
    git.note_drop()
    sync(git.git_dir / "objects" / "pack")


def _read_moves(path: Path) -> dict[str, tuple[str, str | None]]:
    try:
        moves = json.loads(path.read_bytes())
        return {ref: (old, new) for ref, (old, new) in moves.items() if is_ref_name(ref) and _are_ids(old, new or old)}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        hint = "if this store is not yours, remove that folder; if it is, a backup has the state before"
        raise DamagedStore(f"{path.parent} does not say where the refs are to go", hint) from error


def _are_ids(*texts: str) -> bool:
    return all(len(text) in (40, 64) and set(text) <= set("0123456789abcdef") for text in texts)


def _move_refs(git: Git, moves: Mapping[str, tuple[str, str | None]]) -> None:
    """Move the refs that are still at their old commits, in one git transaction."""
    rows = git.run("for-each-ref", "--format=%(objectname) %(refname)").decode("utf-8", "replace").split("\n")
    now = {ref: oid for oid, _, ref in (row.partition(" ") for row in rows)}
    lines = [
        f"update {ref} {new} {old}\n" if new else f"delete {ref} {old}\n"
        for ref, (old, new) in moves.items()
        if now.get(ref) == old
    ]
    args = ("update-ref", "--no-deref", "--stdin")
    done = try_past_stale_locks(git.git_dir, lambda: git.try_run(*args, stdin="".join(lines).encode(), env=_ABOUT))
    if done.returncode:
        raise failure("update-ref", last_words(done))


def _put_logs(git_dir: Path, folder: Path) -> None:
    for parent, _, names in os.walk(folder):
        for name in names:
            ref = os.path.relpath(os.path.join(parent, name), folder)
            target = file_of(git_dir, ref, log=True)
            if target.is_file():  # git removes a ref's log with the ref
                with suppress(FileNotFoundError):
                    os.replace(os.path.join(parent, name), target)
                    sync(target, target.parent)
