"""`memoir unpin`."""

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, DryRun, Keys, Message, Namespace
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def unpin(
    ctx: typer.Context, keys: Keys, namespace: Namespace = DEFAULT, dry_run: DryRun = False, message: Message = None
) -> Answer:
    """Unpin memories."""
    options = WriteOptions(message, dry_run=dry_run)
    result = session(ctx).repository.agents.unpin(*keys, namespace=namespace, options=options)
    return shapes.write(*result, verb="unpinned", dry_run=dry_run)
