"""What the shell may complete: keys, namespaces, branches, revisions. Never fails, never loads much."""

import os
from collections.abc import Callable, Iterator

import typer

from memoir.cli.session import Session
from memoir.errors import MemoirError

_MOST = 200


_COMPLETING = "_MEMOIR_COMPLETE" in os.environ
Completer = Callable[[typer.Context, str], list[str]]


def _quietly(find: Callable[[Session, str], Iterator[str]]) -> Completer | None:
    """Completion must not print or fail: without a store there is just nothing to offer.

    None unless a shell is asking: Typer inspects every completer that a command has.
    """
    if not _COMPLETING:
        return None

    def completer(ctx: typer.Context, incomplete: str) -> list[str]:
        session = Session()
        session.folder = ctx.params.get("store") or (ctx.parent.params.get("store") if ctx.parent else None)
        try:
            return [name for _, name in zip(range(_MOST), find(session, incomplete), strict=False)]
        except (MemoirError, OSError):
            return []
        finally:
            session.close()

    return completer


def _keys(session: Session, incomplete: str) -> Iterator[str]:
    from memoir.memory.read import key_range
    from memoir.taxonomy.paths import DEFAULT_NAMESPACE, from_key

    snapshot = session.store.head()
    for key, _ in snapshot.tree.scan(*key_range(DEFAULT_NAMESPACE, incomplete)):
        yield from_key(key).path


def _namespaces(session: Session, incomplete: str) -> Iterator[str]:
    from memoir.memory.read import namespaces

    return (name for name in namespaces(session.store.head()) if name.startswith(incomplete))


def _branches(session: Session, incomplete: str) -> Iterator[str]:
    return (ref.name for ref in session.store.refs.list("refs/heads/") if ref.name.startswith(incomplete))


def _revisions(session: Session, incomplete: str) -> Iterator[str]:
    for prefix in ("refs/heads/", "refs/tags/", "refs/remotes/"):
        yield from (ref.name for ref in session.store.refs.list(prefix) if ref.name.startswith(incomplete))


def _remotes(session: Session, incomplete: str) -> Iterator[str]:
    from memoir.store.remote import remotes

    return (name for name in remotes(session.store) if name.startswith(incomplete))


keys = _quietly(_keys)
namespaces = _quietly(_namespaces)
branches = _quietly(_branches)
revisions = _quietly(_revisions)
remotes = _quietly(_remotes)


def words(*choices: str) -> Callable[[str], list[str]] | None:
    """Completion from a fixed list."""
    return (lambda incomplete: [choice for choice in choices if choice.startswith(incomplete)]) if _COMPLETING else None
