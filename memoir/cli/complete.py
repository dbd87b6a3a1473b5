"""What the shell may complete: keys, namespaces, branches, revisions. Never fails, never loads much."""

from collections.abc import Callable, Iterator

import typer

from memoir.cli.session import Session
from memoir.errors import MemoirError

_MOST = 200


def _quietly(find: Callable[[Session, str], Iterator[str]]) -> Callable[[typer.Context, str], list[str]]:
    """Completion must not print or fail: without a store there is just nothing to offer."""

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


def words(*choices: str) -> Callable[[str], list[str]]:
    """Completion from a fixed list."""
    return lambda incomplete: [choice for choice in choices if choice.startswith(incomplete)]
