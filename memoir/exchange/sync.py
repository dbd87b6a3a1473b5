"""Brings a branch and its remote to the same commit, without unnecessary merge commits.

    fetch -> put the unpublished commits on the remote's tip -> push -> move the branch there

The branch moves last, in one step, so one undo takes everything back and a failure changes nothing. Stores on one
machine take turns at a remote on it. If another store pushed meanwhile anyway, everything is repeated after a random
pause, which grows with every try; or this store sends to its own ref, to which no other pushes
(`memoir.exchange.writers.sync_writers`). Only failures that a repetition can cure are tried again.
"""

import os
import random
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from memoir.errors import Conflict
from memoir.exchange.changed_branches import refuse_renamed, refuse_rewritten
from memoir.exchange.fetch import FetchedBranch, fetch
from memoir.exchange.layout import RemotePlace, place, refs_of
from memoir.exchange.merge import choice_hint, merge, merge_each
from memoir.exchange.merge_choices import check_strategy
from memoir.exchange.push import OwnRefRefused, Rejection, Unwritable, push
from memoir.exchange.remote_health import Contact, read_contact, write_contact
from memoir.exchange.remotes import is_local, require
from memoir.exchange.replay import replay_onto
from memoir.exchange.transport import Unreachable
from memoir.exchange.united import united
from memoir.exchange.writers import send_only, writer_refs
from memoir.exchange.writers.sync_writers import Gathering, gather, move_branch
from memoir.git.lock import try_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import REMOTES
from memoir.repair import checks
from memoir.repair.foreign_commit import check_tips
from memoir.store import ancestry
from memoir.store.ancestry import count_beyond
from memoir.store.chain import holding
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.transaction import BranchMoved
from memoir.taxonomy.paths import Address

TURN_SECONDS = 20.0
"""How long to wait for a turn; after that the sync goes on without one."""
_LOOK = 0.03
"""Seconds between two attempts to take the turn, on average."""


@contextmanager
def turn(url: str) -> Iterator[None]:
    """Hold the turn at the repository of a URL if it is on this machine; do nothing for others.

    A push is refused if another came first; without turns, eight clones that send at the same time need a dozen
    repetitions. The lock is on a file that every repository has, opened only for reading: nothing is written there, git
    is not affected, and the kernel releases the lock when its holder ends.
    """
    descriptor = _open(url) if is_local(url) else None
    try:
        end = time.monotonic() + TURN_SECONDS
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
_TRIES_TO_WRITE = 4
"""The most tries if the remote cannot write its ref: a running push holds the lock only for moments."""
_LONGEST_PAUSE = 5.0
"""Seconds."""


class SyncResult(NamedTuple):
    """The result of a sync."""

    place: RemotePlace
    """The place of memory in the remote."""
    branch: str
    """The branch."""
    moves: list[FetchedBranch]
    """The remote's branches that moved since the last fetch."""
    outcome: str
    """`up_to_date`, `fast_forward` (only the remote had news), `pushed` (only this store had), `replayed` (both had:
    this store's commits were replayed on top of the remote's), `merged` (both had, and a pull had merged the two
    before; or the remote has memory in another git's shape, or elsewhere than in the branch), `folded` (other writers
    had news in their refs) or `sent` (to this store's own ref without reading, because many others send at the same
    time)."""
    sent: int
    """The number of commits sent to the remote."""
    tries: int
    """The number of tries; more than one if other stores pushed meanwhile."""
    commit: Commit | None
    """The branch's commit after the sync; None if it has none."""
    unsigned: Sequence[Oid] = ()
    """The replayed commits whose signatures, by other keys, were lost."""
    gathering: Gathering | None = None
    """The result for writers' own refs; None if none were involved."""
    relief: str | None = None
    """A message if the remote answers again after failures, or turned out to refuse own refs."""
    united: Sequence[Address] = ()
    """The paths at which memories of several stores hold now, although a new one there takes the place of the old."""


def sync(
    store: Store, name: str, *, strategy: str | None = None, seconds: float = inf, clear: bool = False
) -> SyncResult:
    """Bring the current branch and the remote's branch of the same name to the same commit.

    Args:
        store: The store.
        name: The remote.
        strategy: The strategy for contradictions.
        seconds: The time after which no new try begins.
        clear: Whether to fold all writers' refs into the remote's branch, and to remove these.

    Raises:
        Conflict: both sides changed the same memory, and there is no strategy; nothing was changed here. Or other
            stores pushed during every try, or the remote's branch lost commits that this store has, or was renamed.
        GitError: the remote cannot be reached, or refuses the push.
        DamagedStore: this store is a clone that is not sound.
    """
    if strategy is not None:
        check_strategy(strategy)
    require(store, name)
    checks.read_the_rest(store)
    before, begin = read_contact(store, name), time.monotonic()
    attempts = _Attempts(store, name, strategy, begin + seconds, before, clear=clear)
    try:
        with holding(store):
            done = attempts.run()
    except Unreachable as error:
        write_contact(store, name, before.failed(error.message, time.monotonic() - begin))
        raise
    met_others = done.tries > 1 or (done.gathering is not None and done.gathering.met_others)
    after = read_contact(store, name).answered(met_others=met_others)
    if done.outcome != "sent":
        after = after.has_read(time.monotonic() - begin)
    after = after._replace(refuses_own=attempts.refuses_own and not attempts.own)  # it has just accepted one
    write_contact(store, name, after)
    store.wrote = False
    return done._replace(relief=before.news(name, after))


def fold_writers(store: Store, name: str, *, strategy: str | None = None) -> SyncResult:
    """Sync, fold all writers' heads of the branch into it, and remove the folded refs.

    Raises:
        Conflict, GitError: as for `sync`.
    """
    first = sync(store, name, strategy=strategy, clear=True)
    second = sync(store, name, strategy=strategy, clear=True)  # now refs of what the branch has can be removed
    if not (first.gathering and second.gathering):
        return second
    both = second.gathering._replace(
        folded=first.gathering.folded + second.gathering.folded,
        removed=first.gathering.removed + second.gathering.removed,
    )
    paths = sorted({*first.united, *second.united})
    return first._replace(gathering=both, commit=second.commit, tries=max(first.tries, second.tries), united=paths)


class _Attempts:
    """Tries to sync until one try succeeds or fails for good."""

    def __init__(
        self, store: Store, name: str, strategy: str | None, end: float, before: Contact, *, clear: bool
    ) -> None:
        self.store, self.name, self.strategy, self.end, self.clear = store, name, strategy, end, clear
        mode = writer_refs.mode(store, name)
        self.is_auto = mode == "auto" and not clear
        self.refuses_own, self.arrived = before.refuses_own, 0
        self.own = not clear and (mode == "own" or (mode == "auto" and before.crowded and not self.refuses_own))
        self.may_only_send = strategy is None and before.is_fresh()
        self.moves: dict[str, FetchedBranch] = {}
        self.there: RemotePlace | None = None
        self.tips: list[Oid] = []  # what the last try brought together
        self.meetings = 0

    def run(self) -> SyncResult:
        failures: list[Exception] = []
        for tries in range(1, TRIES + 1):
            begin = time.monotonic()
            try:
                with turn(require(self.store, self.name)):
                    done = self._count_arrived(self._try_once()._replace(tries=tries))
                    return done._replace(united=united(self.store, self.tips, done.commit and done.commit.id))
            except OwnRefRefused as error:
                if not self.is_auto:
                    raise
                self.own, self.refuses_own, self.arrived = False, True, error.sent
                continue
            except (Rejection, Unwritable, BranchMoved) as error:
                failures.append(error)
            locks = sum(isinstance(each, Unwritable) for each in failures)
            if tries == TRIES or locks == _TRIES_TO_WRITE or time.monotonic() > self.end:
                break
            if not (isinstance(failures[-1], Rejection) and self._switch_to_own()):
                longest = (time.monotonic() - begin) * tries
                time.sleep(random.uniform(0, min(longest, _LONGEST_PAUSE)))  # noqa: S311 (no secret)
        if isinstance(failures[-1], Unwritable):
            raise failures[-1]
        times = "the one try" if len(failures) == 1 else f"each of {len(failures)} tries"
        raise Conflict(f"other stores pushed to {self.name} during {times}", f"'memoir sync {self.name}' tries again")

    def _switch_to_own(self) -> bool:
        """After a rejection, switch to the own ref, to which no other store pushes, so that no pause is needed.

        If that ref was rejected, another process or a copy of this store pushed there; after two times it is a copy.
        """
        if self.own:
            self.there = None
            self.meetings += 1
            if self.meetings > 1:
                writer_refs.rename(self.store)
            return False
        self.own = self.is_auto and not self.refuses_own
        return self.own

    def _count_arrived(self, done: SyncResult) -> SyncResult:
        """Add the commits that the branch got from a try whose own ref was refused."""
        outcome = "pushed" if self.arrived and done.outcome in ("up_to_date", "fast_forward") else done.outcome
        return done._replace(outcome=outcome, sent=done.sent + self.arrived)

    def _try_once(self) -> SyncResult:
        """Sync once."""
        store, name = self.store, self.name
        branch = store.branch()
        there = self.there or place(store, name, about_to_fetch=True)
        may_only_send, self.may_only_send = self.may_only_send and self.own, False
        if may_only_send and (errand := send_only.draw(store, there, branch)):
            result = send_only.run(store, there, errand)
            (ours,) = store.commits([errand.commit])
            return SyncResult(there, branch, [], result.outcome, result.sent, 1, ours, gathering=result)
        self.there, moves = fetch(store, name, at=there, is_fresh=self.there is None)
        _add_moves(self.moves, moves)
        done = SyncResult(self.there, branch, [*self.moves.values()], "up_to_date", 0, 1, None)
        refs, heads = refs_of(store, name, branch), writer_refs.fetched(store, name, branch)
        strays = [ref for ref in refs if ref != f"{REMOTES}{name}/{branch}"]
        before = store.head().commit
        self.tips = [*([before.id] if before else []), *(store.commit(ref).id for ref in refs), *heads.values()]
        if strays and merge_each(store, strays, strategy=self.strategy).outcome != "up_to_date":
            done = done._replace(outcome="merged")
        theirs = store.commit(refs[0]) if len(refs) > len(strays) else None
        head = store.head().commit
        if head != theirs:
            refuse_rewritten(store, name, [head.id] if head else [], joined=branch)
        if not refs:
            refuse_renamed(store, self.there, branch)
        if self.own or self.clear or heads:
            return self._gather(done, theirs)
        if theirs:
            return _meet(store, done, theirs, self.strategy)
        return _send(store, done, None) if head else done

    def _gather(self, done: SyncResult, theirs: Commit | None) -> SyncResult:
        head = self.store.head()
        if theirs and head.commit and ancestry.is_ancestor(self.store, theirs.id, head.commit.id):
            self.store.trust(theirs.id)
        elif theirs and check_tips(self.store, theirs, head.tree):
            merge(self.store, f"{REMOTES}{self.name}/{done.branch}", strategy=self.strategy)
        result = gather(
            self.store,
            done.place,
            done.branch,
            theirs,
            own=self.own,
            strategy=self.strategy,
            clear=self.clear,
        )
        outcome = done.outcome if result.outcome == "up_to_date" else result.outcome
        commit = self.store.head().commit
        return done._replace(
            outcome=outcome, sent=result.sent, commit=commit, gathering=result, unsigned=result.unsigned
        )


def _add_moves(moves: dict[str, FetchedBranch], branches: Sequence[FetchedBranch]) -> None:
    """Add moved branches to those of earlier tries."""
    for each in branches:
        moves[each.name] = each._replace(old=moves[each.name].old if each.name in moves else each.old)


def _meet(store: Store, state: SyncResult, theirs: Commit, strategy: str | None) -> SyncResult:
    """Bring the branch and the remote's branch together."""
    head = store.head()
    ours = head.commit
    if ours and ours.id == theirs.id:
        return state._replace(commit=ours)
    if ours and ancestry.is_ancestor(store, theirs.id, ours.id):
        return _send(store, state, theirs)
    if ours is None or check_tips(store, theirs, head.tree) or ancestry.is_ancestor(store, ours.id, theirs.id):
        result = merge(store, f"{REMOTES}{state.place.remote}/{state.branch}", strategy=strategy)
        state = state._replace(outcome=result.outcome, commit=result.commit)
        return state if result.outcome == "fast_forward" else _send(store, state, theirs)
    tip, lost = replay_onto(store, ours.id, theirs.id, strategy, choice_hint(f"{state.place.remote}/{state.branch}"))
    outcome = "merged" if ancestry.is_ancestor(store, ours.id, tip) else "replayed"
    return _publish(store, state._replace(outcome=outcome, unsigned=lost), ours.id, theirs.id, tip)


def _send(store: Store, state: SyncResult, theirs: Commit | None) -> SyncResult:
    """Push the branch as it is. For a new branch, only commits that no other branch there has are counted."""
    ours = store.head().commit
    assert ours
    others = () if theirs else store.refs.list(f"{REMOTES}{state.place.remote}/").values()
    push(store, state.place.remote, [state.branch], commit=ours.id, at=state.place)
    sent = count_beyond(store, ours.id, theirs and theirs.id, *filter(store.reader.has, others))
    outcome = "pushed" if state.outcome == "up_to_date" else state.outcome
    return state._replace(outcome=outcome, sent=sent, commit=ours)


def _publish(store: Store, state: SyncResult, ours: Oid, theirs: Oid, tip: Oid) -> SyncResult:
    """Push replayed commits, then move the branch to them."""
    if tip != theirs:
        push(store, state.place.remote, [state.branch], commit=tip, at=state.place)
    move_branch(store, state.place.remote, state.branch, ours, tip)
    return state._replace(sent=count_beyond(store, tip, theirs), commit=store.commits([tip])[0])
