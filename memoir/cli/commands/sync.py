"""`memoir sync`."""

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import Remote, Strategy
from memoir.cli.session import session


def sync(ctx: typer.Context, name: Remote = "origin", strategy: Strategy = None) -> Answer:
    """Fetch, put your unpublished commits on top of the remote's, and push; one undo takes it back here.

    If another store pushes meanwhile, it begins again, after a short pause. If both sides changed the same memory,
    nothing is changed (exit 5), unless you give --strategy.
    """
    return shapes.sync(session(ctx).repository.remotes.sync(name, strategy=strategy))
