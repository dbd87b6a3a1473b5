"""`memoir gc`."""

import typer

from memoir.cli.session import session
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store.maintenance import gc


def command(ctx: typer.Context) -> Answer:
    """Pack the store as tightly as it goes. Nothing that a branch, tag or undo step reaches is dropped."""
    return stores.gc(*gc(session(ctx).store))
