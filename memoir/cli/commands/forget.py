"""`memoir forget`."""

from typing import Annotated

import typer

from memoir.cli.options import DEFAULT, DryRun, Keys, Message, Namespace, needed
from memoir.cli.session import session
from memoir.memory.read import expand, require
from memoir.memory.write import forget
from memoir.output import write as shapes
from memoir.output.answer import Answer


def command(
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
    store = session(ctx).store
    places = expand(store.head(), needed(keys), namespace, prefix=prefix)
    if dry_run:
        require(store.head(), places, prefixed=True)
        return shapes.written(places, None, "forgotten", dry_run=True)
    return shapes.written(places, forget(store, places, message=message), "forgotten")
