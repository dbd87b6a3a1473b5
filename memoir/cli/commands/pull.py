"""`memoir pull`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.memory.integrate import merge
from memoir.memory.merge import STRATEGIES
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store import remote


def command(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[REMOTE]", autocompletion=complete.remotes)] = "origin",
    branch: Annotated[
        str | None,
        typer.Argument(
            metavar="[BRANCH]", help="The remote's branch (default: the current one's name).", show_default=False
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="Settle rival changes: ours, theirs, append or newest.",
            autocompletion=complete.words(*STRATEGIES),
        ),
    ] = None,
) -> Answer:
    """Fetch, and merge the remote's branch into the current one, memory by memory."""
    store = session(ctx).store
    target = store.branch()
    found = remote.fetch(store, name)
    theirs = f"{name}/{branch or target}"
    return stores.pulled(name, target, found, merge(store, theirs, strategy=strategy))
