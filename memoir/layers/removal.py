"""Removing a source: its segments are forgotten; history keeps them."""

from typing import NamedTuple

from memoir.errors import NotFound
from memoir.layers.segments import StoredSource, place_of, stored_segments, stored_source, stored_sources
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write


class Removed(NamedTuple):
    """A source that was removed, and the commit."""

    source: StoredSource
    commit: Commit | None


def remove_source(store: Store, name: str, namespace: str, options: WriteOptions = DEFAULTS) -> Removed:
    """Forget the segments of a source.

    Raises:
        NotFound: there is no such source. InvalidInput: the message looks like a credential.
    """
    check_message(options)
    done: list[StoredSource] = []

    def change(head: Snapshot) -> Change:
        done[:] = [_required(head, namespace, name)]
        edits = [(place_of(namespace, name, number).key, None) for number in stored_segments(head, namespace, name)]
        return Change(edits, options.message or f"remove source {name}")

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"remove source {name}")
    return Removed(done[0], commit)


def _required(head: Snapshot, namespace: str, name: str) -> StoredSource:
    from difflib import get_close_matches

    if found := stored_source(head, namespace, name):
        return found
    close = get_close_matches(name, [source.name for source in stored_sources(head, namespace)], 1)
    raise NotFound(f"no source {name!r}", f"did you mean {close[0]!r}?" if close else "'memoir sources' lists them")
