"""`memoir mv`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, AllowSecret, DryRun, Message, Namespace, Old
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def mv(
    ctx: typer.Context,
    old: Old,
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new path, or namespace:path.", show_default=False)],
    prefix: Annotated[bool, typer.Option("--prefix", help="Move everything at or under OLD.")] = False,
    append: Annotated[bool, typer.Option("--append", help="If NEW is occupied, add to the memories there.")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Move a memory, or a whole prefix, to another path, as one commit that blame follows.

    Of several memories at a path, KEY#id moves one: the new path's versions begin with the move.
    """
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    done = session(ctx).repository.move(old, new, prefix=prefix, append=append, namespace=namespace, options=options)
    return shapes.mv(done.pairs, done.commit, dry_run=dry_run)
