"""Syncing by itself, where `memoir.sync` says so: without asking anybody anything, and without anybody having to wait.

A process of its own does it, which a write waits 2 seconds for. At most one works at a store; others leave to it what
they have. What was written is in the store already, so a sync that fails takes nothing back: it says why, at once or to
the next command, and the next one sends what this one has not. A remote that does not answer is left alone for a while,
which doubles each time. Every command that writes calls this, and few of them sync.
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
"""How long a write waits for its sync, and a sync for its turn at the store."""
_TALK_SECONDS = 120.0
"""How long one talk with a remote that answers may take, and how long tries go on."""
_LOCK = "memoir-sync.lock"
_TAKES_LONG = f"{REMOTE} takes longer than {_MOST_SECONDS:g} seconds; a sync goes on with it, and takes this along"
_LOOK = 0.02
"""Seconds between two looks at whose turn it is."""

Occasion = Literal["after-write", "on-session-end"]


class AutoSync(NamedTuple):
    """How a sync by itself went: what prevented it, or what is over now; None if nothing is to be said."""

    problem: str | None = None
    relief: str | None = None


def is_wanted(store: Store, occasion: Occasion) -> bool:
    """Whether the user wants a sync on an occasion, and there is a remote."""
    if SYNC.read(store.config) != occasion:
        return False
    from memoir.exchange.remotes import remotes

    return REMOTE in remotes(store)


def is_wanted_at_end() -> bool:
    """Whether the user wants a sync when sessions end, whatever the store."""
    from memoir.git.git import plain

    answer = plain("config", "--global", "--includes", "--get", SYNC.key).stdout.decode(errors="replace")
    return SYNC.read({SYNC.git_key: [answer.removesuffix("\n")]}) == "on-session-end"


def sync_after_write(store: Store) -> AutoSync:
    """Let a sync begin if something was written to the branch that is worked on, and wait a little for its end."""
    if not store.wrote:
        return AutoSync()
    store.wrote = False
    try:
        return _hand_over(store) if is_wanted(store, "after-write") else AutoSync()
    except (MemoirError, OSError) as error:
        return AutoSync(str(error))


def _hand_over(store: Store) -> AutoSync:
    from memoir.exchange.contact import read_contact
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
    """Why nothing is to be sent now; None if nothing speaks against it."""
    from memoir.exchange.contact import read_contact
    from memoir.exchange.remotes import is_named

    if not is_named(store, REMOTE):
        return runnable("nothing is sent by itself to a remote that you have not named; 'memoir sync' names it")
    last = read_contact(store, REMOTE)
    if last.is_left_alone():
        command = runnable("'memoir sync'")
        return f"{last.story(REMOTE)}; the next try is in {last.wait()}, or by {command}"
    return None


def trouble(store: Store) -> str | None:
    """Why the last sync by itself failed, or why the next one would not be tried; None if it would."""
    from memoir.exchange.contact import read_contact
    from memoir.exchange.remotes import remotes

    if REMOTE not in remotes(store):
        return None
    return _reason_against(store) or read_contact(store, REMOTE).trouble(REMOTE) or None


def sync_alone(store: Store) -> AutoSync:
    """Sync with `origin`, unless it did not answer a short while ago, or another process does it for this one."""
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
    """Wait a little for the turn at the store; ask whoever keeps it to sync once more afterwards.

    The lock file was modified when the sync began that has the turn, and accessed when one was last asked for.
    """
    from memoir.git.lock import try_lock

    end = time.monotonic() + _MOST_SECONDS
    while not try_lock(lock):
        begun = os.fstat(lock).st_mtime_ns
        if time.monotonic() > end or time.time_ns() - begun > _MOST_SECONDS * 1e9:
            os.utime(lock, ns=(time.time_ns(), begun))  # before the last try: who lets go looks at it afterwards
            return try_lock(lock)
        time.sleep(_LOOK)
    return True


def _sync(store: Store) -> AutoSync:
    from memoir.exchange.contact import read_contact, write_contact
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
    """Sync a branch, and print how that went: `python -m memoir.exchange.auto_sync GIT_DIR BRANCH`."""
    import json

    from memoir.exchange.contact import read_contact, write_contact

    with Store(Path(git_dir), Selection(branch)) as store:
        done = sync_alone(store)
        try:
            os.write(1, json.dumps(done).encode())
        except BrokenPipeError:  # nobody waits for it any more
            if done.relief:
                write_contact(store, REMOTE, read_contact(store, REMOTE)._replace(unheard=done.relief))


if __name__ == "__main__":
    main(*sys.argv[1:])
