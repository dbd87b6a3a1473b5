"""`memoir status`."""

import typer

from memoir.cli.session import session
from memoir.memory.status import status
from memoir.output import stores
from memoir.output.answer import Answer


def command(ctx: typer.Context) -> Answer:
    """Describe the store: its branch, its counts, how it stands to its remotes."""
    return stores.status(status(session(ctx).store))
