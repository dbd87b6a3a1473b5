"""Automatic sync, as set by `memoir.sync`: it asks no questions and hardly makes anyone wait.

A separate process does it, and a write waits at most 2 seconds for it. Only one works on a store at a time; others ask
it to sync once more. Writes are already stored, so a failed sync loses nothing: the reason is shown at once or by the
next command, and the next sync sends the rest. After no answer, a remote is not contacted for a while, which doubles
each time. Every command that writes calls this module, and few of them sync.
"""

import os
import sys
import time
from pathlib import Path
from typing import Literal, NamedTuple

from memoir.errors import MemoirError
from memoir.program import runnable
from memoir.settings import SYNC
from memoir.store.branch_choice import Selection
from memoir.store.store import Store

REMOTE = "origin"
_MOST_SECONDS = 2.0
"""How long a write waits for its sync, and a sync for its turn."""
_TALK_SECONDS = 120.0
"""The most seconds of one exchange with an answering remote, and of all tries."""
_LOCK = "memoir-sync.lock"
_TAKES_LONG = f"{REMOTE} takes longer than {_MOST_SECONDS:g} seconds; a sync goes on with it, and takes this along"
_LOOK = 0.02
"""Seconds between two attempts to take the turn."""

Occasion = Literal["after-write", "on-session-end"]


class AutoSync(NamedTuple):
    """The result of an automatic sync: its problem, or the problem that is over now; None without a message."""

    problem: str | None = None
    relief: str | None = None


def is_wanted(store: Store, occasion: Occasion) -> bool:
    """Whether `memoir.sync` names the occasion, and there is a remote."""
    if SYNC.read(store.config) != occasion:
        return False
    from memoir.exchange.remotes import remotes

    return REMOTE in remotes(store)


def is_wanted_at_end() -> bool:
    """Whether the user's own settings ask for a sync at the end of sessions."""
    from memoir.git.git import plain

    answer = plain("config", "--global", "--includes", "--get", SYNC.key).stdout.decode(errors="replace")
    return SYNC.read({SYNC.git_key: [answer.removesuffix("\n")]}) == "on-session-end"


def sync_after_write(store: Store) -> AutoSync:
    """Start a sync if the current branch was written to, and wait briefly for its end."""
    if not store.wrote:
        return AutoSync()
    store.wrote = False
    try:
        return _start_sync(store) if is_wanted(store, "after-write") else AutoSync()
    except (MemoirError, OSError) as error:
        return AutoSync(str(error))


def _start_sync(store: Store) -> AutoSync:
    from memoir.exchange.remote_health import read_contact
    from memoir.left_process import ask

    if problem := _reason_against(store):
        return AutoSync(problem)
    answer = ask("memoir.exchange.auto_sync", str(store.git_dir), store.branch(), seconds=_MOST_SECONDS)
    if answer is not None:
        import json

        no_word = "it ended without a word; 'memoir sync' says why"
        return AutoSync(*json.loads(answer)) if answer else AutoSync(runnable(no_word))
    trouble = read_contact(store, REMOTE).trouble(REMOTE)
    return AutoSync(f"{_TAKES_LONG}; the last time: {trouble}" if trouble else _TAKES_LONG)


def _reason_against(store: Store) -> str | None:
    """The reason not to sync now; None if there is none."""
    from memoir.exchange.remote_health import read_contact
    from memoir.exchange.remotes import is_named

    if not is_named(store, REMOTE):
        return runnable("nothing is sent by itself to a remote that you have not named; 'memoir sync' names it")
    last = read_contact(store, REMOTE)
    if last.is_left_alone():
        command = runnable("'memoir sync'")
        return f"{last.story(REMOTE)}; the next try is in {last.wait()}, or by {command}"
    return None


def trouble(store: Store) -> str | None:
    """The reason why the last automatic sync failed, or the next one would not be tried; None if all is well."""
    from memoir.exchange.remote_health import read_contact
    from memoir.exchange.remotes import remotes

    if REMOTE not in remotes(store):
        return None
    return _reason_against(store) or read_contact(store, REMOTE).trouble(REMOTE) or None


def sync_alone(store: Store) -> AutoSync:
    """Sync with `origin`, unless it did not answer shortly before, or another process syncs instead."""
    from memoir.git.lock import open_lock

    file = store.git_dir / _LOCK
    while True:
        lock = open_lock(file)
        try:
            if not _take_turn(lock):
                return AutoSync(_TAKES_LONG)
            asked = os.fstat(lock).st_atime_ns
            os.utime(lock, ns=(asked, time.time_ns()))
            done = _sync(store)
        finally:
            os.close(lock)
        if done.problem or os.stat(file).st_atime_ns == asked:
            return done


def _take_turn(lock: int) -> bool:
    """Wait briefly for the turn at the store; if another process keeps it, ask that to sync once more.

    The lock file's modification time is the start of the running sync, its access time that of the last request.
    """
    from memoir.git.lock import try_lock

    end = time.monotonic() + _MOST_SECONDS
    while not try_lock(lock):
        begun = os.fstat(lock).st_mtime_ns
        if time.monotonic() > end or time.time_ns() - begun > _MOST_SECONDS * 1e9:
            os.utime(lock, ns=(time.time_ns(), begun))  # before the last try: the holder checks this after releasing
            return try_lock(lock)
        time.sleep(_LOOK)
    return True


def _sync(store: Store) -> AutoSync:
    from memoir.exchange.remote_health import read_contact, write_contact
    from memoir.exchange.sync import sync

    if problem := _reason_against(store):
        return AutoSync(problem)
    try:
        with Store(store.git_dir, store.selection) as own:
            own.git.patience = _TALK_SECONDS
            return AutoSync(relief=sync(own, REMOTE, seconds=_TALK_SECONDS).relief)
    except MemoirError as error:
        problem = f"{error.message} ({error.hint})" if error.hint else error.message
        write_contact(store, REMOTE, read_contact(store, REMOTE)._replace(problem=problem))
        return AutoSync(problem)


def main(git_dir: str, branch: str) -> None:
    """Sync a branch, and print the result: `python -m memoir.exchange.auto_sync GIT_DIR BRANCH`."""
    import json

    from memoir.exchange.remote_health import read_contact, write_contact

    with Store(Path(git_dir), Selection(branch)) as store:
        done = sync_alone(store)
        try:
            os.write(1, json.dumps(done).encode())
        except BrokenPipeError:  # no process waits for it any more
            if done.relief:
                write_contact(store, REMOTE, read_contact(store, REMOTE)._replace(unheard=done.relief))


if __name__ == "__main__":
    main(*sys.argv[1:])
