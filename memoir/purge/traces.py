"""Finds refs of remotes that still contain purged memories, and the commands that replace them."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memoir.exchange.layout import BESIDE, PLAIN, Layout
from memoir.exchange.purged_during_push import replacement
from memoir.exchange.remotes import layout_key, remotes
from memoir.exchange.writers.writer_refs import WRITERS
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, FETCHED, REMOTES, TAGS
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store


class RemoteTrace(NamedTuple):
    """A ref of a remote that contained purged memories when last fetched, and the command that replaces it.

    `branch` is the full name of a writer's ref or of a tag; the remote may lack a tag.
    """

    remote: str
    branch: str
    commit: Oid
    command: str


def find(store: Store, moved: Mapping[str, tuple[Oid, Oid]]) -> Iterator[tuple[RemoteTrace, str, Oid | None]]:
    """The traces in remotes of the moved refs, each with the local ref and its new commit, or None if it is removed.

    If the local branch of the same name contains a remote's branch, it replaces that, which will be fetched again. If
    not, the remote's branch may have someone else's work: it is replaced by its own rewritten commit, which is kept
    here.
    """
    for remote in remotes(store):
        layout = BESIDE if store.config.get(layout_key(remote), [""])[-1] == BESIDE.name else PLAIN
        for ref, (old, new) in moved.items():
            if ref.startswith(top := f"{REMOTES}{remote}/"):
                name = ref.removeprefix(top)
                ours = store.refs.read(BRANCHES + name)
                kept = None if ours and is_ancestor(store, old, ours) else new
                source = BRANCHES + name if kept is None else str(new)
                command = replacement(store, remote, layout.heads + name, old, source)
                yield RemoteTrace(remote, name, old, command), ref, kept
            elif ref.startswith(top := f"{FETCHED}{remote}/"):
                target = WRITERS + ref.removeprefix(top)
                yield RemoteTrace(remote, target, old, replacement(store, remote, target, old, str(new))), ref, new
            elif ref.startswith(TAGS):
                yield _tag(store, remote, layout, ref, old), ref, new


def _tag(store: Store, remote: str, layout: Layout, ref: str, old: Oid) -> RemoteTrace:
    target = layout.tags + ref.removeprefix(TAGS)
    return RemoteTrace(remote, target, old, replacement(store, remote, target, old, ref))
