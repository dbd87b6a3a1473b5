"""A writer among many that send at the same time: it sends its new commits to its own ref, without reading.

If each of a hundred writers fetched, checked and folded the others' commits, all would do the same work. So only about
five do, and each of the others if it has not done so within the last minute. Commits are not rebased: the branch is
sent as it is.
"""

import random
from typing import NamedTuple

from memoir.exchange.layout import RemotePlace
from memoir.exchange.push import OwnRefRefused, check_target, send
from memoir.exchange.writers import writer_refs
from memoir.exchange.writers.sync_writers import Gathering, rule_against
from memoir.git.objects import Oid
from memoir.git.ref_names import REMOTES
from memoir.store.ancestry import count_beyond
from memoir.store.store import Store

AT_ONCE = 5
"""The average number of concurrent writers that read from the others (`benchmarks.hub_model`)."""


class Errand(NamedTuple):
    """What a writer sends: its branch, the remote's ref for it, the commit, and the commits that the remote has."""

    branch: str
    ref: str
    commit: Oid
    known: list[Oid]


def draw(store: Store, there: RemotePlace, branch: str) -> Errand | None:
    """Decide by lot what to send without reading; None for a writer that reads, as all do unless many have sent.

    Args:
        store: The store.
        there: The remote, as just listed.
        branch: The branch, which is the current one.
    """
    writer = writer_refs.own_name(store)
    heads = writer_refs.listed(there.refs, branch)
    mine = heads.pop(writer, None)
    new = sum(not store.reader.has(oid) for oid in heads.values())
    if random.random() < AT_ONCE / max(new, 1):  # noqa: S311 (no secret)
        return None
    ours, read = store.head().commit, store.refs.read(f"{REMOTES}{there.remote}/{branch}")
    known = [each for each in dict.fromkeys((mine, read)) if each]
    if ours is None or read is None or there.strays or ours.id in known or not all(map(store.reader.has, known)):
        return None
    # A sync killed during a replay may leave the branch without commits that were read or sent.
    has_all = writer_refs.maximal(store, [ours.id, *known]) == [ours.id]
    return Errand(branch, writer_refs.ref_of(writer, branch), ours.id, known) if has_all else None


def run(store: Store, there: RemotePlace, errand: Errand) -> Gathering:
    """Send an errand.

    Raises:
        Rejection: another store has sent to this ref. OwnRefRefused: the remote refuses the ref.
    """
    check_target(store, there, errand.branch)
    refs = send(store, there.remote, there.layout, [f"{errand.commit}:{errand.ref}"])
    if error := rule_against(errand.ref, refs):
        raise OwnRefRefused(error, there.remote, errand.branch, 0)
    sent = count_beyond(store, errand.commit, *errand.known)
    return Gathering(
        outcome="sent", own=True, moved=False, folded=0, sent=sent, removed=[], left=[], refused=None, unsigned=[],
        met_others=True,
    )  # fmt: skip
