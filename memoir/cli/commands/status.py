"""`memoir status`."""

from typing import Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session


def status(
    ctx: typer.Context,
    short: Annotated[bool, typer.Option("--short", help="Print one line, for a status line or a prompt.")] = False,
) -> Answer:
    """Describe the store: its branch, its counts, and how it compares with its remotes."""
    return shapes.status(session(ctx).repository.status(), short=short)
