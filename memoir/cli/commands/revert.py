"""`memoir revert`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import Message
from memoir.cli.session import session
from memoir.memory.integrate import revert
from memoir.output import history as shapes
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    revision: Annotated[
        str, typer.Argument(metavar="COMMIT", help="The commit.", show_default=False, autocompletion=complete.revisions)
    ],
    message: Message = None,
) -> Answer:
    """Undo one commit in a new one; later changes to other paths stay."""
    store = session(ctx).store
    target = store.commit(revision)
    return shapes.reverted(target, revert(store, target.id, message=message))
