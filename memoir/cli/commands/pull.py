"""`memoir pull`."""

from typing import Annotated

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import Ours, Remote, Strategy, Theirs, chosen_strategy
from memoir.cli.session import session


def pull(
    ctx: typer.Context,
    name: Remote = "origin",
    branch: Annotated[
        str | None,
        typer.Argument(
            metavar="[BRANCH]", help="The remote's branch (default: the current one's name).", show_default=False
        ),
    ] = None,
    strategy: Strategy = None,
    ours: Ours = False,
    theirs: Theirs = False,
) -> Answer:
    """Fetch, and merge the remote's branch into the current one, memory by memory."""
    strategy = chosen_strategy(strategy, ours=ours, theirs=theirs)
    return shapes.pull(*session(ctx).repository.remotes.pull(name, branch, strategy=strategy))
