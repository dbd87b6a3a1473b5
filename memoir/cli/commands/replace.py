"""`memoir replace`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, DryRun, Message, Namespace, Old
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def replace(
    ctx: typer.Context,
    old: Old,
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="[NEW]",
            help="That of the new one (default: the newest memory that contradicts the old one or is near to it).",
            show_default=False,
            autocompletion=complete.keys,
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Let a newer memory take the place of an older one.

    The new memory moves to the path of the old one, which stays there as superseded: recall no longer finds it, and
    'memoir blame' still shows it. It is one commit, which 'memoir undo' takes back. What 'memoir remember' was added
    beside is named in its answer.
    """
    options = WriteOptions(message, dry_run=dry_run)
    done = session(ctx).repository.replace(old, new, namespace=namespace, options=options)
    return shapes.replace(done, dry_run=dry_run)
