"""Syncing by itself, where `memoir.sync` says so: in bounded time, and without asking anybody anything.

What was written is in the store already, so a sync that fails takes nothing back: it says why, and the next one sends
what this one has not. A remote that does not answer is left alone for a while, which doubles each time, so that writes
do not wait for it. Every command that writes calls this, and few of them sync.
"""

from typing import Literal, NamedTuple

from memoir.errors import MemoirError
from memoir.settings import SYNC
from memoir.store.store import Store

REMOTE = "origin"
_SECONDS = 30.0
"""How long one talk with a remote that answers may take, and how long tries go on."""
_FIRST_SECONDS = 2.0
"""How long it has to answer at all, or twice as long as it took the last time."""

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


def sync_alone(store: Store) -> AutoSync:
    """Sync with `origin`, unless it did not answer a short while ago."""
    from memoir.exchange import contact, remotes
    from memoir.exchange.sync import sync

    if not remotes.is_named(store, REMOTE):
        return AutoSync("memoir sends nothing by itself to a remote that you have not named; 'memoir sync' names it")
    before = contact.read(store, REMOTE)
    if before.is_left_alone():
        return AutoSync(f"{before.story(REMOTE)}; the next try is in {before.wait()}, or by 'memoir sync'")
    try:
        with Store(store.git_dir, store.selection) as own:
            own.git.patience, own.git.first_patience = _SECONDS, max(_FIRST_SECONDS, 2 * before.pace)
            done = sync(own, REMOTE, seconds=_SECONDS)
    except MemoirError as error:
        return AutoSync(f"{error.message} ({error.hint})" if error.hint else error.message)
    return AutoSync(relief=done.relief)


def sync_after_write(store: Store) -> AutoSync:
    """Sync if something was written to the branch that is worked on."""
    if not store.wrote:
        return AutoSync()
    store.wrote = False
    try:
        return sync_alone(store) if is_wanted(store, "after-write") else AutoSync()
    except MemoirError as error:
        return AutoSync(error.message)
