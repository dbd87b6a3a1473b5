"""`memoir forget`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, DryRun, Keys, Message, Namespace, require_keys
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def forget(
    ctx: typer.Context,
    keys: Keys,
    prefix: Annotated[bool, typer.Option("--prefix", help="Forget everything at or under each KEY.")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Remove memories, as one commit; history keeps them. A KEY may be a glob, such as 'settings.*'.

    If one of the keys holds nothing, nothing is forgotten and the exit status is 4.
    """
    options = WriteOptions(message, dry_run=dry_run)
    done = session(ctx).repository.forget(*require_keys(keys), prefix=prefix, namespace=namespace, options=options)
    return shapes.write(*done, "forgotten", dry_run=dry_run)
