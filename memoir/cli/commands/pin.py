"""`memoir pin`."""

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, DryRun, Keys, Message, Namespace
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def pin(
    ctx: typer.Context, keys: Keys, namespace: Namespace = DEFAULT, dry_run: DryRun = False, message: Message = None
) -> Answer:
    """Pin memories: every agent's session begins with them ('memoir prime').

    A pin is the metadata "pinned": true of a memory, so it has a history and can be undone like everything else.
    """
    options = WriteOptions(message, dry_run=dry_run)
    result = session(ctx).repository.agents.pin(*keys, namespace=namespace, options=options)
    return shapes.write(*result, verb="pinned", dry_run=dry_run)
