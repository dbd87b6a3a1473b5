"""`memoir redo`."""

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session


def redo(ctx: typer.Context) -> Answer:
    """Reverse the last undo; repeatable, until something new is written."""
    repository = session(ctx).repository
    return shapes.step(repository.redo(), "redo", repository.branch)
