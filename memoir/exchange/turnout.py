"""Who folds what many writers have sent at the same time."""

import random
from typing import NamedTuple

from memoir.exchange import writers
from memoir.exchange.layout import RemotePlace
from memoir.git.objects import Oid
from memoir.store import history
from memoir.store.store import Store
from memoir.times import now

_FOLDERS = 5
"""How many of the writers that send at the same time fold, on average (`benchmarks.hub_model`). What reads always does.

The others leave the branch to them: moved by one that has not folded, it would only make theirs come too late. They do
not even fetch what there is to fold.
"""
_NEW = 60
"""Seconds for which another may be expected to fold a head."""


class Turnout(NamedTuple):
    """Whether a writer folds what others have sent: of many that could do it at once, only a few have to.

    Attributes:
        folds: Whether it does.
        skipped: If not, one of the heads that wait for others, in hex.
        since: Since when this store knows of it, in seconds since 1970.
    """

    folds: bool = True
    skipped: str = ""
    since: int = 0

    @classmethod
    def draw(cls, store: Store, there: RemotePlace, branch: str, last: "Turnout") -> "Turnout":
        """Decide before anything is fetched; `last` is what was decided the last time."""
        writer = writers.own_name(store)
        heads = writers.listed(there.refs, branch)
        mine = heads.pop(writer, None)
        new = [str(oid) for oid in heads.values() if not store.reader.has(oid)]
        ours = store.head().commit
        published = (mine, there.refs.get(there.layout.heads + branch))
        has_nothing = ours is None or any(ours.id == oid or _holds(store, oid, ours.id) for oid in published if oid)
        if has_nothing or random.random() < _FOLDERS / max(len(new), 1):  # noqa: S311 (no secret)
            return cls()
        if last.skipped in new:
            return last
        return cls(False, random.choice(new), int(now().timestamp()))  # noqa: S311 (no secret)

    def is_overdue(self, store: Store) -> bool:
        """Whether nobody has folded what was skipped, although there was time; the branch was fetched meanwhile."""
        is_late = bool(self.skipped) and not 0 <= now().timestamp() - self.since < _NEW  # the clock may be set back
        return is_late and not store.reader.has(Oid.fromhex(self.skipped))


def _holds(store: Store, newer: Oid, older: Oid) -> bool:
    return store.reader.has(newer) and history.is_ancestor(store, older, newer)
