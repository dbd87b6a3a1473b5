"""`memoir show`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, Namespace
from memoir.cli.session import session
from memoir.memory.read import get, require
from memoir.memory.versions import commit_differences
from memoir.output import history as shapes
from memoir.output.answer import Answer
from memoir.taxonomy.paths import address
from memoir.times import looks_like_date


def command(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="REV[:KEY]", help="A commit, or a path as it was there.", autocompletion=complete.revisions
        ),
    ] = "HEAD",
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Show a commit and what it changed, or a memory as it was at a revision."""
    store = session(ctx).store
    revision, colon, key = what.partition(":")
    if colon and key and not looks_like_date(what):
        snapshot = store.at(revision or "HEAD")
        place = address(key, namespace)
        require(snapshot, [place])
        return shapes.show_memory(snapshot.commit, place, get(snapshot, [place])[0].record or ())
    commit = store.commit(what)
    return shapes.show_commit(commit, list(commit_differences(store, commit)))
