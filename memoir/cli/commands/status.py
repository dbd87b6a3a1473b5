"""`memoir status`."""

from typing import Annotated

import typer

from memoir.cli.session import session
from memoir.output import store as shapes
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    short: Annotated[bool, typer.Option("--short", help="Print one line, for a status line or a prompt.")] = False,
) -> Answer:
    """Describe the store: its branch, its counts, and how it compares with its remotes."""
    return shapes.status(session(ctx).repository.status(), short=short)
