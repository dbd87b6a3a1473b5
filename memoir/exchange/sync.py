"""Bringing a branch and its remote to the same commit, without a merge commit where one is not needed.

    fetch -> put the unpublished commits on the remote's tip -> push -> move the branch there

The branch moves last, in one step, so one undo takes all of it back and a failure changes nothing. Stores of one
machine take turns at a remote there; if another pushed meanwhile all the same, everything begins again after a pause of
random length, which grows with every try.
"""

import os
import random
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from memoir.errors import Conflict
from memoir.exchange.fetch import FetchedBranch, fetch
from memoir.exchange.layout import RemotePlace, place
from memoir.exchange.merge import check, merge, merge_each, refuse, refuse_brought
from memoir.exchange.merge_records import Resolver, check_strategy
from memoir.exchange.push import Rejection, Unwritable, push
from memoir.exchange.remotes import is_local, require
from memoir.exchange.strays import refs_of
from memoir.git.lock import try_lock, writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import REMOTES
from memoir.memory.soundness import fault
from memoir.store import history
from memoir.store.chain import replay
from memoir.store.commit import Commit
from memoir.store.signing import foreign_signatures
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, merge_trees
from memoir.store.transaction import Change, advance, identity

SECONDS = 20.0
"""How long to wait for a turn; after that it is tried without one."""
_LOOK = 0.03
"""Seconds between two looks, on average."""


@contextmanager
def turn(url: str) -> Iterator[None]:
    """Hold the turn at the repository of a URL, if it is on this machine; for one elsewhere, chance decides.

    A push is refused if another one came first; without turns, eight clones that send at the same time begin again a
    dozen times. The lock is on a file that every repository has, which is only opened for reading: nothing is written
    there, git takes no notice, and the kernel frees the lock however its holder ends.
    """
    descriptor = _open(url) if is_local(url) else None
    try:
        end = time.monotonic() + SECONDS
        while descriptor is not None and not try_lock(descriptor) and time.monotonic() < end:
            time.sleep(random.uniform(0, 2 * _LOOK))  # noqa: S311 (no secret)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open(url: str) -> int | None:
    folder = unquote(urlsplit(url).path) if url.startswith("file:") else url
    for name in ("HEAD", ".git/HEAD"):
        with suppress(OSError, ValueError):
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(os.path.join(folder, name), flags)
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return descriptor
            os.close(descriptor)
    return None


TRIES = 40
_LONGEST_PAUSE = 5.0
"""Seconds."""
_OTHER_SIDE = {"ours": "theirs", "theirs": "ours"}


class SyncResult(NamedTuple):
    """How a branch and its remote came to the same commit.

    Attributes:
        place: Where the remote keeps memory.
        branch: The branch.
        moves: The remote's branches that moved since the last fetch.
        outcome: `up_to_date`, `fast_forward` (only the remote had news), `pushed` (only this store had), `replayed`
            (both had: this store's commits were made again on top of the remote's) or `merged` (the remote has memory
            in another git's shape, or elsewhere than in the branch).
        sent: How many commits the remote has got.
        tries: How often it was tried; more than once if other stores pushed meanwhile.
        commit: The commit that both are at; None if neither has any.
        unsigned: The commits that were made again and whose signatures, by other keys, the new ones do not have.
    """

    place: RemotePlace
    branch: str
    moves: list[FetchedBranch]
    outcome: str
    sent: int
    tries: int
    commit: Commit | None
    unsigned: Sequence[Oid] = ()


class _BranchMoved(Exception):
    """The branch moved while its commits were sent."""


def sync(store: Store, name: str, *, strategy: str | None = None, seconds: float = inf) -> SyncResult:
    """Bring the current branch and the one of its name at a remote to the same commit; no try begins after `seconds`.

    Raises:
        Conflict: both sides changed the same memory, and there is no strategy; nothing was changed. Or other stores
            pushed during every try.
    """
    if strategy is not None:
        check_strategy(strategy)
    there, moves = place(store, name), dict[str, FetchedBranch]()
    end = time.monotonic() + seconds
    for tries in range(1, TRIES + 1):
        begin = time.monotonic()
        try:
            with turn(require(store, name)):
                done = _try(store, there, strategy, moves)._replace(tries=tries)
        except (Rejection, Unwritable, _BranchMoved):
            if tries == TRIES or time.monotonic() > end:
                break
            longest = (time.monotonic() - begin) * tries
            time.sleep(random.uniform(0, min(longest, _LONGEST_PAUSE)))  # noqa: S311 (no secret)
        else:
            store.wrote = False
            return done
    times = "the one try" if tries == 1 else f"each of {tries} tries"
    raise Conflict(f"other stores pushed to {name} during {times}", f"'memoir sync {name}' tries again")


def _try(store: Store, there: RemotePlace, strategy: str | None, moves: dict[str, FetchedBranch]) -> SyncResult:
    """Sync once."""
    name, branch = there.remote, store.branch()
    _note(moves, fetch(store, name, fault, at=there))
    done = SyncResult(there, branch, [*moves.values()], "up_to_date", 0, 1, None)
    refs = refs_of(store, name, branch)
    if strays := [ref for ref in refs if ref != f"{REMOTES}{name}/{branch}"]:
        done = done._replace(outcome=_merge(store, strays, strategy, done.outcome))
    if len(refs) > len(strays):
        return _meet(store, done, store.commit(refs[0]), strategy)
    return _send(store, done, None) if store.head().commit else done


def _note(moves: dict[str, FetchedBranch], branches: Sequence[FetchedBranch]) -> None:
    """Add branches that moved to those that moved in tries before."""
    for each in branches:
        moves[each.name] = each._replace(old=moves[each.name].old if each.name in moves else each.old)


def _merge(store: Store, refs: Sequence[str], strategy: str | None, otherwise: str) -> str:
    return "merged" if merge_each(store, refs, strategy=strategy).outcome != "up_to_date" else otherwise


def _meet(store: Store, state: SyncResult, theirs: Commit, strategy: str | None) -> SyncResult:
    """Bring the branch and the remote's together, whichever has news."""
    head = store.head()
    ours = head.commit
    if ours and ours.id == theirs.id:
        return state._replace(commit=ours)
    if ours and history.is_ancestor(store, theirs.id, ours.id):
        return _send(store, state, theirs)
    if ours is None or check(store, theirs, head.tree) or history.is_ancestor(store, ours.id, theirs.id):
        result = merge(store, f"{REMOTES}{state.place.remote}/{state.branch}", strategy=strategy)
        state = state._replace(outcome=result.outcome, commit=result.commit)
        return state if result.outcome == "fast_forward" else _send(store, state, theirs)
    mine = _commits_to_send(store, ours.id, theirs.id)
    tip = replay(store, theirs.id, (_again(store, commit, theirs.id, strategy) for commit in mine)) or theirs.id
    lost = foreign_signatures(store, [each.id for each in mine], tip)
    return _publish(store, state._replace(outcome="replayed", unsigned=lost), ours.id, theirs.id, tip)


def _send(store: Store, state: SyncResult, theirs: Commit | None) -> SyncResult:
    """Push the branch as it is."""
    ours = store.head().commit
    assert ours
    push(store, state.place.remote, [state.branch], commit=ours.id, at=state.place)
    sent = _count(store, ours.id, theirs and theirs.id)
    outcome = "pushed" if state.outcome == "up_to_date" else state.outcome
    return state._replace(outcome=outcome, sent=sent, commit=ours)


def _publish(store: Store, state: SyncResult, ours: Oid, theirs: Oid, tip: Oid) -> SyncResult:
    """Push replayed commits, then move the branch to them.

    Raises:
        _BranchMoved: the branch is no longer where it was; the next try finds that the remote has the others.
    """
    if tip != theirs:
        push(store, state.place.remote, [state.branch], commit=tip, at=state.place)
    store.git.identity = identity(store)
    with writer_lock(store.git_dir):
        head = store.head()
        is_there = head.commit is not None and head.commit.id == ours
        if not is_there or not advance(store, state.branch, tip, head, f"sync {state.place.remote}"):
            raise _BranchMoved
    return state._replace(sent=_count(store, tip, theirs), commit=store.commits([tip])[0])


def _count(store: Store, new: Oid, old: Oid | None) -> int:
    return int(store.git.read("rev-list", "--count", str(new), *([f"^{old}"] if old else []), "--"))


def _commits_to_send(store: Store, ours: Oid, theirs: Oid) -> list[Commit]:
    """The commits of the branch's own line that the remote does not have, the oldest first."""
    ids = store.git.read("rev-list", "--first-parent", "--reverse", str(ours), f"^{theirs}", "--").decode().split()
    return store.commits([Oid.fromhex(each) for each in ids])


def _again(store: Store, commit: Commit, theirs: Oid, strategy: str | None) -> Callable[[Snapshot], Change | None]:
    """The change of a commit, as a function of a snapshot; a merge of what the remote has is not made again.

    The commit plays the part of theirs in the merge, but to people it is ours.
    """
    before = store.of(next(iter(commit.parents), None)).tree
    further_parents = tuple(each for each in commit.parents[1:] if not history.is_ancestor(store, each, theirs))

    def change(head: Snapshot) -> Change | None:
        resolver = Resolver(_OTHER_SIDE.get(strategy or "", strategy))
        result = merge_trees(store, head, store.of(commit.id).tree, [before], resolver)
        refuse_brought(store, result.edits)
        clashes = [Clash(each.key, each.base, each.theirs, each.ours) for each in result.clashes]
        refuse(clashes, "", "give --strategy ours, theirs, append or newest")
        moves = commit.changes.moves if commit.changes else ()
        return Change(result.edits.items(), commit.message, moves, further_parents, commit.author)

    return change
