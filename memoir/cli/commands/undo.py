"""`memoir undo`."""

from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session


def undo(
    ctx: typer.Context,
    steps: Annotated[
        int, typer.Argument(metavar="[N]", min=1, help="How many changes, as 'memoir reflog' counts them.")
    ] = 1,
) -> Answer:
    """Take back the branch's last change, whatever it was, or its last N; repeatable.

    'memoir reflog' lists the states to go back to: 'memoir undo N' returns to its entry N. Nothing is deleted:
    'memoir redo' goes forward again, and the reflog keeps every step.
    """
    repository = session(ctx).repository
    return shapes.step(repository.undo(steps), "undo", repository.branch, steps)
