"""`memoir gc`."""

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.session import session


def gc(ctx: typer.Context) -> Answer:
    """Pack the store as small as possible. Nothing that a branch, tag or undo step reaches is dropped."""
    here = session(ctx)
    with Progress("packing", shown=here.chatty) as progress:
        progress(0)
        done = here.repository.upkeep.gc()
    return shapes.gc(*done)
