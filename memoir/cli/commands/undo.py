"""`memoir undo`."""

import typer

from memoir.cli.session import session
from memoir.memory.integrate import undo
from memoir.output import refs as shapes
from memoir.output.answer import Answer


def command(ctx: typer.Context) -> Answer:
    """Take back the branch's last change, whatever it was; repeatable.

    Nothing is deleted: 'memoir redo' goes forward again, and the reflog keeps every step.
    """
    store = session(ctx).store
    return shapes.stepped(undo(store), "undo", store.branch())
