"""`memoir fetch`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store import remote


def command(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[REMOTE]", autocompletion=complete.remotes)] = "origin",
) -> Answer:
    """Get a remote's branches and tags, to be read as REMOTE/BRANCH; nothing here changes."""
    return stores.fetched(name, remote.fetch(session(ctx).store, name))
