"""What remotes have of a branch, as far as it was fetched or sent: a step back here does not take it away there."""

from collections.abc import Mapping, Sequence

from memoir.exchange import writers
from memoir.exchange.deeds import line, only_here
from memoir.exchange.layout import refs_of
from memoir.exchange.merge import refuse_brought
from memoir.exchange.remotes import remotes
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED
from memoir.store.ancestry import beyond, independent
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.transaction import StoredValue


def holder(store: Store, branch: str, tip: Oid, kept: Oid | None) -> str | None:
    """A remote that has a commit of a tip's line that another commit (None: none) lacks, or has made it again."""
    commits = line(store, tip, beyond(store, [tip], [kept] if kept else []))
    names = remotes(store) if commits else {}
    return next((name for name in names if _has_any(store, name, branch, commits)), None)


def _has_any(store: Store, remote: str, branch: str, commits: Sequence[Commit]) -> bool:
    own = [f"{FETCHED}{remote}/{writer}/{branch}" for writer in writers.fetched(store, remote, branch)]
    first, tips = commits[0].id, {store.commit(ref).id for ref in (*refs_of(store, remote, branch), *own)}
    if first in tips or first not in independent(store, {first, *tips}):
        return True
    return any(len(only_here(store, commits, tip)) < len(commits) for tip in tips)


def check(store: Store, edits: Mapping[bytes, bytes | StoredValue | None]) -> None:
    """Refuse to publish a damaged record of the past again.

    Raises:
        DamagedStore: the first such record is named.
    """
    refuse_brought(store, edits)
