"""`memoir redo`."""

import typer

from memoir.cli.session import session
from memoir.output import history as shapes
from memoir.output.answer import Answer
from memoir.store.rewind import redo


def command(ctx: typer.Context) -> Answer:
    """Reverse the last undo; repeatable, until something new is written."""
    store = session(ctx).store
    return shapes.stepped(redo(store), "redo", store.branch())
