"""`memoir show`."""

from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, Namespace
from memoir.cli.session import session
from memoir.times import looks_like_date


def show(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="REV[:KEY]", help="A commit, or a path as it was there.", autocompletion=complete.revisions
        ),
    ] = "HEAD",
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Show a commit and what it changed, or a memory as it was at a revision; of several at a path, KEY#id is one."""
    revision, _, key = what.partition(":")
    if not key or looks_like_date(what):
        revision, key = what, ""
    return shapes.show(session(ctx).repository.show(revision or "HEAD", key or None, namespace=namespace))
