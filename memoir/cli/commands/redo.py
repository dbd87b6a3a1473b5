"""`memoir redo`."""

import typer

from memoir.cli.session import session
from memoir.output import history as shapes
from memoir.output.answer import Answer


def command(ctx: typer.Context) -> Answer:
    """Reverse the last undo; repeatable, until something new is written."""
    repository = session(ctx).repository
    return shapes.step(repository.redo(), "redo", repository.branch)
