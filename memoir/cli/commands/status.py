"""`memoir status`."""

import typer

from memoir.cli.session import session
from memoir.output import store as shapes
from memoir.output.answer import Answer


def command(ctx: typer.Context) -> Answer:
    """Describe the store: its branch, its counts, and how it compares with its remotes."""
    return shapes.status(session(ctx).repository.status())
