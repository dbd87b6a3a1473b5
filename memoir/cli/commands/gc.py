"""`memoir gc`."""

import typer

from memoir.cli.session import session
from memoir.index.status import disk_usage
from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.output.terminal import Progress
from memoir.store.maintenance import gc


def command(ctx: typer.Context) -> Answer:
    """Pack the store as tightly as it goes. Nothing that a branch, tag or undo step reaches is dropped."""
    here = session(ctx)
    with Progress("packing", shown=here.chatty) as progress:
        progress(0)
        before, after = gc(here.store)
    return shapes.gc(before, after, disk_usage(here.store))
