"""Syncing by itself, where `memoir.sync` says so: in bounded time, and without asking anybody anything.

What was written is in the store already, so a sync that fails takes nothing back: it says why, and the next one sends
what this one has not. Every command that writes calls this, and few of them sync.
"""

from typing import Literal

from memoir.errors import MemoirError
from memoir.settings import SYNC
from memoir.store.store import Store

REMOTE = "origin"
_SECONDS = 30.0
"""How long one talk with the remote may take, and how long tries go on."""

Occasion = Literal["after-write", "on-session-end"]


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


def sync_alone(store: Store) -> str | None:
    """Sync with `origin`; return, in words, what prevented that, or None."""
    from memoir.exchange import remotes
    from memoir.exchange.sync import sync

    if not remotes.is_named(store, REMOTE):
        return "memoir sends nothing by itself to a remote that you have not named; 'memoir sync' names it"
    try:
        with Store(store.git_dir, store.selection) as own:
            own.git.patience = _SECONDS
            sync(own, REMOTE, seconds=_SECONDS)
    except MemoirError as error:
        return f"{error.message} ({error.hint})" if error.hint else error.message
    return None


def sync_after_write(store: Store) -> str | None:
    """Sync if something was written to the branch that is worked on; return, in words, what prevented that, or None."""
    if not store.wrote:
        return None
    store.wrote = False
    try:
        return sync_alone(store) if is_wanted(store, "after-write") else None
    except MemoirError as error:
        return error.message
