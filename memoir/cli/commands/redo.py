"""`memoir redo`."""

import typer

from memoir.cli.options import Branch
from memoir.cli.session import session
from memoir.memory.integrate import redo
from memoir.output import refs as shapes
from memoir.output.answer import Answer


def command(ctx: typer.Context, branch: Branch = None) -> Answer:
    """Reverse the last undo; repeatable, until something new is written."""
    store = session(ctx).store
    return shapes.stepped(redo(store, branch=branch), "redo", branch or store.branch())
