"""Completes keys, namespaces, branches, revisions and more in the shells; never fails, and imports little."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import typer

from memoir.cli.session import Session
from memoir.errors import MemoirError

if TYPE_CHECKING:
    from memoir.store.snapshot import Snapshot

_PLAIN = r"[\w.,:@/+=#-]+"
"""Names that need no quotes in a shell; others, such as some remote branches, are not offered."""
_MOST = 200

IS_COMPLETION = "_MEMOIR_COMPLETE" in os.environ
"""Whether the completion script of a shell runs this process."""

Completer = Callable[[typer.Context, str], list[str]]


def prepare() -> None:
    """Register the shells, which Typer does when it builds a command that offers to install completion."""
    from typer.main import get_command

    # Typer would load rich, as slow as all the rest, only to find that these help texts are plain.
    sys.modules["rich"] = None  # type: ignore[assignment]
    app = typer.Typer(add_completion=True)
    app.command()(lambda: None)
    get_command(app)


def _quietly(find: Callable[[Session, typer.Context, str], Iterator[str]]) -> Completer | None:
    """Return a completer that neither prints nor fails; without a store it offers nothing.

    Return None unless a shell is completing a word, because Typer inspects every completer of a command.
    """
    if not IS_COMPLETION:
        return None

    def completer(ctx: typer.Context, incomplete: str) -> list[str]:
        session = Session()
        if isinstance(ctx.obj, Session):
            session.folder, session.branch = ctx.obj.folder, ctx.obj.branch
        try:
            names = filter(re.compile(_PLAIN).fullmatch, find(session, ctx, incomplete))
            return [name for _, name in zip(range(_MOST), names, strict=False)]
        except (MemoirError, OSError):
            return []
        finally:
            session.close()

    return completer


def _keys(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    from memoir.memory.read import key_range, namespaces
    from memoir.taxonomy.paths import DEFAULT_NAMESPACE, from_key

    option = ctx.params.get("namespace") or DEFAULT_NAMESPACE
    name, colon, prefix = incomplete.rpartition(":")
    snapshot = session.store.head()
    names = [name] if colon else [option] if isinstance(option, str) else option
    if "#" in prefix:
        yield from _addresses(snapshot, incomplete, names[0])
        return
    for namespace in names:
        for key, _ in snapshot.tree.scan(*key_range(namespace, prefix)):
            yield name + colon + from_key(key).path
    for namespace in namespaces(snapshot) if colon else ():  # without a colon, a word is far likelier a path
        if namespace.startswith(incomplete):
            yield from (from_key(key).full_key for key, _ in snapshot.tree.scan(*key_range(namespace, "")))


def _addresses(snapshot: "Snapshot", incomplete: str, namespace: str) -> Iterator[str]:
    """The addresses of the active memories at a path whose ids begin with the text after `#`."""
    from memoir.memory.facets import active_positions, ids_of
    from memoir.memory.read import require_record
    from memoir.taxonomy.paths import address

    key, mark, beginning = incomplete.partition("#")
    record = require_record(snapshot, address(key, namespace))
    ids = ids_of(record)
    yield from (key + mark + ids[at] for at in active_positions(record) if ids[at].startswith(beginning))


def _namespaces(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    from memoir.memory.read import namespaces

    return (name for name in namespaces(session.store.head()) if name.startswith(incomplete))


def _branches(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    return (name for name in session.store.refs.list("refs/heads/") if name.startswith(incomplete))


def _revisions(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    for prefix in ("refs/heads/", "refs/tags/", "refs/remotes/"):
        yield from (name for name in session.store.refs.list(prefix) if name.startswith(incomplete))


def _remotes(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    from memoir.exchange.remotes import remotes

    return (name for name in remotes(session.store) if name.startswith(incomplete))


def _settings(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    from memoir.settings import TABLE

    keys = [setting.key for setting in TABLE if not setting.is_family]
    matches = [key for key in keys if key.lower().startswith(incomplete.lower())]
    yield from matches or (key for key in _family_keys(session) if key.startswith(incomplete))


def _family_keys(session: Session) -> Iterator[str]:
    """The keys of setting families, which contain a name: those of remotes, and those that are set."""
    from memoir.exchange.remotes import remotes
    from memoir.settings import REMOTE_REFS, TABLE

    families = [setting for setting in TABLE if setting.is_family]
    config_keys = [key for key in session.store.config if any(setting.has(key) for setting in families)]
    yield from dict.fromkeys([*(REMOTE_REFS.key_of(name) for name in remotes(session.store)), *config_keys])


def _setting_values(session: Session, ctx: typer.Context, incomplete: str) -> Iterator[str]:
    from memoir.settings import find

    setting = find(str(ctx.params.get("key")).lower())
    return (word for word in (setting.kind.words if setting else ()) if word.startswith(incomplete))


keys = _quietly(_keys)
settings = _quietly(_settings)
setting_values = _quietly(_setting_values)
namespaces = _quietly(_namespaces)
branches = _quietly(_branches)
revisions = _quietly(_revisions)
remotes = _quietly(_remotes)


def words(*choices: str) -> Callable[[str], list[str]] | None:
    """Return a completer for a fixed list."""
    return (
        (lambda incomplete: [choice for choice in choices if choice.startswith(incomplete)]) if IS_COMPLETION else None
    )
