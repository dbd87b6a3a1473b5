"""`memoir revert`."""

from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import Message
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def revert(
    ctx: typer.Context,
    revision: Annotated[
        str, typer.Argument(metavar="COMMIT", help="The commit.", show_default=False, autocompletion=complete.revisions)
    ],
    message: Message = None,
) -> Answer:
    """Undo one commit in a new one; later changes to other paths stay."""
    return shapes.revert(*session(ctx).repository.revert(revision, WriteOptions(message)))
