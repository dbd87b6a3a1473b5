"""`memoir restore`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, Keys, Message, Namespace, require_keys
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def restore(
    ctx: typer.Context,
    keys: Keys,
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="REV",
            help="The revision or date to bring them back from.",
            show_default=False,
            autocompletion=complete.revisions,
        ),
    ],
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Bring memories back as they were at a revision, as one commit."""
    done = session(ctx).repository.restore(
        *require_keys(keys), at=at, namespace=namespace, options=WriteOptions(message)
    )
    return shapes.write(*done, "restored")
